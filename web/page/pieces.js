/**
 * The pieces. `pieces.svg` has the drawings, each in a square of 45; the style sheet has their colours: `body` has
 * the colour of the side, `line` a contrasting one.
 */

import { svg } from './dom.js';

/**
 * @typedef {import('./games.js').Game} Game
 * @typedef {import('./notation.js').Piece} Piece
 */

const drawings = await load();

async function load() {
  const answer = await fetch(new URL('pieces.svg', import.meta.url));
  return new DOMParser().parseFromString(await answer.text(), 'image/svg+xml');
}

/**
 * A piece as a group of a drawing.
 * @param {Game} game
 * @param {Piece} piece
 */
export function drawPiece(game, piece) {
  const group = svg('g', { class: `piece ${piece.color === 'w' ? 'white' : 'black'} ${game.family}` });
  const drawing = drawings.getElementById(`${game.family}-${piece.kind}`);
  for (const shape of drawing?.children ?? []) group.append(document.importNode(shape, true));
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
