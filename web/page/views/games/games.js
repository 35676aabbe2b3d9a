/** Games: a record with the result of every position, and the moves that change the result. */

import { Board } from '../../board.js';
import { copy, fill, h, icon, iconButton } from '../../dom.js';
import { t } from '../../i18n/index.js';
import { gameOfRecord } from '../../games.js';
import { other, parseFen, squaresOfMove } from '../../notation.js';
import { toneOf, valueFor, verdict } from '../../result.js';
import { keepText, keptText } from '../../store.js';
import { phrase, problem, section, skeleton } from '../parts.js';
import { drawGraph } from './graph.js';
import { commentText, findings, givenUpText, isBad, judgementText } from './judgements.js';
import { Loader } from './loader.js';
import { moveList } from './moves.js';

/**
 * @typedef {import('../../app.js').Context} Context
 * @typedef {import('../../app.js').Route} Route
 * @typedef {import('../../source.js').Annotated} Annotated
 * @typedef {import('../../source.js').AnnotatedGame} AnnotatedGame
 * @typedef {import('../../source.js').AnnotatedMove} AnnotatedMove
 * @typedef {import('../../source.js').Unread} Unread
 * @typedef {import('../../games.js').Color} Color
 * @typedef {'step' | 'jump'} Way a step changes the address, a jump makes a new entry of the history
 */

/** The delay in milliseconds before the address follows steps: browsers limit how often the address changes. */
const SETTLE_MS = 150;

/** The judged games by their numbers in the text. @param {Annotated} annotated */
function byNumber({ games, failed }) {
  const unread = new Set(failed.map(({ game }) => game));
  const numbers = Array.from({ length: games.length + failed.length }, (_, i) => i + 1);
  return new Map(numbers.filter((n) => !unread.has(n)).map((n, i) => [n, games[i]]));
}

/** The games that were left out, in an element that can be folded. @param {Unread[]} failed @param {boolean} open */
function leftOut(failed, open) {
  if (!failed.length) return null;
  return h(
    'details',
    { class: 'note-box left-out', open },
    h('summary', null, t.gamesFailed(failed.length)),
    failed.map(({ game, error }) =>
      h('p', null, h('b', null, t.gameFailed(game)), ' ', h('span', { lang: 'en' }, error)),
    ),
  );
}

/**
 * A text of games has an address, `games/ID?game=2&ply=14`. The text itself is kept in the session of the browser, so
 * that the address works only in this tab.
 */
export class Games {
  /** @param {Context} context */
  constructor(context) {
    this.context = context;
    this.game = context.game;
    this.request = 0;
    /** The shown text. */
    this.id = '';
    /** @type {Map<number, AnnotatedGame>} by their numbers in the text, from 1 */
    this.games = new Map();
    /** @type {Unread[]} */
    this.failed = [];
    /** @type {AnnotatedGame | null} */
    this.shown = null;
    this.number = 1;
    this.ply = 0;
    this.settling = 0;

    this.loader = new Loader(this.game, (text) => this.load(text, false));
    this.another = h(
      'a',
      { class: 'button', href: `#/${this.game.name}/games`, hidden: true },
      icon('file'),
      t.otherGames,
    );
    this.lead = h('p', { class: 'lead' }, t.gamesLead);
    this.body = h('div');
    this.element = h(
      'div',
      { class: 'games-view' },
      h('div', { class: 'view-head' }, h('h1', null, t.viewName.games), this.another),
      this.body,
    );
    this.element.addEventListener('dragover', (event) => event.preventDefault());
    this.element.addEventListener('drop', (event) => {
      event.preventDefault();
      const dropped = event.dataTransfer?.files[0];
      if (dropped) this.loader.read(dropped);
    });

    const record = context.session.get('record');
    if (record) {
      context.session.delete('record');
      // The view is not open yet: the address changes later.
      queueMicrotask(() => this.load(record, true));
    } else this.update(context.route);
  }

  /** @param {Route} route */
  update(route) {
    clearTimeout(this.settling);
    const id = route.rest;
    const number = Number(route.query.get('game'));
    const ply = Number(route.query.get('ply')) || 0;
    if (!id) {
      this.close();
      this.id = '';
      this.shown = null;
      this.showLoader(null);
    } else if (id !== this.id) this.open(id, number, ply);
    else if (this.shown && this.shown !== this.games.get(this.existing(number))) this.draw(number, ply);
    else this.goTo(ply);
  }

  /** Gives a text an address, and opens it. @param {string} text @param {boolean} replace */
  load(text, replace) {
    const id = keepText(text);
    // Loading a text again shows it from its beginning.
    this.id = '';
    this.context.go('games', id, {}, replace);
    if (this.id !== id) this.open(id, 1, 0);
  }

