/** One material in detail: results, the longest wins, mutual zugzwangs, and wins by a single move. */

import { fill, h, icon } from '../../dom.js';
import { t } from '../../i18n/index.js';
import { other, parseFen } from '../../notation.js';
import { number, shareBar, verdict } from '../../result.js';
import { SourceError } from '../../source.js';
import { positionCard, problem, section, signaturePieces, skeleton } from '../parts.js';
import { plot } from './plot.js';
import { rowsOf } from './rows.js';

/**
 * @typedef {import('../../app.js').Context} Context
 * @typedef {import('../../source.js').SideStats} SideStats
 * @typedef {import('../../source.js').Bar} Bar
 * @typedef {import('../../source.js').Listed} Listed
 * @typedef {import('../../source.js').ListQuery} ListQuery
 * @typedef {object} List a list of positions
 * @property {string} title
 * @property {string} text
 * @property {ListQuery | null} query null if there are certainly no such positions
 * @property {(listed: Listed) => string | undefined} [note]
 * @property {number} [among] the number of positions from which the first ones are taken at equal distances
 */

/** The number of positions shown at a time. */
const SHOWN = 6;

/** The way back to all materials. @param {import('../../games.js').Game} game */
export function upLink(game) {
  return h('a', { class: 'up-link', href: `#/${game.name}/materials` }, icon('back'), t.viewName.materials);
}

export class Material {
  /** @param {Context} context @param {string} signature */
  constructor(context, signature) {
    this.context = context;
    this.game = context.game;
    this.signature = signature;
    this.body = h('div', { class: 'material-body' });
    this.element = h(
      'div',
      null,
      upLink(this.game),
      h(
        'div',
        { class: 'view-head' },
        h(
          'div',
          null,
          h('h1', { class: 'signature-title' }, signaturePieces(this.game, signature), signature),
          h('p', { class: 'lead' }, t.materialWords(this.game.family, signature)),
        ),
        h(
          'div',
          { class: 'head-buttons' },
          h(
            'button',
            { type: 'button', class: 'button', onclick: () => this.openRandom() },
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
      this.body,
    );
    this.load();
  }

  async load() {
    const { body, game, signature } = this;
    const { source } = this.context;
    fill(body, skeleton(10));
    let stats;
    let histograms;
    try {
      const counted = source.histogram(game.name, signature);
      counted.catch(() => {});
      stats = await source.statsOf(game.name, signature);
      // The table may name the sides in the other order.
      if (stats[0] && stats[0].signature !== signature) {
        if (this.element.isConnected) this.context.go('materials', stats[0].signature, {}, true);
        return;
      }
      histograms = await counted;
    } catch (error) {
      const kind = error instanceof SourceError ? error.kind : 'failed';
      if (kind === 'missing' || kind === 'beyond') this.showNone(kind);
      else
        fill(
          body,
          problem(error, () => this.load()),
        );
      return;
    }
    const [row] = rowsOf(stats);
    if (!row) return;
    const { white, black, longest } = row;
    fill(
      body,
      h(
        'div',
        { class: 'pair' },
        [white, black].map((side) =>
          this.sideCard(side, histograms.find((one) => one.to_move === side.to_move)?.histogram ?? []),
        ),
      ),
      this.listCard({
        title: t.longestWins,
        text: t.longestWinsText,
        query: longest && { value: 'win', distance: longest.plies },
        among: 60,
      }),
      this.listCard({
        title: t.zugzwangs,
        text: t.zugzwangsText,
        query: { zugzwang: true },
        note: (listed) => this.passedNote(listed),
        among: 60,
      }),
      this.listCard({
        title: t.onlyMoves,
        text: t.onlyMovesText,
        query: { unique: true, value: 'win' },
        note: (listed) => listed.only_move && t.onlyMoveIs(listed.only_move),
        among: 60,
      }),
    );
  }

  /** Shows that there is no table: it was not built, or none can exist. @param {'missing' | 'beyond'} why */
  showNone(why) {
    const { game, signature } = this;
    const command = [
      h('p', null, t.buildsIt),
      h('code', null, `damka gen ${game.name} ${signature} --tables ${t.tablesDir}`),
      h('p', null, t.tablesDirText),
    ];
    fill(
      this.element,
      upLink(game),
      h(
        'div',
        { class: 'empty' },
        icon('materials'),
        h('h1', null, t.noSuchTable(signature)),
        why === 'beyond' ? h('p', null, t.problem.beyond[1]) : this.context.source.canGrow ? command : null,
      ),
    );
  }

  /** @param {SideStats} side @param {Bar[]} bars */
  sideCard(side, bars) {
    const color = side.to_move === 'white' ? 'w' : 'b';
    return section(
      t.toMove(color),
      h('span', { class: 'muted' }, `${number(side.positions)} ${t.positionsWord(side.positions)}`),
      shareBar(side, color, true),
      plot(bars, color),
    );
  }

  /** The result if the other side were to move. @param {Listed} listed */
  passedNote({ fen, passed }) {
    const turn = parseFen(this.game, fen)?.turn;
    if (!passed || !turn) return undefined;
    const { headline } = verdict(this.game, other(turn), passed.value, passed.dtw);
    return `${t.toMove(other(turn))}: ${t.inSentence(headline)}`;
  }

  /** @param {List} list */
  listCard({ title, text, query, note, among = SHOWN }) {
    const cards = h('div', { class: 'cards' });
    const foot = h('div', null, skeleton(3));
    /** @type {Listed[]} */
    let waiting = [];
    /** @type {string | null} */
    let cursor = null;
    const load = async () => {
      if (!query) return fill(foot, h('p', { class: 'muted' }, t.nothingHere));
      try {
        if (!waiting.length) {
          const page = await this.context.source.list(this.game.name, this.signature, {
            ...query,
            cursor,
            limit: among,
          });
          waiting = spread(page.positions);
          cursor = page.cursor;
        }
        const shown = waiting.splice(0, SHOWN);
        /** @param {string} fen */
        const open = (fen) => this.context.go('explore', '', { fen });
        cards.append(...shown.map((listed) => positionCard(this.game, listed, open, { note: note?.(listed) })));
        fill(
          foot,
          !cards.hasChildNodes() ? h('p', { class: 'muted' }, t.nothingHere) : null,
          waiting.length || cursor
            ? h('button', { type: 'button', class: 'button more', onclick: load }, t.more)
            : null,
        );
      } catch (error) {
        fill(foot, problem(error, load));
      }
    };
    load();
    return section(title, null, h('p', { class: 'muted' }, text), cards, foot);
  }

  async openRandom() {
    try {
      const fen = await this.context.source.random(this.game.name, this.signature);
      this.context.go('explore', '', { fen });
    } catch {
      // The position is only a suggestion; other parts of the view show the error.
    }
  }
}

/**
 * Neighbours in a table are similar, so each group of shown positions is taken from the whole list.
 * @template T
 * @param {T[]} list
 */
function spread(list) {
  const step = Math.max(1, Math.ceil(list.length / SHOWN));
  return Array.from({ length: step }, (_, first) => list.filter((_, i) => i % step === first)).flat();
}
