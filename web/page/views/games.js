/** Games: a record with the result of every position, and where the tables change their mind. */

import { Board } from '../board.js';
import { copy, fill, h, icon, iconButton, svg } from '../dom.js';
import { t } from '../i18n/index.js';
import { other, parseFen, squaresOfMove } from '../notation.js';
import { valueFor, verdict } from '../result.js';
import { numbered, problem, section, skeleton } from './parts.js';

/**
 * @typedef {import('../app.js').Context} Context
 * @typedef {import('../source.js').AnnotatedGame} AnnotatedGame
 * @typedef {import('../source.js').AnnotatedMove} AnnotatedMove
 * @typedef {import('../source.js').Value} Value
 * @typedef {import('../games.js').Color} Color
 */

/** Short games that small tables know. */
/** @type {Record<string, string>} */
const EXAMPLES = {
  russian: `[White "Petrova"]
[Black "Sokolov"]
[Result "1-0"]
[FEN "W:WKf8,Ke7,Kh6:BKb8"]

1. f8-g7 b8-a7 2. e7-d8 a7-b8 3. d8-c7 b8xe5xh8 4. h6-f8 h8-g7 5. f8xh6 1-0
`,
  chess: `[White "Petrova"]
[Black "Sokolov"]
[Result "1/2-1/2"]
[SetUp "1"]
[FEN "8/8/8/4k3/8/4K3/4P3/8 b - - 0 1"]

1... Kd5 2. Kf4 Ke6 3. Ke4 Kd6 4. Kd3 Kd5 5. Kc2 Kc4 1/2-1/2
`,
};

/** The marks of judgements. */
/** @type {Record<string, string>} */
const MARKS = {
  only_move: '!',
  inaccuracy: '?!',
  mistake: '?',
  blunder: '??',
  threw_away_win: '??',
  threw_away_draw: '??',
};

/** @param {string | null | undefined} judgement */
function isBad(judgement) {
  return Boolean(judgement) && judgement !== 'only_move';
}

export class Games {
  /** @param {Context} context */
  constructor(context) {
    this.context = context;
    this.game = context.game;
    this.request = 0;
    /** @type {import('../source.js').Annotated | null} */
    this.annotated = null;
    /** @type {AnnotatedGame | null} */
    this.shown = null;
    this.ply = 0;

    this.text = h('textarea', {
      rows: 9,
      spellcheck: 'false',
      'aria-label': t.recordLabel(this.game.family),
      placeholder: t.recordHint[this.game.family],
    });
    const file = h('input', {
      type: 'file',
      accept: '.pdn,.pgn,.txt,text/plain',
      class: 'visually-hidden',
      'aria-label': t.openFile,
      onchange: () => file.files?.[0] && this.read(file.files[0]),
    });
    const example = EXAMPLES[this.game.name];
    this.loader = h(
      'div',
      { class: 'loader' },
      this.text,
      h(
        'div',
        { class: 'head-buttons' },
        h(
          'button',
          { type: 'button', class: 'button strong', onclick: () => this.annotate(this.text.value) },
          icon('games'),
          t.annotate,
        ),
        h('label', { class: 'button' }, icon('file'), t.openFile, file),
        h('span', { class: 'muted drop-hint' }, t.dropHint),
        example
          ? h(
              'button',
              {
                type: 'button',
                class: 'quiet-link example',
                onclick: () => {
                  this.text.value = example;
                  this.annotate(example);
                },
              },
              t.example,
            )
          : null,
      ),
    );
    this.another = h(
      'button',
      { type: 'button', class: 'button', hidden: true, onclick: () => this.showLoader(true) },
      icon('file'),
      t.otherGames,
    );
    this.body = h('div');
    this.element = h(
      'div',
      { class: 'games-view' },
      h(
        'div',
        { class: 'view-head' },
        h('div', null, h('h1', null, t.viewName.games), h('p', { class: 'lead' }, t.gamesLead)),
        this.another,
      ),
      this.loader,
      this.body,
    );
    this.element.addEventListener('dragover', (event) => event.preventDefault());
    this.element.addEventListener('drop', (event) => {
      event.preventDefault();
      const dropped = event.dataTransfer?.files[0];
      if (dropped) this.read(dropped);
    });

    const record = context.session.get('record');
    const before = context.session.get(`annotated:${this.game.name}`);
    if (record) {
      context.session.delete('record');
      this.text.value = record;
      this.annotate(record);
    } else if (before) {
      this.text.value = before.text;
      this.annotated = before.annotated;
      this.draw(before.game, before.ply);
    }
  }

