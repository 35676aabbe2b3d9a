// Measures the answers of a site. CHROMIUM=... PAGE=http://server/ SITE=directory node bench.js [GAME] [PIECES]
// [COUNT]
//
// PAGE is a `damka serve` of the same tables. Each file is delayed by 30 ms, because emulated latency does not
// affect workers. Each position is in a new context; positions are random with equal probability.

import { performance } from 'node:perf_hooks';
import { launch } from './harness.js';
import { host } from './hosting.js';

const LATENCY_MS = 30;
const { PAGE, SITE } = process.env;
const [game = 'russian', pieces = '6', count = '40'] = process.argv.slice(2);
const COMPARED = 500;

const ask = async (path) => (await fetch(`${PAGE}api/${game}/${path}`)).json();

/** A random number generator with a fixed seed. */
let state = 12345;
const chance = () => (state = (state * 1103515245 + 12345) % 2 ** 31) / 2 ** 31;

const { stats } = await ask('stats');
const sides = stats.filter(({ signature }) => signature.length - 1 === Number(pieces));
const total = sides.reduce((sum, side) => sum + side.positions, 0);
const fens = [];
for (let seed = 0; fens.length < COMPARED; seed += 1) {
  let place = chance() * total;
  const { signature, to_move: turn } = sides.find((side) => (place -= side.positions) < 0) ?? sides[0];
  fens.push((await ask(`random/${signature}?seed=${seed}&turn=${turn}`)).fen);
}

const at = (list, share) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))];
const summary = (list, digits = 0) => `median ${at(list, 0.5).toFixed(digits)}, p90 ${at(list, 0.9).toFixed(digits)}`;

const site = await host(SITE, { compress: true });
site.delay = LATENCY_MS;
const browser = await launch();

/** A new source of the page, with the program loaded and no tables. */
async function openSource() {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.goto(`${site.base}#/none/games`);
  await page.evaluate(async () => {
    const [{ href }] = document.querySelectorAll('link[href$="site/source.js"]');
    const { TableSource } = await import(href);
    globalThis.source = new TableSource();
    await globalThis.source.answer('thai', 'W:WK1:BK32').catch(() => {});
  });
  return page;
}

/** Probes the tables without the page's cache of answers. Returns milliseconds. */
const time = (page, fen) =>
  page.evaluate(
    async ([game, fen]) => {
      const start = performance.now();
      await globalThis.source.fresh(game, (tables) => tables.answer(fen));
      return performance.now() - start;
    },
    [game, fen],
  );

const [whole, cold, kilobytes, requests] = [[], [], [], []];
for (const fen of fens.slice(0, Number(count))) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const start = performance.now();
  await page.goto(`${site.base}#/${game}/explore?fen=${fen}`, { waitUntil: 'commit' });
  await page.waitForFunction(
    () => document.querySelector('.verdict b')?.textContent && !document.querySelector('[aria-busy]'),
    null,
    { polling: 10 },
  );
  whole.push(performance.now() - start);
  await context.close();

  const fresh = await openSource();
  site.requests.length = 0;
  site.bytes = 0;
  cold.push(await time(fresh, fen));
  kilobytes.push(site.bytes / 1000);
  requests.push(site.requests.length);
  await fresh.context().close();
}
console.log(`from the address to the result: ${summary(whole)} ms`);
console.log(`an answer, with the program there and no tables: ${summary(cold)} ms`);
console.log(`  ${summary(kilobytes)} kB in ${summary(requests)} requests`);

const page = await openSource();
site.delay = 0;
let same = 0;
for (const fen of fens) {
  const here = await page.evaluate(([game, fen]) => globalThis.source.answer(game, fen), [game, fen]);
  if (JSON.stringify(here) === JSON.stringify(await ask(`probe?fen=${encodeURIComponent(fen)}`))) same += 1;
}
console.log(`${same} of ${fens.length} answers are the server's`);
const warm = [];
for (const fen of fens.slice(-20)) warm.push(await time(page, fen));
console.log(`a warm answer: ${summary(warm, 2)} ms`);
await browser.close();
site.close();
