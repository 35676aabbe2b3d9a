/** The board: a drawing with a grid of squares over it for pointer, keyboard and screen reader. */

import { h, svg } from './dom.js';
import { fileOf, isPlayable, playableSquares, rankOf, square, squareName } from './games.js';
import { t } from './i18n/index.js';
import { rowsOfBoard } from './notation.js';
import { drawPiece } from './pieces.js';

/**
 * @typedef {import('./games.js').Game} Game
 * @typedef {import('./notation.js').Piece} Piece
 * @typedef {'win' | 'draw' | 'loss' | 'unknown'} Tone
 * @typedef {{ tone: Tone, text: string, label?: string, strength?: number }} Mark the strength of its colour is 0 to 1
 * @typedef {{ from: string, to: string, tone: Tone }} Arrow
 * @typedef {object} Hints drawings on a board besides pieces
 * @property {string[]} [last] the squares of the last move
 * @property {string | null} [selected]
 * @property {string[]} [targets] the squares to which the selected piece can move
 * @property {Arrow[]} [arrows]
 * @property {Map<string, Mark>} [marks]
 * @typedef {object} Handlers
 * @property {(sq: string) => void} onSquare a square was tapped, or chosen with the keyboard
 * @property {(from: string, to: string | null) => void} [onDrop] a piece was dragged, or with null taken off the board
 * @property {(sq: string) => boolean} [canDrag]
 */

const UNIT = 45;
const MOVE_MS = 220;

