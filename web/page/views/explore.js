/** The explorer: a position, its result, its moves, and best play from it. */

import { reducedMotion } from '../board.js';
import { copy, fill, h, icon, iconButton, segmented, toast } from '../dom.js';
import { t } from '../i18n/index.js';
import {
  edited, exchanged, fault, isRecord, mirrored, other, otherToMove, parseFen, record, shifted, signatureOf, squaresOfMove, writeFen,
} from '../notation.js';
import { pieceIcon } from '../pieces.js';
import { SourceError } from '../source.js';
import { badge, number, shareBar, verdict } from '../result.js';
import { numbered, PlayBoard, problem, section, signaturePieces, skeleton } from './parts.js';

/**
 * @typedef {import('../app.js').Context} Context
 * @typedef {import('../app.js').Route} Route
 * @typedef {import('../notation.js').Position} Position
 * @typedef {import('../notation.js').Piece} Piece
 * @typedef {import('../source.js').Answer} Answer
 * @typedef {import('../source.js').Move} Move
 * @typedef {import('../source.js').LineMove} LineMove
 * @typedef {{ fen: string, move: string | null, coordinates: string | null }} Step
 */

const STEP_MS = 900;

/** From here on a score says that the engine sees a win, and not how much it is worth. */
const CERTAIN = 10_000;

/** Text for screen readers alone. @param {string} text */
function unseen(text) {
  return h('span', { class: 'visually-hidden' }, text);
}

export class Explore {
  /** @param {Context} context */
  constructor(context) {
    this.context = context;
    this.game = context.game;
    /** @type {Step[]} */
    this.trail = [];
    this.at = 0;
    /** @type {Position | null} */
    this.position = null;
    /** @type {Answer | null} */
    this.answer = null;
    /** @type {LineMove[]} */
    this.line = [];
    this.editing = false;
    /** @type {Piece | 'erase' | null} */
    this.tool = null;
    this.request = 0;
    this.playing = 0;

    this.play = new PlayBoard(this.game, t.board, (move) => this.step(move));
    this.board = this.play.board;
    const handlers = this.board.handlers;
    this.board.handlers = {
      onSquare: (sq) => (this.editing ? this.editSquare(sq) : handlers.onSquare(sq)),
      onDrop: (from, to) => (this.editing ? this.editDrop(from, to) : handlers.onDrop?.(from, to)),
      canDrag: (sq) => (this.editing ? this.board.pieces.has(sq) && !this.tool : (handlers.canDrag?.(sq) ?? false)),
    };

    this.tray = h('div', { class: 'tray' });
    this.trayKey = '';
    this.transport = this.makeTransport();
    this.input = h('input', {
      type: 'text', class: 'fen', spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off', 'aria-label': t.fenLabel,
      onchange: () => this.paste(this.input.value),
      onpaste: (/** @type {ClipboardEvent} */ event) => {
        const text = event.clipboardData?.getData('text') ?? '';
        if (!/\n/.test(text.trim())) return;
        event.preventDefault();
        this.paste(text);
      },
    });
    this.verdict = h('div', { class: 'verdict', role: 'status', 'aria-live': 'polite' });
    this.moves = h('div');
    this.best = h('div');
    this.alike = h('div');
    this.element = h(
      'div',
      { class: 'explore two-columns' },
      h('h1', { class: 'visually-hidden' }, t.viewName.explore),
      h(
        'div',
        { class: 'board-column' },
        this.board.element,
        this.tray,
        h(
          'div',
          { class: 'fen-row' },
          this.input,
          iconButton('link', t.copyLink, () => copy(location.href, t.linkCopied)),
        ),
      ),
      h('div', { class: 'panel' }, this.verdict, this.moves, this.best, this.alike),
    );
    this.update(context.route);
  }

  /** @param {Route} route */
  update(route) {
    this.board.setFlipped(route.query.get('flip') === '1');
    const fen = route.query.get('fen') ?? this.context.session.get(`fen:${this.game.name}`) ?? this.game.featured;
    if (this.trail[this.at]?.fen === fen) return;
    this.stop();
    const near = [this.at + 1, this.at - 1, ...this.trail.keys()].find((i) => this.trail[i]?.fen === fen);
    if (near === undefined) {
      this.trail = [{ fen, move: null, coordinates: null }];
      this.at = 0;
    } else this.at = near;
    this.show();
  }

