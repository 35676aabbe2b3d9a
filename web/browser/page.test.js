// The page in Chromium, against a server with small tables: see `run`.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import {
  AXE,
  GAME,
  KINGS,
  PHONE,
  VIEWS,
  axeFinds,
  fen,
  finish,
  launch,
  openPage,
  says,
  square,
  verdict,
} from './harness.js';

const PAGE = process.env.PAGE;

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

const open = (address, options, expectedFailures) => openPage(browser, PAGE, address, options, expectedFailures);

/** The API, without the page. */
async function ask(path) {
  return (await fetch(`${PAGE}api/${path}`)).json();
}

async function drag(page, from, to) {
  const [a, b] = [await from.boundingBox(), await to.boundingBox()];
  await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
  await page.mouse.down();
  await page.mouse.move(a.x + a.width / 2 + 12, a.y + a.height / 2 + 12);
  await page.mouse.move(b.x + b.width / 2, b.y + b.height / 2, { steps: 4 });
  await page.mouse.up();
}

test('the first view is small, and tells the result in words', async () => {
  const page = await open('');
  await says(verdict(page), 'White wins in 13 moves');
  await page.waitForLoadState('networkidle');
  const sizes = await Promise.all(page.requests.map((request) => request.sizes()));
  const wire = sizes.reduce((sum, size) => sum + size.responseBodySize + size.responseHeadersSize, 0);
  assert.ok(wire > 10_000 && wire < 150_000, `${wire} bytes`);
  console.log(`the first view: ${wire} bytes in ${sizes.length} answers`);
  assert.match(await page.locator('.verdict').innerText(), /25\splies/);
  assert.match(await page.locator('.panel').innerText(), /3\swin\s+12\sdraw/);
  await says(page.locator('.card'), 'Positions like this one');
  const api = await page.locator('.foot a').evaluate((link) => link.href);
  assert.equal((await fetch(api)).status, 200);
  await finish(page);
});

test('nothing jumps while a view opens', async () => {
  for (const options of [{}, PHONE]) {
    for (const view of ['explore', 'map', 'materials', 'train', 'games']) {
      const page = await open(`#/russian/${view}`, options);
      await page.evaluate(() => {
        globalThis.shift = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) globalThis.shift += entry.value;
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await page.locator('main > *').waitFor();
      await page.waitForLoadState('networkidle');
      await page.waitForFunction(() => !document.querySelector('[aria-busy], .skeleton'));
      const shift = await page.evaluate(() => globalThis.shift);
      assert.ok(shift < 0.03, `${view}: a layout shift of ${shift}`);
      await finish(page);
    }
  }
});

test('nothing jumps when the answer about a game comes late', async () => {
  for (const options of [{}, PHONE]) {
    const page = await open('#/russian/games', options, true);
    let body;
    await page.route('**/annotate', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 900));
      if (body) await route.fulfill({ status: 500, json: { schema: 1, error: { code: 'internal', message: body } } });
      else await route.continue();
    });
    await page.evaluate(() => {
      globalThis.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) globalThis.shift += entry.value;
      }).observe({ type: 'layout-shift' });
    });
    await page.fill('textarea', GAME);
    await page.getByRole('button', { name: 'Analyse' }).click();
    await page.locator('.skeleton').waitFor();
    await page.locator('.annotated').waitFor();
    await page.getByRole('link', { name: 'Other games' }).click();
    body = 'out of order';
    await page.fill('textarea', GAME.replace('Petrova', 'Orlova'));
    await page.getByRole('button', { name: 'Analyse' }).click();
    await says(page.locator('.problem'), 'out of order');
    assert.equal(await page.locator('textarea').inputValue(), GAME.replace('Petrova', 'Orlova'));
    const shift = await page.evaluate(() => globalThis.shift);
    assert.ok(shift < 0.03, `a layout shift of ${shift}`);
    await finish(page);
  }
});

test('every game opens', async () => {
  const page = await open('', {}, true);
  for (const game of ['english', 'italian', 'alapo', 'chess', 'russian']) {
    await page.locator('.game-select').selectOption(game);
    await page.waitForURL(new RegExp(`${game}/explore`));
    await says(verdict(page), /wins|draw|mates/i);
  }
  for (const game of ['brazilian', 'pool', 'czech', 'spanish', 'thai']) {
    await page.locator('.game-select').selectOption(game);
    await says(page.locator('code'), `damka gen ${game}`);
  }
  await finish(page);
});

test('numbers of squares are those of the rules', async () => {
  // The square of number 1, as in docs/GAMES.md.
  const page = await open('', {}, true);
  const { games } = await ask('games');
  for (const [game, one] of [
    ['english', 'b8'],
    ['italian', 'a8'],
    ['spanish', 'h1'],
    ['thai', 'g1'],
  ]) {
    await page.locator('.game-select').selectOption(game);
    await page.locator(`.board [data-square="${one}"][aria-label^="1"]`).waitFor();
    const shown = await page.evaluate(() =>
      Object.fromEntries(
        [...document.querySelectorAll('.board [data-square]')].map((cell) => [
          cell.dataset.square,
          cell.getAttribute('aria-label').split(',')[0],
        ]),
      ),
    );
    const { board } = games.find((found) => found.game === game);
    const expected = board
      .flatMap((row, y) => row.map((name, x) => [`${'abcdefgh'[x]}${8 - y}`, name]))
      .filter(([, name]) => name);
    assert.deepEqual(shown, Object.fromEntries(expected));
    assert.equal(shown[one], '1');
  }
  await finish(page);
});

