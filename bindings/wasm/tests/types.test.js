import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

const MODULE = `
import { DamkaError, games, open, openInWorker, type Answer, type Move, type RemoteTables, type Tables } from 'damka';
import { serve, type Port } from 'damka/serve.js';
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';

const wasm: Uint8Array = await readFile('damka.wasm');
const tables: Tables = await open({ game: 'russian', url: 'https://example.org/tables/', wasm });
const { value, moves }: Answer = await tables.answer('W:WKa1:Bb8', { signal: AbortSignal.timeout(100) });
const best: Move | undefined = moves[0];
const remote: RemoteTables = await openInWorker({ game: 'chess', bytes: { 'KvK.dtw': wasm }, worker: new Worker('worker.js') });
await remote.close();
export const kind = (error: unknown) => (error instanceof DamkaError ? error.kind : null);
export const port = (port: Port) => serve(port);
export { best, games, value };
`;

test('the types compile in a strict project for Node.js, without those of browsers', async (t) => {
  const place = await mkdtemp(join(tmpdir(), 'damka-types-'));
  t.after(() => rm(place, { recursive: true }));
  await cp(here('../dist'), join(place, 'node_modules/damka'), { recursive: true });
  for (const name of ['@types', 'undici-types']) {
    await cp(here(`node_modules/${name}`), join(place, 'node_modules', name), { recursive: true });
  }
  await writeFile(join(place, 'module.mts'), MODULE);
  const types = await readFile(here('../dist/types.d.ts'), 'utf8');
  const names = Array.from(types.matchAll(/^export (?:interface|type) (\w+)/gm), ([, name]) => name);
  assert.ok(names.length > 20, names.join());
  const all = ['ErrorFields', 'ErrorKind', 'WasmSource', ...names].join(', ');
  await writeFile(join(place, 'all.mts'), `export type { ${all} } from 'damka';\n`);
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022'];
  const tsc = [here('node_modules/typescript/bin/tsc'), ...options, '--types', 'node', 'module.mts', 'all.mts'];
  await promisify(execFile)(process.execPath, tsc, { cwd: place }).catch(({ stdout }) => assert.fail(stdout));
});