  /** Shows a text that was loaded in this tab. @param {string} id @param {number} number @param {number} ply */
  async open(id, number, ply) {
    const { source, session } = this.context;
    const request = ++this.request;
    const text = keptText(id);
    this.id = id;
    this.shown = null;
    if (text === null) {
      this.showLoader(h('p', { class: 'note-box' }, t.notInThisTab));
      return;
    }
    this.loader.text.value = text;
    const key = `annotated:${this.game.name}:${id}`;
    const its = gameOfRecord(text);
    if (its && its !== this.game) {
      this.showLoader(this.otherGame(its, text));
      return;
    }
    try {
      if (!session.has(key)) {
        const done = h('span', { class: 'muted', role: 'status' });
        this.showGames(section(t.annotating, done, skeleton(6)));
        const annotated = await source.annotate(this.game.name, text, (judged, all) => {
          if (request !== this.request) throw new Error('another text is shown');
          if (judged) fill(done, t.annotated(judged, all));
        });
        if (request !== this.request) return;
        session.set(key, annotated);
      }
      const annotated = session.get(key);
      this.games = byNumber(annotated);
      this.failed = annotated.failed;
      this.draw(number, ply);
    } catch (error) {
      if (request !== this.request) return;
      this.showLoader(problem(error, () => this.open(id, number, ply)));
    }
  }

  /**
   * An offer to show a text in the game that it is a record of.
   * @param {import('../../games.js').Game} its
   * @param {string} text
   */
  otherGame(its, text) {
    const name = t.gameName[its.name];
    const open = () => {
      this.context.session.set('record', text);
      location.hash = `#/${its.name}/games`;
    };
    return h(
      'div',
      { class: 'note-box other-game', role: 'status' },
      h('p', null, t.otherGame(name)),
      h('button', { type: 'button', class: 'button strong', onclick: open }, icon('games'), t.openAs(name)),
    );
  }

  /** A text that is pasted outside of a field. @param {string} text */
  paste(text) {
    this.loader.take(text);
  }

  /** Shows the loader, with a message below it. @param {HTMLElement | null} message */
  showLoader(message) {
    this.another.hidden = true;
    fill(this.body, this.lead, this.loader.element, message);
  }

  /** Shows the games in place of the loader. @param {...any} content */
  showGames(...content) {
    this.another.hidden = false;
    fill(this.body, content);
  }

  /** The number of a game that can be shown: this one, or the first. @param {number} number */
  existing(number) {
    return this.games.has(number) ? number : [...this.games.keys()][0];
  }

  /** @param {number} wanted the number of the game @param {number} ply */
  draw(wanted, ply) {
    const number = this.existing(wanted);
    const shown = this.games.get(number);
    if (!shown) {
      this.showLoader(
        leftOut(this.failed, true) ??
          h('div', { class: 'empty' }, icon('games'), h('b', null, t.noGames), h('p', null, t.noGamesText)),
      );
      return;
    }
    this.shown = shown;
    this.number = number;
    this.board = new Board(this.game, t.board, { onSquare: () => {} });
    this.graph = h('div', { class: 'graph', role: 'group', 'aria-label': t.graphLabel });
    this.movesList = h(
      'div',
      { class: 'line annotated' },
      moveList(this.game, shown, (to) => this.goTo(to, 'jump')),
    );
    this.note = h('div', { class: 'coach', role: 'status', 'aria-live': 'polite' });
    const hasOwn = shown.plies.some((one) => one.nags.length > 0);
    this.showGames(
      leftOut(this.failed, false),
      h(
        'div',
        { class: 'two-columns' },
        h('div', { class: 'board-column' }, this.board.element, this.transport(shown)),
        h(
          'div',
          { class: 'panel' },
          h('section', { class: 'card' }, this.heading(), findings(shown), this.ending(shown), this.graph),
          this.note,
          section(
            t.moves,
            h(
              'button',
              {
                type: 'button',
                class: 'button small',
                onclick: () => copy(shown.text, t.recordCopied(this.game.family)),
              },
              icon('copy'),
              t.copyRecord(this.game.family),
            ),
            this.movesList,
            hasOwn ? h('p', { class: 'muted marks-legend' }, t.marksLegend) : null,
          ),
        ),
      ),
    );
    this.ply = -1;
    this.goTo(ply);
  }

  /** @param {AnnotatedGame} shown */
  transport(shown) {
    return h(
      'div',
      { class: 'transport' },
      iconButton('flip', t.flip, () => this.board?.setFlipped(!this.board.flipped)),
      h(
        'div',
        { class: 'steps' },
        iconButton('first', t.first, () => this.goTo(0, 'step')),
        iconButton('back', t.back, () => this.goTo(this.ply - 1, 'step')),
        iconButton('forward', t.forward, () => this.goTo(this.ply + 1, 'step')),
        iconButton('last', t.last, () => this.goTo(shown.plies.length, 'step')),
      ),
      h(
        'button',
        { type: 'button', class: 'button', 'aria-label': t.viewName.explore, onclick: () => this.explore() },
        icon('explore'),
        h('span', null, t.viewName.explore),
      ),
    );
  }

