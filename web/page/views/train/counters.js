/** The numbers of positions that the player has won, held and thrown away in a game, stored in this browser. */

import { fill, h } from '../../dom.js';
import { t } from '../../i18n/index.js';
import { recall, remember } from '../../store.js';
import { section } from '../parts.js';

const NONE = { won: 0, clean: 0, held: 0, thrown: 0, streak: 0, best: 0 };

export class Counters {
  /** @param {string} game */
  constructor(game) {
    this.key = `train:${game}`;
    this.counts = { ...NONE, ...recall(this.key, NONE) };
    this.element = h('div');
    this.draw();
  }

  /** The player threw the result away. */
  addMistake() {
    this.counts.thrown += 1;
    this.counts.streak = 0;
    this.save();
  }

  /** The player reached the goal. @param {import('./tasks.js').Goal} goal @param {boolean} clean without a mistake */
  addSuccess(goal, clean) {
    const { counts } = this;
    if (goal === 'win') {
      counts.won += 1;
      if (clean) counts.clean += 1;
    } else counts.held += 1;
    counts.streak = clean ? counts.streak + 1 : 0;
    counts.best = Math.max(counts.best, counts.streak);
    this.save();
  }

  save() {
    remember(this.key, this.counts);
    this.draw();
  }

  draw() {
    const { won, clean, held, thrown, streak, best } = this.counts;
    /** @param {number} value @param {string} name */
    const cell = (value, name) => h('div', null, h('b', null, String(value)), h('span', null, name));
    const reset = () => {
      this.counts = { ...NONE };
      this.save();
    };
    fill(
      this.element,
      section(
        t.yourResults,
        won + held + thrown ? h('button', { type: 'button', class: 'quiet-link', onclick: reset }, t.reset) : null,
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
}
