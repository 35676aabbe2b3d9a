/** Training tasks: interesting positions, and the best defence. */

import { SourceError } from '../../source.js';

/**
 * @typedef {import('../../source.js').Source} Source
 * @typedef {import('../../source.js').Answer} Answer
 * @typedef {import('../../source.js').Move} Move
 * @typedef {import('../../source.js').SideStats} SideStats
 * @typedef {'win' | 'draw'} Goal
 * @typedef {'any' | 'short' | 'long'} Length
 */

const TRIES = 16;
/** A win in fewer plies is avoided as too easy. */
export const EASY = 5;

/**
 * @template T
 * @param {T[]} list
 * @returns {T}
 */
function anyOf(list) {
  return list[Math.floor(Math.random() * list.length)];
}

/**
 * A random interesting position of one of these materials; null if there is none.
 * @param {Source} source
 * @param {string} game
 * @param {SideStats[]} stats
 * @param {Goal} goal
 * @param {Length} length
 * @returns {Promise<Answer | null>}
 */
export async function findTask(source, game, stats, goal, length) {
  const count = goal === 'win' ? 'wins' : 'draws';
  const sides = stats.filter((side) => side[count] > 0);
  /** @type {Answer | null} */
  let fallback = null;
  for (let i = 0; i < TRIES && sides.length; i++) {
    const { signature } = anyOf(sides);
    let fen;
    try {
      fen = await source.random(game, signature, goal);
    } catch (error) {
      if (error instanceof SourceError && error.kind === 'missing') continue;
      throw error;
    }
    const answer = await source.answer(game, fen);
    if (answer.value !== goal || !answer.moves.length) continue;
    const bad = answer.moves.some((move) => move.value !== goal && move.value !== 'unknown');
    if (!fallback || (bad && !fallback.moves.some((move) => move.value !== goal))) fallback = answer;
    const longest = Math.max(
      ...sides.filter((side) => side.signature === signature).map((side) => side.longest_win ?? 0),
    );
    const long = (answer.dtw ?? 0) > longest / 2;
    const fits =
      goal === 'draw' || length === 'any'
        ? (answer.dtw ?? EASY) >= EASY
        : (length === 'long') === long && (answer.dtw ?? 0) >= EASY;
    if (bad && fits) return answer;
  }
  return fallback;
}

/**
 * The best defence: the longest resistance, or in a draw the try that leaves the fewest ways to hold it. Null if the
 * game is over.
 * @param {Source} source
 * @param {string} game
 * @param {string} fen
 * @param {Goal} goal of the player
 * @returns {Promise<Move | null>}
 */
export async function bestDefence(source, game, fen, goal) {
  const { moves } = await source.answer(game, fen);
  if (!moves.length) return null;
  const [best] = moves;
  const equal = moves.filter((move) => move.value === best.value && move.dtw === best.dtw);
  if (goal !== 'draw' || equal.length === 1) return anyOf(equal);
  const tries = await Promise.all(
    equal.slice(0, 8).map(async (move) => {
      const answer = await source.answer(game, move.fen);
      const holding = answer.moves.filter((one) => one.value === 'draw').length;
      return { move, share: holding / Math.max(1, answer.moves.length) };
    }),
  );
  const least = Math.min(...tries.map((one) => one.share));
  return anyOf(tries.filter((one) => one.share === least)).move;
}