/** @returns {boolean} */
export function reducedMotion() {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/**
 * The name of a square and its piece, in words.
 * @param {Game} game
 * @param {string} sq
 * @param {Piece | undefined} piece
 */
function squareLabel(game, sq, piece) {
  return piece ? `${squareName(game, sq)}, ${t.pieceName(game.family, piece.color, piece.kind)}` : squareName(game, sq);
}

/** @param {Game} game @param {string} sq */
function isDark(game, sq) {
  return (fileOf(sq) + rankOf(sq)) % 2 === (game.mirrored ? 1 : 0);
}

/**
 * The squares of a board, light and dark.
 * @param {Game} game
 */
function drawSquares(game) {
  const group = svg('g', { class: 'squares' });
  for (const [y, row] of rowsOfBoard(game, false).entries()) {
    for (const [x, sq] of row.entries()) {
      const place = { x: x * UNIT, y: y * UNIT, width: UNIT, height: UNIT };
      group.append(svg('rect', { ...place, class: isDark(game, sq) ? 'dark' : 'light' }));
    }
  }
  return group;
}

/**
 * The names of the squares: on the edge, or in games with numbers on each square.
 * @param {Game} game
 * @param {boolean} flipped
 */
function drawNames(game, flipped) {
  const group = svg('g');
  const edge = game.size - 1;
  for (const [y, row] of rowsOfBoard(game, flipped).entries()) {
    for (const [x, sq] of row.entries()) {
      const dark = isDark(game, sq);
      const at = { x: x * UNIT, y: y * UNIT };
      const tone = dark ? 'on-dark' : 'on-light';
      if (game.one) {
        if (dark)
          group.append(
            svg('text', { x: at.x + 0.6, y: at.y + 6.4, class: `name number ${tone}` }, squareName(game, sq)),
          );
        continue;
      }
      if (x === 0) group.append(svg('text', { x: at.x + 2, y: at.y + 9, class: `name ${tone}` }, sq.slice(1)));
      if (y === edge) {
        group.append(
          svg('text', { x: at.x + UNIT - 2.5, y: at.y + UNIT - 3, class: `name file ${tone}` }, sq.slice(0, 1)),
        );
      }
    }
  }
  return group;
}

export class Board {
  /**
   * @param {Game} game
   * @param {string} label
   * @param {Handlers} handlers
   */
  constructor(game, label, handlers) {
    this.game = game;
    this.handlers = handlers;
    this.flipped = false;
    /** @type {Map<string, { piece: Piece, element: SVGElement }>} */
    this.pieces = new Map();
    /** @type {Hints} */
    this.hints = {};
    this.focus = playableSquares(game)[0];

    const side = game.size * UNIT;
    this.names = svg('g');
    this.below = svg('g');
    this.above = svg('g');
    this.layer = svg('g', { class: 'pieces' });
    this.drawing = svg(
      'svg',
      { viewBox: `0 0 ${side} ${side}`, 'aria-hidden': 'true' },
      drawSquares(game),
      this.below,
      this.names,
      this.layer,
      this.above,
    );
    this.grid = h('div', { class: 'cells', role: 'grid', 'aria-label': label });
    this.element = h('div', { class: `board ${game.family}`, 'data-size': game.size }, this.drawing, this.grid);
    this.layOut();
    this.listen();
  }

  /** @param {boolean} flipped */
  setFlipped(flipped) {
    if (flipped === this.flipped) return;
    this.flipped = flipped;
    this.layOut();
    for (const [sq, { element }] of this.pieces) this.put(element, sq);
    this.setHints(this.hints);
  }

  layOut() {
    this.names.replaceChildren(drawNames(this.game, this.flipped));
    /** @type {Map<string, HTMLElement>} */
    this.cells = new Map();
    this.grid.replaceChildren(
      ...rowsOfBoard(this.game, this.flipped).map((row) =>
        h(
          'div',
          { role: 'row' },
          row.map((sq) => {
            const cell = h('div', { role: 'gridcell' });
            if (isPlayable(this.game, sq)) {
              cell.dataset.square = sq;
              cell.tabIndex = sq === this.focus ? 0 : -1;
              this.cells?.set(sq, cell);
            }
            return cell;
          }),
        ),
      ),
    );
    this.label();
  }

  label() {
    for (const [sq, cell] of this.cells ?? []) {
      const mark = this.hints.marks?.get(sq);
      const label = squareLabel(this.game, sq, this.pieces.get(sq)?.piece);
      cell.setAttribute('aria-label', mark?.label ? `${label}: ${mark.label}` : label);
      cell.setAttribute('aria-selected', String(this.hints.selected === sq));
      cell.classList.toggle('grab', this.handlers.canDrag?.(sq) ?? false);
    }
  }

  /** The upper left corner of a square. @param {string} sq */
  corner(sq) {
    const last = this.game.size - 1;
    const [file, rank] = [fileOf(sq), rankOf(sq)];
    return { x: (this.flipped ? last - file : file) * UNIT, y: (this.flipped ? rank : last - rank) * UNIT };
  }

  /** @param {SVGElement} element @param {string} sq */
  put(element, sq) {
    const { x, y } = this.corner(sq);
    element.style.transform = `translate(${x}px, ${y}px)`;
  }

  /**
   * Shows these pieces. If `path` has the squares of a move, its piece moves along them.
   * @param {Map<string, Piece>} pieces
   * @param {string[]} [path]
   */
  setPieces(pieces, path) {
    const still = reducedMotion();
    /** @type {Map<string, { piece: Piece, element: SVGElement }>} */
    const next = new Map();
    const spare = new Map(this.pieces);
    const wanted = new Map(pieces);
    for (const [sq, piece] of pieces) {
      const here = spare.get(sq);
      const leaves = path && path.length > 1 && sq === path[0] && sq !== path[path.length - 1];
      if (here && !leaves && here.piece.color === piece.color && here.piece.kind === piece.kind) {
        next.set(sq, here);
        spare.delete(sq);
        wanted.delete(sq);
      }
    }
    /** @param {string} from @param {string} to @param {string[]} way */
    const go = (from, to, way) => {
      const mover = spare.get(from);
      const piece = wanted.get(to);
      if (!mover || !piece || mover.piece.color !== piece.color) return;
      spare.delete(from);
      wanted.delete(to);
      let { element } = mover;
      if (mover.piece.kind !== piece.kind) {
        element.remove();
        element = drawPiece(this.game, piece);
      }
      this.layer.append(element);
      this.put(element, to);
      next.set(to, { piece, element });
      if (still || this.dropped === to) return;
      const frames = way.map((sq) => {
        const { x, y } = this.corner(sq);
        return { transform: `translate(${x}px, ${y}px)` };
      });
      element.animate(frames, { duration: MOVE_MS * Math.min(3, way.length - 1), easing: 'ease-in-out' });
    };
    if (path && path.length > 1) go(path[0], path[path.length - 1], path);
    if (!path || this.game.family === 'chess') {
      for (const [to, piece] of [...wanted]) {
        const from = [...spare].find(([, { piece: p }]) => p.color === piece.color && p.kind === piece.kind)?.[0];
        if (from) go(from, to, [from, to]);
      }
    }
    this.dropped = undefined;
    for (const { element } of spare.values()) {
      if (still) element.remove();
      else {
        const delay = path ? MOVE_MS * Math.min(3, path.length - 1) * 0.6 : 0;
        const fade = element.animate([{ opacity: 1 }, { opacity: 0 }], { duration: 160, delay, fill: 'forwards' });
        fade.onfinish = () => element.remove();
      }
    }
    for (const [sq, piece] of wanted) {
      const element = drawPiece(this.game, piece);
      this.put(element, sq);
      this.layer.append(element);
      next.set(sq, { piece, element });
      if (!still) element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 140 });
    }
    this.pieces = next;
    this.label();
  }

  /** @param {Hints} hints */
  setHints(hints) {
    this.hints = hints;
    const below = [];
    const above = [];
    /** @param {string} sq @param {string} name */
    const tile = (sq, name) => svg('rect', { ...this.corner(sq), width: UNIT, height: UNIT, class: name });
    for (const [sq, mark] of hints.marks ?? []) {
      const { x, y } = this.corner(sq);
      const colour = tile(sq, `mark ${mark.tone}`);
      colour.style.setProperty('--strength', `${40 + 60 * (mark.strength ?? 1)}%`);
      below.push(colour);
      if (!this.pieces.has(sq)) {
        below.push(svg('text', { x: x + UNIT / 2, y: y + UNIT / 2 + 5.2, class: `mark-text ${mark.tone}` }, mark.text));
      }
    }
    for (const sq of hints.last ?? []) below.push(tile(sq, 'last'));
    if (hints.selected) below.push(tile(hints.selected, 'selected'));
    for (const sq of hints.targets ?? []) {
      const { x, y } = this.corner(sq);
      const taken = this.pieces.has(sq);
      above.push(
        svg('circle', {
          cx: x + UNIT / 2,
          cy: y + UNIT / 2,
          r: taken ? 20 : 6.5,
          class: taken ? 'target taken' : 'target',
        }),
      );
    }
    for (const arrow of hints.arrows ?? []) above.push(this.drawArrow(arrow));
    this.below.replaceChildren(...below);
    this.above.replaceChildren(...above);
    this.label();
  }

  /** @param {Arrow} arrow */
  drawArrow({ from, to, tone }) {
    const [a, b] = [this.corner(from), this.corner(to)];
    const half = UNIT / 2;
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const length = Math.hypot(dx, dy) || 1;
    const [ux, uy] = [dx / length, dy / length];
    const tip = { x: b.x + half - ux * 4, y: b.y + half - uy * 4 };
    const neck = { x: tip.x - ux * 14, y: tip.y - uy * 14 };
    const head = `M${tip.x} ${tip.y}L${neck.x - uy * 9} ${neck.y + ux * 9}L${neck.x + uy * 9} ${neck.y - ux * 9}z`;
    return svg(
      'g',
      { class: `arrow ${tone}` },
      svg('line', { x1: a.x + half + ux * 12, y1: a.y + half + uy * 12, x2: neck.x, y2: neck.y }),
      svg('path', { d: head }),
    );
  }

  /** The square under a pointer. @param {{ clientX: number, clientY: number }} point */
  squareAt(point) {
    const box = this.grid.getBoundingClientRect();
    const unit = box.width / this.game.size;
    const column = Math.floor((point.clientX - box.left) / unit);
    const row = Math.floor((point.clientY - box.top) / unit);
    const last = this.game.size - 1;
    if (column < 0 || row < 0 || column > last || row > last) return null;
    const sq = this.flipped ? square(last - column, row) : square(column, last - row);
    return isPlayable(this.game, sq) ? sq : null;
  }

  listen() {
    /** @type {{ from: string, x: number, y: number, moving: boolean } | null} */
    let drag = null;
    this.grid.addEventListener('pointerdown', (event) => {
      const from = this.squareAt(event);
      if (event.button !== 0 || !from) return;
      drag = { from, x: event.clientX, y: event.clientY, moving: false };
      if (this.handlers.canDrag?.(from)) {
        this.grid.setPointerCapture(event.pointerId);
        event.preventDefault();
      }
    });
    this.grid.addEventListener('pointermove', (event) => {
      if (!drag || !this.handlers.canDrag?.(drag.from)) return;
      const carried = this.pieces.get(drag.from)?.element;
      if (!carried) return;
      if (!drag.moving && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 6) return;
      if (!drag.moving) {
        drag.moving = true;
        this.layer.append(carried);
        carried.classList.add('carried');
        this.element.classList.add('dragging');
      }
      const box = this.grid.getBoundingClientRect();
      const scale = (this.game.size * UNIT) / box.width;
      const x = (event.clientX - box.left) * scale - UNIT / 2;
      const y = (event.clientY - box.top) * scale - UNIT / 2;
      carried.style.transform = `translate(${x}px, ${y}px)`;
    });
    /** @param {PointerEvent} event @param {boolean} cancelled */
    const end = (event, cancelled) => {
      if (!drag) return;
      const { from, moving } = drag;
      drag = null;
      const carried = this.pieces.get(from)?.element;
      carried?.classList.remove('carried');
      this.element.classList.remove('dragging');
      const to = this.squareAt(event);
      if (!moving) {
        if (!cancelled && to === from) {
          this.setFocus(from);
          this.handlers.onSquare(from);
        }
        return;
      }
      if (carried) this.put(carried, from);
      if (cancelled || to === from) return;
      this.dropped = to ?? undefined;
      this.handlers.onDrop?.(from, to);
      this.dropped = undefined;
    };
    this.grid.addEventListener('pointerup', (event) => end(event, false));
    this.grid.addEventListener('pointercancel', (event) => end(event, true));
    this.grid.addEventListener('focusin', (event) => {
      const sq = event.target instanceof HTMLElement ? event.target.dataset.square : undefined;
      if (sq) this.setFocus(sq);
    });
    this.grid.addEventListener('keydown', (event) => this.key(event));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    /** @type {Record<string, [number, number]>} */
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const step = steps[event.key];
    if (step) {
      event.preventDefault();
      event.stopPropagation();
      const sign = this.flipped ? -1 : 1;
      this.setFocus(this.nextSquare(step[0] * sign, step[1] * sign), true);
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.handlers.onSquare(this.focus);
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && this.handlers.canDrag?.(this.focus)) {
      event.preventDefault();
      this.handlers.onDrop?.(this.focus, null);
    }
  }

  /**
   * The next square in that direction. On a draughts board a step up or down goes to the nearest dark square.
   * @param {number} files
   * @param {number} ranks
   */
  nextSquare(files, ranks) {
    const [file, rank] = [fileOf(this.focus), rankOf(this.focus)];
    /** @type {[number, number][]} */
    const tries = files
      ? [
          [file + files, rank],
          [file + 2 * files, rank],
        ]
      : [
          [file, rank + ranks],
          [file + 1, rank + ranks],
          [file - 1, rank + ranks],
        ];
    const found = tries.find(([f, r]) => f >= 0 && r >= 0 && isPlayable(this.game, square(f, r)));
    return found ? square(...found) : this.focus;
  }

  /** @param {string} sq @param {boolean} [move] whether the keyboard focus moves there, too */
  setFocus(sq, move = false) {
    const cells = this.cells;
    cells?.get(this.focus)?.setAttribute('tabindex', '-1');
    this.focus = sq;
    const cell = cells?.get(sq);
    if (cell) cell.tabIndex = 0;
    if (move) cell?.focus();
  }
}

/**
 * A small picture of a position, without a label: its parent describes it.
 * @param {Game} game
 * @param {Map<string, Piece>} pieces
 */
export function miniBoard(game, pieces) {
  const side = game.size * UNIT;
  const drawing = svg('svg', { viewBox: `0 0 ${side} ${side}`, class: 'mini-board', 'aria-hidden': 'true' });
  drawing.append(drawSquares(game));
  for (const [sq, piece] of pieces) {
    const element = drawPiece(game, piece);
    const y = (game.size - 1 - rankOf(sq)) * UNIT;
    element.setAttribute('transform', `translate(${fileOf(sq) * UNIT} ${y})`);
    drawing.append(element);
  }
  return drawing;
}
