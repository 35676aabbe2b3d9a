/** The buttons below the board: steps through the moves, playing best play, turning the board, editing. */

import { fill, h, icon, iconButton } from '../../dom.js';
import { t } from '../../i18n/index.js';

/**
 * @typedef {object} Steps the actions of the buttons
 * @property {() => void} first
 * @property {() => void} back
 * @property {() => void} play
 * @property {() => void} forward
 * @property {() => void} last
 * @property {() => void} flip
 * @property {() => void} edit begins or ends editing
 * @typedef {{ atStart: boolean, atEnd: boolean, playing: boolean, editing: boolean }} State
 */

export class Transport {
  /** @param {Steps} steps */
  constructor(steps) {
    /** @param {'first' | 'back' | 'forward' | 'last' | 'flip'} name */
    const button = (name) => iconButton(name, t[name], () => steps[name](), { 'data-key': name });
    this.play = iconButton('play', t.playOn, () => steps.play(), { class: 'icon-button strong', 'data-key': 'play' });
    this.backwards = [button('first'), button('back')];
    this.forwards = [button('forward'), button('last')];
    this.edit = h('button', { type: 'button', class: 'button', 'data-key': 'edit', onclick: () => steps.edit() });
    this.steps = h('div', { class: 'steps' }, this.backwards, this.play, this.forwards);
    this.element = h('div', { class: 'transport' }, button('flip'), this.steps, this.edit);
    /** @type {State | null} */
    this.state = null;
  }

  /** Enables the possible actions. Keeps the elements, so that a press in progress is not lost. @param {State} state
   * */
  show(state) {
    const before = this.state;
    this.state = state;
    for (const button of this.backwards) button.setAttribute('aria-disabled', String(state.atStart));
    for (const button of this.forwards) button.setAttribute('aria-disabled', String(state.atEnd));
    this.play.setAttribute('aria-disabled', String(state.atEnd && !state.playing));
    if (before?.playing !== state.playing) {
      const label = state.playing ? t.pause : t.playOn;
      this.play.title = label;
      this.play.setAttribute('aria-label', label);
      fill(this.play, icon(state.playing ? 'pause' : 'play'));
    }
    if (before?.editing !== state.editing) {
      this.steps.hidden = state.editing;
      this.edit.className = state.editing ? 'button strong' : 'button';
      this.edit.dataset.key = state.editing ? 'done' : 'edit';
      const label = state.editing ? t.done : t.setUp;
      this.edit.setAttribute('aria-label', label);
      fill(this.edit, icon(state.editing ? 'check' : 'edit'), h('span', null, label));
    }
  }
}
