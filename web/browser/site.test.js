// The page as files, in Chromium, from simple web servers: see `run`. Answers are compared with those of PAGE, a
// server of the same tables.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  AXE,
  GAME,
  KINGS,
  PHONE,
  VIEWS,
  axeFinds,
  finish,
  launch,
  openPage,
  says,
  square,
  verdict,
} from './harness.js';
import { host } from './hosting.js';

const { PAGE, SITE } = process.env;

let browser;
/** From the root of a server. @type {any} */
let plain;
/** Below a path, compressed. @type {any} */
let below;
before(async () => {
  browser = await launch();
  plain = await host(SITE);
  below = await host(SITE, { path: '/club/endings/', compress: true });
});
after(async () => {
  await browser?.close();
  plain?.close();
  below?.close();
});

const open = (site, address, options, expectedFailures) =>
  openPage(browser, site.base, address, options, expectedFailures);

/** The API of the server, for the expected answers. */
const ask = async (path) => (await fetch(`${PAGE}api/${path}`)).json();

/** Waits until the page itself is stored. */
const isKept = (page) =>
  page.evaluate(async () => {
    const { serviceWorker } = navigator;
    await serviceWorker.ready;
    if (!serviceWorker.controller) {
      await new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
    }
  });

test('answers are the server’s', async () => {
  const page = await open(plain, '');
  await says(verdict(page), 'White wins in 13 moves');
  const { games } = await ask('games');
  let compared = 0;
  for (const { game, signatures } of games) {
    if (!signatures) continue;
    const { stats } = await ask(`${game}/stats`);
    const names = [...new Set(stats.map((side) => side.signature))];
    const fens = [];
    for (let seed = 0; seed < 40; seed += 1) {
      fens.push((await ask(`${game}/random/${names[seed % names.length]}?seed=${seed}`)).fen);
    }
    const answers = await page.evaluate(
      async ([game, fens]) => {
        const [{ href }] = document.querySelectorAll('link[href$="site/source.js"]');
        const { TableSource } = await import(href);
        globalThis.tables ??= new TableSource();
        return Promise.all(fens.map((fen) => globalThis.tables.answer(game, fen)));
      },
      [game, fens],
    );
    for (const [i, fen] of fens.entries()) {
      assert.deepEqual(answers[i], await ask(`${game}/probe?fen=${encodeURIComponent(fen)}`), `${game} ${fen}`);
      compared += 1;
    }
  }
  assert.ok(compared >= 100, `${compared} positions`);
  // The tables continue a list where the list in the files ends.
  const query = { unique: true, value: 'win' };
  const [first, second] = await page.evaluate(async (query) => {
    const first = await globalThis.tables.list('russian', 'KKvKK', { ...query, limit: 60 });
    return [first, await globalThis.tables.list('russian', 'KKvKK', { ...query, limit: 60, cursor: first.cursor })];
  }, query);
  assert.equal(first.positions.length, 120);
  const expected = await ask('russian/list/KKvKK?unique=true&value=win&limit=180');
  assert.deepEqual([...first.positions, ...second.positions], expected.positions);
  await finish(page);
});

