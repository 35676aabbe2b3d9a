/** Judgements of moves, by tables and by the record. */

import { h } from '../../dom.js';
import { t } from '../../i18n/index.js';

/**
 * @typedef {import('../../source.js').AnnotatedGame} AnnotatedGame
 * @typedef {import('../../source.js').AnnotatedMove} AnnotatedMove
 */

/** The marks of judgements. */
/** @type {Record<string, string>} */
export const MARKS = {
  only_move: '!',
  inaccuracy: '?!',
  mistake: '?',
  blunder: '??',
  threw_away_win: '??',
  threw_away_draw: '??',
};

/** The signs of numeric annotations (NAG). */
/** @type {Record<number, string>} */
const SIGNS = {
  1: '!',
  2: '?',
  3: '!!',
  4: '??',
  5: '!?',
  6: '?!',
  7: '□',
  10: '=',
  13: '∞',
  14: '⩲',
  15: '⩱',
  16: '±',
  17: '∓',
  18: '+−',
  19: '−+',
};

/** Whether a judgement is a mistake. @param {string | null | undefined} judgement */
export function isBad(judgement) {
  return Boolean(judgement) && judgement !== 'only_move';
}

/** The judgement of a move by tables or the engine, in words; empty if there is none. @param {AnnotatedMove} move */
export function judgementText({ judgement, before }) {
  if (!judgement) return '';
  if (judgement === 'threw_away_win' && before.dtw !== null) return t.threwWinIn(Math.ceil(before.dtw / 2));
  return t.judgement[judgement];
}

/** The signs of the record at a move, except one. @param {AnnotatedMove} ply @param {string} but */
export function ownSigns({ nags }, but) {
  const signs = nags.map((nag) => SIGNS[nag] ?? `$${nag}`);
  return signs.filter((sign) => sign !== but).join(' ');
}

/** The comments of a record in one text, without commands such as `[%clk 0:01:00]`. @param {string[]} comments */
export function commentText(comments) {
  return comments
    .map((comment) => comment.replace(/\[%[^\]]*\]/g, '').trim())
    .filter(Boolean)
    .join(' ');
}

/** A summary of a game in one or two sentences. @param {AnnotatedGame} game */
export function findings({ plies }) {
  /** @param {string} name */
  const count = (name) => plies.filter((ply) => ply.judgement === name).length;
  const found = /** @type {const} */ ([
    'threw_away_win',
    'threw_away_draw',
    'blunder',
    'mistake',
    'inaccuracy',
    'only_move',
  ]).filter((name) => count(name));
  const known = plies.filter((ply) => ply.before.value !== 'unknown').length;
  const words = found.map((name) => t.findings[name](count(name))).join(', ');
  return h(
    'p',
    { class: 'muted' },
    words ? `${words.charAt(0).toUpperCase()}${words.slice(1)}. ` : '',
    known ? t.tablesKnow(known, plies.length) : t.tablesKnowNone,
  );
}

/** The value that a player gave up by ending the game, in words; empty if there is none. @param {AnnotatedGame} game */
export function givenUpText({ given_up: given }) {
  if (!given) return '';
  const moves = given.dtw === null ? null : Math.ceil(given.dtw / 2);
  const side = given.side === 'white' ? 'w' : 'b';
  if (given.value === 'draw') return t.gaveUpDraw(side);
  return given.got === 'draw' ? t.gaveUpWin(side, moves) : t.gaveUpAll(side, moves);
}
