/** The explorer: a position, its result, its moves, and best play from it. */

import { reducedMotion } from '../../board.js';
import { copy, fill, h, iconButton, toast } from '../../dom.js';
import { gameNamed } from '../../games.js';
import { t } from '../../i18n/index.js';
import { fault, isRecord, other, parseFen, record, squaresOfMove, writeFen, withTurn } from '../../notation.js';
import { SourceError } from '../../source.js';
import { verdict, toneOf } from '../../result.js';
import { PlayBoard, problem, section, skeleton } from '../parts.js';
import { alikeCard } from './alike.js';
import { lineCards } from './lines.js';
import { movesCard } from './moves.js';
import { SetUp } from './setup.js';
import { Transport } from './transport.js';

/**
 * @typedef {import('../../app.js').Context} Context
 * @typedef {import('../../app.js').Route} Route
 * @typedef {import('../../notation.js').Position} Position
 * @typedef {import('../../source.js').Answer} Answer
 * @typedef {import('../../source.js').Move} Move
 * @typedef {import('../../source.js').LineMove} LineMove
 * @typedef {{ fen: string, move: string | null, coordinates: string | null }} Step
 */

const STEP_MS = 900;

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
    this.setup = new SetUp(this);
    this.request = 0;
    this.playing = 0;

    this.play = new PlayBoard(this.game, t.board, (move) => this.step(move));
    this.board = this.play.board;
    const handlers = this.board.handlers;
    this.board.handlers = {
      onSquare: (sq) => (this.editing ? this.setup.onSquare(sq) : handlers.onSquare(sq)),
      onDrop: (from, to) => (this.editing ? this.setup.onDrop(from, to) : handlers.onDrop?.(from, to)),
      canDrag: (sq) => (this.editing ? this.board.pieces.has(sq) : (handlers.canDrag?.(sq) ?? false)),
    };

    /** @param {() => void} act */
    const stopped = (act) => () => {
      this.stop();
      act();
    };
    this.transport = new Transport({
      first: stopped(() => this.jump(0)),
      back: stopped(() => this.jump(this.at - 1)),
      play: () => this.togglePlaying(),
      forward: stopped(() => this.forward()),
      last: stopped(() => this.last()),
      flip: stopped(() => this.flip()),
      edit: () => this.setEditing(!this.editing),
    });
    this.palette = h('div', { class: 'palette-place' });
    this.paletteKey = '';
    this.input = h('input', {
      type: 'text',
      class: 'fen',
      spellcheck: 'false',
      autocomplete: 'off',
      autocapitalize: 'off',
      'aria-label': t.fenLabel,
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
        this.transport.element,
        h(
          'div',
          { class: 'fen-row' },
          this.input,
          iconButton('link', t.copyLink, () => copy(location.href, t.linkCopied)),
        ),
      ),
      h('div', { class: 'panel' }, this.verdict, this.palette, this.moves, this.best, this.alike),
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

  /** Shows the position at `at`, and requests its result. @param {string[]} [path] the move that led to it */
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
    this.drawTools();
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
    this.drawTools();
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
      this.drawTools();
    } catch (error) {
      // The card of moves already names missing tables.
      const isMissing = error instanceof SourceError && error.kind === 'missing';
      if (request === this.request) this.drawLine(isMissing ? null : error);
    }
  }

  /** @param {number} request */
  async loadAlike(request) {
    const { position } = this;
    if (!position) return;
    const card = await alikeCard(this.context.source, this.game, position);
    if (request === this.request) fill(this.alike, card);
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
    // The address changes first; then `update` finds that the position is already shown.
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
      if (this.answer && this.element.getAttribute('aria-busy') !== 'true' && !this.forward() && !this.loadingLine())
        this.stop();
    };
    this.playing = window.setInterval(next, reducedMotion() ? STEP_MS * 1.5 : STEP_MS);
    next();
    this.drawTools();
  }

  /** Whether best play exists and is not loaded yet. */
  loadingLine() {
    const value = this.answer?.value;
    return (value === 'win' || value === 'loss') && (this.answer?.moves.length ?? 0) > 0 && !this.line.length;
  }

  stop() {
    if (!this.playing) return;
    clearInterval(this.playing);
    this.playing = 0;
    this.drawTools();
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
    const [, hash, name] = /^https?:\/\/\S*?(#\/(\w+)\/\S+)$/.exec(bare) ?? [];
    if (hash && gameNamed(name)) {
      this.input.value = this.trail[this.at].fen;
      location.hash = hash;
      return;
    }
    if (isRecord(bare)) {
      this.context.session.set('record', bare);
      this.context.go('games');
      return;
    }
    const fen = bare.replace(/^\[FEN\s+"([^"]*)"\][^]*$/i, '$1');
    this.start(withTurn(this.game, fen, this.position?.turn ?? 'w'));
  }

  /** Restarts from a position. @param {string} fen */
  start(fen) {
    this.stop();
    this.trail = [{ fen, move: null, coordinates: null }];
    this.at = 0;
    this.arrive();
  }

  /** @param {Position | null} position @param {string} [why] why there is no position */
  setPosition(position, why = t.notPossible) {
    if (!position) return toast(why);
    this.start(writeFen(this.game, position));
  }

  /** @param {boolean} editing */
  setEditing(editing) {
    this.stop();
    this.editing = editing;
    this.setup.tool = null;
    this.play.selected = null;
    this.play.setMoves(editing ? [] : (this.answer?.moves ?? []));
    this.drawHints();
    this.drawTools();
  }

  // Drawing.

  /** @param {Move | LineMove | null} [pointed] */
  drawHints(pointed) {
    const step = this.trail[this.at];
    /** @type {import('../../board.js').Hints} */
    const hints = { last: step.coordinates ? squaresOfMove(this.game, step.coordinates) : [] };
    if (pointed) {
      const squares = squaresOfMove(this.game, pointed.coordinates);
      const tone = 'value' in pointed ? toneOf(pointed.value, this.position?.turn ?? 'w') : 'unknown';
      hints.arrows = squares.slice(1).map((to, i) => ({ from: squares[i], to, tone }));
    }
    this.play.setHints(hints);
  }

  /** Shows the buttons and tools of the mode. */
  drawTools() {
    const { editing } = this;
    const key = editing ? JSON.stringify([this.trail[this.at].fen, this.setup.tool]) : '';
    if (key !== this.paletteKey) {
      const focused = document.activeElement?.getAttribute('data-key');
      this.paletteKey = key;
      fill(this.palette, editing ? this.setup.tools() : null);
      if (focused) /** @type {HTMLElement | null} */ (this.palette.querySelector(`[data-key="${focused}"]`))?.focus();
    }
    const atEnd = this.at + 1 >= this.trail.length && !this.line.length;
    this.transport.show({ atStart: this.at === 0, atEnd, playing: this.playing !== 0, editing });
  }

  /** @param {string} text */
  drawFault(text) {
    // Shows the palette, with which the position can be corrected.
    if (!this.editing) this.setEditing(true);
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
    fill(
      this.verdict,
      problem(error, () => this.show()),
    );
    fill(this.moves);
    fill(this.best);
    fill(this.alike);
  }

  drawAnswer() {
    const { answer, game, position } = this;
    if (!answer) return;
    const turn = position?.turn ?? 'w';
    const { headline, detail } = verdict(game, turn, answer.value, answer.dtw, answer.moves.length > 0);
    const winner = answer.value === 'win' ? turn : answer.value === 'loss' ? other(turn) : null;
    this.verdict.className = `verdict ${toneOf(answer.value, turn)}`;
    fill(
      this.verdict,
      h('span', { class: `disc ${winner ?? 'both'}`, 'aria-hidden': 'true' }),
      h('b', null, headline),
      h('span', null, [t.toMove(turn), detail].filter(Boolean).join(' · ')),
    );
    /** @param {Move} move */
    const play = (move) => {
      if (this.answer !== answer) return;
      this.stop();
      this.step(move);
    };
    const { canGrow } = this.context.source;
    fill(this.moves, movesCard(game, turn, answer, { play, point: (move) => this.drawHints(move), canGrow }));
  }

  /** @param {unknown} error why there is no best play */
  drawLine(error) {
    const { game, trail, at, line } = this;
    const lines = {
      game,
      first: parseFen(game, trail[0].fen)?.turn ?? 'w',
      played: trail.slice(1).map(({ move }) => move ?? ''),
      at,
      turn: this.position?.turn ?? 'w',
      line,
      error,
    };
    const handlers = {
      /** @param {number} to */
      jump: (to) => {
        this.stop();
        this.jump(to);
      },
      /** @param {number} last */
      follow: (last) => {
        this.stop();
        this.follow(last);
      },
      /** @param {LineMove} [pointed] */
      point: (pointed) => this.drawHints(pointed),
      copy: () => this.copyRecord(),
    };
    fill(this.best, lineCards(lines, handlers));
  }

  /** Plays the line up to a move. @param {number} last */
  follow(last) {
    if (!this.line[last]) return;
    this.trail.length = this.at + 1;
    for (const move of this.line.slice(0, last + 1))
      this.trail.push({ fen: move.fen, move: move.move, coordinates: move.coordinates });
    this.at = this.trail.length - 1;
    this.arrive(last === 0 ? squaresOfMove(this.game, this.line[0].coordinates) : undefined);
  }

  copyRecord() {
    const { answer, position, trail } = this;
    const moves = [
      ...trail.slice(1, this.at + 1).map((step) => step.move ?? ''),
      ...this.line.map((move) => move.move),
    ];
    const turn = position?.turn ?? 'w';
    const winner = answer?.value === 'win' ? turn : answer?.value === 'loss' ? other(turn) : null;
    const result = winner === 'w' ? '1-0' : winner === 'b' ? '0-1' : answer?.value === 'draw' ? '1/2-1/2' : '*';
    copy(record(this.game, trail[0].fen, moves, result), t.recordCopied(this.game.family));
  }
}
