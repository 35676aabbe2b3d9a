/** Answers from the files of a site: tables that a worker reads, and precomputed counts and lists. */

import { openInWorker } from '../damka/client.js';
import { Memory, SourceError } from '../source.js';
import { annotate } from './annotate.js';
import { forget, keptFetch, ROOT } from './keep.js';
import { tidy } from './offline.js';
import { CALM_MS, offlineButton, watchVersions } from './tools.js';

/**
 * @typedef {import('../source.js').Source} Source
 * @typedef {import('../source.js').Value} Value
 * @typedef {import('../source.js').Available} Available
 * @typedef {import('../source.js').Answer} Answer
 * @typedef {import('../source.js').LineMove} LineMove
 * @typedef {import('../source.js').SquareMap} SquareMap
 * @typedef {import('../source.js').SideStats} SideStats
 * @typedef {import('../source.js').SideHistogram} SideHistogram
 * @typedef {import('../source.js').ListQuery} ListQuery
 * @typedef {import('../source.js').ListPage} ListPage
 * @typedef {import('../source.js').Listed} Listed
 * @typedef {import('../source.js').Annotated} Annotated
 * @typedef {object} Entry a game in `site.json`
 * @property {string} game
 * @property {number} most_pieces
 * @property {number} signatures
 * @property {string} digest
 * @property {string} directory of the tables
 * @property {string} index
 * @property {number} data_bytes
 * @typedef {{ version: string, games: Entry[] }} Site
 * @typedef {{ stats: SideStats[], materials: Record<string, string> }} Index
 * @typedef {{ value: Value | null, distance: number | null, zugzwang: boolean, unique: boolean }} Shown
 * @typedef {Shown & { positions: Listed[], next: string | null }} List
 * @typedef {{ histograms?: SideHistogram[], lists: List[] }} Material
 */

/** @implements {Source} */
export class TableSource {
  constructor() {
    this.worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
    this.program = compiled();
    this.canGrow = false;
    this.memory = new Memory();
    /** @type {Map<string, Promise<import('../damka/types.js').RemoteTables>>} */
    this.opened = new Map();
    watchVersions();
  }

  /** The contents of the site. @returns {Promise<Site>} */
  site() {
    return this.memory.get('site', () => json('site.json'));
  }

  /** @param {string} game @returns {Promise<Entry | undefined>} */
  async entry(game) {
    return (await this.site()).games.find((entry) => entry.game === game);
  }

  /** The tables of a game; empty if the site has none. @param {string} game */
  tables(game) {
    let tables = this.opened.get(game);
    if (!tables) {
      tables = this.open(game);
      this.opened.set(game, tables);
      tables.catch(() => this.opened.delete(game));
    }
    return tables;
  }

  /** @param {string} game */
  async open(game) {
    const entry = await this.entry(game);
    // Delayed, so that the first answers come earlier.
    if (entry) setTimeout(() => tidy(entry).catch(() => {}), CALM_MS);
    const options = { worker: this.worker, game, wasm: await this.program };
    return openInWorker({ ...options, ...(entry ? { url: new URL('tables/', ROOT).href } : { files: {} }) });
  }

  /**
   * Probes the tables of a game, once for each question.
   * @template T
   * @param {string} game
   * @param {string} question
   * @param {any[]} words
   * @param {(tables: import('../damka/types.js').RemoteTables) => Promise<T>} ask
   * @returns {Promise<T>}
   */
  ask(game, question, words, ask) {
    return this.memory.get(JSON.stringify([game, question, ...words]), () => this.fresh(game, ask));
  }

  /**
   * @template T
   * @param {string} game
   * @param {(tables: import('../damka/types.js').RemoteTables) => Promise<T>} ask
   * @returns {Promise<T>}
   */
  async fresh(game, ask) {
    try {
      return await ask(await this.tables(game));
    } catch (error) {
      if (/** @type {any} */ (error).kind !== 'damaged') throw failure(error);
    }
    // A stored copy may be damaged; a new copy may be sound.
    await forget(game);
    this.opened.delete(game);
    try {
      return await ask(await this.tables(game));
    } catch (error) {
      throw failure(error);
    }
  }

  /** @returns {Promise<Available[]>} */
  async games() {
    const { games } = await this.site();
    return games.map(({ game, most_pieces, signatures }) => ({ name: game, pieces: most_pieces, signatures }));
  }