test('a position is set up with the palette, by tap, drag and tools', async () => {
  const page = await open('');
  await says(verdict(page), 'White wins');
  await page.click('[data-key=edit]');
  await page.click('[data-key=clear]');
  await says(verdict(page), 'Not a position yet');
  await page.click('[data-key=wK]');
  await square(page, 'a1').click();
  await page.click('[data-key=bM]');
  await square(page, 'g7').click();
  await says(verdict(page), 'White wins in 1 move');
  assert.equal(await fen(page), 'W:WKa1:Bg7');
  // A piece can also be dragged while a tool is chosen.
  await drag(page, square(page, 'g7'), square(page, 'f6'));
  await page.waitForFunction(() => document.querySelector('.fen').value === 'W:WKa1:Bf6');
  await page.click('[data-key=erase]');
  await drag(page, square(page, 'f6'), square(page, 'h6'));
  await page.waitForFunction(() => document.querySelector('.fen').value === 'W:WKa1:Bh6');
  await square(page, 'h6').focus();
  await page.keyboard.press('Delete');
  await page.waitForFunction(() => document.querySelector('.fen').value === 'W:WKa1:B');
  await page.click('[data-key=bM]');
  await square(page, 'f6').click();
  await page.waitForFunction(() => document.querySelector('.fen').value === 'W:WKa1:Bf6');
  await drag(page, page.locator('[data-key=bK]'), square(page, 'b8'));
  await page.waitForFunction(() => document.querySelector('.fen').value === 'W:WKa1:BKb8,f6');
  await page.getByRole('button', { name: 'Black to move' }).click();
  await page.waitForFunction(() => document.querySelector('.fen').value === 'B:WKa1:BKb8,f6');
  await page.click('[data-key=exchange]');
  await page.waitForFunction(() => document.querySelector('.fen').value === 'W:WKg1,c3:BKh8');
  await page.click('[data-key=done]');
  await page.locator('.move-row').first().waitFor();
  await page.goBack();
  await page.waitForFunction(() => document.querySelector('.fen').value === 'B:WKa1:BKb8,f6');
  await finish(page);
});

test('tools of setting up say what they need', async () => {
  const page = await open('#/russian/explore?fen=W:WKa1,c3:BKb8');
  await page.locator('.move-row').first().waitFor();
  await page.click('[data-key=edit]');
  const mirror = page.getByRole('button', { name: 'Mirror', description: 'A position with men has no mirror image' });
  assert.equal(await mirror.getAttribute('aria-disabled'), 'true');
  await mirror.click({ force: true });
  await says(page.locator('.toast'), 'A position with men has no mirror image');
  assert.equal(await page.locator('.material').inputValue(), 'KMvK');
  for (const text of ['XYZ', '']) {
    await page.fill('.material', text);
    await page.click('[data-key=random]');
    await says(page.locator('.toast'), 'Type the pieces of both sides, such as KKvK');
    await page.waitForFunction(() => !document.querySelector('.toast'));
  }
  await page.click('[data-key=clear]');
  await says(verdict(page), 'Not a position yet');
  assert.equal(await page.locator('.material').inputValue(), '');
  await finish(page);
});

test('shift, mirror and a random position of a material', async () => {
  const page = await open('#/chess/explore?fen=8/8/8/3k4/8/8/4P3/4K3+w+-+-+0+1');
  await page.locator('.move-row').first().waitFor();
  await page.click('[data-key=edit]');
  await page.getByRole('button', { name: 'Shift left' }).click();
  await page.waitForFunction(() => document.querySelector('.fen').value.startsWith('8/8/8/2k5/8/8/3P4/3K4 w'));
  await page.click('[data-key=mirror]');
  await page.waitForFunction(() => document.querySelector('.fen').value.startsWith('8/8/8/5k2/8/8/4P3/4K3 w'));
  await page.fill('.material', 'krk');
  await page.fill('.material', 'KRvK');
  await page.click('[data-key=random]');
  await page.waitForFunction(() => /R/i.test(document.querySelector('.fen').value.split(' ')[0]));
  await says(verdict(page), /mates|Draw|won/);
  await finish(page);
});

test('moves are played by tap, drag, keyboard and from the list; back and forward', async () => {
  const page = await open('');
  await says(verdict(page), 'White wins in 13 moves');
  await square(page, 'f8').click();
  assert.equal(await page.locator('.target').count(), 1);
  await square(page, 'g7').click();
  await says(verdict(page), 'White wins in 12 moves');
  assert.match(await page.locator('.verdict').innerText(), /Black to move/);
  await drag(page, square(page, 'b8'), square(page, 'a7'));
  await page.waitForFunction(() => /^W:/.test(document.querySelector('.fen').value));
  await page.locator('.move-row').first().click();
  await page.waitForFunction(() => /^B:/.test(document.querySelector('.fen').value));
  await page.waitForFunction(
    () => document.querySelectorAll('.move-row').length > 0 && !document.querySelector('[aria-busy]'),
  );
  assert.equal(await page.locator('.line [aria-current]').count(), 1);
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await page.waitForFunction((start) => document.querySelector('.fen').value === start, KINGS);
  await page.waitForFunction(() => !document.querySelector('[aria-busy]'));
  // With the keyboard alone.
  await square(page, 'e7').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /^B:/.test(document.querySelector('.fen').value));
  await finish(page);
});

