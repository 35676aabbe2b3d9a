/**
 * The pieces, drawn for this page, each in a square of 45. Colours come from the style sheet: `body` is filled with
 * the colour of the side, `line` is drawn in its contrast.
 */

import { svg } from './dom.js';

/**
 * @typedef {import('./games.js').Game} Game
 * @typedef {import('./notation.js').Piece} Piece
 */

const BASE = '<path class="body" d="M11.5 34h22a2.5 2.5 0 0 1 2.5 2.5V39H9v-2.5a2.5 2.5 0 0 1 2.5-2.5z"/>';

/** @type {Record<string, string>} */
const CHESS = {
  P: `<path class="body" d="M22.5 9.5a5.6 5.6 0 0 1 3.7 9.8c3 1.7 4.6 4.5 4.9 8.5.2 2.5 1 4.2 2.4 6.2h-22c1.4-2 2.2-3.7 2.4-6.2.3-4 1.9-6.8 4.9-8.5a5.6 5.6 0 0 1 3.7-9.8z"/>${BASE}`,
  N: `<path class="body" d="M20.5 6.5l2.8 4.3c7.4 1 11.7 6.9 11.7 15 0 3-.2 5.5-.7 8.2H13.7c.3-4.3 2.4-6.9 5.3-9.3 1.3-1.1 2-2.2 1.9-3.5-1.9 1.7-4.2 2.3-6.3 2.5-1.3 1.8-2.6 2.8-4.2 2.7-1.9-.1-2.9-1.8-2.4-3.7.9-3.7 3.6-6.5 5.2-9.6.6-1.1 1.2-2 2.1-2.7z"/><path class="line" d="M26 14.5c3.2 2.3 4.7 6 4.7 10.5"/><circle class="dot" cx="17.3" cy="15.4" r="1.2"/>${BASE}`,
  B: `<path class="body" d="M22.5 5.5a2.7 2.7 0 0 1 2 4.5c4.8 3.3 7.3 7.2 7.3 11.4 0 3.1-1.5 5.7-4.1 7.3l1.8 5.3h-14l1.8-5.3c-2.6-1.6-4.1-4.2-4.1-7.3 0-4.2 2.5-8.1 7.3-11.4a2.7 2.7 0 0 1 2-4.5z"/><path class="line" d="M22.5 15.5v8M18.5 19.5h8M17.5 28.7h10"/>${BASE}`,
  R: `<path class="body" d="M11.5 8.5h5.2v3.7h3.2V8.5h5.2v3.7h3.2V8.5h5.2v8.2l-3.5 3.1v10.7l2.5 3.5h-20l2.5-3.5V19.8l-3.5-3.1z"/><path class="line" d="M15.5 19.8h14M15.5 30.5h14"/>${BASE}`,
  Q: `<path class="body" d="M7.8 13.2l6.7 8.3.3-11.3 5 9.8 2.7-12 2.7 12 5-9.8.3 11.3 6.7-8.3-3.7 15.3c-.4 1.8 0 3.6 1 5.5h-24c1-1.9 1.4-3.7 1-5.5z"/><circle class="body" cx="7.8" cy="12" r="2"/><circle class="body" cx="14.7" cy="9" r="2"/><circle class="body" cx="22.5" cy="7" r="2"/><circle class="body" cx="30.3" cy="9" r="2"/><circle class="body" cx="37.2" cy="12" r="2"/><path class="line" d="M11.8 28.8c7-1.7 14.4-1.7 21.4 0"/>${BASE}`,
  K: `<path class="cross" d="M22.5 4.5v8M19 7.5h7"/><path class="body" d="M22.5 14.8c1.7-4.2 5-5.3 8-4.9 4.3.6 6.7 4 6 8-.6 3.6-3 6.3-5.2 8.6-.9 2.3-.7 5.2.7 7.5h-19c1.4-2.3 1.6-5.2.7-7.5-2.2-2.3-4.6-5-5.2-8.6-.7-4 1.7-7.4 6-8 3-.4 6.3.7 8 4.9z"/><path class="line" d="M22.5 14.8V26M13.7 26.8c5.8-1.5 11.8-1.5 17.6 0"/>${BASE}`,
};

/** @type {Record<string, string>} */
const DRAUGHTS = {
  M: '<circle class="shade" cx="22.5" cy="24" r="17"/><circle class="body" cx="22.5" cy="22" r="17"/><circle class="line" cx="22.5" cy="22" r="12.5"/><circle class="line" cx="22.5" cy="22" r="8"/>',
  K: '<circle class="shade" cx="22.5" cy="25.5" r="17"/><circle class="body" cx="22.5" cy="24" r="17"/><circle class="body" cx="22.5" cy="20" r="17"/><path class="crown" d="M13.6 25.2l-2-10.7 6.2 4.5 4.7-7.7 4.7 7.7 6.2-4.5-2 10.7zM14 27h17v2.6H14z"/>',
};

/** @type {Record<string, string>} */
const ALAPO = {
  Q: '<circle class="body" cx="22.5" cy="22.5" r="16"/>',
  R: '<rect class="body" x="8" y="8" width="29" height="29" rx="2.5"/>',
  B: '<path class="body" d="M22.5 6.5L39 36.5H6z"/>',
  K: '<circle class="body" cx="22.5" cy="22.5" r="8.5"/>',
  W: '<rect class="body" x="14.5" y="14.5" width="16" height="16" rx="2"/>',
  F: '<path class="body" d="M22.5 14L32 31H13z"/>',
};

const SETS = { chess: CHESS, draughts: DRAUGHTS, alapo: ALAPO };

/**
 * A piece as a group of a drawing.
 * @param {Game} game
 * @param {Piece} piece
 */
export function drawPiece(game, piece) {
  const group = svg('g', { class: `piece ${piece.color === 'w' ? 'white' : 'black'} ${game.family}` });
  group.innerHTML = SETS[game.family][piece.kind];
  return group;
}

/**
 * A piece as a drawing of its own, as large as text or more.
 * @param {Game} game
 * @param {Piece} piece
 */
export function pieceIcon(game, piece) {
  return svg('svg', { viewBox: '2 2 41 41', class: 'piece-icon', 'aria-hidden': 'true' }, drawPiece(game, piece));
}