  update() {}

  /** @param {boolean} shown */
  showLoader(shown) {
    this.loader.hidden = !shown;
    this.another.hidden = shown;
    if (shown && this.annotated) this.text.focus();
  }

  /** @param {File} file */
  async read(file) {
    const bytes = await file.arrayBuffer();
    let text;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      text = new TextDecoder('windows-1251').decode(bytes);
    }
    this.text.value = text;
    this.annotate(text);
  }

  /** @param {string} text */
  async annotate(text) {
    if (!text.trim()) {
      this.text.focus();
      return;
    }
    const request = ++this.request;
    fill(this.body, section(t.annotating, null, skeleton(6)));
    try {
      const annotated = await this.context.source.annotate(this.game.name, text);
      if (request !== this.request) return;
      this.annotated = annotated;
      this.draw(0, 0);
    } catch (error) {
      if (request === this.request)
        fill(
          this.body,
          problem(error, () => this.annotate(text)),
        );
    }
  }

  /** @param {number} number @param {number} ply */
  draw(number, ply) {
    const { annotated } = this;
    if (!annotated) return;
    const { games, failed = [] } = annotated;
    const failures = failed.map(({ game, error }) =>
      h('p', { class: 'note-box failed' }, h('b', null, t.gameFailed(game)), h('span', { lang: 'en' }, error)),
    );
    const shown = games[number];
    if (!shown) {
      fill(
        this.body,
        failures,
        h('div', { class: 'empty' }, icon('games'), h('b', null, t.noGames), h('p', null, t.noGamesText)),
      );
      return;
    }
    this.showLoader(false);
    this.shown = shown;
    this.number = number;
    this.ply = 0;
    this.board = new Board(this.game, t.board, { onSquare: () => {} });
    this.graph = h('div', { class: 'graph', role: 'group', 'aria-label': t.graphLabel });
    this.movesList = h('div', { class: 'line annotated' });
    this.note = h('div', { class: 'coach', role: 'status', 'aria-live': 'polite' });
    const pick =
      games.length > 1
        ? h(
            'select',
            { class: 'game-pick', 'aria-label': t.chooseGame, onchange: () => this.draw(Number(pick?.value), 0) },
            games.map((game, i) =>
              h('option', { value: String(i), selected: i === number }, `${i + 1}. ${this.title(game)}`),
            ),
          )
        : null;
    fill(
      this.body,
      failures,
      h(
        'div',
        { class: 'two-columns' },
        h(
          'div',
          { class: 'board-column' },
          this.board.element,
          h(
            'div',
            { class: 'transport' },
            iconButton('flip', t.flip, () => this.board?.setFlipped(!this.board.flipped)),
            h(
              'div',
              { class: 'steps' },
              iconButton('first', t.first, () => this.goTo(0)),
              iconButton('back', t.back, () => this.goTo(this.ply - 1)),
              iconButton('forward', t.forward, () => this.goTo(this.ply + 1)),
              iconButton('last', t.last, () => this.goTo(shown.plies.length)),
            ),
            h(
              'button',
              { type: 'button', class: 'button', 'aria-label': t.viewName.explore, onclick: () => this.open() },
              icon('explore'),
              h('span', null, t.viewName.explore),
            ),
          ),
        ),
        h(
          'div',
          { class: 'panel' },
          h(
            'section',
            { class: 'card' },
            pick ?? h('h2', { class: 'game-title' }, this.title(shown)),
            this.findings(shown),
            this.graph,
          ),
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
          ),
        ),
      ),
    );
    this.drawMoves(shown);
    this.goTo(ply, true);
  }

  /** @param {AnnotatedGame} game */
  title({ tags, result }) {
    const players = [tags.White, tags.Black].filter((name) => name && name !== '?').join(' – ');
    const year = tags.Date?.slice(0, 4);
    return [players || tags.Event || t.untitled, year && year !== '????' ? year : '', result]
      .filter(Boolean)
      .join(', ');
  }

  /** @param {AnnotatedGame} game */
  findings({ plies }) {
    /** @param {string} name */
    const count = (name) => plies.filter((ply) => ply.judgement === name).length;
    const found = /** @type {const} */ ([
      'threw_away_win',
      'threw_away_draw',
      'blunder',
      'mistake',
      'inaccuracy',
      'only_move',
    ]).filter((name) => count(name));
    const known = plies.filter((ply) => ply.before.value !== 'unknown').length;
    return h(
      'p',
      { class: 'muted' },
      found.length ? found.map((name) => t.findings[name](count(name))).join(', ') + '. ' : '',
      known ? t.tablesKnow(known, plies.length) : t.tablesKnowNone,
    );
  }

  /** The result of the position after so many plies, for White. @param {number} ply @returns {{ value: Value, score: number | null }} */
  resultAt(ply) {
    const plies = this.shown?.plies ?? [];
    const next = plies[ply];
    if (next) {
      const turn = this.turnOf(next);
      const sign = turn === 'w' ? 1 : -1;
      return {
        value: valueFor(next.before.value, turn, 'w'),
        score: next.before.score === null ? null : next.before.score * sign,
      };
    }
    const last = plies[ply - 1];
    return last
      ? { value: valueFor(last.after.value, this.turnOf(last), 'w'), score: null }
      : { value: 'unknown', score: null };
  }

  /** Who plays a move. @param {AnnotatedMove} ply @returns {Color} */
  turnOf(ply) {
    return ply.turn === 'white' ? 'w' : 'b';
  }

  /** @param {AnnotatedGame} game */
  drawMoves({ plies, start }) {
    if (!this.movesList) return;
    const turn = parseFen(this.game, start)?.turn ?? 'w';
    const parts = numbered(this.game, turn, plies, (i) => {
      const ply = plies[i];
      const kind = isBad(ply.judgement) ? 'mistake' : ply.judgement ? 'only' : '';
      const mark = MARKS[ply.judgement ?? ''] ?? '';
      const label = ply.judgement ? `${ply.move}, ${t.judgement[ply.judgement] ?? ''}` : null;
      return h(
        'button',
        {
          type: 'button',
          class: kind || null,
          'data-ply': i + 1,
          'aria-label': label,
          onclick: () => this.goTo(i + 1),
        },
        ply.move,
        mark ? h('sup', { 'aria-hidden': 'true' }, mark) : null,
      );
    });
    fill(this.movesList, parts);
  }

  drawGraph() {
    const plies = this.shown?.plies ?? [];
    if (!this.graph) return;
    const [width, height, middle, reach] = [this.graph.clientWidth || Math.min(innerWidth - 52, 570), 130, 65, 50];
    const count = Math.max(1, plies.length);
    /** @param {number} ply */
    const x = (ply) => Math.max(0, Math.min(width, (width * ply) / count));
    /** @param {number} ply @returns {number | null} */
    const y = (ply) => {
      const { value, score } = this.resultAt(ply);
      if (value === 'unknown') return score === null ? null : middle - Math.tanh(score / 400) * reach * 0.85;
      return middle - { win: 1, draw: 0, loss: -1 }[value] * reach;
    };
    const drawing = svg('svg', { viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' });
    drawing.append(svg('line', { x1: 0, x2: width, y1: middle, y2: middle, class: 'grid' }));
    let path = '';
    let open = false;
    /** @type {{ value: Value, from: number, at: number } | null} */
    let run = null;
    for (let ply = 0; ply <= plies.length + 1; ply++) {
      const at = ply <= plies.length ? y(ply) : null;
      const { value } = this.resultAt(ply);
      if (run && (at === null || value !== run.value)) {
        const [left, right] = [x(run.from - 0.5), x(ply - 0.5)];
        drawing.append(
          svg('rect', {
            x: left,
            width: right - left,
            y: Math.min(run.at, middle),
            height: Math.abs(run.at - middle),
            class: `area ${run.value}`,
          }),
        );
        run = null;
      }
      if (at !== null && !run && (value === 'win' || value === 'loss')) run = { value, from: ply, at };
      if (at !== null) path += `${open ? 'L' : 'M'}${x(ply - 0.5)} ${at}L${x(ply + 0.5)} ${at}`;
      open = at !== null;
    }
    drawing.append(svg('path', { d: path, class: 'curve' }));
    drawing.append(
      svg('line', { x1: Math.max(1, x(this.ply)), x2: Math.max(1, x(this.ply)), y1: 0, y2: height, class: 'now' }),
    );
    for (const [i, ply] of plies.entries()) {
      if (!isBad(ply.judgement)) continue;
      drawing.append(svg('ellipse', { cx: x(i + 0.5), cy: middle, rx: 5, ry: 5, class: 'mark-mistake' }));
    }
    drawing.addEventListener('pointerdown', (event) => {
      const box = drawing.getBoundingClientRect();
      this.goTo(Math.round(((event.clientX - box.left) / box.width) * count));
    });
    const slider = h('input', {
      type: 'range',
      min: 0,
      max: plies.length,
      value: this.ply,
      'aria-label': t.graphLabel,
      oninput: () => this.goTo(Number(slider.value)),
    });
    fill(
      this.graph,
      h('span', { class: 'graph-label upper' }, t.color.w),
      drawing,
      h('span', { class: 'graph-label lower' }, t.color.b),
      slider,
    );
  }

  /** @param {number} ply @param {boolean} [force] */
  goTo(ply, force = false) {
    const { board, shown } = this;
    if (!shown || !board) return;
    const to = Math.max(0, Math.min(ply, shown.plies.length));
    if (to === this.ply && !force) return;
    const forward = to === this.ply + 1;
    const sliding = document.activeElement?.matches('.graph input');
    this.ply = to;
    const move = shown.plies[to - 1];
    const fen = move ? move.fen : shown.start;
    const position = parseFen(this.game, fen);
    const squares = move ? squaresOfMove(this.game, move.coordinates) : [];
    if (position) board.setPieces(position.pieces, forward ? squares : undefined);
    board.setHints({ last: squares });
    this.drawGraph();
    if (sliding) /** @type {HTMLElement | null} */ (this.graph?.querySelector('input'))?.focus();
    for (const button of this.movesList?.querySelectorAll('button') ?? []) {
      const current = button.dataset.ply === String(to);
      if (current) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
    }
    this.drawNote(move, position?.turn ?? 'w');
    this.context.session.set(`annotated:${this.game.name}`, {
      text: this.text.value,
      annotated: this.annotated,
      game: this.number,
      ply: to,
    });
  }

  /** @param {AnnotatedMove | undefined} move @param {Color} turn who is to move now */
  drawNote(move, turn) {
    if (!this.note) return;
    const plies = this.shown?.plies ?? [];
    const next = plies[this.ply];
    const value = next ? next.before.value : move ? valueFor(move.after.value, other(turn), turn) : 'unknown';
    const dtw = next ? next.before.dtw : (move?.after.dtw ?? null);
    const { headline, detail } = verdict(this.game, turn, value, dtw);
    const judged = move?.judgement ? t.judgement[move.judgement] : '';
    const bad = isBad(move?.judgement);
    this.note.className = `coach ${bad ? 'loss' : value === 'unknown' ? 'unknown' : value === 'draw' ? 'draw' : 'win'}`;
    const better = bad ? (move?.best ?? []) : [];
    fill(
      this.note,
      h('b', null, move && judged ? `${move.move}: ${judged}` : headline),
      h('p', null, [judged ? headline : '', t.toMove(turn), detail].filter(Boolean).join(' · ')),
      better.length ? h('p', null, t.better(better.slice(0, 6).join(' '))) : null,
    );
  }

  open() {
    const { shown } = this;
    const fen = shown?.plies[this.ply - 1]?.fen ?? shown?.start;
    if (fen) this.context.go('explore', '', { fen });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === 'ArrowLeft') this.goTo(this.ply - 1);
    else if (event.key === 'ArrowRight') this.goTo(this.ply + 1);
    else if (event.key === 'Home') this.goTo(0);
    else if (event.key === 'End') this.goTo(this.shown?.plies.length ?? 0);
    else return;
    event.preventDefault();
  }

  close() {
    this.request += 1;
  }
}
