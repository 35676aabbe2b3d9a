/** Positions as text: FEN of draughts, chess and Alapo; moves; signatures; PDN and PGN. */

import { fileOf, isPlayable, rankOf, square, squareName, squareOf } from './games.js';

/**
 * @typedef {import('./games.js').Game} Game
 * @typedef {import('./games.js').Color} Color
 * @typedef {{ color: Color, kind: string }} Piece
 * @typedef {object} Position
 * @property {Map<string, Piece>} pieces by square
 * @property {Color} turn
 * @property {string} rest chess: castling, en passant and counters
 */

/** @param {Color} color @returns {Color} */
export function other(color) {
  return color === 'w' ? 'b' : 'w';
}

/**
 * Reads a FEN in the form of the API. Other forms are left to the server.
 * @param {Game} game
 * @param {string} fen
 * @returns {Position | null}
 */
export function parseFen(game, fen) {
  const text = fen.trim().replaceAll('_', ' ');
  return game.family === 'draughts' ? parseDraughts(game, text) : parseRows(game, text);
}

/** @param {Game} game @param {string} text @returns {Position | null} */
function parseDraughts(game, text) {
  const fields = text.replace(/\.$/, '').split(':');
  const turn = fields[0].toLowerCase();
  if (turn !== 'w' && turn !== 'b') return null;
  /** @type {Map<string, Piece>} */
  const pieces = new Map();
  for (const field of fields.slice(1)) {
    const side = field.charAt(0).toLowerCase();
    if (side !== 'w' && side !== 'b') continue;
    for (const item of field.slice(1).split(',')) {
      const word = item.trim();
      if (!word) continue;
      const king = /^[kK]/.test(word);
      const sq = squareOf(game, king ? word.slice(1) : word);
      if (!sq || pieces.has(sq)) return null;
      pieces.set(sq, { color: side, kind: king ? 'K' : 'M' });
    }
  }
  return { pieces, turn, rest: '' };
}

/** @param {Game} game @param {string} text @returns {Position | null} */
function parseRows(game, text) {
  const [board, side, ...rest] = text.split(/\s+/);
  const rows = board.split('/');
  const turn = (side ?? 'w').toLowerCase();
  if (rows.length !== game.size || (turn !== 'w' && turn !== 'b')) return null;
  /** @type {Map<string, Piece>} */
  const pieces = new Map();
  for (const [i, row] of rows.entries()) {
    let file = 0;
    for (const letter of row) {
      if (/\d/.test(letter)) {
        file += Number(letter);
        continue;
      }
      const kind = letter.toUpperCase();
      if (!game.kinds.includes(kind) || file >= game.size) return null;
      pieces.set(square(file, game.size - 1 - i), { color: kind === letter ? 'w' : 'b', kind });
      file += 1;
    }
    if (file !== game.size) return null;
  }
  return { pieces, turn, rest: rest.join(' ') };
}

/**
 * Adds the side to move to a FEN without one.
 * @param {Game} game
 * @param {string} fen
 * @param {Color} turn
 */
export function withTurn(game, fen, turn) {
  if (game.family === 'draughts') return /^[wb]k?[a-h1-9][^:]*:/i.test(fen) ? `${turn.toUpperCase()}:${fen}` : fen;
  return fen.includes('/') && !/\s|_/.test(fen) ? `${fen} ${turn}` : fen;
}

/**
 * Writes a FEN.
 * @param {Game} game
 * @param {Position} position
 */
export function writeFen(game, position) {
  return game.family === 'draughts' ? writeDraughts(game, position) : writeRows(game, position);
}

/** @param {Game} game @param {Position} position */
function writeDraughts(game, { pieces, turn }) {
  /** @param {Color} color */
  const side = (color) =>
    [...pieces]
      .filter(([, piece]) => piece.color === color)
      .sort(([a, x], [b, y]) => x.kind.localeCompare(y.kind) || order(game, a) - order(game, b))
      .map(([sq, piece]) => (piece.kind === 'K' ? 'K' : '') + squareName(game, sq))
      .join(',');
  return `${turn.toUpperCase()}:W${side('w')}:B${side('b')}`;
}

/** @param {Game} game @param {string} sq */
function order(game, sq) {
  return game.one ? Number(squareName(game, sq)) : (7 - rankOf(sq)) * 8 + fileOf(sq);
}