test('games are judged as by the server', async () => {
  const page = await open(plain, '');
  await says(verdict(page), 'White wins in 13 moves');
  const start = `[FEN "${KINGS}"]`;
  const texts = [
    ['russian', GAME],
    [
      'russian',
      `${GAME}\n[Event "Second"]\n[Result "1/2-1/2"]\n${start}\n\n{A study.} 1. fg7!? {Well\nplayed.} ba7 (1... b8-g3 {loses}) 2. e7d8 1/2-1/2`,
    ],
    ['russian', `${start}\n\n1. f8-c3 *\n\n${start}\n1. f8:g7?? $14 ; said\nb8-a7 0-2`],
    ['russian', '1. c3-d4 b6-a5 2. d4-c5 d6xb4 3. a3xc5 2-0'],
    ['russian', '1. cd4 ba5 2. dc5 d:b4 3. a:c5 0-0'],
    ['russian', '1. 22-18 9-13 2. с3d4 *'],
    ['english', '1. 11-15 23-19 2. 8-11 22-17 *'],
    ['italian', '1. 22-18 11-14 *'],
    ['chess', '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. 0-0 Nf6 6. Re1 Bg4 1-0'],
    ['chess', '1. e4 e5 2. Кf3 Кc6 3. Сb5 a6 4. С:c6 dxc6 5. O-O Кf6 6. Крh1 1/2-1/2'],
    ['chess', '[FEN "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1"]\n\n1. e8=R Kf7 2. Re2 Kf6 3. Re8?! Kf7 1/2-1/2'],
    ['chess', '[FEN "8/8/8/3k4/8/8/4P3/4K3 w - - 0 1"]\n\n1. Kd2 Ke4 2. Ke1 Ke3 0-1'],
    ['chess', '[Event "Мат"]\n[FEN "8/8/8/3k4/8/8/4P3/4K3 b - - 3 41"]\n\n41... Ke4 42. Kd2 Kd4 1/2-1/2'],
    ['alapo', '[FEN "6/2k3/6/6/3R2/6 w"]\n\n1. d2-f2 *'],
  ];
  for (const [game, text] of texts) {
    const body = await (await fetch(`${PAGE}api/${game}/annotate`, { method: 'POST', body: text })).json();
    const here = await page.evaluate(
      async ([game, text]) => {
        const [{ href }] = document.querySelectorAll('link[href$="site/source.js"]');
        const { TableSource } = await import(href);
        globalThis.tables ??= new TableSource();
        return globalThis.tables.annotate(game, text);
      },
      [game, text],
    );
    const comparable = ({ games, failed }) => ({
      failed: failed.map((one) => one.game),
      games: games.map(({ tags, result, start, comments, plies, given_up, text }) => ({
        text,
        tags,
        result,
        start,
        comments,
        given_up,
        plies: plies.map(({ before, after, best: _, variations, ...ply }) => ({
          ...ply,
          variations: variations.length,
          before: [before.value, before.dtw],
          after: [after.value, after.dtw],
        })),
      })),
    });
    assert.deepEqual(comparable(here), comparable(body), text);
    // Annotating an annotated game again changes nothing.
    for (const { text: once } of here.games) {
      const again = await page.evaluate(([game, text]) => globalThis.tables.annotate(game, text), [game, once]);
      assert.equal(again.games[0].text, once);
    }
  }
  await finish(page);
});

test('every view works below a path, from a server that compresses', async () => {
  const page = await open(below, '');
  await says(verdict(page), 'White wins in 13 moves');
  await says(page.locator('.card'), 'Positions like this one');
  await square(page, 'f8').click();
  await square(page, 'g7').click();
  await says(verdict(page), 'White wins in 12 moves');
  await page.getByRole('link', { name: 'Map', exact: true }).click();
  await page.locator('.mark').nth(40).waitFor({ state: 'attached' });
  await page.goto(`${below.base}#/russian/materials`);
  await page.locator('tbody tr').first().waitFor();
  assert.equal(await page.locator('tbody tr').count(), (await ask('russian/stats')).stats.length / 2);
  await page.goto(`${below.base}#/russian/materials/KKvK`);
  await page.locator('.plot').nth(1).waitFor();
  await page.locator('.position-card').nth(12).waitFor();
  await says(page.locator('.note'), 'Black to move: White wins in');
  await page.getByRole('button', { name: 'Random position' }).click();
  await page.waitForURL(/explore\?fen/);
  await page.goto(`${below.base}#/russian/train`);
  await says(page.locator('.coach'), /to move and win/);
  await page.goto(`${below.base}#/russian/games`);
  await page.fill('textarea', GAME);
  await page.getByRole('button', { name: 'Analyse' }).click();
  await page.locator('.graph .curve').waitFor({ state: 'attached' });
  const { games } = await (await fetch(`${PAGE}api/russian/annotate`, { method: 'POST', body: GAME })).json();
  const bad = games[0].plies.filter((ply) => ply.judgement && ply.judgement !== 'only_move');
  assert.equal(await page.locator('.annotated .mistake').count(), bad.length);
  // Moves can also be played in a game without tables.
  await page.goto(`${below.base}#/thai/explore`);
  await says(page.locator('.note-box'), /This site has no tables? of these pieces:/);
  assert.equal(await page.locator('.note-box code').count(), 0);
  await page.goto(`${below.base}#/thai/materials`);
  await says(page.locator('.empty'), 'This site has none.');
  assert.equal(await page.locator('.empty code').count(), 0);
  await page.goto(`${below.base}#/russian/materials/KKKKvK`);
  await says(page.locator('.empty'), 'No table for KKKKvK');
  assert.equal(await page.locator('.empty code, .materials .button').count(), 0);
  await page.goto(`${below.base}#/russian/explore?fen=W:WKa9:BKb8`);
  await says(page.locator('.problem'), 'Not a legal position');
  assert.ok(below.requests.every((path) => path.startsWith(below.path)));
  await finish(page);
});

