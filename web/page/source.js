/** Sources of answers. The page uses only the interface `Source`. */

/**
 * @typedef {'win' | 'draw' | 'loss' | 'unknown'} Value
 * @typedef {object} Valued
 * @property {string} fen
 * @property {Value} value
 * @property {number | null} dtw plies to the win or loss
 * @typedef {Valued & { move: string, coordinates: string }} Move
 * @typedef {{ signature: string, metric?: string }} Missing
 * @typedef {object} Opinion an engine's result for a position that is in no table
 * @property {string | null} move
 * @property {number} [score] hundredths of a man or pawn
 * @property {number} [depth]
 * @typedef {object} Answer
 * @property {string} fen
 * @property {Value} value
 * @property {number | null} dtw
 * @property {Move[]} moves best first
 * @property {Missing[]} [missing]
 * @property {Opinion} [engine]
 * @property {SourceError} [trouble] why there is no value from tables; the moves are present
 * @typedef {{ move: string, coordinates: string, fen: string }} LineMove
 * @typedef {{ square: string, fen: string, value: Value, dtw: number | null }} SquareValue
 * @typedef {{ white: SquareValue[], black: SquareValue[] }} SquareMap by the side to move
 * @typedef {object} SideStats
 * @property {string} signature
 * @property {'white' | 'black'} to_move
 * @property {number} positions
 * @property {number} wins
 * @property {number} draws
 * @property {number} losses
 * @property {number | null} longest_win
 * @property {string | null} longest_win_fen
 * @property {number | null} longest_loss
 * @property {string | null} longest_loss_fen
 * @typedef {{ value: Value, dtw: number | null, positions: number }} Bar
 * @typedef {{ to_move: 'white' | 'black', histogram: Bar[] }} SideHistogram
 * @typedef {Valued & { cursor?: string, only_move?: string, passed?: { value: Value, dtw: number | null } }} Listed
 * @typedef {{ positions: Listed[], cursor: string | null }} ListPage
 * @typedef {object} ListQuery
 * @property {Value} [value]
 * @property {number} [distance]
 * @property {boolean} [zugzwang]
 * @property {boolean} [unique]
 * @property {string | null} [cursor]
 * @property {number} [limit]
 * @typedef {{ value: Value, dtw: number | null, score: number | null }} Verdict for the side that plays the move
 * @typedef {object} AnnotatedMove
 * @property {number} ply
 * @property {'white' | 'black'} turn
 * @property {string} move
 * @property {string} coordinates
 * @property {string} fen after the move
 * @property {Verdict} before with the best move
 * @property {Verdict} after with this move
 * @property {string | null} judgement
 * @property {string[]} best_moves the best line, if the move is a mistake
 * @property {number[]} nags the annotations of the record
 * @property {string[]} comments the comments of the record
 * @property {string[]} variations the variations of the record
 * @typedef {object} GivenUp the value that a player gave up by ending the game
 * @property {'white' | 'black'} side
 * @property {'win' | 'draw'} value the value of the last position for the side
 * @property {number | null} dtw
 * @property {'draw' | 'loss'} got
 * @typedef {object} AnnotatedGame
 * @property {Record<string, string>} tags
 * @property {string} result
 * @property {string} start FEN
 * @property {string[]} comments before the first move
 * @property {AnnotatedMove[]} plies
 * @property {GivenUp | null} given_up
 * @property {string} text
 * @typedef {{ game: number, error: string }} Unread a game that is not a record, by its number in the text
 * @typedef {{ games: AnnotatedGame[], failed: Unread[] }} Annotated each game is in one of the lists
 * @typedef {(done: number, all: number) => void} Advance called with the number of judged games of a text; may throw
 * @typedef {{ name: string, pieces: number, signatures: number }} Available a game, with the extent of its tables
 */

