/** The editor of positions: the palette, and tools that change the whole position. */

import { h, icon, iconButton, segmented, toast } from '../../dom.js';
import { t } from '../../i18n/index.js';
import {
  edited,
  exchanged,
  mirrored,
  otherToMove,
  readSignature,
  shifted,
  signatureOf,
} from '../../notation.js';
import { pieceIcon } from '../../pieces.js';
import { SourceError } from '../../source.js';
import { section } from '../parts.js';

/** @typedef {import('../../notation.js').Piece} Piece */

export class SetUp {
  /** @param {import('./explore.js').Explore} host the view whose position is edited */
  constructor(host) {
    this.host = host;
    /** @type {Piece | 'erase' | null} */
    this.tool = null;
  }

  /** @param {string} sq */
  onSquare(sq) {
    const { tool } = this;
    const { position } = this.host;
    if (!position) return;
    if (!tool) {
      const from = this.host.play.selected;
      if (from && from !== sq && position.pieces.has(from)) this.onDrop(from, sq);
      else {
        this.host.play.selected = position.pieces.has(sq) && from !== sq ? sq : null;
        this.host.drawHints();
      }
      return;
    }
    this.host.setPosition(
      edited(position, (pieces) => {
        const here = pieces.get(sq);
        if (tool === 'erase' || (here?.color === tool.color && here.kind === tool.kind)) pieces.delete(sq);
        else pieces.set(sq, tool);
      }),
    );
  }

  /** @param {string} from @param {string | null} to */
  onDrop(from, to) {
    if (!this.host.position) return;
    this.host.play.selected = null;
    this.host.setPosition(
      edited(this.host.position, (pieces) => {
        const piece = pieces.get(from);
        pieces.delete(from);
        if (to && piece) pieces.set(to, piece);
      }),
    );
  }

  tools() {
    const { game, position } = this.host;
    const turn = position?.turn ?? 'w';
    /** @param {Piece | 'erase'} tool */
    const toolButton = (tool) => {
      const key = tool === 'erase' ? 'erase' : tool.color + tool.kind;
      const name = tool === 'erase' ? t.erase : t.pieceName(game.family, tool.color, tool.kind);
      const chosen = this.tool === 'erase' ? 'erase' : this.tool ? this.tool.color + this.tool.kind : '';
      const button = h(
        'button',
        {
          type: 'button',
          class: 'tool',
          'data-key': key,
          'aria-pressed': String(chosen === key),
          'aria-label': name,
          title: name,
          onclick: () => {
            this.tool = chosen === key ? null : tool;
            this.host.play.selected = null;
            this.host.drawTools();
            this.host.drawHints();
          },
        },
        tool === 'erase' ? icon('close') : pieceIcon(game, tool),
      );
      if (tool !== 'erase') this.dragFrom(button, tool);
      return button;
    };
    /** @param {'w' | 'b'} color */
    const row = (color) => game.kinds.map((kind) => toolButton({ color, kind }));
    const shifts =
      game.family === 'draughts'
        ? /** @type {[string, number, number, number][]} */ ([
            [t.shift.upLeft, -1, 1, -90],
            [t.shift.upRight, 1, 1, 0],
            [t.shift.downRight, 1, -1, 90],
            [t.shift.downLeft, -1, -1, 180],
          ])
        : /** @type {[string, number, number, number][]} */ ([
            [t.shift.left, -1, 0, -90],
            [t.shift.up, 0, 1, 0],
            [t.shift.right, 1, 0, 90],
            [t.shift.down, 0, -1, 180],
          ]);
    const wanted = h('input', {
      type: 'text',
      id: 'random-material',
      title: t.materialLabel(t.filterHint(game.family)),
      spellcheck: 'false',
      autocapitalize: 'off',
      class: 'material',
      value: (position && readSignature(game, signatureOf(game, position))) ?? '',
      placeholder: t.filterHint(game.family),
      onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === 'Enter' && this.random(wanted.value),
    });
    /**
     * @param {'exchange' | 'mirror' | 'clear'} name
     * @param {import('../../notation.js').Position | null} changed
     * @param {string} [why] why the position cannot be changed so
     */
    const change = (name, changed, why) =>
      h(
        'button',
        {
          type: 'button',
          class: 'button small',
          'data-key': name,
          'aria-disabled': changed ? null : 'true',
          title: changed ? null : why,
          onclick: () => this.host.setPosition(changed, why),
        },
        icon(name),
        t[name],
      );
    const arrows = shifts.map(([label, files, ranks, turned]) => {
      const moved = position && shifted(game, position, files, ranks);
      return iconButton(game.family === 'draughts' ? 'upright' : 'up', label, () => this.host.setPosition(moved), {
        turn: turned,
        'data-key': label,
        'aria-disabled': moved ? null : 'true',
      });
    });
    return section(
      t.setUpTitle,
      null,
      h('p', { class: 'muted' }, t.setUpText),
      h(
        'div',
        { class: 'palette' },
        h('div', { role: 'group', 'aria-label': t.color.w }, row('w')),
        h('div', { role: 'group', 'aria-label': t.color.b }, row('b')),
        toolButton('erase'),
      ),
      h(
        'div',
        { class: 'tools' },
        segmented(t.sideToMove, [this.sideChoice('w'), this.sideChoice('b')], turn, (color) => {
          if (position && position.turn !== color) this.host.setPosition(otherToMove(position));
        }),
        h(
          'div',
          { class: 'shifts', role: 'group', 'aria-label': t.shiftAll },
          h('span', { class: 'muted', 'aria-hidden': 'true' }, t.shiftAll),
          arrows,
        ),
      ),
      h(
        'div',
        { class: 'tools' },
        change('exchange', position && exchanged(game, position)),
        change('mirror', position && mirrored(game, position), t.noMirror),
        change('clear', { pieces: new Map(), turn, rest: '' }),
      ),
      h(
        'div',
        { class: 'tools random-tool' },
        h('label', { class: 'muted', for: 'random-material' }, t.randomOf),
        h(
          'div',
          { class: 'joined' },
          wanted,
          h(
            'button',
            { type: 'button', class: 'button', 'data-key': 'random', onclick: () => this.random(wanted.value) },
            icon('random'),
            t.random,
          ),
        ),
      ),
    );
  }

