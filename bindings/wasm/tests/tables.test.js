import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DamkaError, games, open, openInWorker } from '../dist/index.js';
import { CHUNKS, Server, TABLES, native, positions } from './support.js';

/** @typedef {import('../dist/types.js').Questions} Questions */

/** @type {Server} */
let server;
before(async () => {
  server = await new Server(CHUNKS).start();
});
after(() => server.stop());

/** @param {string} game */
function filesOf(game) {
  const directory = join(TABLES, game);
  /** @type {[string, Buffer][]} */
  const files = readdirSync(directory).map((name) => [name, readFileSync(join(directory, name))]);
  return files;
}

/**
 * The native program's answers about positions.
 * @param {string} game
 * @param {string[]} fens
 */
const answers = (game, fens) => native(['probe', game, '-', '--no-build'], fens.join('\n'));

/**
 * @param {Questions} tables
 * @param {string[]} fens
 * @param {any[]} expected
 */
async function compare(tables, fens, expected) {
  assert.equal(fens.length, expected.length);
  for (const [i, fen] of fens.entries()) assert.deepEqual(await tables.answer(fen), expected[i], fen);
}

describe('answers are those of the native program', () => {
  for (const [game, each] of /** @type {[string, number][]} */ ([['russian', 12], ['chess', 30], ['alapo', 9]])) {
    test(`${game}, from chunks`, async () => {
      const fens = positions(game, each);
      assert.ok(fens.length >= 180, `${fens.length} positions`);
      await compare(await open({ game, url: server.url }), fens, answers(game, fens));
    });

    test(`${game}, from files of the user`, async () => {
      const fens = positions(game, 2);
      const files = filesOf(game).map(([name, bytes]) => new File([new Uint8Array(bytes)], name));
      await compare(await open({ game, files }), fens, answers(game, fens));
    });

    test(`${game}, from bytes, in a worker`, async () => {
      const fens = positions(game, 2);
      const tables = await openInWorker({ game, bytes: Object.fromEntries(filesOf(game)) });
      await compare(tables, fens, answers(game, fens));
      await tables.close();
    });
  }
});

describe('all questions', () => {
  const fen = 'W:WKa1,c3:Bb8';

  test('value, line, legal moves', async () => {
    const tables = await open({ game: 'russian', url: server.url });
    const [{ moves, ...value }] = native(['probe', 'russian', fen]);
    assert.deepEqual(await tables.value(fen), value);
    assert.deepEqual(await tables.line(fen), native(['line', 'russian', fen])[0]);
    const legal = await tables.legalMoves(fen);
    /** @type {(moves: { move: string }[]) => string[]} */
    const names = (moves) => moves.map(({ move }) => move).sort();
    assert.deepEqual(names(legal.moves), names(moves));
    assert.equal(await tables.signatureOf(fen), 'KMvM');
    const wdl = await tables.answer(fen, { metric: 'wdl' });
    assert.deepEqual([wdl.value, wdl.dtw_status], [value.value, 'not_asked']);
  });

  test('map', async () => {
    const tables = await open({ game: 'russian', url: server.url });
    const map = await tables.map(fen, 'a1');
    assert.deepEqual([map.square, map.fen], ['a1', fen]);
    assert.ok(map.white.length > 20 && map.black.length > 20);
    for (const { fen, value, dtw } of [...map.white, ...map.black]) {
      const known = await tables.value(fen);
      assert.deepEqual([known.value, known.dtw], [value, dtw], fen);
    }
  });

  test('signatures, stats, histograms', async () => {
    for (const game of ['russian', 'chess', 'alapo']) {
      const tables = await open({ game, url: server.url });
      const stats = native(['stats', game]);
      const signatures = await tables.signatures();
      assert.deepEqual(new Set(signatures), new Set(stats.map(({ signature }) => signature)));
      for (const signature of signatures) {
        const actual = (await tables.stats(signature)).stats;
        assert.deepEqual(actual, stats.filter((side) => side.signature === signature).map(({ schema, ...side }) => side));
        const { histograms } = await tables.histogram(signature);
        const expected = native(['stats', game, signature, '--histogram']).map(({ schema, ...side }) => side);
        assert.deepEqual(histograms, expected);
      }
    }
  });

  test('lists, page by page', async () => {
    const tables = await open({ game: 'russian', url: server.url });
    const expected = native(['list', 'russian', 'KMvKM', '--value', 'loss', '--limit', '100000']);
    /** @type {any[]} */
    const listed = [];
    /** @type {string | null} */
    let cursor = null;
    do {
      const page = await tables.list('KMvKM', { value: 'loss', limit: 3000, cursor });
      listed.push(...page.positions);
      cursor = page.next;
    } while (cursor !== null);
    assert.ok(expected.length > 3000, `${expected.length} positions`);
    assert.deepEqual(listed, expected.map(({ schema, ...position }) => position));
    for (const options of [{ zugzwang: true }, { unique: true, turn: /** @type {const} */ ('black') }, { value: /** @type {const} */ ('win'), distance: 7 }]) {
      const flags = Object.entries({ ...options, unique: undefined, 'only-move': 'unique' in options }).flatMap(
        ([name, value]) => (value === true ? [`--${name}`] : value ? [`--${name}`, String(value)] : []),
      );
      const page = await tables.list('KMvKM', { ...options, limit: 30 });
      const expected = native(['list', 'russian', 'KMvKM', '--limit', '30', ...flags]);
      assert.deepEqual(page.positions, expected.map(({ schema, ...position }) => position), JSON.stringify(options));
    }
  });

  test('random positions', async () => {
    const tables = await open({ game: 'chess', url: server.url });
    const [one, same, other] = [5, 5, 6].map((seed) => tables.random('KPvK', { value: 'win', seed }));
    assert.deepEqual(await one, await same);
    assert.notDeepEqual(await one, await other);
    assert.equal((await tables.value((await one).fen)).value, 'win');
    await assert.rejects(tables.random('KvK', { value: 'win' }), { kind: 'missing', code: 'no_such_position' });
  });

  test('all names of a game', async () => {
    for (const game of ['russian', 'Russian', 'shashki']) {
      assert.equal((await open({ game, url: server.url })).game, 'russian');
      assert.equal((await open({ game, bytes: Object.fromEntries(filesOf('russian')) })).game, 'russian');
      const remote = await openInWorker({ game, url: server.url });
      assert.equal(remote.game, 'russian');
      await remote.close();
    }
  });

  test('games', async () => {
    const all = await games();
    assert.equal(all.length, 10);
    assert.equal(all.find(({ game }) => game === 'chess')?.board.length, 8);
  });
});

