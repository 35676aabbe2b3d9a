/** Loads games: from a text, a file or an example. */

import { h, icon } from '../../dom.js';
import { t } from '../../i18n/index.js';

/** Short games whose positions are in small tables. */
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
    const example = EXAMPLES[game.name];
    const exampleButton = h(
      'button',
      { type: 'button', class: 'quiet-link example', onclick: () => this.take(example) },
      t.example,
    );
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
        example ? exampleButton : null,
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
