/** Materials: all signatures that have tables, and each of them closely. */

import { fill, h, icon, svg } from '../dom.js';
import { t } from '../i18n/index.js';
import { number, percent, shareBar } from '../result.js';
import { positionCard, problem, section, signaturePieces, skeleton } from './parts.js';

/**
 * @typedef {import('../app.js').Context} Context
 * @typedef {import('../app.js').Route} Route
 * @typedef {import('../source.js').SideStats} SideStats
 * @typedef {import('../source.js').Bar} Bar
 * @typedef {import('../source.js').ListQuery} ListQuery
 * @typedef {{ signature: string, pieces: number, white: SideStats, black: SideStats, positions: number, longest: number }} Row
 * @typedef {'signature' | 'positions' | 'wins' | 'draws' | 'losses' | 'longest'} SortKey
 */

const SHOWN = 60;

/**
 * The two sides of each signature in one row.
 * @param {SideStats[]} stats
 * @returns {Row[]}
 */
function rowsOf(stats) {
  /** @type {Map<string, Partial<Record<'white' | 'black', SideStats>>>} */
  const bySignature = new Map();
  for (const side of stats) {
    const pair = bySignature.get(side.signature) ?? {};
    pair[side.to_move] = side;
    bySignature.set(side.signature, pair);
  }
  const rows = [];
  for (const [signature, { white, black }] of bySignature) {
    if (!white || !black) continue;
    const longest = Math.max(
      white.longest_win ?? 0,
      white.longest_loss ?? 0,
      black.longest_win ?? 0,
      black.longest_loss ?? 0,
    );
    rows.push({
      signature,
      pieces: signature.length - 1,
      white,
      black,
      positions: white.positions + black.positions,
      longest,
    });
  }
  return rows;
}

export class Materials {
  /** @param {Context} context */
  constructor(context) {
    this.context = context;
    this.game = context.game;
    /** @type {Row[] | null} */
    this.rows = null;
    /** @type {SortKey} */
    this.sort = 'longest';
    this.descending = true;
    this.filter = '';
    this.pieces = 0;
    this.limit = SHOWN;
    this.request = 0;
    this.element = h('div', { class: 'materials' });
    this.update(context.route);
  }

  /** @param {Route} route */
  update(route) {
    this.request += 1;
    if (route.rest) this.showOne(route.rest);
    else this.showAll();
  }

  /** @param {string} fen */
  open(fen) {
    this.context.go('explore', '', { fen });
  }

  async showAll() {
    const { request } = this;
    this.table = h('div', { class: 'table-wrap' }, skeleton(10));
    this.counter = h('p', { class: 'lead', role: 'status' }, t.materialsLead);
    this.choices = h('div', { class: 'filters' });
    fill(
      this.element,
      h('div', { class: 'view-head' }, h('div', null, h('h1', null, t.viewName.materials), this.counter)),
      this.choices,
      this.table,
    );
    try {
      this.rows ??= rowsOf(await this.context.source.stats(this.game.name));
    } catch (error) {
      if (request === this.request)
        fill(
          this.table,
          problem(error, () => this.showAll()),
        );
      return;
    }
    if (request !== this.request) return;
    if (!this.rows.length) {
      fill(
        this.table,
        h(
          'div',
          { class: 'empty' },
          icon('materials'),
          h('b', null, t.noTables),
          h('p', null, t.noTablesText),
          h('code', null, `damka gen ${this.game.name} 4`),
        ),
      );
      return;
    }
    this.drawFilters();
    this.drawTable();
  }

  drawFilters() {
    if (!this.choices) return;
    const sizes = [...new Set(this.rows?.map((row) => row.pieces))].sort();
    const buttons = [0, ...sizes].map((size) =>
      h(
        'button',
        {
          type: 'button',
          class: 'chip',
          'aria-pressed': String(size === this.pieces),
          onclick: () => {
            this.pieces = size;
            this.limit = SHOWN;
            for (const [i, button] of buttons.entries())
              button.setAttribute('aria-pressed', String([0, ...sizes][i] === size));
            this.drawTable();
          },
        },
        size ? t.pieces(size) : t.all,
      ),
    );
    const search = h('input', {
      type: 'search',
      'aria-label': t.filter,
      placeholder: t.filterHint(this.game.family),
      spellcheck: 'false',
      value: this.filter,
      oninput: () => {
        this.filter = search.value.trim();
        this.limit = SHOWN;
        this.drawTable();
      },
    });
    fill(
      this.choices,
      h('label', { class: 'search' }, icon('search'), search),
      h('div', { class: 'chips', role: 'group', 'aria-label': t.numberOfPieces }, buttons),
    );
  }

  /** @param {Row} row @returns {number | string} */
  sortValue(row) {
    if (this.sort === 'signature') return row.signature;
    if (this.sort === 'positions') return row.positions;
    if (this.sort === 'longest') return row.longest;
    return row.white[this.sort] / (row.white.positions || 1);
  }