  /** @param {string} fen @param {boolean} [replace] */
  address(fen, replace) {
    const flip = this.board.flipped ? '1' : '';
    this.context.go('explore', '', { fen, flip }, replace);
  }

  /** Shows the position at `at`, and asks for its result. @param {string[]} [path] the move that led to it */
  async show(path) {
    const step = this.trail[this.at];
    const request = ++this.request;
    this.position = parseFen(this.game, step.fen);
    this.input.value = step.fen;
    this.answer = null;
    this.line = [];
    if (this.position) this.board.setPieces(this.position.pieces, path);
    this.play.setMoves([]);
    this.drawHints();
    this.drawTray();
    this.context.keep(step.fen);
    this.element.setAttribute('aria-busy', 'true');
    if (!this.moves.hasChildNodes()) fill(this.moves, section(t.moves, null, skeleton(6)));

    const wrong = this.position && fault(this.game, this.position);
    if (wrong) {
      this.drawFault(t.fault[wrong]);
      return;
    }
    let answer;
    try {
      answer = await this.context.source.answer(this.game.name, step.fen);
    } catch (error) {
      if (request !== this.request) return;
      this.drawProblem(error);
      return;
    }
    if (request !== this.request) return;
    this.answer = answer;
    if (answer.fen !== step.fen) {
      step.fen = answer.fen;
      if (!this.position) {
        this.position = parseFen(this.game, answer.fen);
        if (this.position) this.board.setPieces(this.position.pieces);
      }
      this.input.value = answer.fen;
      this.context.keep(answer.fen);
    }
    this.address(answer.fen, true);
    this.element.removeAttribute('aria-busy');
    if (!this.editing) this.play.setMoves(answer.moves);
    this.drawAnswer();
    this.drawTray();
    this.loadLine(request);
    this.loadAlike(request);
  }

  /** @param {number} request */
  async loadLine(request) {
    const { answer } = this;
    if (!answer || answer.value === 'draw' || answer.value === 'unknown' || !answer.moves.length) {
      this.drawLine(null);
      return;
    }
    if (!this.best.hasChildNodes()) fill(this.best, section(t.bestPlay, null, skeleton(3)));
    try {
      const line = await this.context.source.line(this.game.name, answer.fen);
      if (request !== this.request) return;
      this.line = line;
      this.drawLine(null);
      this.drawTray();
    } catch (error) {
      // Tables that are missing are named with the moves.
      const isMissing = error instanceof SourceError && error.kind === 'missing';
      if (request === this.request) this.drawLine(isMissing ? null : error);
    }
  }

  /** @param {number} request */
  async loadAlike(request) {
    const { position } = this;
    if (!position) return;
    const signature = signatureOf(this.game, position);
    if (signature.startsWith('v') || signature.endsWith('v')) return fill(this.alike);
    const stats = await this.context.source.statsOf(this.game.name, signature).catch(() => null);
    if (request !== this.request) return;
    // The table may have the sides the other way round, its first side as White.
    const isTurned = stats !== null && stats[0]?.signature !== signature;
    const side = (position.turn === 'w') !== isTurned ? 'white' : 'black';
    const row = stats?.find((one) => one.to_move === side);
    if (!row) return fill(this.alike);
    fill(
      this.alike,
      section(
        t.alike,
        h('a', { class: 'quiet-link', href: `#/${this.game.name}/materials/${row.signature}` }, row.signature, icon('forward')),
        h('p', { class: 'muted' }, t.alikeText(number(row.positions), position.turn)),
        shareBar(row, true),
      ),
    );
  }

  /** Plays a move. @param {{ move: string, coordinates: string, fen: string }} move */
  step(move) {
    this.trail.length = this.at + 1;
    this.trail.push({ fen: move.fen, move: move.move, coordinates: move.coordinates });
    this.at += 1;
    this.arrive(squaresOfMove(this.game, move.coordinates));
  }