  /** @param {import('../../games.js').Color} color */
  sideChoice(color) {
    return { value: color, text: [h('span', { class: `disc ${color}` }), t.toMove(color)] };
  }

  /**
   * Lets a piece of the palette be dragged to the board.
   * @param {HTMLElement} button
   * @param {Piece} piece
   */
  dragFrom(button, piece) {
    /** @type {HTMLElement | null} */
    let ghost = null;
    let start = { x: 0, y: 0 };
    button.addEventListener('pointerdown', (event) => {
      start = { x: event.clientX, y: event.clientY };
      button.setPointerCapture(event.pointerId);
    });
    button.addEventListener('pointermove', (event) => {
      if (!button.hasPointerCapture(event.pointerId)) return;
      if (!ghost) {
        if (Math.hypot(event.clientX - start.x, event.clientY - start.y) < 8) return;
        ghost = h('div', { class: 'ghost' }, pieceIcon(this.host.game, piece));
        document.body.append(ghost);
      }
      ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
    });
    /** @param {PointerEvent} event */
    const end = (event) => {
      if (!ghost) return;
      ghost.remove();
      ghost = null;
      const sq = event.type === 'pointerup' ? this.host.board.squareAt(event) : null;
      if (sq && this.host.position)
        this.host.setPosition(edited(this.host.position, (pieces) => pieces.set(sq, piece)));
    };
    button.addEventListener('pointerup', end);
    button.addEventListener('pointercancel', end);
  }

  /** @param {string} text */
  async random(text) {
    const { game, context } = this.host;
    const signature = readSignature(game, text);
    if (!signature) return toast(t.materialExpected(t.filterHint(game.family)));
    try {
      this.host.start(await context.source.random(game.name, signature));
    } catch (error) {
      const isOffline = error instanceof SourceError && error.kind === 'offline';
      toast(isOffline ? t.problem.offline[0] : t.noSuchTable(signature));
    }
  }
}
