/**
 * The games: board, pieces and the numbering of squares. Squares are named `a1` to `h8` everywhere in the
 * page; numbers of draughts squares appear only in notation and on the board.
 */

/**
 * @typedef {'w' | 'b'} Color
 * @typedef {object} Game
 * @property {string} name the name in the API
 * @property {'draughts' | 'chess' | 'alapo'} family
 * @property {number} size files and ranks
 * @property {boolean} mirrored draughts: whether the dark squares include h1 instead of a1
 * @property {string | null} one the square of number 1, or null if squares have letters
 * @property {string[]} kinds letters of the pieces, in the order of signatures
 * @property {string} featured a start position that is in small sets of tables
 * @property {string | null} type draughts: the GameType tag of PDN
 */

const KM = ['K', 'M'];

/** @type {Game[]} */
export const GAMES = [
  draughts('russian', null, false, 'W:WKf8,Ke7,Kh6:BKb8', '25,W,8,8,A0,0'),
  draughts('english', 'b8', false, 'W:WK1,K5:BK10', '21,B,8,8,N1,0'),
  draughts('brazilian', null, false, 'W:WKf8,Ke7,Kh6:BKb8', '26,W,8,8,A0,0'),
  draughts('pool', null, false, 'W:WKf8,Ke7,Kh6:BKb8', '23,W,8,8,A0,0'),
  draughts('czech', null, false, 'W:WKf8,Ke7,Kh6:BKb8', '29,W,8,8,A0,0'),
  draughts('spanish', 'h1', true, 'W:WK13,K27,K31:BK30', '24,W,8,8,N1,1'),
  draughts('italian', 'a8', true, 'W:WK4,K8:BK11', '22,W,8,8,N2,1'),
  draughts('thai', 'g1', false, 'W:WK9,8:BK15', '31,B,8,8,N2,0'),
  {
    name: 'alapo',
    family: 'alapo',
    size: 6,
    mirrored: false,
    one: null,
    kinds: ['Q', 'R', 'B', 'K', 'W', 'F'],
    featured: '6/6/6/1k4/6/KW4 w',
    type: null,
  },
  {
    name: 'chess',
    family: 'chess',
    size: 8,
    mirrored: false,
    one: null,
    kinds: ['K', 'Q', 'R', 'B', 'N', 'P'],
    featured: '8/8/8/3k4/8/4K3/1P6/8 w - - 0 1',
    type: null,
  },
];

/**
 * @param {string} name
 * @param {string | null} one
 * @param {boolean} mirrored
 * @param {string} featured
 * @param {string} type
 * @returns {Game}
 */
function draughts(name, one, mirrored, featured, type) {
  return { name, family: 'draughts', size: 8, mirrored, one, kinds: KM, featured, type };
}

/**
 * The game of a record, by its tag `GameType`; undefined without such a tag. PGN has none, so chess is known by its
 * moves.
 * @param {string} text
 * @returns {Game | undefined}
 */
export function gameOfRecord(text) {
  const [, type] = /\[\s*GameType\s*"\s*(\d+)/i.exec(text) ?? [];
  if (type) return GAMES.find((game) => game.type?.split(',')[0] === type);
  const bare = text.replace(/\[[^\]]*\]|\{[^}]*\}/g, ' ');
  return /(^|[\s.])([KQRBN][a-h]?[1-8]?x?[a-h][1-8]|O-O(-O)?)[+#!?]*(\s|$)/.test(bare) ? gameNamed('chess') : undefined;
}

/**
 * The game with a name.
 * @param {string} name
 * @returns {Game | undefined}
 */
export function gameNamed(name) {
  return GAMES.find((game) => game.name === name);
}

/**
 * The square of a file and rank, both from 0.
 * @param {number} file
 * @param {number} rank
 */
export function square(file, rank) {
  return String.fromCharCode(97 + file) + (rank + 1);
}

/** @param {string} sq */
export function fileOf(sq) {
  return sq.charCodeAt(0) - 97;
}

/** @param {string} sq */
export function rankOf(sq) {
  return Number(sq.slice(1)) - 1;
}

/**
 * Whether pieces can stand on the square.
 * @param {Game} game
 * @param {string} sq
 */
export function isPlayable(game, sq) {
  const [file, rank] = [fileOf(sq), rankOf(sq)];
  if (file < 0 || rank < 0 || file >= game.size || rank >= game.size) return false;
  return game.family !== 'draughts' || (file + rank) % 2 === (game.mirrored ? 1 : 0);
}

/** @type {Map<string, { byNumber: string[], bySquare: Map<string, number> }>} */
const numberings = new Map();

/** @param {Game} game */
function numbering(game) {
  let found = numberings.get(game.name);
  if (found) return found;
  const one = game.one ?? 'b8';
  const fromTop = rankOf(one) === 7;
  const fromLeft = fileOf(one) < 4;
  /** @type {string[]} */
  const byNumber = [];
  for (let row = 0; row < game.size; row++) {
    for (let column = 0; column < game.size; column++) {
      const sq = square(fromLeft ? column : game.size - 1 - column, fromTop ? game.size - 1 - row : row);
      if (isPlayable(game, sq)) byNumber.push(sq);
    }
  }
  const bySquare = new Map(byNumber.map((sq, i) => [sq, i + 1]));
  found = { byNumber, bySquare };
  numberings.set(game.name, found);
  return found;
}

/**
 * The name of a square in the notation of the game.
 * @param {Game} game
 * @param {string} sq
 */
export function squareName(game, sq) {
  return game.one ? String(numbering(game).bySquare.get(sq) ?? sq) : sq;
}

/**
 * The square with a name or number, or undefined.
 * @param {Game} game
 * @param {string} name
 */
export function squareOf(game, name) {
  if (/^\d+$/.test(name)) return game.family === 'draughts' ? numbering(game).byNumber[Number(name) - 1] : undefined;
  const sq = name.toLowerCase();
  return /^[a-h][1-8]$/.test(sq) && isPlayable(game, sq) ? sq : undefined;
}

/**
 * All squares of the board on which pieces can stand.
 * @param {Game} game
 */
export function playableSquares(game) {
  const squares = [];
  for (let rank = 0; rank < game.size; rank++) {
    for (let file = 0; file < game.size; file++) {
      if (isPlayable(game, square(file, rank))) squares.push(square(file, rank));
    }
  }
  return squares;
}
