/**
 * Exact endgame results for draughts, chess and Alapo: probes tables in a browser or in Node.js.
 *
 * If bytes for a request are missing, the program names all parts of files that it needs. They are fetched together,
 * and the request is repeated.
 */

import { engine } from './engine.js';
import { DamkaError, bad, damaged, missing, offline } from './errors.js';
import { ChunkOrigin, Fetches, FileOrigin, address, blobFile, bytesFile, getter, isAbsent, rangedFile } from './fetching.js';

export { DamkaError } from './errors.js';
export { chunkPath, readChunkList } from './fetching.js';
export { openInWorker } from './client.js';

// `damka.d.ts` exports all types.
/** @import { Ask, ListOptions, Manifest, OpenOptions } from './types.js' */

/** The maximum number of times that a request may need parts. Best play to the end needs some for each ply. */
const ROUNDS = 10_000;

/** The name of a table's file: `KKvKM.dtw`. */
const TABLE_NAME = /^([A-Z]+v[A-Z]+\.(?:wdl|dtw))$/;

/**
 * Opens tables of a game: chunks on a server, or whole files.
 * @param {OpenOptions} options
 * @returns {Promise<Tables>}
 */
export async function open(options) {
  const { game, url, files, bytes, wasm, signal, fetch = globalThis.fetch, request = {} } = options ?? {};
  if (typeof game !== 'string') throw bad('open: expected the name of a game');
  const given = Object.entries({ url, files, bytes }).filter(([, value]) => value !== undefined);
  if (given.length !== 1) throw bad('open: expected one of `url`, `files` and `bytes`');
  signal?.throwIfAborted();
  const program = await engine(wasm);
  if (files !== undefined || bytes !== undefined) {
    return openFiles(program, game, wholeFiles(files ?? bytes ?? []));
  }
  // A game has several names; its directory has one. Nothing is fetched for an unknown game.
  const directory = program.request(['game', game]).ok;
  const get = getter(fetch, request);
  const base = address(String(url));
  const name = base.pathname.split('/').pop() ?? '';
  if (TABLE_NAME.test(name)) {
    const file = await rangedFile(base, get, signal);
    return openFiles(program, game, [[name, file]]);
  }
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  return openChunks(program, directory, new URL(`${directory}/`, base), get, signal);
}

/**
 * @param {Record<string, Blob | Uint8Array> | Iterable<File>} given
 * @returns {[string, import('./fetching.js').WholeFile][]}
 */
function wholeFiles(given) {
  /** @type {[string, Blob | Uint8Array][]} */
  const named =
    Symbol.iterator in given
      ? Array.from(/** @type {Iterable<File>} */ (given), (file) => [file.name, file])
      : Object.entries(given);
  return named.flatMap(([path, file]) => {
    const name = path.split('/').pop() ?? '';
    if (!TABLE_NAME.test(name)) return [];
    if (file instanceof Blob) return [[name, blobFile(file)]];
    if (file instanceof Uint8Array) return [[name, bytesFile(file)]];
    throw bad(`${name}: expected a Blob or a Uint8Array`);
  });
}

/**
 * @param {import('./engine.js').Engine} program
 * @param {string} game
 * @param {[string, import('./fetching.js').WholeFile][]} files
 */
function openFiles(program, game, files) {
  const fields = files.flatMap(([name, file]) => [name, file.size]);
  const { ok } = program.request(['open_files', game, ...fields]);
  const origin = new FileOrigin(files.map(([, file]) => file), ok.first_file);
  return new Tables(program, ok.tables, ok.game, origin, null);
}

/**
 * @param {import('./engine.js').Engine} program
 * @param {string} game
 * @param {URL} base
 * @param {import('./fetching.js').Get} get
 * @param {AbortSignal} [signal]
 */
async function openChunks(program, game, base, get, signal) {
  const url = new URL('tables.json', base);
  const response = await get(url, { signal });
  if (isAbsent(response)) throw missing('missing_game', `there are no tables of ${game} at ${url}`);
  if (!response.ok) throw offline(`http_${response.status}`, `${url}: the server answers ${response.status}`);
  /** @type {Manifest} */
  const manifest = await response.json().catch((error) => {
    signal?.throwIfAborted();
    if (error instanceof SyntaxError) throw damaged(`${url} is not a list of tables`);
    throw offline('offline', `${url}: ${error.message}`);
  });
  const unread = () => damaged(`${url} is not a list of tables that this program reads`);
  if (manifest?.format !== 1 || typeof manifest.tables !== 'object' || manifest.tables === null) throw unread();
  if (manifest.game !== game) throw damaged(`${url} is a list of tables of ${manifest.game}`);
  const fields = Object.entries(manifest.tables).flatMap(([name, table]) => [name, table?.bytes, table?.chunk, table?.at ?? '']);
  try {
    const { ok } = program.request(['open_chunks', manifest.game, ...fields]);
    return new Tables(program, ok.tables, ok.game, new ChunkOrigin(base, get), manifest);
  } catch (error) {
    throw error instanceof DamkaError && error.kind === 'bad' ? unread() : error;
  }
}

/**
 * All games: boards, pieces and starts.
 * @param {import('./engine.js').WasmSource} [wasm]
 * @returns {Promise<import('./types.js').GameInfo[]>}
 */
export async function games(wasm) {
  return (await engine(wasm)).request(['games']).ok;
}