/** @param {DamkaError['kind']} kind @param {string} code */
const failure = (kind, code) => (/** @type {any} */ error) => {
  assert.ok(error instanceof DamkaError, String(error));
  assert.deepEqual([error.kind, error.code], [kind, code], error.message);
  return true;
};

describe('errors', () => {
  test('bad questions', async () => {
    const tables = await open({ game: 'russian', url: server.url });
    await assert.rejects(tables.answer('W:WKz9:Bb8'), (/** @type {any} */ error) => {
      assert.ok(failure('bad', 'bad_fen')(error));
      assert.equal(error.at, 5);
      return true;
    });
    await assert.rejects(tables.answer('W:WKa1:Bb8\0wdl\0'), failure('bad', 'bad_parameter'));
    await assert.rejects(tables.answer('W:WKa1:Bb8', { metric: /** @type {any} */ ('dtm') }), failure('bad', 'bad_parameter'));
    await assert.rejects(tables.map('W:WKa1:Bb8', 'c3'), failure('bad', 'no_piece'));
    await assert.rejects(tables.stats('KKK'), failure('bad', 'bad_signature'));
    await assert.rejects(tables.list('KvK', { cursor: 'q1' }), failure('bad', 'bad_parameter'));
    await assert.rejects(tables.list('KvK', { limit: 0 }), failure('bad', 'bad_parameter'));
    await assert.rejects(open({ game: 'thai', url: server.url }), failure('missing', 'missing_game'));
    for (const game of ['go', '../russian', 'russian/', '']) {
      const before = server.requests.length;
      await assert.rejects(open({ game, url: server.url }), failure('bad', 'unknown_game'));
      await assert.rejects(open({ game, url: `${server.url}russian/KvK.dtw` }), failure('bad', 'unknown_game'));
      await assert.rejects(open({ game, bytes: {} }), failure('bad', 'unknown_game'));
      assert.equal(server.requests.length, before, 'nothing is fetched');
    }
    for (const nothing of /** @type {any[]} */ ([undefined, null])) {
      await assert.rejects(open(nothing), failure('bad', 'bad_parameter'));
      await assert.rejects(openInWorker(nothing), failure('bad', 'bad_parameter'));
    }
    await assert.rejects(open(/** @type {any} */ ({ game: 'chess' })), failure('bad', 'bad_parameter'));
    const text = /** @type {any} */ ({ 'KvK.dtw': 'bytes' });
    await assert.rejects(open({ game: 'russian', bytes: text }), failure('bad', 'bad_parameter'));
    for (const ask of [open, openInWorker]) {
      await assert.rejects(ask({ game: 'chess', url: 'localhost:8000/tables/' }), (/** @type {any} */ error) => {
        assert.ok(failure('bad', 'bad_parameter')(error));
        assert.match(error.message, /`localhost:8000\/tables\/` is not .*https:\/\/example\.org/);
        return true;
      });
      await assert.rejects(ask({ game: 'chess', url: 'tables/' }), (/** @type {any} */ error) => {
        assert.ok(failure('bad', 'bad_parameter')(error));
        assert.match(error.message, /`tables\/` is not an absolute address.*https:\/\/example\.org/);
        return true;
      });
    }
    await tables.close();
    await assert.rejects(tables.answer('W:WKa1:Bb8'), failure('bad', 'bad_parameter'));
  });

  test('a value that is no text, in place of one', async () => {
    for (const ask of [open, openInWorker]) {
      const tables = await ask({ game: 'russian', url: server.url });
      for (const wrong of /** @type {any[]} */ ([undefined, null, true, ['W:WKa1:Bb8']])) {
        for (const question of /** @type {const} */ (['answer', 'value', 'line', 'legalMoves', 'list', 'stats', 'signatureOf'])) {
          await assert.rejects(async () => tables[question](wrong), (/** @type {any} */ error) => {
            assert.match(error.message, /^expected a text or a number, not a value of type /, question);
            return failure('bad', 'bad_parameter')(error);
          });
        }
        await assert.rejects(async () => tables.map('W:WKa1:Bb8', wrong), failure('bad', 'bad_parameter'));
      }
      await tables.close();
    }
  });

  test('a single table that is not there is missing; one that is lost after opening is damaged', async (t) => {
    const files = await new Server(TABLES).start();
    t.after(() => files.stop());
    files.knowsRanges = true;
    for (const status of [404, 410]) {
      files.answer = (_, response) => Boolean(response.writeHead(status).end());
      for (const ask of [open, openInWorker]) {
        await assert.rejects(ask({ game: 'russian', url: `${files.url}russian/KKvKM.dtw` }), failure('missing', 'missing_table'));
        await assert.rejects(ask({ game: 'russian', url: files.url }), failure('missing', 'missing_game'));
      }
      files.answer = () => false;
      const tables = await openInWorker({ game: 'russian', url: `${files.url}russian/KKvKM.dtw` });
      files.answer = (_, response) => Boolean(response.writeHead(status).end());
      await assert.rejects(tables.histogram('KKvKM').then(() => tables.list('KKvKM', { limit: 100_000 })), failure('damaged', 'damaged_table'));
      await tables.close();
    }
  });

  test('missing tables are named, with the legal moves', async () => {
    const tables = await open({ game: 'russian', url: server.url });
    await assert.rejects(tables.answer('W:Wa1,c1,e1:Bb8,d8'), (/** @type {any} */ error) => {
      assert.ok(failure('missing', 'missing_table')(error));
      assert.equal(error.answer.missing[0].signature, 'MMMvMM');
      assert.ok(error.answer.moves.length >= 5);
      return true;
    });
    await assert.rejects(tables.answer('start'), failure('beyond', 'beyond_tables'));
  });

  test('missing and damaged chunks, and servers that fail', async (t) => {
    const broken = await new Server(CHUNKS).start();
    t.after(() => broken.stop());
    const fen = 'W:WKa1,c3:BKb8,h8';
    const isChunk = (/** @type {string} */ path) => path.endsWith('.bin');
    // A program keeps fetched parts; a new worker has a new program.
    const first = await openInWorker({ game: 'russian', url: broken.url });
    const answer = await first.answer(fen);
    await first.close();
    const used = broken.requests.filter(isChunk);
    assert.ok(used.length >= 3);
    for (const [status, kind, code] of /** @type {[number, any, string][]} */ ([
      [404, 'damaged', 'damaged_table'],
      [500, 'offline', 'http_500'],
      [429, 'offline', 'http_429'],
    ])) {
      for (const lost of used) {
        broken.answer = (path, response) => path === lost && Boolean(response.writeHead(status).end());
        const tables = await openInWorker({ game: 'russian', url: broken.url });
        await assert.rejects(tables.answer(fen), failure(kind, code));
        broken.answer = () => false;
        assert.deepEqual(await tables.answer(fen), answer, 'it goes on when the server does');
        await tables.close();
      }
    }
    for (const damage of [(/** @type {Buffer} */ bytes) => bytes.subarray(1), (/** @type {Buffer} */ bytes) => Buffer.concat([bytes, bytes]), () => Buffer.from('<html>'), () => Buffer.alloc(0)]) {
      for (const hurt of used) {
        broken.answer = (path, response) =>
          path === hurt && Boolean(response.end(damage(readFileSync(join(CHUNKS, path)))));
        const tables = await openInWorker({ game: 'russian', url: broken.url });
        await assert.rejects(tables.answer(fen), failure('damaged', 'damaged_table'));
        // A damaged part is fetched again.
        let isFirst = true;
        broken.answer = (path, response) => {
          if (path !== hurt || !isFirst) return false;
          isFirst = false;
          return Boolean(response.end(damage(readFileSync(join(CHUNKS, path)))));
        };
        assert.deepEqual(await tables.answer(fen), answer);
        await tables.close();
      }
    }
    for (const [text, kind, code] of /** @type {[string, any, string][]} */ ([
      ['<html>', 'damaged', 'damaged_table'],
      ['{"format":2,"tables":{}}', 'damaged', 'damaged_table'],
      ['{"format":1,"game":"russian","tables":{"KvK.dtw":null}}', 'damaged', 'damaged_table'],
      ['{"format":1,"game":"russian","tables":{"KvK.dtw":{"bytes":-1,"chunk":"zz"}}}', 'damaged', 'damaged_table'],
      ['{"format":1,"game":"russian","tables":["a"]}', 'damaged', 'damaged_table'],
    ])) {
      broken.answer = (path, response) => path.endsWith('.json') && Boolean(response.end(text));
      await assert.rejects(open({ game: 'russian', url: broken.url }), failure(kind, code));
    }
    await broken.stop();
    await assert.rejects(open({ game: 'russian', url: broken.url }), failure('offline', 'offline'));
  });

  test('damaged files', async () => {
    const all = Object.fromEntries(filesOf('russian'));
    const bytes = { ...all, 'KvK.dtw': Buffer.from(all['KvK.dtw'].subarray(0, 300)) };
    const tables = await open({ game: 'russian', bytes });
    await assert.rejects(tables.answer('W:WKa1:BKh2'), failure('damaged', 'damaged_table'));
    const changed = Buffer.from(all['KvK.dtw']);
    changed[540] ^= 1;
    const others = await open({ game: 'russian', bytes: { ...all, 'KvK.dtw': changed } });
    await assert.rejects(others.answer('W:WKa1:BKh2'), failure('damaged', 'damaged_table'));
  });
});

