/**
 * How long first answers take, and what they fetch: a new worker for each position, a server with latency.
 *
 *     DAMKA=PATH/TO/damka TABLES=DIR CHUNKS=DIR node bench/cold.js GAME PIECES [POSITIONS] [LATENCY]
 */

import { openInWorker } from '../dist/index.js';
import { CHUNKS, Server, native } from '../tests/support.js';
import { statSync } from 'node:fs';
import { join } from 'node:path';

const [game, pieces, count = '100', latency = '30'] = process.argv.slice(2);
const signatures = [...new Set(native(['stats', game]).map(({ signature }) => signature))].filter(
  (signature) => signature.length - 1 === Number(pieces),
);
const each = Math.ceil(Number(count) / signatures.length);
const fens = signatures
  .flatMap((signature) => native(['list', game, signature, '--sample', String(each), '--seed', '11']).map(({ fen }) => fen))
  .slice(0, Number(count));
const expected = native(['probe', game, '-', '--no-build'], fens.join('\n'));

const server = await new Server(CHUNKS).start();
server.delay = Number(latency);
/** @type {Record<string, number[]>} */
const figures = { cold_ms: [], kB: [], requests: [], next_ms: [], warm_ms: [] };
for (const [i, fen] of fens.entries()) {
  server.asked = [];
  const start = performance.now();
  const tables = await openInWorker({ game, url: server.url });
  const answer = await tables.answer(fen);
  figures.cold_ms.push(performance.now() - start);
  if (JSON.stringify(answer) !== JSON.stringify(expected[i])) throw new Error(`${fen}: another answer`);
  figures.requests.push(server.asked.length);
  figures.kB.push(server.asked.reduce((sum, path) => sum + statSync(join(CHUNKS, path)).size, 0) / 1000);
  const again = performance.now();
  await tables.answer(fen);
  figures.warm_ms.push(performance.now() - again);
  const next = performance.now();
  await tables.answer(answer.moves[0]?.fen ?? fen).catch(() => null);
  figures.next_ms.push(performance.now() - next);
  await tables.close();
}
await server.stop();
console.log(`${game}, ${pieces} pieces, ${fens.length} positions, ${latency} ms of latency`);
for (const [name, values] of Object.entries(figures)) {
  values.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => values[Math.min(values.length - 1, Math.floor(values.length * share))].toFixed(1);
  console.log(`${name.padEnd(9)} median ${at(0.5)}, p90 ${at(0.9)}, most ${at(1)}`);
}
