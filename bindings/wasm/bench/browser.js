/**
 * Like cold.js, in Chromium: a new context, an empty cache and a new worker for each position. Uses playwright-core
 * of `web/browser`.
 *
 *     DAMKA=PATH/TO/damka TABLES=DIR CHUNKS=DIR node bench/browser.js GAME PIECES [POSITIONS] [LATENCY]
 */

import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { CHUNKS, Server } from '../tests/support.js';
import { positionsOf, print } from './figures.js';

const { chromium } = createRequire(new URL('../../../web/browser/', import.meta.url))('playwright-core');
const [game, pieces, count = '50', latency = '30'] = process.argv.slice(2);
const { fens, expected } = positionsOf(game, Number(pieces), Number(count));

const server = await new Server(CHUNKS).start();
server.delay = Number(latency);
const types = /** @type {Record<string, string>} */ ({ js: 'text/javascript', wasm: 'application/wasm', html: 'text/html' });
let bytes = 0;
server.answer = (path, response) => {
  if (path === '/') {
    response.writeHead(200, { 'content-type': types.html }).end('<!doctype html><link rel="icon" href="data:,">');
    return true;
  }
  const name = /^\/damka\/(.*)$/.exec(path)?.[1];
  const body = readFileSync(name ? new URL(`../dist/${name}`, import.meta.url) : `${CHUNKS}${path}`);
  if (!name) bytes += body.length;
  const type = name ? types[name.split('.').pop() ?? ''] : 'application/octet-stream';
  response.writeHead(200, { 'content-type': type, 'cache-control': 'max-age=86400' }).end(body);
  return true;
};

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
});
/** @type {Record<string, number[]>} */
const figures = { cold_ms: [], kB: [], requests: [], warm_ms: [] };
for (const [i, fen] of fens.entries()) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(String(server.url));
  server.requests = [];
  bytes = 0;
  const { answer, cold, warm } = await page.evaluate(
    async (/** @type {any} */ { game, fen }) => {
      const start = performance.now();
      // @ts-ignore: an address of the server
      const { openInWorker } = await import('/damka/index.js');
      const tables = await openInWorker({ game, url: '/' });
      const answer = await tables.answer(fen);
      const cold = performance.now() - start;
      const again = performance.now();
      await tables.answer(fen);
      return { answer, cold, warm: performance.now() - again };
    },
    { game, fen },
  );
  if (JSON.stringify(answer) !== JSON.stringify(expected[i])) throw new Error(`${fen}: another answer`);
  figures.cold_ms.push(cold);
  figures.warm_ms.push(warm);
  figures.kB.push(bytes / 1000);
  figures.requests.push(server.requests.filter((path) => !path.startsWith('/damka/')).length);
  await context.close();
}
await browser.close();
await server.stop();
print(`Chromium, ${game}, ${pieces} pieces, ${fens.length} positions, ${latency} ms of latency`, figures);