test('best play goes by itself to the end, and is copied as PDN', async () => {
  const page = await open('#/russian/explore?fen=W:WKa7,Kc7:BKb8', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await says(verdict(page), 'White wins in 2 moves');
  await says(page.locator('.flag.win'), 'only move');
  await page.getByRole('button', { name: 'Copy PDN' }).click();
  const pdn = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(pdn, /\[FEN "W:WKa7,Kc7:BKb8"\]/);
  assert.match(pdn, /\[GameType "25,W,8,8,A0,0"\]/);
  const [first, second, third] = (await ask('russian/line?fen=W:WKa7,Kc7:BKb8')).line.map((move) => move.move);
  assert.equal(first, 'c7-h2');
  assert.ok(pdn.endsWith(`1. ${first} ${second} 2. ${third} 1-0\n`), pdn);
  await page.getByRole('button', { name: 'Play the best line' }).click();
  await says(verdict(page), 'White has won');
  await page.keyboard.press('Home');
  await says(verdict(page), 'White wins in 2 moves');
  await page.goto(`${PAGE}#/russian/explore?fen=B:WKg1:BKf2,Kh2`);
  await says(verdict(page), 'Black wins in 2 moves');
  // The colour is that of the side that wins.
  await says(page.locator('.flag.loss'), 'only move');
  await finish(page);
});

test('of moves between the same squares the player chooses', async () => {
  const page = await open('#/chess/explore?fen=8/4P1k1/8/8/8/8/8/4K3+w+-+-+0+1', PHONE);
  await says(verdict(page), 'White mates');
  await square(page, 'e7').tap();
  await square(page, 'e8').tap();
  await page.locator('dialog').getByRole('button', { name: 'e8=R' }).tap();
  await page.waitForFunction(() => document.querySelector('.fen').value.startsWith('4R3/'));
  await finish(page);
});

test('a link leads to the position', async () => {
  const page = await open('#/russian/explore?fen=W:WKa1,c3:BKb8', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.locator('.move-row').first().waitFor();
  await page.getByRole('button', { name: 'Copy a link' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await open(link.slice(PAGE.length));
  await other.locator('.move-row').first().waitFor();
  assert.equal(await fen(other), await fen(page));
  await finish(other);
  await finish(page);
});

test('texts are pasted: other forms of FEN, nonsense, a game', async () => {
  const page = await open('', {}, true);
  await says(verdict(page), 'White wins');
  await page.fill('.fen', 'W:WK29:BK7');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.fen').value === 'W:WKa1:BKe7');
  await page.fill('.fen', 'W:WKa9:BKb8');
  await page.keyboard.press('Enter');
  await says(page.locator('.problem'), 'Not a legal position');
  await says(page.locator('.problem'), 'a9');
  assert.equal(await page.locator('.problem button').count(), 0);
  await page.fill('.fen', 'абв');
  await page.keyboard.press('Enter');
  await says(page.locator('.problem'), '`абв` is not a side to move');
  assert.equal((await page.locator('.problem').innerText()).split('абв').length, 2);
  await page.fill('.fen', 'WKa1:BKe7');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.fen').value === 'W:WKa1:BKe7');
  await page.fill('.fen', '1. c3-d4 d6-c5 2. b2-c3');
  await page.keyboard.press('Enter');
  await page.waitForURL(/russian\/games/);
  // Moves without numbers, and an address of the page.
  for (const moves of ['c3-d4 d6-c5', 'c3-d4']) {
    await page.goto(`${PAGE}#/russian/explore?fen=${KINGS}`);
    await page.fill('.fen', moves);
    await page.keyboard.press('Enter');
    await page.locator('.annotated [data-ply="1"]').waitFor();
  }
  await page.goto(`${PAGE}#/russian/explore?fen=${KINGS}`);
  await page.fill('.fen', `${PAGE}#/chess/explore?fen=8/8/8/8/8/k7/7R/K7+b+-+-+0+1`);
  await page.keyboard.press('Enter');
  await says(verdict(page), 'White mates in 13 moves');
  await page.context().close();
});

test('texts are also pasted outside of a field', async () => {
  const page = await open('', { permissions: ['clipboard-read', 'clipboard-write'] });
  await says(verdict(page), 'White wins');
  await page.evaluate(() => navigator.clipboard.writeText('W:WKa7,Kc7:BKb8'));
  await page.keyboard.press('Control+V');
  await says(verdict(page), 'White wins in 2 moves');
  await page.goto(`${PAGE}#/russian/games`);
  await page.locator('textarea').waitFor();
  await page.evaluate((text) => navigator.clipboard.writeText(text), GAME);
  await page.keyboard.press('Control+V');
  await page.locator('.annotated .mistake').first().waitFor();
  await finish(page);
});

/** Answers every probe with this. */
const answerWith = (page, answer) =>
  page.route('**/probe?**', (route) => route.fulfill({ json: { schema: 1, game: 'russian', ...answer } }));

test('moves of unknown value come before those that lose; the engine says what it sees by force', async () => {
  const page = await open('#/russian/materials');
  const move = (name, value, dtw) => ({ move: name, coordinates: name, fen: 'B:Wb4:Bh8', value, dtw });
  const moves = [move('a3-b4', 'loss', 4), move('c3-b4', 'unknown', null), move('c3-d4', 'unknown', null)];
  const engine = { move: 'c3-d4', score: 29_997 };
  await answerWith(page, { fen: 'W:Wa3,c3:Bh8', value: 'unknown', dtw: null, moves, missing: [], engine });
  await page.goto(`${PAGE}#/russian/explore?fen=W:Wa3,c3:Bh8`);
  await says(page.locator('.engine'), 'would play c3-d4, and sees a win.');
  const shown = await page.locator('.move-row .san').evaluateAll((all) => all.map((one) => one.textContent));
  assert.deepEqual(shown, ['c3-b4: unknown', 'c3-d4: unknown', 'a3-b4: loss']);
  await finish(page);
});

test('a stalemate is called so', async () => {
  const page = await open('#/chess/explore?fen=7k/5Q2/6K1/8/8/8/8/8+b+-+-+0+1');
  await says(page.locator('.verdict'), 'stalemate');
  await finish(page);
});

test('beyond the tables one can play on; missing tables are named', async () => {
  const page = await open('#/russian/explore?fen=start', {}, true);
  await says(page.locator('.panel'), 'too many pieces');
  await page.waitForLoadState('networkidle');
  assert.deepEqual(page.requests.filter((request) => /stats/.test(request.url())), []);
  await square(page, 'c3').click();
  await square(page, 'd4').click();
  await page.waitForFunction(() => /^B:/.test(document.querySelector('.fen').value));
  await page.goto(`${PAGE}#/russian/explore?fen=W:WKa1,Kc1,Ke1,Kg1:BKh4`);
  await says(page.locator('.panel'), 'KKKKvK');
  await says(page.locator('code'), 'damka gen russian KKKKvK --tables DIR');
  await page.goto(`${PAGE}#/russian/map?fen=W:WKa1,Kc1,Ke1,Kg1:BKh4`);
  await says(page.locator('.map-view .note-box'), 'KKKKvK');
  assert.deepEqual(page.problems, []);
  await finish(page);
});

test('all of setting up is within sight, and every tool has its name on it or beside it', async () => {
  for (const game of ['russian', 'chess', 'alapo']) {
    const page = await open(`#/${game}/explore`);
    await page.locator('.verdict b').waitFor();
    await page.click('[data-key=edit]');
    for (const key of ['done', 'exchange', 'mirror', 'clear', 'random', 'erase']) {
      const box = await page.locator(`[data-key=${key}]`).boundingBox();
      assert.ok(box && box.y + box.height <= 800, `${game}: ${key} ends at ${box && box.y + box.height}`);
    }
    for (const name of ['Exchange colours', 'Mirror', 'Clear', 'Random', 'Done'])
      assert.ok(await page.getByText(name, { exact: true }).isVisible(), name);
    await finish(page);
  }
});

test('on a phone pieces are chosen with board and result in sight', async () => {
  const page = await open('#/chess/explore', PHONE);
  await page.locator('.verdict b').waitFor();
  await page.click('[data-key=edit]');
  const nav = await page.locator('nav.views').boundingBox();
  for (const place of ['.board', '.verdict', '[data-key=done]', '[data-key=wK]', '[data-key=bP]']) {
    const box = await page.locator(place).boundingBox();
    assert.ok(box.y >= 0 && box.y + box.height <= nav.y, `${place} ends at ${box.y + box.height}, but the navigation begins at ${nav.y}`);
  }
  await finish(page);
});

test('on a phone a row with an only move has both distances', async () => {
  const page = await open('#/russian/explore?fen=W:WKa7,Kc7:BKb8', { ...PHONE, locale: 'ru-RU' });
  await page.locator('.flag').waitFor();
  const row = await page.locator('.move-row').first().boundingBox();
  const head = await page.locator('.moves-head span').last().boundingBox();
  const plies = await page.locator('.n.plies').first().boundingBox();
  assert.ok(plies.x + plies.width <= row.x + row.width, 'the plies leave the row');
  assert.ok(Math.abs(plies.x + plies.width - head.x - head.width) < 1, 'the head is not above the plies');
  await finish(page);
});

test('on a phone the FEN and the link are in the first screen', async () => {
  const page = await open('', PHONE);
  await says(verdict(page), 'White wins');
  for (const place of ['.fen', '.fen-row button']) {
    const box = await page.locator(place).boundingBox();
    const nav = await page.locator('nav.views').boundingBox();
    assert.ok(box.y + box.height <= nav.y, `${place} ends at ${box.y + box.height}, but the navigation begins at ${nav.y}`);
  }
  await finish(page);
});

test('a view that was left does not come back when its answer comes', async () => {
  const page = await open('#/russian/materials');
  const requests = [];
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route('**/probe?**', async (route) => {
    requests.push(route.request());
    await held;
    await route.continue();
  });
  await page.getByRole('link', { name: 'Explore', exact: true }).click();
  await page.locator('.board').waitFor();
  await page.getByRole('link', { name: 'Train' }).click();
  await page.locator('.train').waitFor();
  assert.notEqual(requests.length, 0);
  release();
  await Promise.all(requests.map((request) => request.response()));
  await page.waitForLoadState('networkidle');
  assert.match(page.url(), /russian\/train/);
  assert.equal(await page.locator('.train').count(), 1);
  await finish(page);
});

test('the map says who wins, whosever piece is chosen', async () => {
  const page = await open(`#/russian/map?fen=${KINGS}&square=b8`);
  const first = page.locator('.map-sum').first();
  const { white } = await ask(`russian/map?fen=${KINGS}&square=b8`);
  const wins = white.filter((one) => one.value === 'win').length;
  // White's wins have White's colour, whether a black or a white king is moved.
  await says(first, `White wins ${wins}`);
  assert.equal(await first.locator('.dot.win').count(), 1);
  await square(page, 'e7').click();
  await says(page.locator('.lead'), 'The white king');
  await first.locator('.dot.win').waitFor();
  assert.match(await first.innerText(), /White wins \d+/);
  await finish(page);
});

test('the map shows both sides to move, and the values of the API', async () => {
  const page = await open(`#/russian/map?fen=${KINGS}`);
  await page.locator('.mark').nth(40).waitFor({ state: 'attached' });
  const { white, black } = await ask(`russian/map?fen=${KINGS}&square=b8`);
  assert.equal(await page.locator('.mark').count(), white.length + black.length);
  const h8 = white.find((one) => one.square === 'h8');
  assert.equal(h8.value, 'draw');
  assert.match(await page.locator('figure').first().locator('[data-square=h8]').getAttribute('aria-label'), /draw/);
  await square(page, 'e7').click();
  await says(page.locator('.lead'), 'The white king, now on e7');
  await page.getByRole('button', { name: 'Open in explorer' }).click();
  await says(verdict(page), 'White wins');
  await finish(page);
});

test('materials are listed, sorted and filtered, and shown closely', async () => {
  const page = await open('#/russian/materials');
  await page.locator('tbody tr').first().waitFor();
  const { stats } = await ask('russian/stats');
  assert.equal(await page.locator('tbody tr').count(), stats.length / 2);
  const longest = stats.reduce((best, side) => ((side.longest_win ?? 0) > (best.longest_win ?? 0) ? side : best));
  const top = page.locator('tbody tr').first();
  assert.match(await top.innerText(), new RegExp(`\\b${longest.longest_win}\\b`));
  assert.match(await top.locator('.longest').innerText(), new RegExp(`^${longest.to_move} to move`, 'i'));
  await says(page.locator('thead'), 'Longest win, plies');
  await says(page.locator('.key'), 'K king');
  await page.getByRole('button', { name: 'Material' }).click();
  assert.equal(await page.locator('tbody .signature').first().innerText(), 'KKKvK');
  await page.fill('input[type=search]', 'kvm');
  assert.deepEqual(
    [...new Set(await page.locator('tbody .signature').allInnerTexts())].sort(),
    ['KKKvM', 'KKvM', 'KKvMM', 'KvM', 'KvMM', 'KvMMM'].filter((name) => stats.some((side) => side.signature === name)),
  );
  await page.fill('input[type=search]', 'zzz');
  await says(page.locator('.empty'), 'No such material');
  await page.fill('input[type=search]', '');
  // The whole row leads to its material, not only the link.
  const row = page.locator('tbody tr', { has: page.getByText('KKvK', { exact: true }) });
  for (const cell of ['.share', 'td.num >> nth=0']) {
    await row.locator(cell).click();
    await page.waitForURL(/materials\/KKvK/);
    await page.goBack();
    await row.waitFor();
  }
  await row.locator('a').click();
  await says(page.locator('.lead'), '2 kings against king');
  await page.locator('.plot rect').first().waitFor();
  assert.equal(await page.locator('.plot').count(), 2);
  await page.locator('.position-card').nth(12).waitFor();
  await says(page.locator('.note'), /^Black to move: White wins in \d\smoves?$/);
  await says(page.locator('.note'), 'only ');
  await page.locator('.position-card').first().click();
  await says(verdict(page), 'White wins in 4 moves');
  await finish(page);
});

test('a material has one address, whichever side is named first; another text is no material', async () => {
  const page = await open('#/russian/materials/MvKK', {}, true);
  await says(page.locator('.lead'), '2 kings against man');
  await page.waitForURL(/materials\/KKvM$/);
  await page.goto(`${PAGE}#/russian/materials/XYZ`);
  await says(page.locator('.empty'), 'No such material: XYZ');
  await page.locator('.up-link').click();
  await page.locator('tbody tr').first().waitFor();
  await page.goto(`${PAGE}#/russian/materials/KKKKvK`);
  await says(page.locator('.empty'), 'No table for KKKKvK');
  await says(page.locator('.empty code'), 'damka gen russian KKKKvK --tables DIR');
  assert.equal(await page.locator('.materials .button').count(), 0);
  await page.goto(`${PAGE}#/russian/materials/KKKKKKKKvK`);
  await says(page.locator('.empty'), 'There are too many pieces for any table.');
  assert.equal(await page.locator('.materials .button, code').count(), 0);
  await page.goto(`${PAGE}#/russian/train?material=MvKK`);
  await says(page.locator('.coach'), 'to move and win');
  assert.equal(await page.locator('.settings select').inputValue(), 'KKvM');
  // A random position has the named pieces on the named sides.
  await page.goto(`${PAGE}#/russian/explore`);
  await page.click('[data-key=edit]');
  await page.fill('.material', 'MvKK');
  await page.click('[data-key=random]');
  await page.waitForFunction(() => /^[WB]:W[a-h]\d:BK\w\d,K\w\d$/.test(document.querySelector('.fen').value));
  await finish(page);
});

test('all signatures begin at the same place, and a narrow screen has a menu of orders', async () => {
  const page = await open('#/russian/materials');
  await page.locator('tbody tr').first().waitFor();
  const lefts = () =>
    page
      .locator('tbody .signature')
      .evaluateAll((all) => [...new Set(all.map((one) => Math.round(one.getBoundingClientRect().left)))]);
  assert.equal((await lefts()).length, 1);
  await finish(page);
  const phone = await open('#/russian/materials', PHONE);
  await phone.locator('tbody tr').first().waitFor();
  assert.equal(await phone.locator('.key').getAttribute('open'), null);
  await phone.locator('.filters select').selectOption('draws');
  await phone.locator('thead th[aria-sort]').waitFor({ state: 'attached' });
  const { stats } = await ask('russian/stats');
  const shares = stats.filter((side) => side.to_move === 'white').map((side) => side.draws / side.positions);
  const top = await phone.locator('tbody tr').first().locator('.share-cell small').innerText();
  assert.equal(top, `Draws ${Math.round(Math.max(...shares) * 100)}%`);
  await finish(phone);
});

test('challenges differ in the material that wins, and say what it is', async () => {
  for (const [game, words] of [
    ['russian', '3 men against'],
    ['chess', 'King and pawn against king'],
  ]) {
    const page = await open(`#/${game}/train`);
    const titles = page.locator('.cards.small .position-card b');
    await titles.first().waitFor();
    const all = (await titles.allInnerTexts()).map((text) => text.replace(/\s/g, ' '));
    const winners = all.map((text) => text.split(' against ')[0]);
    assert.equal(new Set(winners).size, all.length, all.join('; '));
    assert.ok(
      all.some((text) => text.startsWith(words)),
      all.join('; '),
    );
    await finish(page);
  }
});

test('training tells at once when a win is thrown away, and counts', async () => {
  const page = await open('#/russian/train?fen=W:WKa7,Kc7:BKb8');
  await says(page.locator('.coach'), 'White to move and win');
  await square(page, 'c7').click();
  await square(page, 'd8').click();
  await says(page.locator('.coach'), 'c7-d8 throws the win away');
  await says(page.locator('.coach'), 'Only c7-h2 wins');
  await says(page.locator('.coach'), 'The answer is');
  await says(page.locator('.counters'), /1\s*thrown away/);
  await page.locator('.coach').getByRole('button', { name: 'Take back' }).click();
  await says(page.locator('.coach'), 'Try again');
  await square(page, 'c7').click();
  await square(page, 'h2').click();
  await says(page.locator('.coach'), 'Still winning');
  await square(page, 'h2').click();
  await page.locator('.target').first().waitFor({ state: 'attached' });
  const answer = await ask('russian/line?fen=W:WKa7,Kc7:BKb8');
  await square(page, answer.line[2].move.slice(-2)).click();
  await says(page.locator('.coach'), 'Won');
  assert.match(await page.locator('.counters').innerText(), /1\s*won/);
  await page.reload();
  await says(page.locator('.counters'), /1\s*thrown away/);
  await page.getByRole('button', { name: 'Hold a draw' }).click();
  await says(page.locator('.coach'), /to move and draw/);
  // The goal is that of the task.
  const pressed = (name) => page.getByRole('button', { name, exact: true, pressed: true }).waitFor();
  await pressed('Hold a draw');
  await page.locator('.cards.small .position-card').first().click();
  await says(page.locator('.coach'), /to move and win/);
  await pressed('Win');
  await finish(page);
});

test('a training position has an address; a drawn one is to be held, a lost one is refused', async () => {
  const page = await open('#/russian/train?fen=W:WKa1,c3:BKb8');
  await says(page.locator('.coach'), 'White to move and draw');
  await page.getByRole('button', { name: 'Win', exact: true }).click();
  await says(page.locator('.coach'), 'to move and win');
  await page.goto(`${PAGE}#/russian/train?fen=B:WKa1,Kc1,Ke1:BKh8`);
  await says(page.locator('.coach'), 'this position is lost');
  await page.getByRole('button', { name: 'New position' }).click();
  await says(page.locator('.coach'), 'to move and win');
  await page.waitForURL(/train\?fen=/);
  const first = page.url();
  await page.getByRole('button', { name: 'New position' }).click();
  await page.waitForURL((url) => url.href !== first);
  await says(page.locator('.coach'), 'to move and win');
  await page.goBack();
  await page.waitForURL(first);
  await says(page.locator('.coach'), 'to move and win');
  // The colour is that of the side that wins.
  await page.goto(`${PAGE}#/russian/train?fen=B:WKg1:BKf2,Kh2`);
  await says(page.locator('.coach'), 'Black to move and win');
  assert.match(await page.locator('.coach').getAttribute('class'), /loss/);
  await finish(page);
});

test('many games are sent in parts; a record of another game leads to that game', async () => {
  const page = await open('#/russian/games');
  const bodies = [];
  page.on('request', (request) => request.url().endsWith('/annotate') && bodies.push(request.postData()));
  const games = Array.from({ length: 120 }, (_, i) => GAME.replace('Petrova', `Petrova ${i + 1}`));
  games[70] = `[White "Broken"]\n[Result "*"]\n[FEN "${KINGS}"]\n\n1. f8-c3 *\n`;
  await page.fill('textarea', games.join('\n'));
  await page.getByRole('button', { name: 'Analyse' }).click();
  await page.locator('.left-out').getByText('1 game was left out').click();
  await says(page.locator('.left-out'), 'Game 71:');
  assert.equal(bodies.length, 3);
  // Games are numbered as in the file.
  const options = await page.locator('.game-pick option').allTextContents();
  assert.equal(options.length, 119);
  for (const text of options) assert.match(text, /^(\d+)\. Petrova \1 /);
  await page.locator('.game-pick').selectOption('72');
  await page.waitForURL(/game=72$/);
  await page.reload();
  await page.waitForFunction(() => document.querySelector('.game-pick')?.value === '72');
  await page.getByRole('link', { name: 'Other games' }).click();
  await page.fill('textarea', '[GameType "21,B,8,8,N1,0"]\n\n1. 11-15 23-19 2. 8-11 22-17 *\n');
  await page.getByRole('button', { name: 'Analyse' }).click();
  await says(page.locator('.other-game'), 'English draughts');
  await page.locator('.other-game button').click();
  await page.waitForURL(/english\/games/);
  await page.locator('.annotated [data-ply="4"]').waitFor();
  await finish(page);
});

test('on a phone broken games leave the board in sight', async () => {
  const page = await open('#/russian/games', PHONE);
  const broken = `[White "Broken"]\n[FEN "${KINGS}"]\n\n1. f8-c3 *\n\n`;
  await page.fill('textarea', `${broken.repeat(4)}${GAME}`);
  await page.getByRole('button', { name: 'Analyse' }).click();
  await says(page.locator('.left-out summary'), '4 games were left out');
  const board = await page.locator('.board').boundingBox();
  const nav = await page.locator('nav.views').boundingBox();
  assert.ok(board.y + board.height <= nav.y, `the board ends at ${board.y + board.height}`);
  // The first game that can be shown is the fifth of the text.
  await page.locator('.annotated [data-ply="2"]').click();
  await page.waitForURL(/game=5&ply=2$/);
  await page.goBack();
  await page.waitForURL(/games\/\w+$/);
  await page.locator('.annotated').waitFor();
  await finish(page);
});

test('games are judged by the tables, and lead to the explorer', async () => {
  const page = await open('#/russian/games');
  await page.fill('textarea', GAME);
  await page.getByRole('button', { name: 'Analyse' }).click();
  await page.locator('.graph .curve').waitFor({ state: 'attached' });
  const { games } = await (await fetch(`${PAGE}api/russian/annotate`, { method: 'POST', body: GAME })).json();
  const bad = games[0].plies.filter((ply) => ply.judgement && ply.judgement !== 'only_move');
  assert.ok(bad.length > 0);
  assert.equal(await page.locator('.annotated .mistake').count(), bad.length);
  assert.equal(await page.locator('.mark-mistake').count(), bad.length);
  await page.locator('.annotated .mistake').first().click();
  await says(page.locator('.coach'), /throws away a win in \d+\smoves/);
  await says(page.locator('.coach'), `Better: ${bad[0].best_moves.slice(0, 6).join(' ')}`);
  await page.keyboard.press('ArrowRight');
  await page.getByRole('button', { name: 'Explore' }).click();
  await page.locator('.move-row').first().waitFor();
  await page.goBack();
  await page.locator('.graph .curve').waitFor({ state: 'attached' });
  await page.getByRole('link', { name: 'Other games' }).click();
  await page.fill('textarea', `${GAME}\n[White "Broken"]\n[Result "*"]\n[FEN "${KINGS}"]\n\n1. f8-c3 *\n`);
  await page.getByRole('button', { name: 'Analyse' }).click();
  await page.locator('.left-out').getByText('1 game was left out').click();
  await says(page.locator('.left-out'), 'Game 2:');
  await page.getByRole('link', { name: 'Other games' }).click();
  await page.fill('textarea', '1. f8-c3 *');
  await page.getByRole('button', { name: 'Analyse' }).click();
  await says(page.locator('.left-out'), 'Game 1:');
  assert.equal(await page.locator('.empty').count(), 0);
  // The record already has the marks by the tables. They must not appear twice.
  await page.fill('textarea', games[0].text);
  await page.getByRole('button', { name: 'Analyse' }).click();
  await says(page.locator('.annotated .mistake .table-mark'), '??');
  assert.equal(await page.locator('.annotated .mistake .own').count(), 0);
  for (const game of ['russian', 'english', 'italian', 'alapo', 'chess']) {
    await page.goto(`${PAGE}#/${game}/games`);
    await page.getByRole('button', { name: 'Try an example' }).click();
    await says(page.locator('.panel'), '1 win thrown away');
  }
  await finish(page);
});

test('a loaded game has an address: back and forward return to its plies', async () => {
  const page = await open('#/russian/games');
  await page.fill('textarea', GAME);
  await page.getByRole('button', { name: 'Analyse' }).click();
  const current = (ply) => page.locator(`.annotated [data-ply="${ply}"][aria-current]`).waitFor();
  await page.locator('.annotated [data-ply="2"]').click();
  await current(2);
  await page.waitForURL(/russian\/games\/\w+\?ply=2$/);
  await page.locator('.annotated [data-ply="5"]').click();
  await current(5);
  await page.goBack();
  await current(2);
  await page.goForward();
  await current(5);
  // Steps change the address without new entries of the history.
  await page.keyboard.press('ArrowRight');
  await page.waitForURL(/ply=6$/);
  await page.goBack();
  await current(2);
  await page.goForward();
  await current(6);
  await page.getByRole('button', { name: 'Explore' }).click();
  await page.locator('.move-row').first().waitFor();
  await page.locator('.move-row').first().click();
  await page.waitForFunction(() => document.querySelectorAll('.line [aria-current]').length === 1);
  await page.goBack();
  await page.goBack();
  await current(6);
  await page.reload();
  await current(6);
  await page.getByRole('link', { name: 'Materials' }).click();
  await page.locator('tbody tr').first().waitFor();
  await page.getByRole('link', { name: 'Games' }).click();
  await current(6);
  await page.getByRole('link', { name: 'Other games' }).click();
  await page.locator('textarea').waitFor();
  await page.goBack();
  await current(6);
  // Each of several games has its own address.
  await page.goForward();
  await page.fill('textarea', `${GAME}\n${GAME.replace('Petrova', 'Orlova')}`);
  await page.getByRole('button', { name: 'Analyse' }).click();
  await page.locator('.game-pick').selectOption({ label: '2. Orlova – Sokolov, 1-0' });
  await page.waitForURL(/game=2$/);
  await page.locator('.annotated [data-ply="3"]').click();
  await page.waitForURL(/game=2&ply=3$/);
  await page.goBack();
  await page.goBack();
  await page.waitForFunction(() => document.querySelector('.game-pick').value === '1');
  // Another tab does not have the text.
  const other = await open(page.url().slice(PAGE.length));
  await says(other.locator('.note-box'), 'another tab');
  await finish(other);
  await finish(page);
});

test('what the record says of moves is shown, and what its end gave up', async () => {
  const page = await open('#/russian/games');
  const text = `[Result "1/2-1/2"]\n[FEN "${KINGS}"]\n\n{A study.} 1. f8-g7!? {[%clk 0:01] Well <b>played</b>.} b8-a7 (1... b8-g3 {loses}) 2. e7-d8 1/2-1/2`;
  await page.fill('textarea', text);
  await page.getByRole('button', { name: 'Analyse' }).click();
  const moves = page.locator('.annotated');
  await says(moves, 'A study.');
  assert.equal(await moves.locator('[data-ply="1"] .own').innerText(), '!?');
  await says(moves.locator('.comment'), /^Well <b>played<\/b>\.$/);
  await says(moves.locator('.variation'), '(1... b8-g3 loses)');
  assert.match(await moves.innerText(), /1…\s*b8-a7/);
  await moves.locator('[data-ply="1"]').click();
  await says(page.locator('.coach .said'), 'Well');
  const ending = page.locator('.ending');
  await says(ending, /ended as a draw, while White was winning in \d+\smoves/);
  await ending.click();
  await says(page.locator('.coach'), 'ended as a draw');
  await page.locator('.annotated [data-ply="3"][aria-current]').waitFor();
  await finish(page);
});

test('Russian, by the language of the browser or the button, and remembered', async () => {
  const page = await open('', { locale: 'ru-RU' }, true);
  await says(verdict(page), 'Белые выигрывают за 13 ходов');
  assert.match(await page.locator('.move-row').first().textContent(), /13 ходов25 полуходов/);
  assert.equal(await page.locator('html').getAttribute('lang'), 'ru');
  // Errors of the server are shown in the language of the page.
  await page.fill('.fen', 'W:WKa9:BKb8');
  await page.keyboard.press('Enter');
  await says(page.locator('.problem'), 'Запись позиции не читается: ошибка у знака 5.');
  assert.equal(await page.locator('.problem [lang=en]').count(), 0);
  await page.goBack();
  await page.getByRole('button', { name: 'English' }).click();
  await says(verdict(page), 'White wins');
  await page.reload();
  await says(verdict(page), 'White wins');
  await finish(page);
});

test('the theme is chosen and remembered', async () => {
  const page = await open('', { colorScheme: 'light' });
  await says(verdict(page), 'White wins');
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.getByRole('button', { name: 'Dark theme' }).click();
  const dark = await ground();
  assert.notEqual(dark, light);
  await page.reload();
  await says(verdict(page), 'White wins');
  assert.equal(await ground(), dark);
  await finish(page);
});

test('a malformed address opens the page', async () => {
  const page = await open('#/%E0%A4%A');
  await says(verdict(page), 'White wins');
  await finish(page);
});

test('an address of an unknown game says so, and shows the last game', async () => {
  const page = await open('#/english/map');
  await page.evaluate(() => (location.hash = '#/halma/map'));
  await says(page.locator('.toast'), 'No such game: halma');
  assert.match(page.url(), /#\/english\/explore/);
  await finish(page);
});

test('an address without a whole position begins with setting it up', async () => {
  const page = await open('#/russian/explore?fen=W:W:B');
  await says(verdict(page), 'Not a position yet');
  await page.click('[data-key=wK]');
  await finish(page);
});

test('without the server the page says so, and goes on when it is back', async () => {
  const page = await open('', {}, true);
  await says(verdict(page), 'White wins in 13 moves');
  await page.route('**/api/**', (route) => route.abort());
  await page.locator('.move-row').first().click();
  await says(page.locator('.problem'), 'No connection');
  await page.unroute('**/api/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await says(verdict(page), 'White wins in 12 moves');
  await finish(page);
});

test('on a phone nothing is wider than the screen, and targets are large enough', async () => {
  for (const locale of ['en-GB', 'ru-RU']) {
    const page = await open('', { ...PHONE, locale });
    for (const view of VIEWS) {
      await page.goto(`${PAGE}#/russian/${view}`);
      await page.waitForLoadState('networkidle');
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= 390, `${view} is ${width} pixels wide`);
    }
    await page.goto(`${PAGE}#/russian/explore?fen=${KINGS}`);
    await page.locator('.verdict b').waitFor();
    await page.waitForFunction(() => !document.querySelector('[aria-busy]') && document.querySelector('.move-row'));
    await page.locator('.board [data-square=f8]').tap();
    await page.locator('.board [data-square=g7]').tap();
    await page.waitForFunction(() => /^B:/.test(document.querySelector('.fen').value));
    const small = await page.evaluate(() =>
      [...document.querySelectorAll('button, a, select, input')]
        .map((element) => ({ name: element.outerHTML.slice(0, 80), box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && box.top >= 0 && (box.width < 24 || box.height < 24))
        .map(({ name }) => name),
    );
    assert.deepEqual(small, []);
    await finish(page);
  }
});

test('on a phone on its side, and on a tablet, board and moves are side by side', async () => {
  for (const [width, height] of [
    [844, 390],
    [740, 360],
    [768, 1024],
  ]) {
    const page = await open('', { ...PHONE, viewport: { width, height } });
    for (const view of ['explore', 'train', 'map']) {
      await page.goto(`${PAGE}#/russian/${view}`);
      await page.locator(`main[data-view=${view}] .board`).first().waitFor();
      await page.waitForLoadState('networkidle');
      const board = await page.locator('.board').first().boundingBox();
      const nav = await page.locator('nav.views').boundingBox();
      const bottom = nav.y > 0 ? nav.y : height;
      if (view !== 'map') assert.ok(board.y + board.height <= bottom, `${view}: a board to ${board.y + board.height}`);
      assert.ok(board.width < width * 0.6 && board.width > 200, `${view}: a board of ${board.width}`);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, view);
    }
    await page.goto(`${PAGE}#/russian/explore`);
    const row = await page.locator('.move-row').first().boundingBox();
    assert.ok(row.y + row.height < height, `the first move ends at ${row.y + row.height}`);
    await finish(page);
  }
});

test('names of the views do not meet on small phones, and no head of a column leaves its table', async () => {
  for (const [width, locale] of [
    [360, 'ru-RU'],
    [320, 'ru-RU'],
    [320, 'en-GB'],
  ]) {
    const page = await open('#/russian/materials', { ...PHONE, viewport: { width, height: 640 }, locale });
    await page.locator('tbody tr').first().waitFor();
    const { gaps, ends, edge, wide } = await page.evaluate(() => {
      const boxes = [...document.querySelectorAll('.views a span')].map((one) => one.getBoundingClientRect());
      const heads = [...document.querySelectorAll('thead th button')].map((one) => one.getBoundingClientRect());
      return {
        gaps: boxes.slice(1).map((box, i) => box.left - boxes[i].right),
        ends: heads.map((box) => box.right),
        edge: document.querySelector('.table-wrap').getBoundingClientRect().right,
        wide: document.documentElement.scrollWidth,
      };
    });
    assert.ok(Math.min(...gaps) >= 3, `gaps of ${gaps}`);
    assert.ok(Math.max(...ends) <= edge, `${ends} beyond ${edge}`);
    assert.ok(wide <= width, `${wide}`);
    await finish(page);
  }
});

test('axe finds nothing in any view, light and dark, wide and narrow', async () => {
  const axe = await readFile(AXE, 'utf8');
  for (const options of [{ colorScheme: 'light' }, { colorScheme: 'dark', ...PHONE }]) {
    const page = await open('', { ...options, bypassCSP: true }, true);
    await page.evaluate(axe);
    for (const view of [...VIEWS, 'explore?fen=start', 'set up', 'game']) {
      if (view === 'set up') {
        await page.goto(`${PAGE}#/russian/explore?fen=${KINGS}`);
        await page.click('[data-key=edit]');
      } else if (view === 'game') {
        await page.goto(`${PAGE}#/russian/games`);
        await page.fill('textarea', GAME);
        await page.click('.loader .strong');
        await page.locator('.annotated .mistake').first().click();
      } else await page.goto(`${PAGE}#/russian/${view}`);
      await page.waitForLoadState('networkidle');
      await page.waitForFunction(() => !document.querySelector('[aria-busy], .skeleton'));
      const found = await axeFinds(page, `${view}, ${options.colorScheme}`);
      assert.deepEqual(found, []);
    }
    await finish(page);
  }
});
