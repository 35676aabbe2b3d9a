/** Parts that several views share. */

import { Board, miniBoard } from '../board.js';
import { h, icon } from '../dom.js';
import { t } from '../i18n/index.js';
import { moveNumber, parseFen, squaresOfMove } from '../notation.js';
import { pieceIcon } from '../pieces.js';
import { verdict } from '../result.js';
import { SourceError } from '../source.js';

/**
 * @typedef {import('../games.js').Game} Game
 * @typedef {import('../games.js').Color} Color
 * @typedef {import('../source.js').Move} Move
 */

/**
 * A message about an error, with a button to try again unless the request itself is wrong.
 * @param {unknown} error
 * @param {(() => void) | null} again
 */
export function problem(error, again) {
  const kind = error instanceof SourceError ? error.kind : 'failed';
  const [title, text] = t.problem[kind];
  // For these errors the page's own text is advice, and the error's message adds nothing.
  const isPassing = kind === 'offline' || kind === 'busy';
  return h(
    'div',
    { class: `problem ${kind}`, role: 'alert' },
    icon(kind === 'offline' ? 'offline' : 'search'),
    h('div', null, h('b', null, title), (!isPassing && explanation(error)) || h('p', null, text)),
    again && kind !== 'bad' ? h('button', { type: 'button', class: 'button', onclick: again }, t.tryAgain) : null,
  );
}