  /** @param {string[]} [path] */
  arrive(path) {
    const { fen } = this.trail[this.at];
    // The address changes first; `update` finds the position shown already.
    this.address(fen);
    this.show(path);
  }

  /** @param {number} at */
  jump(at) {
    if (at < 0 || at >= this.trail.length || at === this.at) return;
    const forward = at === this.at + 1;
    const { coordinates } = this.trail[at];
    this.at = at;
    this.arrive(forward && coordinates ? squaresOfMove(this.game, coordinates) : undefined);
  }

  forward() {
    if (this.at + 1 < this.trail.length) this.jump(this.at + 1);
    else if (this.line.length) this.step(this.line[0]);
    else return false;
    return true;
  }

  last() {
    if (this.at + 1 < this.trail.length) return this.jump(this.trail.length - 1);
    if (!this.line.length) return;
    for (const move of this.line) this.trail.push({ fen: move.fen, move: move.move, coordinates: move.coordinates });
    this.jump(this.trail.length - 1);
  }

  togglePlaying() {
    if (this.playing) return this.stop();
    const next = () => {
      if (!this.element.isConnected) return this.stop();
      if (this.answer && this.element.getAttribute('aria-busy') !== 'true' && !this.forward() && !this.loadingLine()) this.stop();
    };
    this.playing = window.setInterval(next, reducedMotion() ? STEP_MS * 1.5 : STEP_MS);
    next();
    this.drawTray();
  }

  /** Whether best play is known to exist and has not come yet. */
  loadingLine() {
    const value = this.answer?.value;
    return (value === 'win' || value === 'loss') && (this.answer?.moves.length ?? 0) > 0 && !this.line.length;
  }

  stop() {
    if (!this.playing) return;
    clearInterval(this.playing);
    this.playing = 0;
    this.drawTray();
  }

