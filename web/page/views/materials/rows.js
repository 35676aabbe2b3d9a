/** The counts of a material, with both sides to move together. */

/**
 * @typedef {import('../../games.js').Color} Color
 * @typedef {import('../../source.js').SideStats} SideStats
 * @typedef {{ plies: number, turn: Color }} LongestWin of the side to move
 * @typedef {object} Row
 * @property {string} signature
 * @property {number} pieces
 * @property {SideStats} white
 * @property {SideStats} black
 * @property {number} positions
 * @property {LongestWin | null} longest
 */

/** @param {SideStats} white @param {SideStats} black @returns {LongestWin | null} */
function longestWin(white, black) {
  const side = (white.longest_win ?? 0) >= (black.longest_win ?? 0) ? white : black;
  if (!side.longest_win) return null;
  return { plies: side.longest_win, turn: side.to_move === 'white' ? 'w' : 'b' };
}

/**
 * The two sides of each signature in one row.
 * @param {SideStats[]} stats
 * @returns {Row[]}
 */
export function rowsOf(stats) {
  /** @type {Map<string, Partial<Record<'white' | 'black', SideStats>>>} */
  const bySignature = new Map();
  for (const side of stats) {
    const pair = bySignature.get(side.signature) ?? {};
    pair[side.to_move] = side;
    bySignature.set(side.signature, pair);
  }
  const rows = [];
  for (const [signature, { white, black }] of bySignature) {
    if (!white || !black) continue;
    rows.push({
      signature,
      pieces: signature.length - 1,
      white,
      black,
      positions: white.positions + black.positions,
      longest: longestWin(white, black),
    });
  }
  return rows;
}