/** The text of an error: in the language of the page, or in English if that says more. @param {unknown} error */
function explanation(error) {
  const own = error instanceof SourceError ? t.errorText(error.code ?? '', error.at) : null;
  if (own) return h('p', null, own);
  const message = error instanceof Error ? error.message : '';
  // The message about a FEN begins with the whole FEN, which the page already shows.
  const text = error instanceof SourceError && error.code === 'bad_fen' ? message.replace(/^`[^`]*`: /, '') : message;
  return text ? h('p', { lang: 'en' }, text) : null;
}

/** Grey bars in place of content; after a while also a text that loading takes long. @param {number} lines */
export function skeleton(lines) {
  return h(
    'div',
    { class: 'skeleton', 'aria-hidden': 'true' },
    Array.from({ length: lines }, () => h('i', null)),
    h('p', { class: 'late' }, t.stillWorking),
  );
}

/** A text in which lines do not break at the hyphens of moves. @param {string} text */
export function phrase(text) {
  return text
    .split(/([^\s]*[a-hO\d]-[a-hO\d][^\s]*)/)
    .map((part, i) => (i % 2 ? h('span', { class: 'unbroken' }, part) : part));
}

/**
 * A part of a panel with a heading.
 * @param {string} title
 * @param {any} aside
 * @param {...any} content
 */
export function section(title, aside, ...content) {
  return h('section', { class: 'card' }, h('div', { class: 'card-head' }, h('h2', null, title), aside), content);
}

/**
 * The moves of a line with their numbers.
 * @param {Game} game
 * @param {Color} turn the side that plays the first move
 * @param {any[]} moves
 * @param {(index: number) => HTMLElement} draw
 * @param {(index: number) => boolean} [begins] whether a move always has its number
 */
export function numbered(game, turn, moves, draw, begins = (i) => i === 0) {
  return moves.map((_, i) => {
    const text = moveNumber(game, turn, i, begins(i)).replace('...', '…');
    return text ? h('span', { class: 'numbered' }, h('span', { class: 'move-number' }, text), draw(i)) : draw(i);
  });
}

/**
 * A signature as small pieces.
 * @param {Game} game
 * @param {string} signature
 */
export function signaturePieces(game, signature) {
  const [white, black] = signature.split('v');
  /** @param {string} side @param {Color} color */
  const row = (side, color) => [...side].map((kind) => pieceIcon(game, { color, kind }));
  return h(
    'span',
    { class: 'signature-pieces', 'aria-hidden': 'true' },
    row(white, 'w'),
    h('i', null),
    row(black, 'b'),
  );
}

/**
 * A small board that opens its position.
 * @param {Game} game
 * @param {{ fen: string, value: import('../source.js').Value, dtw: number | null }} position
 * @param {(fen: string) => void} open
 * @param {{ title?: string, note?: string }} [words] texts above and below the result
 */
export function positionCard(game, position, open, { title, note } = {}) {
  const parsed = parseFen(game, position.fen);
  const turn = parsed?.turn ?? 'w';
  const { headline, detail } = verdict(game, turn, position.value, position.dtw);
  return h(
    'button',
    { type: 'button', class: 'position-card', onclick: () => open(position.fen) },
    parsed ? miniBoard(game, parsed.pieces) : null,
    h(
      'span',
      null,
      title ? h('b', null, title) : null,
      title ? h('small', { class: 'note' }, headline) : h('b', null, headline),
      h('small', null, `${t.toMove(turn)}${position.dtw === null ? '' : ` · ${detail}`}`),
      note ? h('small', { class: 'note' }, phrase(note)) : null,
    ),
  );
}

/**
 * A board on which legal moves can be played by tapping, dragging or with the keyboard.
 */
export class PlayBoard {
  /**
   * @param {Game} game
   * @param {string} label
   * @param {(move: Move) => void} play
   */
  constructor(game, label, play) {
    this.game = game;
    this.play = play;
    /** @type {Move[]} */
    this.moves = [];
    /** @type {string | null} */
    this.selected = null;
    /** @type {import('../board.js').Hints} */
    this.hints = {};
    this.board = new Board(game, label, {
      onSquare: (sq) => this.onSquare(sq),
      onDrop: (from, to) => to && this.attempt(from, to),
      canDrag: (sq) => this.movesFrom(sq).length > 0,
    });
  }

  /** @param {string} sq */
  movesFrom(sq) {
    return this.moves.filter((move) => squaresOfMove(this.game, move.coordinates)[0] === sq);
  }

  /** @param {Move[]} moves */
  setMoves(moves) {
    this.board.element.querySelector('dialog')?.remove();
    this.moves = moves;
    this.selected = null;
    this.draw();
  }

  /** @param {import('../board.js').Hints} hints */
  setHints(hints) {
    this.hints = hints;
    this.draw();
  }

  draw() {
    const targets = this.selected
      ? this.movesFrom(this.selected).map((move) => squaresOfMove(this.game, move.coordinates).at(-1) ?? '')
      : [];
    this.board.setHints({ ...this.hints, selected: this.selected, targets: [...new Set(targets)] });
  }

  /** @param {string} sq */
  onSquare(sq) {
    const from = this.selected;
    if (from && from !== sq && this.attempt(from, sq)) return;
    this.selected = from !== sq && this.movesFrom(sq).length ? sq : null;
    this.draw();
  }

  /** @param {string} from @param {string} to */
  attempt(from, to) {
    const fits = this.movesFrom(from).filter((move) => squaresOfMove(this.game, move.coordinates).at(-1) === to);
    if (!fits.length) return false;
    this.selected = null;
    this.draw();
    if (fits.length === 1) this.play(fits[0]);
    else this.choose(fits);
    return true;
  }

  /** Lets the player choose between moves that begin and end on the same squares. @param {Move[]} moves */
  choose(moves) {
    const dialog = h(
      'dialog',
      { class: 'chooser', 'aria-label': t.whichMove },
      h('h2', null, t.whichMove),
      moves.map((move) =>
        h(
          'button',
          {
            type: 'button',
            class: 'button',
            onclick: () => {
              dialog.remove();
              this.play(move);
            },
          },
          move.move,
        ),
      ),
    );
    dialog.addEventListener('close', () => dialog.remove());
    dialog.addEventListener('pointerdown', (event) => event.target === dialog && dialog.remove());
    this.board.element.append(dialog);
    dialog.showModal();
  }
}