/**
 * @typedef {object} Source
 * @property {() => Promise<Available[]>} games
 * @property {(game: string, fen: string, signal?: AbortSignal) => Promise<Answer>} answer
 * @property {(game: string, fen: string, signal?: AbortSignal) => Promise<LineMove[]>} line
 * @property {(game: string, fen: string, square: string, signal?: AbortSignal) => Promise<SquareMap>} map
 * @property {(game: string) => Promise<SideStats[]>} stats
 * @property {(game: string, signature: string) => Promise<SideStats[]>} statsOf
 * @property {(game: string, signature: string) => Promise<SideHistogram[]>} histogram
 * @property {(game: string, signature: string, query: ListQuery) => Promise<ListPage>} list
 * @property {(game: string, signature: string, value?: Value) => Promise<string>} random a FEN
 * @property {(game: string, text: string, advance?: Advance) => Promise<Annotated>} annotate
 * @property {boolean} canGrow whether the operator of the page can build missing tables
 * @property {(game: string) => HTMLElement | null} [tools] additional tools in the header
 */

/** An error in place of an answer. */
export class SourceError extends Error {
  /**
   * @param {'offline' | 'missing' | 'beyond' | 'bad' | 'busy' | 'large' | 'absent' | 'failed'} kind
   * @param {string} message in English
   * @param {{ code?: string, at?: number, answer?: any }} [more] the code of the error; its place in a text, in
   * characters from 1; the known part of the answer
   */
  constructor(kind, message, { code, at, answer } = {}) {
    super(message);
    this.kind = kind;
    this.code = code;
    this.at = at;
    this.answer = answer;
  }
}

/** @param {number} status @returns {SourceError['kind']} */
function kindOf(status) {
  /** @type {Record<number, SourceError['kind']>} */
  const kinds = {
    400: 'bad',
    404: 'missing',
    405: 'absent',
    413: 'large',
    422: 'beyond',
    429: 'busy',
    501: 'absent',
    503: 'busy',
    504: 'busy',
  };
  return kinds[status] ?? 'failed';
}

/** The maximum number of games, and of characters, of a request. */
const GAMES_AT_ONCE = 50;
const TEXT_AT_ONCE = 300_000;
/** How often, and for how many milliseconds, a request with many games waits for a busy server. */
const WAITS = 8;
const WAIT_MS = 2000;

/**
 * The games of a text, each with its tags. Games without tags stay together.
 * @param {string} text
 * @returns {string[]}
 */
