/** Judges games by tables, as `damka annotate` does, without an engine. */

import { gameNamed, squareOf } from '../games.js';
import { squaresOfMove } from '../notation.js';
import { SourceError } from '../source.js';
import { readGames } from './records.js';
import { written } from './writer.js';

/**
 * @typedef {import('../games.js').Game} Game
 * @typedef {import('../source.js').Source} Source
 * @typedef {import('../source.js').Answer} Answer
 * @typedef {import('../source.js').Move} Move
 * @typedef {import('../source.js').Value} Value
 * @typedef {import('../source.js').Verdict} Verdict
 * @typedef {import('../source.js').Annotated} Annotated
 * @typedef {import('../source.js').AnnotatedGame} AnnotatedGame
 * @typedef {import('../source.js').AnnotatedMove} AnnotatedMove
 * @typedef {import('../source.js').GivenUp} GivenUp
 * @typedef {import('./records.js').WrittenGame} WrittenGame
 * @typedef {import('./records.js').WrittenMove} WrittenMove
 */

/** The maximum number of moves of a best line. */
const BEST = 16;

/** The values, from the lowest. @type {Value[]} */
const ORDER = ['loss', 'draw', 'win'];

/** A value from the point of view of the other side. @param {Value} value @returns {Value} */
const turned = (value) => (value === 'win' ? 'loss' : value === 'loss' ? 'win' : value);

/**
 * Judges the games of a text.
 * @param {Source} source
 * @param {string} name of the game
 * @param {string} text
 * @param {import('../source.js').Advance} [advance]
 * @returns {Promise<Annotated>}
 */
export async function annotate(source, name, text, advance) {
  const game = /** @type {Game} */ (gameNamed(name));
  const records = readGames(text, game.family === 'chess');
  if (!records.length) throw new SourceError('bad', 'the text has no games');
  /** @type {Annotated} */
  const annotated = { games: [], failed: [] };
  for (const [i, one] of records.entries()) {
    advance?.(i, records.length);
    try {
      annotated.games.push(await judged(source, game, one));
    } catch (error) {
      if (!(error instanceof SourceError) || error.kind !== 'bad') throw error;
      annotated.failed.push({ game: i + 1, error: error.message });
    }
  }
  return annotated;
}

/**
 * @param {Source} source
 * @param {Game} game
 * @param {WrittenGame} record
 * @returns {Promise<AnnotatedGame>}
 */
async function judged(source, game, record) {
  const { tags, comments, moves, result } = record;
  let before = await source.answer(game.name, tags.FEN ?? 'start');
  const start = before.fen;
  /** @type {AnnotatedMove[]} */
  const plies = [];
  let isWhite = toMove(start) === 'white';
  for (const [i, one] of moves.entries()) {
    const move = findMove(game, before.moves, one.text);
    if (!move) throw new SourceError('bad', `ply ${i + 1}: \`${one.text}\` is not a legal move`);
    const next = await source.answer(game.name, move.fen);
    const [of, after] = [verdict(before), verdict(next)];
    const judgement = judge(before, turned(after.value));
    const isBad = judgement !== null && judgement !== 'only_move';
    plies.push({
      ply: i + 1,
      turn: isWhite ? 'white' : 'black',
      move: move.move,
      coordinates: move.coordinates,
      fen: move.fen,
      before: of,
      after: { ...after, value: turned(after.value), dtw: after.dtw === null ? null : after.dtw + 1 },
      judgement,
      best_moves: isBad ? await bestMoves(source, game, before) : [],
      nags: one.nags,
      comments: one.comments,
      variations: one.variations,
    });
    before = next;
    isWhite = !isWhite;
  }
  // The text follows from the other fields.
  const others = Object.entries(tags).filter(([name]) => !/^(Result|FEN|GameType|SetUp)$/i.test(name));
  const annotated = {
    tags: Object.fromEntries(others),
    result,
    start,
    comments,
    plies,
    given_up: moves.length ? givenUp(before, isWhite, result) : null,
  };
  const isStart = start === (await source.answer(game.name, 'start')).fen;
  const isOpen = result === '0-0' && findMove(game, before.moves, result) !== undefined;
  return { ...annotated, text: written(game, annotated, { isStart, isOpen }) };
}

/** The side to move. @param {string} fen */
const toMove = (fen) => (/^B:|\sb(\s|$)/.test(fen) ? 'black' : 'white');

/** @param {Answer} answer @returns {Verdict} */
const verdict = ({ value, dtw }) => ({ value, dtw, score: null });

/** The judgement of a move, if any. @param {Answer} before @param {Value} after @returns {string | null} */
function judge(before, after) {
  if (before.value === 'unknown' || after === 'unknown' || before.value === 'loss') return null;
  if (before.value === 'win' && after !== 'win') return 'threw_away_win';
  if (before.value === 'draw' && after === 'loss') return 'threw_away_draw';
  const { moves, value } = before;
  const isOnly =
    moves.length > 1 &&
    moves.every((move) => move.value !== 'unknown') &&
    moves.filter((move) => move.value === value).length === 1;
  return isOnly ? 'only_move' : null;
}