/** @param {Game} game @param {Position} position */
function writeRows(game, { pieces, turn, rest }) {
  const rows = [];
  for (let rank = game.size - 1; rank >= 0; rank--) {
    let row = '';
    let empty = 0;
    for (let file = 0; file < game.size; file++) {
      const piece = pieces.get(square(file, rank));
      if (!piece) {
        empty += 1;
        continue;
      }
      if (empty) row += empty;
      empty = 0;
      row += piece.color === 'w' ? piece.kind : piece.kind.toLowerCase();
    }
    rows.push(row + (empty || ''));
  }
  const tail = game.family === 'chess' ? ` ${rest || '- - 0 1'}` : '';
  return `${rows.join('/')} ${turn}${tail}`;
}

/**
 * The position after an edit by hand: castling, en passant and counters are reset.
 * @param {Position} position
 * @param {(pieces: Map<string, Piece>) => void} change
 * @returns {Position}
 */
export function edited(position, change) {
  const pieces = new Map(position.pieces);
  change(pieces);
  return { pieces, turn: position.turn, rest: '' };
}

/** @param {Position} position @returns {Position} */
export function otherToMove(position) {
  return { pieces: position.pieces, turn: other(position.turn), rest: '' };
}

/**
 * The position for the other colour: the board is turned (in chess and Alapo reflected) and colours are exchanged.
 * @param {Game} game
 * @param {Position} position
 * @returns {Position}
 */
export function exchanged(game, position) {
  const last = game.size - 1;
  const pieces = new Map();
  for (const [sq, piece] of position.pieces) {
    const file = game.family === 'draughts' ? last - fileOf(sq) : fileOf(sq);
    pieces.set(square(file, last - rankOf(sq)), { color: other(piece.color), kind: piece.kind });
  }
  return { pieces, turn: other(position.turn), rest: '' };
}

/**
 * The mirror image, with left and right exchanged. A draughts board has no such image: positions of kings alone
 * are reflected in a diagonal instead. Null if there is no mirror image.
 * @param {Game} game
 * @param {Position} position
 * @returns {Position | null}
 */
export function mirrored(game, position) {
  const last = game.size - 1;
  const pieces = new Map();
  for (const [sq, piece] of position.pieces) {
    let to = square(last - fileOf(sq), rankOf(sq));
    if (game.family === 'draughts') {
      if (piece.kind !== 'K') return null;
      to = game.mirrored ? square(last - rankOf(sq), last - fileOf(sq)) : square(rankOf(sq), fileOf(sq));
    }
    pieces.set(to, piece);
  }
  return { pieces, turn: position.turn, rest: '' };
}

/**
 * Moves all pieces by `files` and `ranks`; null if one would leave the board.
 * @param {Game} game
 * @param {Position} position
 * @param {number} files
 * @param {number} ranks
 * @returns {Position | null}
 */
export function shifted(game, position, files, ranks) {
  const pieces = new Map();
  for (const [sq, piece] of position.pieces) {
    const [file, rank] = [fileOf(sq) + files, rankOf(sq) + ranks];
    const to = square(file, rank);
    if (file < 0 || rank < 0 || !isPlayable(game, to)) return null;
    pieces.set(to, piece);
  }
  return pieces.size ? { pieces, turn: position.turn, rest: '' } : null;
}

/**
 * The squares of a move, including its first and last.
 * @param {Game} game
 * @param {string} coordinates
 * @returns {string[]}
 */
export function squaresOfMove(game, coordinates) {
  if (game.family === 'chess') return [coordinates.slice(0, 2), coordinates.slice(2, 4)];
  return coordinates
    .split(/[-x:]/)
    .map((name) => squareOf(game, name))
    .filter((sq) => sq !== undefined);
}

/**
 * The material of a side, such as `KKM`.
 * @param {Game} game
 * @param {Position} position
 * @param {Color} color
 */
export function material(game, position, color) {
  const kinds = [...position.pieces.values()].filter((piece) => piece.color === color).map((piece) => piece.kind);
  return kinds.sort((a, b) => game.kinds.indexOf(a) - game.kinds.indexOf(b)).join('');
}

/**
 * The signature of a position, White's pieces first. Tables may name the sides in the other order.
 * @param {Game} game
 * @param {Position} position
 */
export function signatureOf(game, position) {
  return `${material(game, position, 'w')}v${material(game, position, 'b')}`;
}

/**
 * A signature as tables write it, with the letters of each side in order; null if the text is not a signature. Tables
 * may name the sides in the other order.
 * @param {Game} game
 * @param {string} text such as `KKvM`, `kk-m`
 */