  close() {
    this.stop();
    this.request += 1;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === 'ArrowLeft') this.jump(this.at - 1);
    else if (event.key === 'ArrowRight') this.forward();
    else if (event.key === 'Home') this.jump(0);
    else if (event.key === 'End') this.last();
    else if (event.key === 'f') this.flip();
    else return;
    event.preventDefault();
  }

  flip() {
    this.board.setFlipped(!this.board.flipped);
    this.address(this.trail[this.at].fen, true);
  }

  /** @param {string} text */
  paste(text) {
    const bare = text.trim();
    if (!bare || bare === this.trail[this.at].fen) return;
    if (isRecord(bare)) {
      this.context.session.set('record', bare);
      this.context.go('games');
      return;
    }
    this.start(bare.replace(/^\[FEN\s+"([^"]*)"\][^]*$/i, '$1'));
  }

  /** Begins anew from a position. @param {string} fen */
  start(fen) {
    this.stop();
    this.trail = [{ fen, move: null, coordinates: null }];
    this.at = 0;
    this.arrive();
  }

  /** @param {Position | null} position */
  setPosition(position) {
    if (!position) return toast(t.notPossible);
    this.start(writeFen(this.game, position));
  }

  // Setting up.

  /** @param {string} sq */
  editSquare(sq) {
    const { position, tool } = this;
    if (!position) return;
    if (!tool) {
      const from = this.play.selected;
      if (from && from !== sq && position.pieces.has(from)) this.editDrop(from, sq);
      else {
        this.play.selected = position.pieces.has(sq) && from !== sq ? sq : null;
        this.drawHints();
      }
      return;
    }
    this.setPosition(
      edited(position, (pieces) => {
        const here = pieces.get(sq);
        if (tool === 'erase' || (here?.color === tool.color && here.kind === tool.kind)) pieces.delete(sq);
        else pieces.set(sq, tool);
      }),
    );
  }

  /** @param {string} from @param {string | null} to */
  editDrop(from, to) {
    if (!this.position) return;
    this.play.selected = null;
    this.setPosition(
      edited(this.position, (pieces) => {
        const piece = pieces.get(from);
        pieces.delete(from);
        if (to && piece) pieces.set(to, piece);
      }),
    );
  }

  /** @param {boolean} editing */
  setEditing(editing) {
    this.stop();
    this.editing = editing;
    this.tool = null;
    this.play.selected = null;
    this.play.setMoves(editing ? [] : (this.answer?.moves ?? []));
    this.drawHints();
    this.drawTray();
    this.tray.querySelector('button')?.focus({ preventScroll: true });
  }

  // Drawing.

  /** @param {Move | LineMove | null} [pointed] */
  drawHints(pointed) {
    const step = this.trail[this.at];
    /** @type {import('../board.js').Hints} */
    const hints = { last: step.coordinates ? squaresOfMove(this.game, step.coordinates) : [] };
    if (pointed) {
      const squares = squaresOfMove(this.game, pointed.coordinates);
      const tone = 'value' in pointed ? pointed.value : 'unknown';
      hints.arrows = squares.slice(1).map((to, i) => ({ from: squares[i], to, tone }));
    }
    this.play.setHints(hints);
  }

  /** Shows the tools of the mode. Buttons stay the same elements, or a press that has begun would be lost. */
  drawTray() {
    const key = this.editing ? JSON.stringify([this.trail[this.at].fen, this.tool]) : 'play';
    if (key !== this.trayKey) {
      const focused = document.activeElement?.getAttribute('data-key');
      this.trayKey = key;
      fill(this.tray, this.editing ? this.editTray() : this.transport.element);
      if (focused) /** @type {HTMLElement | null} */ (this.tray.querySelector(`[data-key="${focused}"]`))?.focus();
    }
    const { first, back, play, forward, last } = this.transport;
    const atStart = this.at === 0;
    const atEnd = this.at + 1 >= this.trail.length && !this.line.length;
    for (const button of [first, back]) button.setAttribute('aria-disabled', String(atStart));
    for (const button of [forward, last]) button.setAttribute('aria-disabled', String(atEnd));
    play.setAttribute('aria-disabled', String(atEnd && !this.playing));
    const label = this.playing ? t.pause : t.playOn;
    if (play.title !== label) {
      play.title = label;
      play.setAttribute('aria-label', label);
      fill(play, icon(this.playing ? 'pause' : 'play'));
    }
  }

  makeTransport() {
    /** @param {Parameters<typeof iconButton>[0]} name @param {string} label @param {() => void} act */
    const button = (name, label, act) => iconButton(name, label, () => { this.stop(); act(); }, { 'data-key': name });
    const buttons = {
      first: button('first', t.first, () => this.jump(0)),
      back: button('back', t.back, () => this.jump(this.at - 1)),
      play: iconButton('play', t.playOn, () => this.togglePlaying(), { 'data-key': 'play', class: 'icon-button strong' }),
      forward: button('forward', t.forward, () => this.forward()),
      last: button('last', t.last, () => this.last()),
    };
    const element = h(
      'div',
      { class: 'transport' },
      button('flip', t.flip, () => this.flip()),
      h('div', { class: 'steps' }, Object.values(buttons)),
      h('button', { type: 'button', class: 'button', 'data-key': 'edit', 'aria-label': t.setUp, onclick: () => this.setEditing(true) }, icon('edit'), h('span', null, t.setUp)),
    );
    return { element, ...buttons };
  }

  editTray() {
    const { game, position } = this;
    const turn = position?.turn ?? 'w';
    /** @param {Piece | 'erase'} tool */
    const toolButton = (tool) => {
      const key = tool === 'erase' ? 'erase' : tool.color + tool.kind;
      const name = tool === 'erase' ? t.erase : t.pieceName(game.family, tool.color, tool.kind);
      const chosen = this.tool === 'erase' ? 'erase' : this.tool ? this.tool.color + this.tool.kind : '';
      const button = h(
        'button',
        {
          type: 'button', class: 'tool', 'data-key': key, 'aria-pressed': String(chosen === key), 'aria-label': name, title: name,
          onclick: () => {
            this.tool = chosen === key ? null : tool;
            this.play.selected = null;
            this.drawTray();
            this.drawHints();
          },
        },
        tool === 'erase' ? icon('close') : pieceIcon(game, tool),
      );
      if (tool !== 'erase') this.dragFrom(button, tool);
      return button;
    };
    /** @param {'w' | 'b'} color */
    const row = (color) => game.kinds.map((kind) => toolButton({ color, kind }));
    const mirror = position && mirrored(game, position);
    const shifts = game.family === 'draughts'
      ? /** @type {[string, number, number, number][]} */ ([[t.shift.upLeft, -1, 1, -90], [t.shift.upRight, 1, 1, 0], [t.shift.downRight, 1, -1, 90], [t.shift.downLeft, -1, -1, 180]])
      : /** @type {[string, number, number, number][]} */ ([[t.shift.left, -1, 0, -90], [t.shift.up, 0, 1, 0], [t.shift.right, 1, 0, 90], [t.shift.down, 0, -1, 180]]);
    const wanted = h('input', {
      type: 'text', 'aria-label': t.materialLabel, spellcheck: 'false', autocapitalize: 'off', class: 'material',
      value: position ? signatureOf(game, position) : '', placeholder: `${game.kinds[0]}${game.kinds[0]}v${game.kinds[0]}`,
      onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === 'Enter' && this.random(wanted.value),
    });
    const done = h('button', { type: 'button', class: 'button strong', 'data-key': 'done', onclick: () => this.setEditing(false) }, icon('check'), t.done);
    return [
      h('div', { class: 'palette' }, h('div', { role: 'group', 'aria-label': t.color.w }, row('w')), h('div', { role: 'group', 'aria-label': t.color.b }, row('b')), toolButton('erase')),
      h(
        'div',
        { class: 'tools' },
        segmented(t.sideToMove, [this.sideChoice('w'), this.sideChoice('b')], turn, (color) => {
          if (position && position.turn !== color) this.setPosition(otherToMove(position));
        }),
        h(
          'div',
          { class: 'tool-buttons' },
          iconButton('exchange', t.exchange, () => position && this.setPosition(exchanged(game, position)), { 'data-key': 'exchange' }),
          iconButton('mirror', t.mirror, () => this.setPosition(mirror), { 'data-key': 'mirror', 'aria-disabled': mirror ? null : 'true' }),
          shifts.map(([label, files, ranks, turned]) => {
            const moved = position && shifted(game, position, files, ranks);
            return iconButton(game.family === 'draughts' ? 'upright' : 'up', label, () => this.setPosition(moved), { turn: turned, 'data-key': label, 'aria-disabled': moved ? null : 'true' });
          }),
          iconButton('clear', t.clear, () => this.setPosition({ pieces: new Map(), turn, rest: '' }), { 'data-key': 'clear' }),
        ),
        done,
      ),
      h(
        'div',
        { class: 'tools' },
        h('div', { class: 'joined' }, wanted, h('button', { type: 'button', class: 'button', 'data-key': 'random', onclick: () => this.random(wanted.value) }, icon('random'), t.random)),
      ),
    ];
  }

  /** @param {import('../games.js').Color} color */
  sideChoice(color) {
    return { value: color, text: [h('span', { class: `disc ${color}` }), t.color[color]], title: t.toMove(color) };
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
        ghost = h('div', { class: 'ghost' }, pieceIcon(this.game, piece));
        document.body.append(ghost);
      }
      ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
    });
    /** @param {PointerEvent} event */
    const end = (event) => {
      if (!ghost) return;
      ghost.remove();
      ghost = null;
      const sq = event.type === 'pointerup' ? this.board.squareAt(event) : null;
      if (sq && this.position) this.setPosition(edited(this.position, (pieces) => pieces.set(sq, piece)));
    };
    button.addEventListener('pointerup', end);
    button.addEventListener('pointercancel', end);
  }

  /** @param {string} text */
  async random(text) {
    const signature = text.trim().replace(/[-–:\s]/g, 'v').replace(/[a-uw-z]/g, (letter) => letter.toUpperCase()).replace(/V/g, 'v');
    try {
      this.start(await this.context.source.random(this.game.name, signature));
    } catch (error) {
      const kind = error instanceof Error && 'kind' in error ? String(error.kind) : '';
      toast(kind === 'offline' ? t.problem.offline[0] : t.noSuchTable(signature));
    }
  }

  /** @param {string} text */
  drawFault(text) {
    this.element.removeAttribute('aria-busy');
    this.verdict.className = 'verdict unknown';
    fill(this.verdict, h('b', null, t.notYet), h('span', null, text));
    fill(this.moves);
    fill(this.best);
    fill(this.alike);
  }

  /** @param {unknown} error */
  drawProblem(error) {
    this.element.removeAttribute('aria-busy');
    this.stop();
    this.verdict.className = 'verdict unknown';
    fill(this.verdict, problem(error, () => this.show()));
    fill(this.moves);
    fill(this.best);
    fill(this.alike);
  }

  drawAnswer() {
    const { answer, game, position } = this;
    if (!answer) return;
    const turn = position?.turn ?? 'w';
    const { headline, detail } = verdict(game, turn, answer.value, answer.dtw);
    const winner = answer.value === 'win' ? turn : answer.value === 'loss' ? other(turn) : null;
    this.verdict.className = `verdict ${answer.value}`;
    fill(
      this.verdict,
      h('span', { class: `disc ${winner ?? 'both'}`, 'aria-hidden': 'true' }),
      h('b', null, headline),
      h('span', null, [t.toMove(turn), detail].filter(Boolean).join(' · ')),
    );
    this.drawMoves(answer);
  }

  /** @param {Answer} answer */
  drawMoves(answer) {
    const { moves, missing = [] } = answer;
    if (!moves.length) {
      fill(this.moves, missing.length ? this.missingNote(answer) : null);
      return;
    }
    const longest = Math.max(1, ...moves.map((move) => move.dtw ?? 0));
    const known = moves.every((move) => move.value !== 'unknown');
    const keeps = moves.filter((move) => move.value === moves[0].value);
    const only = known && moves.length > 1 && keeps.length === 1 && moves[0].value !== 'loss';
    /** @param {string} value */
    const count = (value) => moves.filter((move) => move.value === value).length;
    const counts = /** @type {const} */ (['win', 'draw', 'loss', 'unknown'])
      .filter((value) => count(value))
      .map((value) => h('span', { class: `count ${value}` }, t.movesThat[value](count(value))));
    const rows = moves.map((move, i) => {
      const bar = h('span', { class: `bar ${move.value}` }, h('i', null));
      const share = move.dtw === null ? 1 : Math.max(0.04, move.dtw / longest);
      /** @type {HTMLElement} */ (bar.firstChild).style.width = `${share * 100}%`;
      const compact = move.dtw === null;
      return h(
        'li',
        null,
        h(
          'button',
          {
            type: 'button', class: 'move-row',
            onclick: () => { if (this.answer === answer) { this.stop(); this.step(move); } },
            onpointerenter: () => this.drawHints(move), onpointerleave: () => this.drawHints(),
            onfocus: () => this.drawHints(move), onblur: () => this.drawHints(),
          },
          badge(move.value),
          h('span', { class: 'san' }, move.move, unseen(`: ${t.value[move.value]}`)),
          only && i === 0 ? h('span', { class: 'flag' }, t.onlyMove) : null,
          compact ? null : bar,
          compact ? null : h('span', { class: 'n' }, String(Math.ceil((move.dtw ?? 0) / 2)), unseen(` ${t.movesUnit}`)),
          compact ? null : h('span', { class: 'n plies' }, String(move.dtw), unseen(` ${t.pliesUnit}`)),
        ),
      );
    });
    /** @type {HTMLElement[]} */
    const groups = [];
    for (const [i, move] of moves.entries()) {
      const before = moves[i - 1];
      if (!before || before.value !== move.value || (before.dtw === null) !== (move.dtw === null)) {
        const first = move.dtw !== null && moves.findIndex((one) => one.dtw !== null) === i;
        if (first) groups.push(h('div', { class: 'moves-head', 'aria-hidden': 'true' }, h('span', null, t.movesUnit), h('span', null, t.pliesUnit)));
        groups.push(h('ol', { class: `moves${move.dtw === null ? ' compact' : ''}` }));
      }
      groups[groups.length - 1].append(rows[i]);
    }
    fill(
      this.moves,
      section(
        t.moves,
        h('div', { class: 'counts' }, counts),
        missing.length || answer.trouble ? this.missingNote(answer) : null,
        answer.engine?.move ? h('p', { class: 'engine' }, t.engineThinks(answer.engine.move, Math.abs(answer.engine.score ?? 0) < CERTAIN ? (answer.engine.score ?? 0) : null)) : null,
        h('div', { class: 'move-groups' }, groups),
      ),
    );
  }

  /** @param {Answer} answer */
  missingNote({ missing = [], trouble }) {
    const names = [...new Set(missing.map((table) => table.signature))];
    const beyond = trouble?.kind === 'beyond';
    return h(
      'div',
      { class: 'note-box' },
      h('p', null, beyond ? t.beyond : t.missing(names.length)),
      beyond
        ? null
        : h('div', { class: 'missing' }, names.slice(0, 6).map((name) => h('span', { class: 'chip' }, signaturePieces(this.game, name), name))),
      beyond || !names.length ? null : h('p', { class: 'command' }, t.buildsThem, h('code', null, `damka gen ${this.game.name} ${names.slice(0, 3).join(' ')}`)),
    );
  }

  /** @param {unknown} error */
  drawLine(error) {
    const { line, position, trail } = this;
    const turn = position?.turn ?? 'w';
    const copier = () => h('button', { type: 'button', class: 'button small', onclick: () => this.copyRecord() }, icon('copy'), t.copyRecord(this.game.family));
    const parts = [];
    const played = trail.slice(1);
    if (played.length) {
      const first = parseFen(this.game, trail[0].fen)?.turn ?? 'w';
      parts.push(
        section(
          t.played,
          line.length ? null : copier(),
          h(
            'div',
            { class: 'line' },
            numbered(this.game, first, played.map(({ move }) => ({ move: move ?? '' })), (i) =>
              h('button', { type: 'button', 'aria-current': i + 1 === this.at ? 'step' : null, onclick: () => { this.stop(); this.jump(i + 1); } }, played[i].move)),
          ),
        ),
      );
    }
    if (error) parts.push(section(t.bestPlay, null, problem(error, null)));
    if (line.length) {
      parts.push(
        section(
          t.bestPlay,
          copier(),
          h(
            'div',
            { class: 'line' },
            numbered(this.game, turn, line, (i) =>
              h(
                'button',
                { type: 'button', onclick: () => { this.stop(); this.follow(i); }, onpointerenter: () => i === 0 && this.drawHints(line[0]), onpointerleave: () => this.drawHints() },
                line[i].move,
              )),
          ),
        ),
      );
    }
    fill(this.best, parts);
  }

  /** Plays the line up to a move. @param {number} last */
  follow(last) {
    if (!this.line[last]) return;
    this.trail.length = this.at + 1;
    for (const move of this.line.slice(0, last + 1)) this.trail.push({ fen: move.fen, move: move.move, coordinates: move.coordinates });
    this.at = this.trail.length - 1;
    this.arrive(last === 0 ? squaresOfMove(this.game, this.line[0].coordinates) : undefined);
  }

  copyRecord() {
    const { answer, position, trail } = this;
    const moves = [...trail.slice(1, this.at + 1).map((step) => step.move ?? ''), ...this.line.map((move) => move.move)];
    const turn = position?.turn ?? 'w';
    const winner = answer?.value === 'win' ? turn : answer?.value === 'loss' ? other(turn) : null;
    const result = winner === 'w' ? '1-0' : winner === 'b' ? '0-1' : answer?.value === 'draw' ? '1/2-1/2' : '*';
    copy(record(this.game, trail[0].fen, moves, result), t.recordCopied(this.game.family));
  }
}