  /** The heading of the game; a menu if there are several. */
  heading() {
    const titles = [...this.games].map(([number, game]) => ({ number, title: this.title(game) }));
    if (titles.length < 2) return h('h2', { class: 'game-title' }, titles[0].title);
    const options = titles.map(({ number, title }) =>
      h('option', { value: String(number), selected: number === this.number }, `${number}. ${title}`),
    );
    const pick = h(
      'select',
      { class: 'game-pick', 'aria-label': t.chooseGame, onchange: () => this.address(Number(pick.value), 0, false) },
      options,
    );
    return pick;
  }

  /** @param {AnnotatedGame} game */
  title({ tags, result }) {
    const players = [tags.White, tags.Black].filter((name) => name && name !== '?').join(' – ');
    const year = tags.Date?.slice(0, 4);
    return [players || tags.Event || t.untitled, year && year !== '????' ? year : '', result.replace(/1\/2/g, '½')]
      .filter(Boolean)
      .join(', ');
  }

  /** @param {AnnotatedGame} game */
  ending(game) {
    const text = givenUpText(game);
    if (!text) return null;
    const end = game.plies.length;
    return h(
      'button',
      { type: 'button', class: 'ending', onclick: () => this.goTo(end, 'jump') },
      h('span', { class: 'badge loss', 'aria-hidden': 'true' }, '!'),
      h('span', null, text),
      icon('forward'),
    );
  }

  /** Shows the position after `ply` plies. @param {number} ply @param {Way} [way] how the address follows, if at all
   * */
  goTo(ply, way) {
    const { board, shown } = this;
    if (!shown || !board) return;
    const to = Math.max(0, Math.min(ply, shown.plies.length));
    if (to === this.ply) return;
    const forward = to === this.ply + 1;
    const sliding = document.activeElement?.matches('.graph input');
    this.ply = to;
    const move = shown.plies[to - 1];
    const position = parseFen(this.game, move ? move.fen : shown.start);
    const squares = move ? squaresOfMove(this.game, move.coordinates) : [];
    if (position) board.setPieces(position.pieces, forward ? squares : undefined);
    board.setHints({ last: squares });
    if (this.graph) drawGraph(this.graph, shown, to, (at) => this.goTo(at, 'step'));
    if (sliding) /** @type {HTMLElement | null} */ (this.graph?.querySelector('input'))?.focus();
    for (const button of this.movesList?.querySelectorAll('button') ?? []) {
      const current = button.dataset.ply === String(to);
      if (current) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
    }
    this.drawNote(move, position?.turn ?? 'w');
    clearTimeout(this.settling);
    if (way === 'jump') this.address(this.number, to, false);
    if (way === 'step') this.settling = window.setTimeout(() => this.address(this.number, to, true), SETTLE_MS);
  }

  /** @param {number} number @param {number} ply @param {boolean} replace */
  address(number, ply, replace) {
    clearTimeout(this.settling);
    const query = { game: number > 1 ? String(number) : '', ply: ply ? String(ply) : '' };
    this.context.go('games', this.id, query, replace);
  }

  /** @param {AnnotatedMove | undefined} move @param {Color} turn the side to move now */
  drawNote(move, turn) {
    const { note, shown } = this;
    if (!note || !shown) return;
    const next = shown.plies[this.ply];
    const value = next ? next.before.value : move ? valueFor(move.after.value, other(turn), turn) : 'unknown';
    const dtw = next ? next.before.dtw : (move?.after.dtw ?? null);
    const { headline, detail } = verdict(this.game, turn, value, dtw);
    const judged = move ? judgementText(move) : '';
    const bad = isBad(move?.judgement);
    const given = next ? '' : givenUpText(shown);
    note.className = `coach ${toneOf(value, turn)}${bad ? ' thrown' : ''}`;
    const better = bad ? (move?.best_moves ?? []) : [];
    const comments = commentText(move ? move.comments : shown.comments);
    fill(
      note,
      h('b', null, phrase(move && judged ? `${move.move}: ${judged}` : headline)),
      h('p', null, [judged ? headline : '', t.toMove(turn), detail].filter(Boolean).join(' · ')),
      better.length ? h('p', null, phrase(t.better(better.slice(0, 6).join(' ')))) : null,
      given ? h('p', null, given) : null,
      comments ? h('p', { class: 'said' }, comments) : null,
    );
  }

  explore() {
    const { shown } = this;
    if (!shown) return;
    // Going back leads to this ply.
    this.address(this.number, this.ply, true);
    this.context.go('explore', '', { fen: shown.plies[this.ply - 1]?.fen ?? shown.start });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === 'ArrowLeft') this.goTo(this.ply - 1, 'step');
    else if (event.key === 'ArrowRight') this.goTo(this.ply + 1, 'step');
    else if (event.key === 'Home') this.goTo(0, 'step');
    else if (event.key === 'End') this.goTo(this.shown?.plies.length ?? 0, 'step');
    else return;
    event.preventDefault();
  }

  close() {
    clearTimeout(this.settling);
    this.request += 1;
  }
}
