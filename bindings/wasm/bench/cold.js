/**
 * Measures the time of first answers, and the bytes that they fetch: a new worker for each position, a server with
 * latency.
 *
 *     DAMKA=PATH/TO/damka TABLES=DIR CHUNKS=DIR node bench/cold.js GAME PIECES [POSITIONS] [LATENCY]
 */

import { openInWorker } from '../dist/index.js';
import { CHUNKS, Server } from '../tests/support.js';
import { positionsOf, print } from './figures.js';
import { statSync } from 'node:fs';
import { join } from 'node:path';

const [game, pieces, count = '100', latency = '30'] = process.argv.slice(2);
const { fens, expected } = positionsOf(game, Number(pieces), Number(count));

const server = await new Server(CHUNKS).start();
server.delay = Number(latency);
/** @type {Record<string, number[]>} */
const figures = { cold_ms: [], kB: [], requests: [], next_ms: [], warm_ms: [] };
for (const [i, fen] of fens.entries()) {
  server.requests = [];
  const start = performance.now();
  const tables = await openInWorker({ game, url: server.url });
  const answer = await tables.answer(fen);
  figures.cold_ms.push(performance.now() - start);
  if (JSON.stringify(answer) !== JSON.stringify(expected[i])) throw new Error(`${fen}: another answer`);
  figures.requests.push(server.requests.length);
  figures.kB.push(server.requests.reduce((sum, path) => sum + statSync(join(CHUNKS, path)).size, 0) / 1000);
  const again = performance.now();
  await tables.answer(fen);
  figures.warm_ms.push(performance.now() - again);
  const next = performance.now();
  await tables.answer(answer.moves[0]?.fen ?? fen).catch(() => null);
  figures.next_ms.push(performance.now() - next);
  await tables.close();
}
await server.stop();
print(`Node.js, ${game}, ${pieces} pieces, ${fens.length} positions, ${latency} ms of latency`, figures);
