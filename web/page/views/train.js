/** Training: won positions to win against perfect defence, and drawn ones to hold. */

import { fill, h, icon, segmented } from '../dom.js';
import { t } from '../i18n/index.js';
import { parseFen, squaresOfMove } from '../notation.js';
import { SourceError } from '../source.js';
import { recall, remember } from '../store.js';
import { PlayBoard, positionCard, problem, section, skeleton } from './parts.js';

/**
 * @typedef {import('../app.js').Context} Context
 * @typedef {import('../app.js').Route} Route
 * @typedef {import('../games.js').Color} Color
 * @typedef {import('../source.js').Answer} Answer
 * @typedef {import('../source.js').Move} Move
 * @typedef {import('../source.js').SideStats} SideStats
 * @typedef {'win' | 'draw'} Goal
 * @typedef {'any' | 'short' | 'long'} Length
 * @typedef {{ won: number, clean: number, held: number, thrown: number, streak: number, best: number }} Counters
 */

/** So many moves hold a draw. */
const HOLD = 12;
const TRIES = 16;
/** A win in fewer plies is too easy, if there is another. */
const EASY = 5;
const REPLY_MS = 420;

/** @type {Counters} */
const NONE = { won: 0, clean: 0, held: 0, thrown: 0, streak: 0, best: 0 };

/**
 * @template T
 * @param {T[]} list
 * @returns {T}
 */
function anyOf(list) {
  return list[Math.floor(Math.random() * list.length)];
}