/** @param {Source} source @param {Game} game @param {Answer} before */
async function bestMoves(source, game, before) {
  const line = before.value === 'win' ? await source.line(game.name, before.fen).catch(withoutTables) : [];
  if (line.length) return line.slice(0, BEST).map((move) => move.move);
  const best = before.moves.find((move) => move.value === before.value);
  return best ? [best.move] : [];
}

/** @param {unknown} error @returns {never[]} */
function withoutTables(error) {
  if (error instanceof SourceError && (error.kind === 'missing' || error.kind === 'beyond')) return [];
  throw error;
}

/**
 * The value that a player gave up by ending the game. If the game is over by the rules, another result is an error of
 * the record.
 * @param {Answer} last
 * @param {boolean} isWhite whether White is to move
 * @param {string} result
 * @returns {GivenUp | null}
 */
function givenUp(last, isWhite, result) {
  /** @type {Record<string, Value>} */
  const results = { '1-0': 'win', '1/2-1/2': 'draw', '0-1': 'loss' };
  const got = results[result];
  if (!got || last.value === 'unknown' || !last.moves.length) return null;
  const value = isWhite ? last.value : turned(last.value);
  const difference = ORDER.indexOf(got) - ORDER.indexOf(value);
  if (!difference) return null;
  const side = difference < 0 ? 'white' : 'black';
  const [was, is] = side === 'white' ? [value, got] : [turned(value), turned(got)];
  return /** @type {GivenUp} */ ({ side, value: was, dtw: was === 'win' ? last.dtw : null, got: is });
}

/**
 * The legal move that a text describes.
 * @param {Game} game
 * @param {Move[]} moves
 * @param {string} text
 * @returns {Move | undefined}
 */
export function findMove(game, moves, text) {
  const fits = game.family === 'chess' ? chessMoves(moves, latin(text)) : pathMoves(game, moves, latin(text));
  // Routes to the same position are one move.
  return fits.every((move) => move.fen === fits[0].fen) ? fits[0] : undefined;
}

/** @param {Move[]} moves @param {string} text */
function chessMoves(moves, text) {
  const bare = (/** @type {string} */ san) => san.replace(/[+#]|e\.p\.$/g, '').replace(/O/g, '0');
  const same = moves.filter((move) => bare(move.move) === bare(text));
  if (same.length) return same;
  const [, piece, file, rank, to, promotion] =
    /^([KQRBN]?)([a-h]?)([1-8]?)[x:-]?([a-h][1-8])=?([QRBNqrbn]?)[+#]*$/.exec(text) ?? [];
  if (!to) return [];
  return moves.filter(({ move, coordinates }) => {
    const kind = /^[KQRBN]/.exec(move)?.[0] ?? (move.startsWith('O') ? 'K' : '');
    // With both squares a move needs no letter.
    const isKind = piece ? kind === piece : kind === '' || (file && rank);
    return (
      isKind &&
      (!file || coordinates[0] === file) &&
      (!rank || coordinates[1] === rank) &&
      coordinates.slice(2, 4) === to &&
      (coordinates[4] ?? '') === promotion.toLowerCase()
    );
  });
}

/** Pieces and squares as in Russian texts. @type {[RegExp, string][]} */
const CYRILLIC = [
  [/Кр/g, 'K'],
  [/К/g, 'N'],
  [/Ф/g, 'Q'],
  [/Л/g, 'R'],
  [/С/g, 'B'],
  [/^п/, ''],
  [/[ОO]/g, '0'],
  [/а/g, 'a'],
  [/с/g, 'c'],
  [/е/g, 'e'],
  [/х/g, 'x'],
];

/** A move in Latin letters. @param {string} text */
const latin = (text) => CYRILLIC.reduce((now, [from, to]) => now.replace(from, to), text);

/** @param {Game} game @param {Move[]} moves @param {string} text such as `c3-d4`, `c3d4`, `cd4`, `c:e5` or `22x15x8` */
function pathMoves(game, moves, text) {
  const whole = /^([a-h][1-8]){2,}$/.test(text) ? text.replace(/(?<=\d)(?=.)/g, '-') : text;
  // The first square may be given by its file alone.
  const [, file, rest] = /^([a-h])[-x:*]?([a-h][1-8].*)$/.exec(whole) ?? [];
  const named = (rest ?? whole).split(/[-x:*]/).map((word) => squareOf(game, word));
  if (named.includes(undefined) || (!file && named.length < 2)) return [];
  return moves.filter(({ coordinates }) => {
    const squares = squaresOfMove(game, coordinates);
    let at = -1;
    return (
      squares.at(-1) === named.at(-1) &&
      (file ? squares[0][0] === file : squares[0] === named[0]) &&
      named.every((square) => (at = squares.indexOf(square ?? '', at + 1)) >= 0)
    );
  });
}
