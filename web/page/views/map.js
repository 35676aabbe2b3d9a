/** The map: the value of the position with one piece on each free square, and either side to move. */

import { Board } from '../board.js';
import { fill, h, icon, iconButton } from '../dom.js';
import { squareName, squareOf } from '../games.js';
import { t } from '../i18n/index.js';
import { edited, fault, parseFen, writeFen } from '../notation.js';
import { SIGN, toneOf } from '../result.js';
import { missingNote } from './explore/moves.js';
import { problem } from './parts.js';

/**
 * @typedef {import('../app.js').Context} Context
 * @typedef {import('../app.js').Route} Route
 * @typedef {import('../games.js').Color} Color
 * @typedef {import('../source.js').SquareValue} SquareValue
 */

export class MapView {
  /** @param {Context} context */
  constructor(context) {
    this.context = context;
    this.game = context.game;
    this.request = 0;
    /** @type {import('../notation.js').Position | null} */
    this.position = null;
    /** @type {string | null} */
    this.square = null;

    /** @type {Record<Color, Board>} */
    this.boards = { w: this.makeBoard('w'), b: this.makeBoard('b') };
    this.lead = h('p', { class: 'lead', role: 'status', 'aria-live': 'polite' });
    this.trouble = h('div');
    this.sums = { w: h('div', { class: 'map-sum' }), b: h('div', { class: 'map-sum' }) };
    this.element = h(
      'div',
      { class: 'map-view' },
      h(
        'div',
        { class: 'view-head' },
        h('div', null, h('h1', null, t.viewName.map), this.lead),
        h(
          'div',
          { class: 'head-buttons' },
          iconButton('flip', t.flip, () => this.flip()),
          h(
            'button',
            { type: 'button', class: 'button', onclick: () => this.open() },
            icon('explore'),
            t.openInExplorer,
          ),
        ),
      ),
      this.trouble,
      h(
        'div',
        { class: 'map-boards' },
        ['w', 'b'].map((color) => this.figure(/** @type {Color} */ (color))),
      ),
      h('p', { class: 'muted map-hint' }, t.mapHint),
    );
    this.update(context.route);
  }

  /** @param {Color} turn */
  makeBoard(turn) {
    return new Board(this.game, `${t.board}: ${t.toMove(turn)}`, {
      onSquare: (sq) => this.choose(sq),
      onDrop: (from, to) => to && this.move(from, to),
      canDrag: (sq) => this.position?.pieces.has(sq) ?? false,
    });
  }

  /** @param {Color} turn */
  figure(turn) {
    return h(
      'figure',
      null,
      h(
        'figcaption',
        null,
        h('span', { class: `disc ${turn}`, 'aria-hidden': 'true' }),
        h('b', null, t.toMove(turn)),
        this.sums[turn],
      ),
      this.boards[turn].element,
    );
  }

  /** @param {Route} route */
  update(route) {
    const fen = route.query.get('fen') ?? this.context.session.get(`fen:${this.game.name}`) ?? this.game.featured;
    const position = parseFen(this.game, fen);
    const square = route.query.get('square');
    this.position = position;
    if (!position) {
      fill(this.trouble, h('p', { class: 'note-box' }, t.mapNeedsPosition));
      return;
    }
    this.context.keep(fen);
    const movable = [...position.pieces.keys()];
    const lone = movable.find((sq) => position.pieces.get(sq)?.color !== position.turn);
    this.square = square && position.pieces.has(square) ? square : (lone ?? movable[0] ?? null);
    for (const board of Object.values(this.boards)) board.setPieces(position.pieces);
    this.load();
  }

  async load() {
    const { position, square } = this;
    const request = ++this.request;
    fill(this.trouble);
    const wrong = position && fault(this.game, position);
    if (!position || !square || wrong) {
      fill(this.lead, wrong ? t.fault[wrong] : t.mapNeedsPosition);
      return;
    }
    const piece = position.pieces.get(square);
    if (!piece) return;
    const name = t.pieceName(this.game.family, piece.color, piece.kind);
    fill(this.lead, t.mapLead(name, squareName(this.game, square)));
    for (const board of Object.values(this.boards)) board.setHints({ selected: square });
    let map;
    try {
      map = await this.context.source.map(this.game.name, writeFen(this.game, position), squareName(this.game, square));
    } catch (error) {
      if (request === this.request)
        fill(
          this.trouble,
          problem(error, () => this.load()),
        );
      return;
    }
    if (request !== this.request) return;
    this.draw('w', map.white);
    this.draw('b', map.black);
    if ([...map.white, ...map.black].some((one) => one.value === 'unknown')) this.nameMissing(request);
  }

  /** Names the missing tables of the position. @param {number} request */
  async nameMissing(request) {
    if (!this.position) return;
    const { source } = this.context;
    const answer = await source.answer(this.game.name, writeFen(this.game, this.position)).catch(() => null);
    if (request !== this.request || !answer) return;
    if (answer.missing?.length || answer.trouble) fill(this.trouble, missingNote(this.game, answer, source.canGrow));
  }

  /**
   * @param {Color} turn
   * @param {SquareValue[]} values
   */
  draw(turn, values) {
    /** @type {Map<string, import('../board.js').Mark>} */
    const marks = new Map();
    const longest = Math.max(1, ...values.map(({ dtw }) => dtw ?? 0));
    const counts = { win: 0, draw: 0, loss: 0, unknown: 0 };
    for (const { square, value, dtw } of values) {
      const sq = squareOf(this.game, square);
      if (!sq) continue;
      const tone = toneOf(value, turn);
      counts[tone] += 1;
      const label =
        value === 'draw' || value === 'unknown'
          ? t.value[value]
          : `${t.winsShort(tone === 'win' ? 'w' : 'b')}, ${t.plies(dtw ?? 0)}`;
      marks.set(sq, { tone, text: dtw === null ? SIGN[tone] : String(dtw), label, strength: 1 - (dtw ?? 0) / longest });
    }
    this.boards[turn].setHints({ selected: this.square, marks });
    const names = {
      win: t.winsShort('w'),
      draw: t.verdictDraw,
      loss: t.winsShort('b'),
      unknown: t.value.unknown,
    };
    fill(
      this.sums[turn],
      /** @type {const} */ (['win', 'draw', 'loss', 'unknown'])
        .filter((tone) => counts[tone])
        .map((tone) =>
          h('span', null, h('i', { class: `dot ${tone}` }), `${names[tone]} `, h('b', null, counts[tone])),
        ),
    );
  }

  /** @param {string} sq */
  choose(sq) {
    const { position, square } = this;
    if (!position) return;
    if (position.pieces.has(sq)) this.go(writeFen(this.game, position), sq);
    else if (square) this.move(square, sq);
  }

  /** @param {string} from @param {string} to */
  move(from, to) {
    const { position } = this;
    const piece = position?.pieces.get(from);
    if (!position || !piece || position.pieces.has(to)) return;
    const moved = edited(position, (pieces) => {
      pieces.delete(from);
      pieces.set(to, piece);
    });
    this.go(writeFen(this.game, moved), to);
  }

  /** @param {string} fen @param {string} square */
  go(fen, square) {
    this.context.go('map', '', { fen, square });
  }

  flip() {
    for (const board of Object.values(this.boards)) board.setFlipped(!board.flipped);
  }

  open() {
    if (this.position) this.context.go('explore', '', { fen: writeFen(this.game, this.position) });
  }
}
