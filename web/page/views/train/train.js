/** Training: won positions to win against perfect defence, and drawn ones to hold. */

import { fill, h, icon } from '../../dom.js';
import { t } from '../../i18n/index.js';
import { parseFen, squaresOfMove, turnedSignature, readSignature } from '../../notation.js';
import { toneOf } from '../../result.js';
import { recall, remember } from '../../store.js';
import { phrase, PlayBoard, problem, skeleton } from '../parts.js';
import { challengesCard, solve } from './challenges.js';
import { Counters } from './counters.js';
import { exerciseCard } from './exercise.js';
import { bestDefence, findTask } from './tasks.js';

/**
 * @typedef {import('../../app.js').Context} Context
 * @typedef {import('../../app.js').Route} Route
 * @typedef {import('../../games.js').Color} Color
 * @typedef {import('../../source.js').Answer} Answer
 * @typedef {import('../../source.js').Move} Move
 * @typedef {import('../../source.js').SideStats} SideStats
 * @typedef {import('./tasks.js').Goal} Goal
 * @typedef {import('./tasks.js').Length} Length
 */

/** The number of moves after which a draw is held. */
const HOLD = 12;
const REPLY_MS = 420;

/** @param {number} ms */
function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export class Train {
  /** @param {Context} context */
  constructor(context) {
    this.context = context;
    this.game = context.game;
    this.counters = new Counters(this.game.name);
    /** @type {Goal} */
    this.goal = recall('train.goal', 'win');
    /** @type {Length} */
    this.length = recall('train.length', 'any');
    this.material = '';
    /** @type {SideStats[]} */
    this.stats = [];
    this.request = 0;
    /** @type {Color} */
    this.color = 'w';
    /** @type {Answer | null} */
    this.answer = null;
    /** @type {string[]} positions in which the player was to move */
    this.past = [];
    /** @type {{ fen: string, goal: Goal } | null} */
    this.current = null;
    this.over = false;
    this.mistakes = 0;
    this.played = 0;
    this.shortest = 0;

    this.play = new PlayBoard(this.game, t.board, (move) => this.onMove(move));
    this.board = this.play.board;
    this.setup = h('div');
    this.message = h('div', { class: 'coach', role: 'status', 'aria-live': 'polite' });
    this.challenges = h('div');
    this.element = h(
      'div',
      { class: 'train two-columns' },
      h('h1', { class: 'visually-hidden' }, t.viewName.train),
      h('div', { class: 'board-column' }, this.board.element, (this.buttons = h('div', { class: 'transport' }))),
      h('div', { class: 'panel' }, this.message, this.setup, this.counters.element, this.challenges),
    );
    this.say('unknown', t.trainWelcome, t.trainWelcomeText);
    this.drawButtons();
    this.drawSetup();
    this.update(context.route);
  }

  /** @param {Route} route */
  update(route) {
    const material = route.query.get('material') ?? '';
    this.material = readSignature(this.game, material) ?? material;
    const fen = route.query.get('fen');
    if (fen && fen === this.current?.fen) return;
    this.begin(fen);
  }

  /** @param {string | null} fen */
  async begin(fen) {
    const request = ++this.request;
    try {
      if (!this.stats.length) this.stats = await this.context.source.stats(this.game.name);
    } catch (error) {
      if (request === this.request)
        fill(
          this.setup,
          problem(error, () => this.begin(fen)),
        );
      return;
    }
    if (request !== this.request) return;
    // The table may name the sides in the other order.
    const turned = turnedSignature(this.material);
    if (!this.playable().length && this.stats.some((side) => side.signature === turned)) this.material = turned;
    this.drawSetup();
    this.drawChallenges();
    if (fen) await this.task(fen);
    else await this.next(true);
  }

  /** Sets a new task. @param {boolean} [replace] whether its address replaces the current one in the history */
  async next(replace = false) {
    const request = ++this.request;
    fill(this.message, skeleton(2));
    try {
      const answer = await findTask(this.context.source, this.game.name, this.playable(), this.goal, this.length);
      if (request !== this.request) return;
      if (answer) await this.task(answer.fen, replace);
      else this.say('unknown', t.trainNothing, t.trainNothingText);
    } catch (error) {
      if (request === this.request)
        fill(
          this.message,
          problem(error, () => this.next(replace)),
        );
    }
  }

  /** The materials of the exercise. */
  playable() {
    return this.stats.filter((side) => !this.material || side.signature === this.material);
  }

  /**
   * The answer for a position; null if there is none, or if it is no longer needed.
   * @param {string} fen
   * @param {number} request
   * @param {() => void} again
   */
  async answerOf(fen, request, again) {
    try {
      const answer = await this.context.source.answer(this.game.name, fen);
      return request === this.request ? answer : null;
    } catch (error) {
      if (request === this.request) fill(this.message, problem(error, again));
      return null;
    }
  }

  /**
   * Sets a task: to win a won position, or to hold a drawn one. Each task has its own address.
   * @param {string} fen
   * @param {boolean} [replace] whether its address replaces the current one in the history
   */
  async task(fen, replace = true) {
    const request = ++this.request;
    const shown = parseFen(this.game, fen);
    this.current = null;
    this.answer = null;
    this.past = [];
    this.mistakes = 0;
    this.played = 0;
    this.over = false;
    this.play.setMoves([]);
    this.play.setHints({});
    if (shown) this.board.setFlipped(shown.turn === 'b');
    if (shown) this.board.setPieces(shown.pieces);
    const answer = await this.answerOf(fen, request, () => this.task(fen, replace));
    if (!answer) return;
    const position = parseFen(this.game, answer.fen);
    if (!position) return;
    this.color = position.turn;
    this.board.setFlipped(position.turn === 'b');
    this.board.setPieces(position.pieces);
    const { value, moves } = answer;
    if (!moves.length || value === 'loss' || value === 'unknown') {
      const [title, text] = !moves.length ? t.taskOver : value === 'loss' ? t.taskLost(this.color) : t.taskUnknown;
      this.say(this.toneOf(value), title, text);
      this.drawButtons();
      return;
    }
    const goal = value;
    if (goal !== this.goal) {
      this.goal = goal;
      this.drawSetup();
    }
    this.current = { fen: answer.fen, goal };
    this.answer = answer;
    this.shortest = answer.dtw ?? 0;
    this.play.setMoves(moves);
    this.say(
      this.toneOf(goal),
      goal === 'win' ? t.taskWin(this.color) : t.taskDraw(this.color),
      goal === 'win' ? t.taskWinText(answer.dtw === null ? null : Math.ceil(answer.dtw / 2)) : t.taskDrawText(HOLD),
    );
    this.drawButtons();
    this.context.go('train', '', { material: this.material, fen: answer.fen }, replace);
  }

  /** The colour of a value for the player. @param {import('../../source.js').Value} value */
  toneOf(value) {
    return toneOf(value, this.color);
  }

  /** @param {Move} move */
  async onMove(move) {
    const { answer, current } = this;
    if (!answer || !current) return;
    const request = ++this.request;
    const before = answer;
    this.play.setMoves([]);
    this.show(move);
    const thrown = move.value !== current.goal && move.value !== 'unknown';
    this.past.push(before.fen);
    this.played += 1;
    if (thrown) {
      this.onMistake(before, move);
      return;
    }
    let reply;
    try {
      const { source } = this.context;
      const defence = bestDefence(source, this.game.name, move.fen, current.goal);
      [reply] = await Promise.all([defence, pause(REPLY_MS)]);
    } catch (error) {
      if (request === this.request)
        fill(
          this.message,
          problem(error, () => this.task(before.fen)),
        );
      return;
    }
    if (request !== this.request) return;
    if (!reply) {
      this.finish();
      return;
    }
    this.show(reply);
    const next = await this.answerOf(reply.fen, request, () => this.task(before.fen));
    if (!next) return;
    this.answer = next;
    if (!next.moves.length || (current.goal === 'draw' && this.played >= HOLD)) {
      this.finish();
      return;
    }
    this.play.setMoves(next.moves);
    if (current.goal === 'draw') this.say(this.toneOf('draw'), t.holding, t.holdingText(HOLD - this.played));
    else {
      const [best] = before.moves;
      const slower = (move.dtw ?? 0) - (best.dtw ?? 0);
      const left = Math.ceil((next.dtw ?? 0) / 2);
      this.say(
        this.toneOf('win'),
        slower > 0 ? t.slower : t.stillWinning,
        slower > 0 ? t.slowerText(best.move, Math.ceil(slower / 2), left) : t.movesLeft(left),
      );
    }
    this.drawButtons();
  }

  /** @param {Move} move */
  show(move) {
    const position = parseFen(this.game, move.fen);
    const squares = squaresOfMove(this.game, move.coordinates);
    if (position) this.board.setPieces(position.pieces, squares);
    this.play.setHints({ last: squares });
  }

  /** @param {Answer} before @param {Move} move */
  async onMistake(before, move) {
    const request = this.request;
    const goal = this.current?.goal ?? 'win';
    this.mistakes += 1;
    this.counters.addMistake();
    const right = before.moves.filter((one) => one.value === goal);
    const [best] = right;
    const title = goal === 'win' ? t.threwWin(move.move, move.value === 'loss') : t.threwDraw(move.move);
    const why = h('p', null, skeleton(1));
    this.say(
      this.toneOf(move.value),
      title,
      right.length === 1 ? t.onlyWas(best.move, goal) : t.severalWere(best.move, right.length, goal),
      [
        why,
        h(
          'div',
          { class: 'head-buttons' },
          h(
            'button',
            { type: 'button', class: 'button strong', onclick: () => this.takeBack() },
            icon('undo'),
            t.takeBack,
          ),
          h('button', { type: 'button', class: 'button', onclick: () => this.showRight(before, best) }, t.showMove),
          h('a', { class: 'button', href: this.explorer(move.fen) }, icon('open'), t.openInExplorer),
        ),
      ],
    );
    this.message.classList.add('thrown');
    this.drawButtons();
    try {
      const answer = await this.context.source.answer(this.game.name, move.fen);
      if (request !== this.request) return;
      const [reply] = answer.moves;
      if (!reply) return fill(why);
      const holds = answer.moves.filter((one) => one.value === reply.value).length;
      const text =
        goal === 'win' && move.value === 'draw'
          ? t.whyDraw(reply.move, holds)
          : t.whyLoss(reply.move, Math.ceil((answer.dtw ?? 0) / 2));
      fill(why, phrase(text));
      const squares = squaresOfMove(this.game, reply.coordinates);
      this.play.setHints({
        last: squaresOfMove(this.game, move.coordinates),
        arrows: squares.slice(1).map((to, i) => ({ from: squares[i], to, tone: this.toneOf(move.value) })),
      });
    } catch {
      fill(why);
    }
  }

  /** @param {Answer} before @param {Move} best */
  showRight(before, best) {
    const position = parseFen(this.game, before.fen);
    const squares = squaresOfMove(this.game, best.coordinates);
    if (position) this.board.setPieces(position.pieces);
    const tone = this.toneOf(best.value);
    this.play.setHints({ arrows: squares.slice(1).map((to, i) => ({ from: squares[i], to, tone })) });
  }

  async takeBack() {
    const last = this.past.pop();
    if (!last || !this.current) return;
    const request = ++this.request;
    const { goal } = this.current;
    const position = parseFen(this.game, last);
    this.over = false;
    this.played -= 1;
    const answer = await this.answerOf(last, request, () => this.task(last));
    if (!answer || !position) return;
    this.answer = answer;
    this.board.setPieces(position.pieces);
    this.play.setHints({});
    this.play.setMoves(answer.moves);
    this.say(
      this.toneOf(goal),
      t.tryAgainHere,
      goal === 'win' ? t.movesLeft(Math.ceil((answer.dtw ?? 0) / 2)) : t.holdingText(HOLD - this.played),
    );
    this.drawButtons();
  }

  finish() {
    const { mistakes, current } = this;
    if (!current) return;
    this.over = true;
    const clean = mistakes === 0;
    this.counters.addSuccess(current.goal, clean);
    if (current.goal === 'win') {
      solve(this.game, current.fen);
      this.drawChallenges();
    }
    const fewest = Math.ceil(this.shortest / 2);
    const title = current.goal === 'draw' ? t.heldDraw : clean ? t.wonClean : t.wonWithHelp;
    const text = current.goal === 'draw' ? t.heldText : t.wonText(this.played, fewest);
    this.say(
      this.toneOf(current.goal),
      title,
      text,
      h(
        'div',
        { class: 'head-buttons' },
        h(
          'button',
          { type: 'button', class: 'button strong', onclick: () => this.next() },
          icon('random'),
          t.nextPosition,
        ),
      ),
    );
    this.drawButtons();
  }

  /** @param {string} fen */
  explorer(fen) {
    return `#/${this.game.name}/explore?fen=${encodeURIComponent(fen)}`;
  }

  /**
   * @param {'win' | 'draw' | 'loss' | 'unknown'} tone
   * @param {string} title
   * @param {string} text
   * @param {any} [more]
   */
  say(tone, title, text, more) {
    this.message.className = `coach ${tone}`;
    fill(this.message, h('b', null, phrase(title)), h('p', null, phrase(text)), more);
  }

  drawButtons() {
    const { current } = this;
    fill(
      this.buttons,
      h(
        'button',
        {
          type: 'button',
          class: 'button',
          onclick: () => this.takeBack(),
          'aria-disabled': this.past.length ? null : 'true',
        },
        icon('undo'),
        t.takeBack,
      ),
      h(
        'button',
        {
          type: 'button',
          class: 'button',
          onclick: () => this.hint(),
          'aria-disabled': !current || this.over ? 'true' : null,
        },
        icon('search'),
        t.hint,
      ),
      h(
        'button',
        { type: 'button', class: 'button strong', onclick: () => this.next() },
        icon('random'),
        t.nextPosition,
      ),
    );
  }

  /** Shows the piece of the best move. */
  hint() {
    const { value, moves = [] } = this.answer ?? {};
    const best = moves.find((move) => move.value === value);
    if (!best || !this.play.moves.length) return;
    this.mistakes += 1;
    const [from] = squaresOfMove(this.game, best.coordinates);
    const tone = this.toneOf(best.value);
    this.play.setHints({ marks: new Map([[from, { tone, text: '', label: t.hint }]]) });
  }

  drawSetup() {
    const { goal, length, material } = this;
    const signatures = this.stats.map((side) => side.signature);
    const choose = {
      /** @param {Goal} chosen */
      goal: (chosen) => {
        this.goal = chosen;
        remember('train.goal', chosen);
        this.next();
      },
      /** @param {Length} chosen */
      length: (chosen) => {
        this.length = chosen;
        remember('train.length', chosen);
        this.next();
      },
      /** @param {string} chosen */
      material: (chosen) => this.context.go('train', '', { material: chosen }),
    };
    fill(this.setup, exerciseCard(this.game, signatures, { goal, length, material }, choose));
  }

  drawChallenges() {
    /** @param {string} fen */
    const open = async (fen) => {
      await this.task(fen, false);
      this.board.element.scrollIntoView({ block: 'nearest' });
    };
    fill(this.challenges, challengesCard(this.game, this.playable(), open));
  }

  close() {
    this.request += 1;
  }
}