  drawTable() {
    const { table, rows, counter } = this;
    if (!table || !rows || !counter) return;
    const wanted = this.filter.toUpperCase().replaceAll('V', 'v');
    const found = rows.filter((row) => (!this.pieces || row.pieces === this.pieces) && row.signature.includes(wanted));
    found.sort((a, b) => {
      const [x, y] = [this.sortValue(a), this.sortValue(b)];
      const order = typeof x === 'string' ? x.localeCompare(String(y)) : x - Number(y);
      return this.descending ? -order : order;
    });
    const positions = found.reduce((sum, row) => sum + row.positions, 0);
    fill(counter, t.materialsCount(found.length, number(positions)));
    if (!found.length) {
      fill(
        table,
        h('div', { class: 'empty' }, icon('search'), h('b', null, t.nothingFound), h('p', null, t.nothingFoundText)),
      );
      return;
    }
    /** @param {SortKey} key @param {string} text @param {string} [name] */
    const head = (key, text, name) =>
      h(
        'th',
        {
          scope: 'col',
          class: name ?? 'num',
          'aria-sort': this.sort === key ? (this.descending ? 'descending' : 'ascending') : null,
        },
        h(
          'button',
          { type: 'button', onclick: () => this.sortBy(key) },
          text,
          this.sort === key ? icon('up', this.descending ? 180 : 0) : null,
        ),
      );
    const body = found.slice(0, this.limit).map((row) => {
      const { white } = row;
      const total = white.positions || 1;
      return h(
        'tr',
        null,
        h(
          'th',
          { scope: 'row' },
          h(
            'a',
            { href: `#/${this.game.name}/materials/${row.signature}` },
            signaturePieces(this.game, row.signature),
            h('span', { class: 'signature' }, row.signature),
          ),
        ),
        h('td', { class: 'share-cell' }, shareBar(white)),
        h('td', { class: 'num wide' }, percent(white.wins / total)),
        h('td', { class: 'num wide' }, percent(white.draws / total)),
        h('td', { class: 'num wide' }, percent(white.losses / total)),
        h('td', { class: 'num' }, row.longest ? number(row.longest) : '–'),
        h('td', { class: 'num wide' }, number(row.positions)),
      );
    });
    fill(
      table,
      h(
        'table',
        null,
        h('caption', { class: 'visually-hidden' }, t.viewName.materials),
        h(
          'thead',
          null,
          h(
            'tr',
            null,
            head('signature', t.material, 'first'),
            h('th', { scope: 'col', class: 'share-cell' }, t.whiteToMoveShare),
            head('wins', t.wins, 'num wide'),
            head('draws', t.draws, 'num wide'),
            head('losses', t.losses, 'num wide'),
            head('longest', t.longestPlies),
            head('positions', t.positions, 'num wide'),
          ),
        ),
        h('tbody', null, body),
      ),
      found.length > this.limit
        ? h(
            'button',
            {
              type: 'button',
              class: 'button more',
              onclick: () => {
                this.limit += 200;
                this.drawTable();
              },
            },
            t.showMore(found.length - this.limit),
          )
        : null,
    );
  }

  /** @param {SortKey} key */
  sortBy(key) {
    this.descending = this.sort === key ? !this.descending : key !== 'signature';
    this.sort = key;
    this.drawTable();
    /** @type {HTMLElement | null} */ (this.table?.querySelector('th[aria-sort] button'))?.focus();
  }

  /** @param {string} signature */
  async showOne(signature) {
    const { request } = this;
    const { source } = this.context;
    const body = h('div', { class: 'material-body' }, skeleton(10));
    fill(
      this.element,
      h('a', { class: 'up-link', href: `#/${this.game.name}/materials` }, icon('back'), t.viewName.materials),
      h(
        'div',
        { class: 'view-head' },
        h('h1', { class: 'signature-title' }, signaturePieces(this.game, signature), signature),
        h(
          'div',
          { class: 'head-buttons' },
          h(
            'button',
            { type: 'button', class: 'button', onclick: () => this.openRandom(signature) },
            icon('random'),
            t.randomPosition,
          ),
          h(
            'a',
            { class: 'button', href: `#/${this.game.name}/train?material=${signature}` },
            icon('train'),
            t.viewName.train,
          ),
        ),
      ),
      body,
    );
    let stats;
    let histograms;
    try {
      [stats, histograms] = await Promise.all([
        source.statsOf(this.game.name, signature),
        source.histogram(this.game.name, signature),
      ]);
    } catch (error) {
      if (request === this.request)
        fill(
          body,
          problem(error, () => this.showOne(signature)),
        );
      return;
    }
    if (request !== this.request) return;
    const [row] = rowsOf(stats);
    if (!row) return;
    fill(
      body,
      h(
        'div',
        { class: 'pair' },
        [row.white, row.black].map((side) =>
          this.sideCard(side, histograms.find((one) => one.to_move === side.to_move)?.histogram ?? []),
        ),
      ),
      this.listCard(signature, t.longestWins, t.longestWinsText, this.longestQuery(row)),
      this.listCard(signature, t.zugzwangs, t.zugzwangsText, { zugzwang: true }, (listed) =>
        listed.passed ? t.ifOther(t.value[listed.passed.value]) : undefined,
      ),
      this.listCard(
        signature,
        t.onlyMoves,
        t.onlyMovesText,
        { unique: true, value: 'win' },
        (listed) => listed.only_move && t.onlyMoveIs(listed.only_move),
      ),
    );
  }