/** Tables of a game. Calls may run at the same time. */
export class Tables {
  /**
   * @param {import('./engine.js').Engine} program
   * @param {number} number
   * @param {string} game
   * @param {import('./fetching.js').Origin} origin
   * @param {Manifest | null} manifest
   */
  constructor(program, number, game, origin, manifest) {
    /** The game's name. */
    this.game = game;
    /** The contents of `tables.json`, if the tables are chunks. */
    this.manifest = manifest;
    this.program = program;
    this.number = number;
    this.isClosed = false;
    this.fetches = new Fetches(origin, (name, bytes) => program.deliver(name, bytes));
  }

  /** The number of fetched parts of files, and their bytes. */
  get fetched() {
    return { ...this.fetches.fetched };
  }

  /**
   * The reply to a request, after all needed parts are fetched.
   * @param {string} operation
   * @param {(string | number)[]} fields
   * @param {AbortSignal} [signal]
   * @param {(found: any) => (string | number)[]} [onward] takes the part of a list found so far, and returns the
   * fields of the request for the rest
   */
  async ask(operation, fields, signal, onward) {
    for (let round = 0; round < ROUNDS; round += 1) {
      signal?.throwIfAborted();
      if (this.isClosed) throw bad('these tables are closed');
      const { ok, needed, found } = this.program.request([operation, this.number, ...fields]);
      if (!needed) return ok;
      if (found && onward) fields = onward(found);
      await this.fetches.all(needed, signal);
    }
    throw new DamkaError({ kind: 'failed', code: 'too_long', message: 'the request needs too many parts' });
  }

  /**
   * The value of a position, and its ranked moves.
   * @param {string} fen @param {Ask} [options]
   * @returns {Promise<import('./types.js').Answer>}
   */
  answer(fen, { metric, signal } = {}) {
    return this.ask('answer', [fen, metric ?? ''], signal);
  }

  /**
   * The value of a position, without moves.
   * @param {string} fen @param {Ask} [options]
   * @returns {Promise<import('./types.js').PositionValue>}
   */
  value(fen, { metric, signal } = {}) {
    return this.ask('value', [fen, metric ?? ''], signal);
  }

  /**
   * The value of a position, all moves, and best play to the end.
   * @param {string} fen @param {{ signal?: AbortSignal }} [options]
   * @returns {Promise<import('./types.js').Answer & { line: import('./types.js').Ply[] }>}
   */
  line(fen, { signal } = {}) {
    return this.ask('line', [fen], signal);
  }

  /**
   * The value of a position for each square of the piece that stands on `square`, with either side to move.
   * @param {string} fen @param {string} square @param {Ask} [options]
   * @returns {Promise<import('./types.js').SquareMap>}
   */
  map(fen, square, { metric, signal } = {}) {
    return this.ask('map', [fen, square, metric ?? ''], signal);
  }

  /**
   * The position and its legal moves, without values. No table is used.
   * @param {string} fen
   * @returns {Promise<import('./types.js').Answer>}
   */
  legalMoves(fen) {
    return this.ask('moves', [fen]);
  }

  /**
   * A page of the positions of a signature, in the order of the table.
   * @param {string} signature @param {ListOptions} [options]
   * @returns {Promise<import('./types.js').ListPage>}
   */
  async list(signature, options = {}) {
    const { limit = 20, signal } = options;
    if (!Number.isInteger(limit) || limit < 1) throw bad('limit: expected a number of positions');
    const query = queryFields(signature, options);
    let cursor = options.cursor ?? '';
    /** @type {import('./types.js').ListedPosition[]} */
    let positions = [];
    const fields = () => [...query, cursor, limit - positions.length];
    for (;;) {
      const page = await this.ask('list', fields(), signal, (found) => {
        positions = positions.concat(found.positions);
        cursor = found.next ?? '';
        return fields();
      });
      positions = positions.concat(page.positions);
      if (page.next === null || positions.length >= limit) return { ...page, positions };
      cursor = page.next;
      // Lets other calls run.
      await new Promise((resolve) => setTimeout(resolve));
    }
  }

  /**
   * A random position of a list.
   * @param {string} signature @param {ListOptions & { seed?: number }} [options] the same position for the same seed
   * @returns {Promise<import('./types.js').ListedPosition>}
   */
  random(signature, options = {}) {
    const { seed = Math.floor(Math.random() * 2 ** 53), signal } = options;
    return this.ask('random', [...queryFields(signature, options), seed], signal);
  }

  /**
   * The counts of a signature, with White and with Black to move.
   * @param {string} signature @param {{ signal?: AbortSignal }} [options]
   * @returns {Promise<import('./types.js').Stats>}
   */
  stats(signature, { signal } = {}) {
    return this.ask('stats', [signature], signal);
  }

  /**
   * The number of positions of a signature for each value, with White and with Black to move.
   * @param {string} signature @param {{ signal?: AbortSignal }} [options]
   * @returns {Promise<import('./types.js').Histograms>}
   */
  histogram(signature, { signal } = {}) {
    return this.ask('histogram', [signature], signal);
  }

  /**
   * The signatures with tables, by number of pieces.
   * @returns {Promise<string[]>}
   */
  signatures() {
    return this.ask('signatures', []);
  }

  /**
   * The signature of a position, in the form of table names.
   * @param {string} fen
   * @returns {Promise<string>}
   */
  signatureOf(fen) {
    return this.ask('signature', [fen]);
  }

  /** Frees the tables, which cannot be used any more. */
  async close() {
    if (!this.isClosed) this.program.request(['close', this.number]);
    this.isClosed = true;
  }
}

/** @param {string} signature @param {ListOptions} options */
const queryFields = (signature, { metric, value, distance, unique, zugzwang, turn }) => [
  signature,
  metric ?? '',
  value ?? '',
  distance ?? '',
  unique ? '1' : '',
  zugzwang ? '1' : '',
  turn ?? '',
];
