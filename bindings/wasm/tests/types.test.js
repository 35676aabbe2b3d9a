import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

const MODULE = `
import { DamkaError, games, open, openInWorker, type Tables } from 'damka';
import { serve } from 'damka/serve.js';
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';

const wasm: Uint8Array = await readFile('damka.wasm');
const tables: Tables = await open({ game: 'russian', url: 'https://example.org/tables/', wasm });
const { value, moves } = await tables.answer('W:WKa1:Bb8', { signal: AbortSignal.timeout(100) });
const best: string | undefined = moves[0]?.move;
const remote = await openInWorker({ game: 'chess', bytes: { 'KvK.dtw': wasm }, worker: new Worker('worker.js') });
await remote.close();
export const kind = (error: unknown) => (error instanceof DamkaError ? error.kind : null);
export { best, games, serve, value };
`;

test('the types compile in a strict project for Node.js, without those of browsers', async (t) => {
  const place = await mkdtemp(join(tmpdir(), 'damka-types-'));
  t.after(() => rm(place, { recursive: true }));
  await cp(here('../dist'), join(place, 'node_modules/damka'), { recursive: true });
  for (const name of ['@types', 'undici-types']) {
    await cp(here(`node_modules/${name}`), join(place, 'node_modules', name), { recursive: true });
  }
  await writeFile(join(place, 'module.mts'), MODULE);
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022'];
  const tsc = [here('node_modules/typescript/bin/tsc'), ...options, '--types', 'node', 'module.mts'];
  await promisify(execFile)(process.execPath, tsc, { cwd: place }).catch(({ stdout }) => assert.fail(stdout));
});