  /** @param {string} game @param {string} fen @returns {Promise<Answer>} */
  async answer(game, fen) {
    try {
      return await this.ask(game, 'answer', [fen], (tables) => tables.answer(fen));
    } catch (error) {
      const known = error instanceof SourceError ? error.answer : undefined;
      if (!known) throw error;
      return { value: 'unknown', dtw: null, ...known, trouble: /** @type {SourceError} */ (error) };
    }
  }

  /** @param {string} game @param {string} fen @returns {Promise<LineMove[]>} */
  async line(game, fen) {
    return (await this.ask(game, 'line', [fen], (tables) => tables.line(fen))).line ?? [];
  }

  /** @param {string} game @param {string} fen @param {string} square @returns {Promise<SquareMap>} */
  map(game, fen, square) {
    return this.ask(game, 'map', [fen, square], (tables) => tables.map(fen, square));
  }

  /** @param {string} game @returns {Promise<Index>} */
  async index(game) {
    const entry = await this.entry(game);
    return entry ? this.memory.get(entry.index, () => json(entry.index)) : { stats: [], materials: {} };
  }

  /** @param {string} game @param {string} signature @returns {Promise<Material>} */
  async material(game, signature) {
    const file = (await this.index(game)).materials[signature];
    if (!file) throw new SourceError('missing', '');
    return this.memory.get(file, () => json(file));
  }

  /** @param {string} game @returns {Promise<SideStats[]>} */
  async stats(game) {
    return (await this.index(game)).stats;
  }

  /** @param {string} game @param {string} signature @returns {Promise<SideStats[]>} */
  async statsOf(game, signature) {
    return (await this.ask(game, 'stats', [signature], (tables) => tables.stats(signature))).stats;
  }

  /** @param {string} game @param {string} signature @returns {Promise<SideHistogram[]>} */
  async histogram(game, signature) {
    const { histograms } = await this.material(game, signature);
    if (!histograms) throw new SourceError('missing', '');
    return histograms;
  }

  /** @param {string} game @param {string} signature @param {ListQuery} query @returns {Promise<ListPage>} */
  async list(game, signature, query) {
    const { value = null, distance = null, zugzwang = false, unique = false, cursor } = query;
    const lists = cursor ? [] : (await this.material(game, signature)).lists;
    const written = lists.find(
      (list) =>
        list.value === value && list.distance === distance && list.zugzwang === zugzwang && list.unique === unique,
    );
    /** @type {{ positions: Listed[], next: string | null }} */
    const { positions, next } =
      written ??
      (await this.ask(game, 'list', [signature, query], (tables) =>
        tables.list(signature, /** @type {any} */ (query)),
      ));
    return { positions, cursor: next };
  }

  /** @param {string} game @param {string} signature @param {Value} [value] @returns {Promise<string>} */
  async random(game, signature, value) {
    const seed = Math.floor(Math.random() * 2 ** 31);
    return (await this.fresh(game, (tables) => tables.random(signature, /** @type {any} */ ({ value, seed })))).fen;
  }

  /** @param {string} game */
  tools(game) {
    return offlineButton(this, game);
  }

  /**
   * @param {string} game
   * @param {string} text
   * @param {import('../source.js').Advance} [advance]
   * @returns {Promise<Annotated>}
   */
  annotate(game, text, advance) {
    return annotate(this, game, text, advance);
  }
}

/**
 * The WebAssembly reader, compiled while the worker starts. If this fails, its address: the worker then tries again.
 * @returns {Promise<WebAssembly.Module | string>}
 */
async function compiled() {
  const url = new URL('../damka/damka.wasm', import.meta.url);
  try {
    const response = await fetch(url);
    return await WebAssembly.compile(await response.arrayBuffer());
  } catch {
    return url.href;
  }
}

/** An object of the site. @param {string} path @returns {Promise<any>} */
async function json(path) {
  let response;
  try {
    response = await keptFetch(path);
  } catch {
    throw new SourceError('offline', '');
  }
  if (!response.ok) throw new SourceError('failed', `${path}: ${response.status}`);
  return response.json();
}

/** Converts an error of the tables to an error of the page. @param {any} error */
function failure(error) {
  const kinds = /** @type {const} */ (['offline', 'missing', 'beyond', 'bad']);
  const kind = kinds.find((known) => known === error?.kind) ?? 'failed';
  return error instanceof SourceError ? error : new SourceError(kind, error?.message ?? '', error ?? {});
}