/** @param {number} ms */
function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export class Train {
  /** @param {Context} context */
  constructor(context) {
    this.context = context;
    this.game = context.game;
    /** @type {Counters} */
    this.counters = { ...NONE, ...recall(`train:${this.game.name}`, NONE) };
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
    this.counts = h('div');
    this.challenges = h('div');
    this.element = h(
      'div',
      { class: 'train two-columns' },
      h('h1', { class: 'visually-hidden' }, t.viewName.train),
      h('div', { class: 'board-column' }, this.board.element, (this.buttons = h('div', { class: 'transport' }))),
      h('div', { class: 'panel' }, this.message, this.setup, this.counts, this.challenges),
    );
    this.say('unknown', t.trainWelcome, t.trainWelcomeText);
    this.drawCounters();
    this.drawButtons();
    this.update(context.route);
  }

  /** @param {Route} route */
  update(route) {
    this.material = route.query.get('material') ?? '';
    const fen = route.query.get('fen');
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
    this.drawSetup();
    this.drawChallenges();
    if (fen) await this.task(fen, 'win');
    else await this.next();
  }

  /** A new position. */
  async next() {
    const request = ++this.request;
    fill(this.message, skeleton(2));
    try {
      const answer = await this.find(this.goal);
      if (request !== this.request) return;
      if (answer) await this.task(answer.fen, this.goal);
      else this.say('unknown', t.trainNothing, t.trainNothingText);
    } catch (error) {
      if (request === this.request)
        fill(
          this.message,
          problem(error, () => this.next()),
        );
    }
  }

  /**
   * A random position of the material that is worth playing.
   * @param {Goal} goal
   * @returns {Promise<Answer | null>}
   */
  async find(goal) {
    const { source } = this.context;
    const count = goal === 'win' ? 'wins' : 'draws';
    const sides = this.stats.filter((side) => side[count] > 0 && (!this.material || side.signature === this.material));
    /** @type {Answer | null} */
    let fallback = null;
    for (let i = 0; i < TRIES && sides.length; i++) {
      const { signature } = anyOf(sides);
      let fen;
      try {
        fen = await source.random(this.game.name, signature, goal);
      } catch (error) {
        if (error instanceof SourceError && error.kind === 'missing') continue;
        throw error;
      }
      const answer = await source.answer(this.game.name, fen);
      if (answer.value !== goal || !answer.moves.length) continue;
      const bad = answer.moves.some((move) => move.value !== goal && move.value !== 'unknown');
      if (!fallback || (bad && !fallback.moves.some((move) => move.value !== goal))) fallback = answer;
      const longest = Math.max(
        ...sides.filter((side) => side.signature === signature).map((side) => side.longest_win ?? 0),
      );
      const long = (answer.dtw ?? 0) > longest / 2;
      const fits =
        goal === 'draw' || this.length === 'any'
          ? (answer.dtw ?? EASY) >= EASY
          : (this.length === 'long') === long && (answer.dtw ?? 0) >= EASY;
      if (bad && fits) return answer;
    }
    return fallback;
  }

  /**
   * The answer about a position; null if there is none, or if it is no longer wanted.
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

  /** @param {string} fen @param {Goal} goal */
  async task(fen, goal) {
    const request = ++this.request;
    const position = parseFen(this.game, fen);
    if (!position) return;
    this.current = { fen, goal };
    this.color = position.turn;
    this.past = [];
    this.mistakes = 0;
    this.played = 0;
    this.over = false;
    this.board.setFlipped(position.turn === 'b');
    this.board.setPieces(position.pieces);
    this.play.setHints({});
    const answer = await this.answerOf(fen, request, () => this.task(fen, goal));
    if (!answer) return;
    this.answer = answer;
    this.shortest = answer.dtw ?? 0;
    this.play.setMoves(answer.moves);
    this.say(
      goal,
      goal === 'win' ? t.taskWin(this.color) : t.taskDraw(this.color),
      goal === 'win' ? t.taskWinText(Math.ceil((answer.dtw ?? 0) / 2)) : t.taskDrawText(HOLD),
    );
    this.drawButtons();
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
      reply = await this.reply(move.fen, request);
    } catch (error) {
      if (request === this.request)
        fill(
          this.message,
          problem(error, () => this.task(before.fen, current.goal)),
        );
      return;
    }
    if (request !== this.request) return;
    if (!reply) {
      this.finish();
      return;
    }
    this.show(reply);
    const next = await this.answerOf(reply.fen, request, () => this.task(before.fen, current.goal));
    if (!next) return;
    this.answer = next;
    if (!next.moves.length || (current.goal === 'draw' && this.played >= HOLD)) {
      this.finish();
      return;
    }
    this.play.setMoves(next.moves);
    if (current.goal === 'draw') this.say('draw', t.holding, t.holdingText(HOLD - this.played));
    else {
      const [best] = before.moves;
      const slower = (move.dtw ?? 0) - (best.dtw ?? 0);
      const left = Math.ceil((next.dtw ?? 0) / 2);
      this.say(
        'win',
        slower > 0 ? t.slower : t.stillWinning,
        slower > 0 ? t.slowerText(best.move, Math.ceil(slower / 2), left) : t.movesLeft(left),
      );
    }
    this.drawButtons();
  }

  /**
   * The best defence: the longest resistance, or in a draw the try that leaves the fewest ways to hold it.
   * @param {string} fen
   * @param {number} request
   * @returns {Promise<Move | null>}
   */
  async reply(fen, request) {
    const { source } = this.context;
    const [answer] = await Promise.all([source.answer(this.game.name, fen), pause(REPLY_MS)]);
    if (request !== this.request || !answer.moves.length) return null;
    const [best] = answer.moves;
    const equal = answer.moves.filter((move) => move.value === best.value && move.dtw === best.dtw);
    if (this.current?.goal !== 'draw' || equal.length === 1) return anyOf(equal);
    const tries = await Promise.all(
      equal.slice(0, 8).map(async (move) => {
        const { moves } = await source.answer(this.game.name, move.fen);
        const holding = moves.filter((one) => one.value === 'draw').length;
        return { move, share: holding / Math.max(1, moves.length) };
      }),
    );
    const least = Math.min(...tries.map((one) => one.share));
    return anyOf(tries.filter((one) => one.share === least)).move;
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
    this.counters.thrown += 1;
    this.counters.streak = 0;
    this.saveCounters();
    const right = before.moves.filter((one) => one.value === goal);
    const [best] = right;
    const title = goal === 'win' ? t.threwWin(move.move, move.value === 'loss') : t.threwDraw(move.move);
    const why = h('p', null, skeleton(1));
    this.say(
      'loss',
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
    this.drawButtons();
    try {
      const answer = await this.context.source.answer(this.game.name, move.fen);
      if (request !== this.request) return;
      const [reply] = answer.moves;
      if (!reply) return fill(why);
      const holds = answer.moves.filter((one) => one.value === reply.value).length;
      fill(
        why,
        goal === 'win' && move.value === 'draw'
          ? t.whyDraw(reply.move, holds)
          : t.whyLoss(reply.move, Math.ceil((answer.dtw ?? 0) / 2)),
      );
      const squares = squaresOfMove(this.game, reply.coordinates);
      this.play.setHints({
        last: squaresOfMove(this.game, move.coordinates),
        arrows: squares.slice(1).map((to, i) => ({ from: squares[i], to, tone: 'loss' })),
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
    this.play.setHints({ arrows: squares.slice(1).map((to, i) => ({ from: squares[i], to, tone: 'win' })) });
  }

  async takeBack() {
    const last = this.past.pop();
    if (!last || !this.current) return;
    const request = ++this.request;
    const { goal } = this.current;
    const position = parseFen(this.game, last);
    this.over = false;
    this.played -= 1;
    const answer = await this.answerOf(last, request, () => this.task(last, goal));
    if (!answer || !position) return;
    this.answer = answer;
    this.board.setPieces(position.pieces);
    this.play.setHints({});
    this.play.setMoves(answer.moves);
    this.say(
      goal,
      t.tryAgainHere,
      goal === 'win' ? t.movesLeft(Math.ceil((answer.dtw ?? 0) / 2)) : t.holdingText(HOLD - this.played),
    );
    this.drawButtons();
  }

  finish() {
    const { counters, mistakes, current } = this;
    if (!current) return;
    this.over = true;
    const clean = mistakes === 0;
    if (current.goal === 'win') {
      counters.won += 1;
      if (clean) counters.clean += 1;
    } else counters.held += 1;
    counters.streak = clean ? counters.streak + 1 : 0;
    counters.best = Math.max(counters.best, counters.streak);
    this.saveCounters();
    if (current.goal === 'win') {
      const done = recall(`done:${this.game.name}`, /** @type {string[]} */ ([]));
      if (!done.includes(current.fen)) remember(`done:${this.game.name}`, [...done, current.fen].slice(-200));
      this.drawChallenges();
    }
    const fewest = Math.ceil(this.shortest / 2);
    const title = current.goal === 'draw' ? t.heldDraw : clean ? t.wonClean : t.wonWithHelp;
    const text = current.goal === 'draw' ? t.heldText : t.wonText(this.played, fewest);
    this.say(
      current.goal,
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

  saveCounters() {
    remember(`train:${this.game.name}`, this.counters);
    this.drawCounters();
  }

  /**
   * @param {'win' | 'draw' | 'loss' | 'unknown'} tone
   * @param {string} title
   * @param {string} text
   * @param {any} [more]
   */
  say(tone, title, text, more) {
    this.message.className = `coach ${tone}`;
    fill(this.message, h('b', null, title), h('p', null, text), more);
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

  /** Shows with which piece to move. */
  hint() {
    const best = this.answer?.moves[0];
    if (!best || !this.play.moves.length) return;
    this.mistakes += 1;
    const [from] = squaresOfMove(this.game, best.coordinates);
    this.play.setHints({ marks: new Map([[from, { tone: 'win', text: '', label: t.hint }]]) });
  }

  drawSetup() {
    const signatures = [...new Set(this.stats.map((side) => side.signature))].sort(
      (a, b) => a.length - b.length || a.localeCompare(b),
    );
    const select = h(
      'select',
      { 'aria-label': t.material, onchange: () => this.context.go('train', '', { material: select.value }) },
      h('option', { value: '' }, t.anyMaterial),
      signatures.map((signature) =>
        h('option', { value: signature, selected: signature === this.material }, signature),
      ),
    );
    /** @type {{ value: Goal, text: string }[]} */
    const goals = [
      { value: 'win', text: t.goalWin },
      { value: 'draw', text: t.goalDraw },
    ];
    /** @type {{ value: Length, text: string }[]} */
    const lengths = [
      { value: 'any', text: t.lengthAny },
      { value: 'short', text: t.lengthShort },
      { value: 'long', text: t.lengthLong },
    ];
    fill(
      this.setup,
      section(
        t.trainSettings,
        null,
        h(
          'div',
          { class: 'settings' },
          segmented(t.goal, goals, this.goal, (goal) => {
            this.goal = goal;
            remember('train.goal', goal);
            this.next();
          }),
          segmented(t.length, lengths, this.length, (length) => {
            this.length = length;
            remember('train.length', length);
            this.next();
          }),
          select,
        ),
      ),
    );
  }

  drawCounters() {
    const { won, clean, held, thrown, streak, best } = this.counters;
    /** @param {number} value @param {string} name */
    const cell = (value, name) => h('div', null, h('b', null, String(value)), h('span', null, name));
    fill(
      this.counts,
      section(
        t.yourResults,
        won + held + thrown
          ? h(
              'button',
              {
                type: 'button',
                class: 'quiet-link',
                onclick: () => {
                  this.counters = { ...NONE };
                  this.saveCounters();
                },
              },
              t.reset,
            )
          : null,
        h(
          'div',
          { class: 'counters' },
          cell(won, t.counterWon),
          cell(clean, t.counterClean),
          cell(held, t.counterHeld),
          cell(thrown, t.counterThrown),
          cell(streak, t.counterStreak),
          cell(best, t.counterBest),
        ),
      ),
    );
  }

  drawChallenges() {
    const done = recall(`done:${this.game.name}`, /** @type {string[]} */ ([]));
    const hardest = this.stats
      .filter((side) => side.longest_win_fen && (!this.material || side.signature === this.material))
      .sort((a, b) => (b.longest_win ?? 0) - (a.longest_win ?? 0))
      .slice(0, 6);
    fill(
      this.challenges,
      hardest.length
        ? section(
            t.challenges,
            null,
            h('p', { class: 'muted' }, t.challengesText),
            h(
              'div',
              { class: 'cards small' },
              hardest.map((side) => {
                const fen = side.longest_win_fen ?? '';
                return positionCard(
                  this.game,
                  { fen, value: 'win', dtw: side.longest_win },
                  () => this.task(fen, 'win').then(() => this.board.element.scrollIntoView({ block: 'nearest' })),
                  done.includes(fen) ? t.solved : side.signature,
                );
              }),
            ),
          )
        : null,
    );
  }

  close() {
    this.request += 1;
  }
}