test('the menu has the games that have tables, and a visit begins with one of them', async () => {
  const names = async (page) => (await page.locator('.game-select option').allInnerTexts()).map((name) => name.trim());
  const page = await open(plain, '');
  await page.waitForFunction(() => document.querySelectorAll('.game-select option').length < 10);
  assert.deepEqual(await names(page), ['Russian draughts', 'English draughts', 'Italian draughts', 'Alapo', 'Chess']);
  await page.goto(`${plain.base}#/thai/explore`);
  await page.waitForFunction(() => document.querySelector('.game-select optgroup option:checked'));
  await finish(page);
  const site = JSON.parse(await readFile(join(SITE, 'site.json'), 'utf8'));
  site.games = site.games.filter(({ game }) => game === 'chess');
  plain.replacements.set('site.json', Buffer.from(JSON.stringify(site)));
  try {
    const chess = await open(plain, '');
    await chess.waitForURL(/#\/chess\/explore/);
    await says(verdict(chess), /mates|Draw/);
    assert.deepEqual(await names(chess), ['Chess']);
    await finish(chess);
  } finally {
    plain.replacements.clear();
  }
});

test('what was seen is there without a connection, and the rest is not', async () => {
  const page = await open(below, '');
  await says(verdict(page), 'White wins in 13 moves');
  await page.goto(`${below.base}#/russian/materials/KKvK`);
  await page.locator('.position-card').nth(12).waitFor();
  await isKept(page);
  below.isGone = true;
  try {
    const again = await open(below, '', { context: page.context() }, true);
    await says(verdict(again), 'White wins in 13 moves');
    await again.goto(`${below.base}#/russian/materials/KKvK`);
    await again.locator('.position-card').nth(12).waitFor();
    await again.goto(`${below.base}#/chess/explore`);
    await says(again.locator('.problem'), 'No connection');
    below.isGone = false;
    await again.getByRole('button', { name: 'Try again' }).click();
    await says(verdict(again), /mates|Draw/);
    await again.close();
  } finally {
    below.isGone = false;
  }
  await finish(page);
});

test('a whole game is stored on request, and removed', async () => {
  const page = await open(plain, '');
  await says(verdict(page), 'White wins in 13 moves');
  await isKept(page);
  const dialog = page.locator('dialog.offline');
  await page.getByRole('button', { name: 'Without a connection' }).click();
  // The download is stopped, and continues.
  plain.delay = 300;
  await dialog.getByRole('button', { name: /^Keep everything \(\d/ }).click();
  await dialog.getByRole('button', { name: 'Stop' }).click();
  await says(dialog, 'Stopped.');
  plain.delay = 0;
  await dialog.getByRole('button', { name: /^Keep everything/ }).click();
  await says(dialog, 'everything is kept in this browser');
  await dialog.getByRole('button', { name: 'Close' }).click();
  plain.isGone = true;
  try {
    const again = await open(plain, '', { context: page.context() }, true);
    for (const signature of ['KKvKK', 'KMvMM', 'KMMvK', 'MMvM']) {
      const { fen } = await ask(`russian/random/${signature}?seed=7`);
      const { value } = await ask(`russian/probe?fen=${fen}`);
      await again.goto(`${plain.base}#/russian/explore?fen=${fen}`);
      await again.waitForFunction(() => !document.querySelector('[aria-busy]') && document.querySelector('.verdict b'));
      assert.equal(await again.locator('.problem').count(), 0, fen);
      assert.ok(value);
    }
    await again.goto(`${plain.base}#/russian/materials`);
    await again.locator('tbody tr').first().waitFor();
    await again.close();
  } finally {
    plain.isGone = false;
  }
  await page.getByRole('button', { name: 'Without a connection' }).click();
  await says(dialog, 'everything is kept');
  await dialog.getByRole('button', { name: 'Keep nothing' }).click();
  await says(dialog, /Russian draughts: [\d.]+/);
  assert.equal(
    await page.evaluate(async () => (await caches.keys()).filter((name) => name.includes(' russian ')).length),
    0,
  );
  await finish(page);
});

test('what new tables do not have any more is let go', async () => {
  const page = await open(below, '');
  await says(verdict(page), 'White wins in 13 moves');
  const kept = () =>
    page.evaluate(async () => {
      const names = (await caches.keys()).filter((name) => name.startsWith('damka /club/endings/ russian '));
      const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return lists.flat().map((request) => request.url);
    });
  const before = await kept();
  assert.ok(before.length > 2, before.join(' '));
  await page.evaluate(async () => {
    const cache = await caches.open('damka /club/endings/ russian 0');
    await cache.put(new URL('tables/russian/00/gone.bin', location.href), new Response('gone'));
    localStorage.setItem('damka.seen /club/endings/ russian', '"others"');
  });
  await page.reload();
  await says(verdict(page), 'White wins in 13 moves');
  await page.waitForFunction(() => localStorage.getItem('damka.seen /club/endings/ russian') !== '"others"');
  const after = await kept();
  assert.ok(!after.some((url) => url.endsWith('gone.bin')));
  assert.deepEqual(
    before.filter((url) => !after.includes(url)),
    [],
  );
  await finish(page);
});

test('a new version is announced, and shown on request', async () => {
  const page = await open(plain, '');
  await says(verdict(page), 'White wins in 13 moves');
  await isKept(page);
  const worker = await readFile(join(SITE, 'sw.js'), 'utf8');
  plain.replacements.set('sw.js', Buffer.from(worker.replace(/"version":"\w+"/, '"version":"another"')));
  plain.replacements.set(
    'index.html',
    Buffer.from((await readFile(join(SITE, 'index.html'), 'utf8')).replace('<title>', '<title>New: ')),
  );
  try {
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
    await says(page.locator('.new-version'), 'new version');
    await Promise.all([page.waitForEvent('load'), page.locator('.new-version button').click()]);
    await says(verdict(page), 'White wins in 13 moves');
    const names = await page.evaluate(async () => (await caches.keys()).filter((name) => name.includes(' shell ')));
    assert.deepEqual(
      names.map((name) => name.split(' ').at(-1)),
      ['another'],
    );
  } finally {
    plain.replacements.clear();
  }
  await finish(page);
});

test('a site on a phone, in Russian; axe finds nothing', async () => {
  const page = await open(below, '', { ...PHONE, locale: 'ru-RU', bypassCSP: true });
  await says(verdict(page), 'Белые выигрывают за 13 ходов');
  await page.evaluate(await readFile(AXE, 'utf8'));
  for (const view of VIEWS) {
    await page.goto(`${below.base}#/russian/${view}`);
    await page.waitForLoadState('networkidle');
    await page.waitForFunction(() => !document.querySelector('[aria-busy], .skeleton'));
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${view} is ${width} pixels wide`);
    assert.deepEqual(await axeFinds(page, view), []);
  }
  await page.getByRole('button', { name: 'Без связи' }).tap();
  await says(page.locator('dialog.offline'), 'Сохранить всё');
  assert.deepEqual(await axeFinds(page, 'dialog'), []);
  const box = await page.locator('dialog.offline').boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 390, `${box.x} to ${box.x + box.width}`);
  await finish(page);
});

test('a server of damka has nothing of a site', async () => {
  for (const path of ['sw.js', 'site/sw.js', 'site/source.js', 'site.json']) {
    assert.equal((await fetch(PAGE + path)).status, 404, path);
  }
});
