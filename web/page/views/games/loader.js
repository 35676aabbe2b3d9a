/** Loads games: from a text, a file or an example. */

import { h, icon } from '../../dom.js';
import { t } from '../../i18n/index.js';
import { record } from '../../notation.js';

const KINGS = ['f8-g7 b8-a7 e7-d8 a7-b8 d8-c7 b8xe5xh8 h6-f8 h8-g7 f8xh6', '1-0'];

/** Short games from the first position of the page, with a win thrown away: their moves and results. */
/** @type {Record<string, string[]>} */
const EXAMPLES = {
  russian: KINGS,
  brazilian: KINGS,
  pool: KINGS,
  czech: KINGS,
  english: ['5-9 10-15 1-5 15-11 9-14 11-15 14-10 15x6 5-1 6-2', '1/2-1/2'],
  italian: ['8-12 11-14 4-8 14-10 12-15 10-14 15-11 14x7 8-4 7-3', '1/2-1/2'],
  spanish: ['27-16 30-26 31-28 26-29 28-31 29-19 31-27 19-32 27-30 32-28', '1/2-1/2'],
  thai: ['8-12 15-11 9-32 11-20 12-16 20x11 32-28 11-20 28-32 20-31', '1/2-1/2'],
  alapo: ['a1-b2 b3-c4 b2-c2 c4-d4 c2-d1 d4-c3 d1-c1 c3-d3 c1-d1 d3-c3', '1/2-1/2'],
  chess: ['Kd3 Kc5 Kc3 Kb5 Kc2 Kb4 Kb1 Kb3 Ka1 Ka4', '1/2-1/2'],
};

/** The record of the example of a game. @param {import('../../games.js').Game} game */
function exampleOf(game) {
  const [moves, result] = EXAMPLES[game.name];
  return `[White "Petrova"]\n[Black "Sokolov"]\n${record(game, game.featured, moves.split(' '), result)}`;
}

export class Loader {
  /**
   * @param {import('../../games.js').Game} game
   * @param {(text: string) => void} load
   */
  constructor(game, load) {
    this.load = load;
    this.text = h('textarea', {
      rows: 9,
      spellcheck: 'false',
      'aria-label': t.recordLabel(game.family),
      placeholder: t.recordHint[game.family],
    });
    const file = h('input', {
      type: 'file',
      accept: '.pdn,.pgn,.txt,text/plain',
      class: 'visually-hidden',
      'aria-label': t.openFile,
      onchange: () => file.files?.[0] && this.read(file.files[0]),
    });
    this.element = h(
      'div',
      { class: 'loader' },
      this.text,
      h(
        'div',
        { class: 'head-buttons' },
        h(
          'button',
          { type: 'button', class: 'button strong', onclick: () => this.take(this.text.value) },
          icon('games'),
          t.annotate,
        ),
        h('label', { class: 'button' }, icon('file'), t.openFile, file),
        h('span', { class: 'muted drop-hint' }, t.dropHint),
        h(
          'button',
          { type: 'button', class: 'quiet-link example', onclick: () => this.take(exampleOf(game)) },
          t.example,
        ),
      ),
    );
  }

  /** @param {string} text */
  take(text) {
    this.text.value = text;
    if (text.trim()) this.load(text);
    else this.text.focus();
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
    this.take(text);
  }
}
