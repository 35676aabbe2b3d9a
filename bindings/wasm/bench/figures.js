import { native } from '../tests/support.js';

/**
 * Random positions of all signatures of a game with `pieces` pieces, and their answers.
 * @param {string} game
 * @param {number} pieces
 * @param {number} count
 */
export function positionsOf(game, pieces, count) {
  const all = new Set(native(['stats', game]).map(({ signature }) => signature));
  const signatures = [...all].filter((signature) => signature.length - 1 === pieces);
  const each = Math.ceil(count / signatures.length);
  const sample = ['--sample', String(each), '--seed', '11'];
  const listed = signatures.flatMap((signature) => native(['list', game, signature, ...sample]).map(({ fen }) => fen));
  // Positions are spread over the signatures.
  const fens = Array.from({ length: Math.min(count, listed.length) }, (_, i) => listed[Math.floor((i * listed.length) / count)]);
  return { fens, expected: native(['probe', game, '-', '--no-build'], fens.join('\n')) };
}

/** @param {string} title @param {Record<string, number[]>} figures */
export function print(title, figures) {
  console.log(title);
  for (const [name, values] of Object.entries(figures)) {
    values.sort((a, b) => a - b);
    const at = (/** @type {number} */ share) => values[Math.min(values.length - 1, Math.floor(values.length * share))].toFixed(1);
    console.log(`${name.padEnd(9)} median ${at(0.5)}, p90 ${at(0.9)}, most ${at(1)}`);
  }
}
