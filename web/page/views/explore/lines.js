/** The moves that were played, and best play from here. */

import { h, icon } from '../../dom.js';
import { t } from '../../i18n/index.js';
import { numbered, problem, section } from '../parts.js';

/**
 * @typedef {import('../../games.js').Game} Game
 * @typedef {import('../../games.js').Color} Color
 * @typedef {import('../../source.js').LineMove} LineMove
 * @typedef {object} Lines
 * @property {Game} game
 * @property {Color} first the side that played the first move of `played`
 * @property {string[]} played
 * @property {number} at the number of moves to the shown position
 * @property {Color} turn the side to move in it
 * @property {LineMove[]} line best play
 * @property {unknown} error why there is no best play, or null
 * @typedef {object} LineHandlers
 * @property {(at: number) => void} jump shows the position after `at` played moves
 * @property {(last: number) => void} follow plays the line up to a move
 * @property {(pointed?: LineMove) => void} point shows a move on the board
 * @property {() => void} copy
 */

/**
 * The cards of played moves and of best play, if there are any.
 * @param {Lines} lines
 * @param {LineHandlers} handlers
 */
export function lineCards({ game, first, played, at, turn, line, error }, { jump, follow, point, copy }) {
  const copier = h(
    'button',
    { type: 'button', class: 'button small', onclick: copy },
    icon('copy'),
    t.copyRecord(game.family),
  );
  const cards = [];
  if (played.length) {
    const moves = numbered(game, first, played, (i) =>
      h(
        'button',
        { type: 'button', 'aria-current': i + 1 === at ? 'step' : null, onclick: () => jump(i + 1) },
        played[i],
      ),
    );
    cards.push(section(t.played, line.length ? null : copier, h('div', { class: 'line' }, moves)));
  }
  if (error) cards.push(section(t.bestPlay, null, problem(error, null)));
  if (line.length) {
    const moves = numbered(game, turn, line, (i) =>
      h(
        'button',
        {
          type: 'button',
          onclick: () => follow(i),
          onpointerenter: () => i === 0 && point(line[0]),
          onpointerleave: () => point(),
        },
        line[i].move,
      ),
    );
    cards.push(section(t.bestPlay, copier, h('div', { class: 'line' }, moves)));
  }
  return cards;
}