export function gamesOf(text) {
  const games = [];
  let [start, at, inComment, hasMoves] = [0, 0, false, false];
  for (const line of text.split(/(?<=\n)/)) {
    const isTag = !inComment && /^\s*\[\s*\w+\s*"/.test(line);
    if (isTag && hasMoves) {
      games.push(text.slice(start, at));
      start = at;
    }
    if (isTag) hasMoves = false;
    else if (line.trim()) hasMoves = true;
    if (!isTag) for (const sign of line) inComment = sign === '{' || (inComment && sign !== '}');
    at += line.length;
  }
  games.push(text.slice(start));
  return games;
}

/** Groups of games, none too large for a request. @param {string[]} games */
function groupsOf(games) {
  /** @type {string[][]} */
  const groups = [];
  let size = 0;
  for (const game of games) {
    const last = groups.at(-1);
    if (last && last.length < GAMES_AT_ONCE && size + game.length <= TEXT_AT_ONCE) last.push(game);
    else groups.push([game]);
    size = last === groups.at(-1) ? size + game.length : game.length;
  }
  return groups;
}

/** A cache of recent answers, which do not change while the page is open. */
export class Memory {
  constructor() {
    /** @type {Map<string, Promise<any>>} */
    this.kept = new Map();
  }

  /**
   * @param {string} key
   * @param {() => Promise<any>} ask
   * @returns {Promise<any>}
   */
  get(key, ask) {
    let answer = this.kept.get(key);
    if (!answer) {
      answer = ask();
      this.kept.set(key, answer);
      answer.then(
        (body) => body.trouble && this.kept.delete(key),
        () => this.kept.delete(key),
      );
      const oldest = this.kept.keys().next().value;
      if (this.kept.size > KEPT && oldest) this.kept.delete(oldest);
    }
    return answer;
  }
}

const KEPT = 400;

/** Answers of a server that runs `damka serve`. */
export class HttpSource {
  /** @param {string} [base] the address of the API, relative to the page */
  constructor(base = 'api') {
    this.base = base;
    this.canGrow = true;
    this.memory = new Memory();
  }

  /**
   * @param {string} path
   * @param {Record<string, any>} [query]
   * @param {RequestInit} [init]
   */
  async fetch(path, query = {}, init = {}) {
    const words = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined && value !== null && value !== false) words.set(name, String(value));
    }
    const text = words.toString();
    let response;
    try {
      response = await fetch(`${this.base}/${path}${text ? `?${text}` : ''}`, init);
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') throw error;
      throw new SourceError('offline', '');
    }
    const body = await response.json().catch(() => null);
    if (response.ok && body) return body;
    const { message = '', code, at } = body?.error ?? {};
    const failure = new SourceError(body ? kindOf(response.status) : 'absent', message, { code, at });
    if (body?.moves && body.fen) return { value: 'unknown', dtw: null, ...body, trouble: failure };
    throw failure;
  }

  /**
   * Like `fetch`, with the cache of answers.
   * @param {string} path
   * @param {Record<string, any>} [query]
   */
  remembered(path, query = {}) {
    return this.memory.get(JSON.stringify([path, query]), () => this.fetch(path, query));
  }

  /** @returns {Promise<Available[]>} */
  async games() {
    const { games } = await this.remembered('games');
    return games.map((/** @type {any} */ game) => ({
      name: game.game,
      pieces: game.most_pieces,
      signatures: game.signatures,
    }));
  }

  /** @param {string} game @param {string} fen @returns {Promise<Answer>} */
  answer(game, fen) {
    return this.remembered(`${game}/probe`, { fen });
  }

  /** @param {string} game @param {string} fen @returns {Promise<LineMove[]>} */
  async line(game, fen) {
    return (await this.remembered(`${game}/line`, { fen })).line ?? [];
  }

  /** @param {string} game @param {string} fen @param {string} square @returns {Promise<SquareMap>} */
  map(game, fen, square) {
    return this.remembered(`${game}/map`, { fen, square });
  }

  /** @param {string} game @returns {Promise<SideStats[]>} */
  async stats(game) {
    return (await this.remembered(`${game}/stats`)).stats;
  }

  /** @param {string} game @param {string} signature @returns {Promise<SideStats[]>} */
  async statsOf(game, signature) {
    return (await this.remembered(`${game}/stats/${signature}`)).stats;
  }

  /** @param {string} game @param {string} signature @returns {Promise<SideHistogram[]>} */
  async histogram(game, signature) {
    return (await this.remembered(`${game}/histogram/${signature}`)).histograms;
  }

  /** @param {string} game @param {string} signature @param {ListQuery} query @returns {Promise<ListPage>} */
  async list(game, signature, query) {
    const { positions, next } = await this.remembered(`${game}/list/${signature}`, query);
    return { positions, cursor: next };
  }

  /** @param {string} game @param {string} signature @param {Value} [value] @returns {Promise<string>} */
  async random(game, signature, value) {
    const seed = Math.floor(Math.random() * 2 ** 31);
    return (await this.fetch(`${game}/random/${signature}`, { value, seed })).fen;
  }

  /**
   * Many games are sent in several requests.
   * @param {string} game
   * @param {string} text
   * @param {Advance} [advance]
   * @returns {Promise<Annotated>}
   */
  async annotate(game, text, advance) {
    const groups = groupsOf(gamesOf(text));
    const all = groups.flat().length;
    /** @type {Annotated} */
    const annotated = { games: [], failed: [] };
    let [done, waits] = [0, 0];
    while (groups.length) {
      advance?.(done, all);
      const group = /** @type {string[]} */ (groups.shift());
      const body = group.join('');
      const headers = { 'content-type': 'text/plain; charset=utf-8' };
      let part;
      try {
        part = await this.fetch(`${game}/annotate`, {}, { method: 'POST', body, headers });
      } catch (error) {
        const kind = error instanceof SourceError ? error.kind : '';
        if (kind === 'busy' && all > group.length && waits < WAITS) {
          waits += 1;
          await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
        } else if (kind !== 'large' || group.length < 2) throw error;
        const half = Math.ceil(group.length / 2);
        groups.unshift(...[group.slice(0, half), group.slice(half)].filter((part) => part.length));
        continue;
      }
      // A group without tags may have more games than were counted.
      const before = annotated.games.length + annotated.failed.length;
      annotated.games.push(...part.games);
      for (const one of part.failed ?? []) annotated.failed.push({ ...one, game: one.game + before });
      done += group.length;
    }
    return annotated;
  }
}
