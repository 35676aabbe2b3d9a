/** Challenges: the longest win of each winning material. */

import { h } from '../../dom.js';
import { t } from '../../i18n/index.js';
import { parseFen } from '../../notation.js';
import { recall, remember } from '../../store.js';
import { positionCard, section } from '../parts.js';
import { EASY } from './tasks.js';

/**
 * @typedef {import('../../games.js').Game} Game
 * @typedef {import('../../source.js').SideStats} SideStats
 */

const SHOWN = 6;
const SOLVED = 200;

/** The solved challenges. @param {Game} game */
function solved(game) {
  return recall(`done:${game.name}`, /** @type {string[]} */ ([]));
}

/** Stores that a challenge was solved. @param {Game} game @param {string} fen */
export function solve(game, fen) {
  const done = solved(game);
  if (!done.includes(fen)) remember(`done:${game.name}`, [...done, fen].slice(-SOLVED));
}

/**
 * The longest win of each winning material, one for each.
 * @param {SideStats[]} stats
 */
export function varied(stats) {
  const longest = stats
    .filter((side) => side.longest_win_fen && (side.longest_win ?? 0) >= EASY)
    .sort((a, b) => (b.longest_win ?? 0) - (a.longest_win ?? 0));
  /** @type {Map<string, SideStats>} */
  const byWinner = new Map();
  for (const side of longest) {
    const [white, black] = side.signature.split('v');
    const winner = side.to_move === 'white' ? white : black;
    if (!byWinner.has(winner)) byWinner.set(winner, side);
  }
  return [...byWinner.values()].slice(0, SHOWN);
}

/**
 * A card with the challenges; null if there are none.
 * @param {Game} game
 * @param {SideStats[]} stats
 * @param {(fen: string) => void} open
 */
export function challengesCard(game, stats, open) {
  const done = solved(game);
  const cards = varied(stats).map((side) => {
    const fen = side.longest_win_fen ?? '';
    const turn = parseFen(game, fen)?.turn ?? 'w';
    const words = t.materialWords(game.family, side.signature, turn);
    return positionCard(game, { fen, value: 'win', dtw: side.longest_win }, open, {
      title: words,
      note: done.includes(fen) ? t.solved : undefined,
    });
  });
  return cards.length
    ? section(
        t.challenges,
        null,
        h('p', { class: 'muted' }, t.challengesText),
        h('div', { class: 'cards small' }, cards),
      )
    : null;
}