  /** The longest wins of both sides to move. @param {Row} row @returns {ListQuery | null} */
  longestQuery({ white, black }) {
    const longest = Math.max(white.longest_win ?? 0, black.longest_win ?? 0);
    return longest ? { value: 'win', distance: longest } : null;
  }

  /** @param {SideStats} side @param {Bar[]} bars */
  sideCard(side, bars) {
    const color = side.to_move === 'white' ? 'w' : 'b';
    return section(
      t.toMove(color),
      h('span', { class: 'muted' }, `${number(side.positions)} ${t.positionsWord(side.positions)}`),
      shareBar(side, true),
      plot(bars),
    );
  }

  /**
   * @param {string} signature
   * @param {string} title
   * @param {string} text
   * @param {ListQuery | null} query
   * @param {(listed: import('../source.js').Listed) => string | undefined} [note]
   */
  listCard(signature, title, text, query, note) {
    const cards = h('div', { class: 'cards' });
    const foot = h('div', null, skeleton(3));
    /** @type {string | null} */
    let cursor = null;
    const load = async () => {
      if (!query) return fill(foot, h('p', { class: 'muted' }, t.nothingHere));
      try {
        const page = await this.context.source.list(this.game.name, signature, { ...query, cursor, limit: 6 });
        cards.append(
          ...page.positions.map((listed) => positionCard(this.game, listed, (fen) => this.open(fen), note?.(listed))),
        );
        cursor = page.cursor;
        fill(
          foot,
          !cards.hasChildNodes() ? h('p', { class: 'muted' }, t.nothingHere) : null,
          cursor ? h('button', { type: 'button', class: 'button more', onclick: load }, t.more) : null,
        );
      } catch (error) {
        fill(foot, problem(error, load));
      }
    };
    load();
    return section(title, null, h('p', { class: 'muted' }, text), cards, foot);
  }

  /** @param {string} signature */
  async openRandom(signature) {
    try {
      this.open(await this.context.source.random(this.game.name, signature));
    } catch {
      // The position is only a suggestion; the rest of the view says what is wrong.
    }
  }
}

/**
 * How many positions are won or lost in how many plies.
 * @param {Bar[]} bars
 */
function plot(bars) {
  const decided = bars.filter((bar) => bar.dtw !== null);
  if (!decided.length) return h('p', { class: 'muted plot-empty' }, t.noDistances);
  const [width, height, left, bottom, top] = [innerWidth < 860 ? 340 : 560, 190, 36, 24, 10];
  const longest = Math.max(...decided.map((bar) => bar.dtw ?? 0));
  const most = Math.max(...decided.map((bar) => bar.positions));
  const decades = Math.max(1, Math.ceil(Math.log10(most + 1)));
  /** @param {number} dtw */
  const x = (dtw) => left + ((width - left - 8) * (dtw + 0.5)) / (longest + 1);
  /** @param {number} count */
  const y = (count) => height - bottom - ((height - bottom - top) * Math.log10(count + 1)) / decades;
  const thick = Math.max(1.2, Math.min(18, ((width - left - 8) / (longest + 1)) * 0.72));
  const drawing = svg('svg', {
    viewBox: `0 0 ${width} ${height}`,
    class: 'plot',
    role: 'img',
    'aria-label': t.plotLabel(longest),
  });
  for (let decade = 0; decade <= decades; decade++) {
    const at = height - bottom - ((height - bottom - top) * decade) / decades;
    drawing.append(svg('line', { x1: left, x2: width, y1: at, y2: at, class: 'grid' }));
    const label =
      decade < 3
        ? String(10 ** decade)
        : decade < 6
          ? `${10 ** (decade - 3)}k`
          : decade < 9
            ? `${10 ** (decade - 6)}M`
            : `${10 ** (decade - 9)}G`;
    drawing.append(svg('text', { x: left - 6, y: at + 3.5, class: 'axis end' }, label));
  }
  const step = [1, 2, 5, 10, 20, 50, 100].find((one) => longest / one <= width / 55) ?? 200;
  for (let tick = 0; tick <= longest; tick += step)
    drawing.append(svg('text', { x: x(tick), y: height - 7, class: 'axis' }, String(tick)));
  for (const bar of decided) {
    const at = y(bar.positions);
    const rect = svg('rect', {
      x: x(bar.dtw ?? 0) - thick / 2,
      y: at,
      width: thick,
      height: Math.max(1, height - bottom - at),
      class: bar.value,
      rx: Math.min(1.5, thick / 3),
    });
    rect.append(svg('title', null, `${t.value[bar.value]}, ${t.plies(bar.dtw ?? 0)}: ${number(bar.positions)}`));
    drawing.append(rect);
  }
  return h('figure', { class: 'plot-figure' }, drawing, h('figcaption', { class: 'muted' }, t.plotCaption));
}