/** A signal that counts its listeners: only some versions of Node.js warn of many. */
function watched() {
  const controller = new AbortController();
  const { signal } = controller;
  let listeners = 0;
  const [add, remove] = [signal.addEventListener, signal.removeEventListener];
  signal.addEventListener = (/** @type {any[]} */ ...args) => {
    listeners += 1;
    return add.apply(signal, /** @type {any} */ (args));
  };
  signal.removeEventListener = (/** @type {any[]} */ ...args) => {
    listeners -= 1;
    return remove.apply(signal, /** @type {any} */ (args));
  };
  return { signal, listeners: () => listeners, abort: () => controller.abort() };
}

describe('fetching', () => {
  test('a single table from a server with ranges, and from one without', async (t) => {
    const files = await new Server(TABLES).start();
    t.after(() => files.stop());
    const fens = native(['list', 'russian', 'KKvKM', '--sample', '20', '--seed', '1']).map(({ fen }) => fen);
    for (const knowsRanges of [true, false]) {
      files.knowsRanges = knowsRanges;
      const tables = await open({ game: 'russian', url: `${files.url}russian/KKvKM.dtw` });
      let known = 0;
      for (const fen of fens) {
        const value = await tables.value(fen).catch((error) => {
          // A capture leads to another table.
          assert.equal(error.code, 'missing_table');
          return null;
        });
        if (!value) continue;
        known += 1;
        const [{ moves, ...expected }] = native(['probe', 'russian', fen]);
        assert.deepEqual(value, expected);
      }
      assert.ok(known > 5);
    }
  });

  test('questions at the same time share what is fetched, and fetch it at the same time', { timeout: 120_000 }, async (t) => {
    const slow = await new Server(CHUNKS).start();
    t.after(() => slow.stop());
    // Delays parts until four requests are open at the same time. With fewer, the test ends by its time limit.
    /** @type {() => void} */
    let release = () => {};
    const released = new Promise((resolve) => (release = () => resolve(undefined)));
    slow.answer = async (path) => {
      if (slow.open > 3) release();
      if (path.endsWith('.bin')) await released;
      return false;
    };
    const fens = native(['list', 'russian', 'KMvKM', '--sample', '30', '--seed', '3']).map(({ fen }) => fen);
    const tables = await openInWorker({ game: 'russian', url: slow.url });
    const all = await Promise.all(fens.map((fen) => tables.answer(fen)));
    assert.deepEqual(all, answers('russian', fens));
    const paths = slow.requests.filter((path) => path.endsWith('.bin'));
    assert.equal(new Set(paths).size, paths.length, 'nothing is fetched twice');
    const { parts, bytes } = await tables.fetched();
    assert.equal(parts, paths.length);
    assert.ok(bytes > 10_000);
    await tables.close();
  });

  test('all requests have the given headers', async (t) => {
    const closed = await new Server(CHUNKS).start();
    t.after(() => closed.stop());
    closed.answer = (_, response, request) =>
      request.headers.authorization !== 'A' && Boolean(response.writeHead(401).end());
    for (const ask of [open, openInWorker]) {
      await assert.rejects(ask({ game: 'russian', url: closed.url }), failure('offline', 'http_401'));
      for (const headers of /** @type {HeadersInit[]} */ ([
        { authorization: 'A' },
        [['authorization', 'A']],
        new Headers({ authorization: 'A' }),
      ])) {
        const tables = await ask({ game: 'russian', url: closed.url, request: { headers } });
        assert.equal((await tables.value('W:WKa1:BKh4')).value, 'draw');
        await tables.close();
      }
    }
  });

  test('a question is ended by its signal', async (t) => {
    const slow = await new Server(CHUNKS).start();
    t.after(() => slow.stop());
    const tables = await openInWorker({ game: 'russian', url: slow.url });
    const fen = 'W:WKa1,c3:BKb8,h8';
    slow.delay = 150;
    const controller = new AbortController();
    const ended = tables.answer(fen, { signal: controller.signal });
    const other = tables.answer(fen);
    setTimeout(() => controller.abort(), 20);
    await assert.rejects(ended, { name: 'AbortError' });
    assert.equal((await other).fen, fen, 'the other goes on');
    await assert.rejects(tables.answer(fen, { signal: AbortSignal.abort() }), { name: 'AbortError' });
    await assert.rejects(open({ game: 'russian', bytes: {}, signal: AbortSignal.abort() }), { name: 'AbortError' });
    const next = await openInWorker({ game: 'russian', url: slow.url });
    await assert.rejects(next.line(fen, { signal: AbortSignal.timeout(30) }), { name: 'TimeoutError' });
    await next.close();
    await tables.close();
  });

  test('many questions have one signal', async (t) => {
    /** @type {Error[]} */
    const warnings = [];
    const warned = (/** @type {Error} */ warning) => warnings.push(warning);
    process.on('warning', warned);
    t.after(() => process.off('warning', warned));
    const fens = positions('russian', 2);
    assert.ok(fens.length > 20, `${fens.length} positions`);
    const slow = await new Server(CHUNKS).start();
    t.after(() => slow.stop());
    for (const tables of [await open({ game: 'russian', url: slow.url }), await openInWorker({ game: 'russian', url: slow.url })]) {
      slow.delay = 0;
      const { signal, ...controller } = watched();
      await Promise.all(fens.map((fen) => tables.answer(fen, { signal })));
      assert.ok(controller.listeners() <= 1, `${controller.listeners()} listeners`);
      // All of them are aborted together.
      slow.delay = 150;
      const others = await openInWorker({ game: 'chess', url: slow.url });
      const ended = positions('chess', 1).map((fen) => assert.rejects(others.answer(fen, { signal }), { name: 'AbortError' }));
      setTimeout(() => controller.abort(), 20);
      await Promise.all(ended);
      await others.close();
      await tables.close();
    }
    // A warning is emitted in the next turn of the event loop.
    await new Promise((resolve) => setTimeout(resolve));
    assert.deepEqual(warnings, []);
  });

  test('games share one memory', async () => {
    for (const game of ['russian', 'chess', 'alapo']) {
      const tables = await open({ game, url: server.url });
      for (const fen of positions(game, 1)) await tables.answer(fen);
      const bytes = tables.program.exports.memory.buffer.byteLength;
      assert.ok(bytes < 48 << 20, `${bytes} bytes`);
    }
  });
});
