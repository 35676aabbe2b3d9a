import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { CHUNKS, Server, TABLES } from './support.js';

/** Runs the examples of a page as one module, and compares their output with their comments. */
for (const page of ['../../../docs/WASM.md', '../README.md']) {
  test(`the examples of ${page} do what they say`, async (t) => {
    const server = await new Server(CHUNKS).start();
    t.after(() => server.stop());
    const place = await mkdtemp(join(tmpdir(), 'damka-docs-'));
    t.after(() => rm(place, { recursive: true }));
    const text = await readFile(new URL(page, import.meta.url), 'utf8');
    const code = [...text.matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code).join('');
    const printed = [...code.matchAll(/^ *console\.log\(.*\/\/ (.*)$/gm)].map(([, comment]) => comment);
    assert.ok(printed.length > 0);
    await cp(new URL('../dist', import.meta.url), join(place, 'node_modules/damka'), { recursive: true });
    const module = code.replaceAll('https://example.org/tables/', String(server.url)).replaceAll('TABLES', TABLES);
    await writeFile(join(place, 'page.mjs'), module);
    const { stdout } = await promisify(execFile)(process.execPath, ['page.mjs'], { cwd: place });
    assert.deepEqual(stdout.trimEnd().split('\n'), printed);
  });
}
