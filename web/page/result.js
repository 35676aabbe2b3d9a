/** Values in words and colours. */

import { h } from './dom.js';
import { t } from './i18n/index.js';
import { other } from './notation.js';

/**
 * @typedef {import('./source.js').Value} Value
 * @typedef {import('./games.js').Game} Game
 * @typedef {import('./games.js').Color} Color
 */

/** Signs of the values: colour is never the only difference. */
export const SIGN = { win: '+', draw: '=', loss: '−', unknown: '?' };

/**
 * Who wins, and how soon.
 * @param {Game} game
 * @param {Color} turn
 * @param {Value} value for the side to move
 * @param {number | null} dtw
 * @param {boolean} [canMove] whether there is a legal move
 * @returns {{ headline: string, detail: string }}
 */
export function verdict(game, turn, value, dtw, canMove = true) {
  if (value === 'unknown') return { headline: t.verdictUnknown, detail: '' };
  if (value === 'draw')
    return { headline: t.verdictDraw, detail: canMove ? t.verdictDrawDetail : t.verdictStalemate };
  const winner = value === 'win' ? turn : other(turn);
  if (dtw === 0)
    return { headline: t.verdictWon(winner), detail: game.family === 'chess' ? t.verdictMate : t.verdictNoMoves };
  if (dtw === null) return { headline: t.verdictWins(winner), detail: t.verdictNoDistance };
  const moves = Math.ceil(dtw / 2);
  return game.family === 'chess'
    ? { headline: t.verdictMates(winner, moves), detail: t.plies(dtw) }
    : { headline: t.verdictWinsIn(winner, moves), detail: t.plies(dtw) };
}

/**
 * A value from the point of view of a colour.
 * @param {Value} value for the side to move
 * @param {Color} turn
 * @param {Color} color
 * @returns {Value}
 */
export function valueFor(value, turn, color) {
  if (turn === color || value === 'draw' || value === 'unknown') return value;
  return value === 'win' ? 'loss' : 'win';
}

/**
 * The colour of a value, in the whole page: that of `win` if White wins, of `loss` if Black wins.
 * @param {Value} value for the side to move
 * @param {Color} turn
 */
export function toneOf(value, turn) {
  return valueFor(value, turn, 'w');
}

/** The sign of a value for the side to move, in the winner's colour. @param {Value} value @param {Color} turn */
export function badge(value, turn) {
  return h('span', { class: `badge ${toneOf(value, turn)}`, 'aria-hidden': 'true' }, SIGN[value]);
}

/**
 * A bar of wins, draws and losses with their shares.
 * @param {{ wins: number, draws: number, losses: number }} counts
 * @param {Color} turn the side to move
 * @param {boolean} [written] whether percentages are shown below
 */
export function shareBar(counts, turn, written = false) {
  const total = counts.wins + counts.draws + counts.losses || 1;
  /** @type {[Value, number, string][]} */
  const parts = [
    ['win', counts.wins, t.wins],
    ['draw', counts.draws, t.draws],
    ['loss', counts.losses, t.losses],
  ];
  const bar = h(
    'div',
    {
      class: 'share',
      role: 'img',
      'aria-label': parts.map(([, n, name]) => `${name} ${percent(n / total)}`).join(', '),
    },
    parts.map(([value, count]) => {
      const part = h('span', { class: toneOf(value, turn) });
      part.style.flexGrow = String(count / total);
      return part;
    }),
  );
  if (!written) return bar;
  const legend = h(
    'div',
    { class: 'share-legend' },
    parts.map(([value, count, name]) =>
      h('span', null, h('i', { class: `dot ${toneOf(value, turn)}` }), `${name} `, h('b', null, percent(count / total))),
    ),
  );
  return h('div', null, bar, legend);
}

/** A share in whole percent. @param {number} share @returns {string} */
export function percent(share) {
  // A small share is not shown as 0 %, and a share of nearly all not as 100 %.
  if (share > 0 && share < 0.01) return `<${percent(0.01)}`;
  if (share > 0.99 && share < 1) return `>${percent(0.99)}`;
  return new Intl.NumberFormat(document.documentElement.lang, { style: 'percent' }).format(share);
}

/** @param {number} n */
export function number(n) {
  return new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 0 }).format(n);
}