export function readSignature(game, text) {
  const [white, black, ...rest] = text.trim().toUpperCase().split(/[-–:V\s]+/);
  const isSide = (/** @type {string | undefined} */ side) =>
    side && [...side].every((letter) => game.kinds.includes(letter));
  if (!isSide(white) || !isSide(black) || rest.length) return null;
  const sorted = (/** @type {string} */ side) =>
    [...side].sort((a, b) => game.kinds.indexOf(a) - game.kinds.indexOf(b)).join('');
  return `${sorted(white)}v${sorted(black)}`;
}

/** A signature with the sides exchanged. @param {string} signature */
export function turnedSignature(signature) {
  return signature.split('v').reverse().join('v');
}

/**
 * The obvious error of a position, or null. The server checks the rest.
 * @param {Game} game
 * @param {Position} position
 * @returns {'empty' | 'no_white' | 'no_black' | 'kings' | null}
 */
export function fault(game, position) {
  const [white, black] = [material(game, position, 'w'), material(game, position, 'b')];
  if (!white && !black) return 'empty';
  if (!white && (game.family === 'chess' || position.turn === 'b')) return 'no_white';
  if (!black && (game.family === 'chess' || position.turn === 'w')) return 'no_black';
  /** @param {string} side */
  const kings = (side) => side.split('K').length - 1;
  if (game.family === 'chess' && (kings(white) !== 1 || kings(black) !== 1)) return 'kings';
  return null;
}

/**
 * The number before a move, or nothing. In a game that Black begins, a full move begins with Black's move.
 * @param {Game} game
 * @param {Color} turn who plays the first move
 * @param {number} index of the move, from 0
 * @param {boolean} [begins] whether it always has a number, as the first move
 */
export function moveNumber(game, turn, index, begins = index === 0) {
  const first = game.type?.split(',')[1] === 'B' ? 'b' : 'w';
  const ply = index + (turn === first ? 0 : 1);
  if (ply % 2 === 0) return `${ply / 2 + 1}.`;
  return begins ? `${(ply + 1) / 2}...` : '';
}

/**
 * A record: PGN in chess, PDN in draughts; for Alapo with the tags of PGN.
 * @param {Game} game
 * @param {string} start FEN
 * @param {string[]} moves
 * @param {string} result
 */
export function record(game, start, moves, result) {
  const turn = parseFen(game, start)?.turn ?? 'w';
  const tags = [
    ['Event', 'damka'],
    ['Result', result],
    ['SetUp', '1'],
    ['FEN', start],
  ];
  if (game.type) tags.splice(1, 0, ['GameType', game.type]);
  let text = '';
  for (const [i, move] of moves.entries()) {
    const number = moveNumber(game, turn, i);
    text += `${number && `${number} `}${move} `;
  }
  return `${tags.map(([tag, value]) => `[${tag} "${value}"]`).join('\n')}\n\n${wrapped(text + result)}\n`;
}

/** @param {string} text */
function wrapped(text) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.length - 1;
    if (lines[last] && lines[last].length + word.length >= 79) lines.push(word);
    else lines[last] += (lines[last] ? ' ' : '') + word;
  }
  return lines.join('\n');
}

/** A move of any game, as records write it. */
const MOVE =
  /^(([a-h][1-8]|\d{1,2})([-x:]([a-h][1-8]|\d{1,2}))+|[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](=[QRBN])?|O-O(-O)?)[+#]?[!?]*$/;

/**
 * Whether pasted text is a record of moves, and not only a position.
 * @param {string} text
 */
export function isRecord(text) {
  const bare = text.replace(/\[[^\]]*\]/g, ' ').replace(/\{[^}]*\}/g, ' ');
  const words = bare.trim().split(/\s+/);
  if (words.every((word) => MOVE.test(word))) return true;
  return /(^|\s)1\s*\.\s*\S/.test(bare) || /\b(1-0|0-1|2-0|0-2|1\/2-1\/2|1-1)\s*$/.test(bare.trim());
}

/**
 * All squares of the board in reading order.
 * @param {Game} game
 * @param {boolean} flipped
 * @returns {string[][]} rows from the top
 */
export function rowsOfBoard(game, flipped) {
  const rows = [];
  for (let row = 0; row < game.size; row++) {
    const squares = [];
    for (let column = 0; column < game.size; column++) {
      const [file, rank] = flipped ? [game.size - 1 - column, row] : [column, game.size - 1 - row];
      squares.push(square(file, rank));
    }
    rows.push(squares);
  }
  return rows;
}
