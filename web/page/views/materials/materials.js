/** Materials: all signatures with tables, and each of them in detail. */

import { fill, h, icon } from '../../dom.js';
import { t } from '../../i18n/index.js';
import { readSignature } from '../../notation.js';
import { number, percent, shareBar } from '../../result.js';
import { problem, signaturePieces, skeleton } from '../parts.js';
import { Material, upLink } from './material.js';
import { rowsOf } from './rows.js';

/**
 * @typedef {import('../../app.js').Context} Context
 * @typedef {import('../../app.js').Route} Route
 * @typedef {import('./rows.js').Row} Row
 * @typedef {'signature' | 'positions' | 'wins' | 'draws' | 'losses' | 'longest'} SortKey
 */

const SHOWN = 60;

/** The keys by which the menu of narrow screens sorts, with their texts. @type {[SortKey, () => string][]} */
const SORTS = [
  ['longest', () => t.longestWins],
  ['wins', () => t.wins],
  ['draws', () => t.draws],
  ['losses', () => t.losses],
  ['positions', () => t.positions],
  ['signature', () => t.material],
];

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
    const signature = readSignature(this.game, route.rest);
    if (signature) fill(this.element, new Material(this.context, signature).element);
    else if (route.rest) this.showNone(route.rest);
    else this.showAll();
  }

  /** Shows that the address does not name a signature. @param {string} text */
  showNone(text) {
    fill(
      this.element,
      upLink(this.game),
      h(
        'div',
        { class: 'empty' },
        icon('materials'),
        h('h1', null, t.noSuchMaterial(text)),
        h('p', null, t.noSuchMaterialText(t.letters(this.game.family))),
      ),
    );
  }

  async showAll() {
    const { request } = this;
    this.table = h('div', { class: 'table-wrap' }, skeleton(10));
    this.counter = h('p', { class: 'lead', role: 'status' }, t.materialsLead);
    this.choices = h('div', { class: 'filters' });
    this.legend = h(
      'details',
      { class: 'muted key', open: innerWidth > 860 },
      h('summary', null, t.materialsKeyHead),
      h('p', null, t.materialsKey(t.letters(this.game.family))),
    );
    fill(
      this.element,
      h('div', { class: 'view-head' }, h('div', null, h('h1', null, t.viewName.materials), this.counter)),
      this.legend,
      this.choices,
      this.table,
    );
    this.drawFilters();
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
      this.legend.remove();
      this.choices.remove();
      this.counter.remove();
      fill(
        this.table,
        h(
          'div',
          { class: 'empty' },
          icon('materials'),
          h('b', null, t.noTables),
          this.context.source.canGrow
            ? [
                h('p', null, t.noTablesText),
                h('code', null, `damka gen ${this.game.name} 4 --tables ${t.tablesDir}`),
                h('p', null, t.tablesDirText),
              ]
            : h('p', null, t.noTablesOnSite),
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
        size ? t.pieces(size, this.game.family) : t.all,
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
    const sort = h(
      'select',
      { class: 'narrow', 'aria-label': t.sortBy, onchange: () => this.sortBy(/** @type {SortKey} */ (sort.value)) },
      SORTS.map(([key, text]) => {
        const sign = key === 'signature' ? '↑' : '↓';
        return h('option', { value: key, selected: key === this.sort }, `${sign} ${text()}`);
      }),
    );
    fill(
      this.choices,
      h('label', { class: 'search' }, icon('search'), search),
      sort,
      h('div', { class: 'chips', role: 'group', 'aria-label': t.numberOfPieces }, buttons),
    );
  }

  /** @param {Row} row @returns {number | string} */
  sortValue(row) {
    if (this.sort === 'signature') return row.signature;
    if (this.sort === 'positions') return row.positions;
    if (this.sort === 'longest') return row.longest?.plies ?? 0;
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
      const words = t.materialWords(this.game.family, row.signature);
      const link = h(
        'a',
        { href: `#/${this.game.name}/materials/${row.signature}` },
        signaturePieces(this.game, row.signature),
        h('span', { class: 'signature' }, row.signature),
        h('span', { class: 'muted words wide', title: words }, words),
      );
      // For a pointer the whole row is a link; the keyboard and screen readers use the link.
      const follow = (/** @type {MouseEvent} */ event) => {
        const isSelecting = getSelection()?.type === 'Range';
        if (!link.contains(/** @type {Node} */ (event.target)) && !isSelecting)
          link.dispatchEvent(new MouseEvent('click', event));
      };
      return h(
        'tr',
        { onclick: follow },
        h('th', { scope: 'row' }, link),
        h(
          'td',
          { class: 'share-cell' },
          shareBar(white, 'w'),
          h('small', { class: 'narrow' }, `${t.draws} ${percent(white.draws / total)}`),
        ),
        h('td', { class: 'num wide' }, percent(white.wins / total)),
        h('td', { class: 'num wide' }, percent(white.draws / total)),
        h('td', { class: 'num wide' }, percent(white.losses / total)),
        h('td', { class: 'num' }, row.longest ? longestCell(row.longest) : '–'),
        h('td', { class: 'num wide' }, number(row.positions)),
      );
    });
    // Makes all signatures begin at the same horizontal place.
    table.style.setProperty('--pieces', String(Math.max(...found.map((row) => row.pieces))));
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
            head('longest', t.longestWinHead),
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
    const from = document.activeElement?.matches('select') ? '.filters select' : 'th[aria-sort] button';
    this.drawFilters();
    this.drawTable();
    /** @type {HTMLElement | null} */ (this.element.querySelector(from))?.focus();
  }
}

/** A distance with the side to move, which wins. @param {import('./rows.js').LongestWin} longest */
function longestCell({ plies, turn }) {
  return h(
    'span',
    { class: 'longest', title: `${t.toMove(turn)}, ${t.plies(plies)}` },
    h('span', { class: `disc ${turn}`, 'aria-hidden': 'true' }),
    h('span', { class: 'visually-hidden' }, t.toMove(turn)),
    number(plies),
  );
}
