/** The choice of an exercise: goal, length and material. */

import { h, segmented } from '../../dom.js';
import { t } from '../../i18n/index.js';
import { section } from '../parts.js';

/**
 * @typedef {import('./tasks.js').Goal} Goal
 * @typedef {import('./tasks.js').Length} Length
 * @typedef {{ goal: Goal, length: Length, material: string }} Exercise
 * @typedef {object} Choices
 * @property {(goal: Goal) => void} goal
 * @property {(length: Length) => void} length
 * @property {(material: string) => void} material
 */

/**
 * The card of choices.
 * @param {import('../../games.js').Game} game
 * @param {string[]} signatures
 * @param {Exercise} chosen
 * @param {Choices} choose
 */
export function exerciseCard(game, signatures, chosen, choose) {
  const sorted = [...new Set(signatures)].sort((a, b) => a.length - b.length || a.localeCompare(b));
  const select = h(
    'select',
    { 'aria-label': t.material, onchange: () => choose.material(select.value) },
    h('option', { value: '' }, t.anyMaterial),
    sorted.map((signature) =>
      h(
        'option',
        { value: signature, selected: signature === chosen.material },
        `${signature}: ${t.materialWords(game.family, signature)}`,
      ),
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
  return section(
    t.trainSettings,
    null,
    h(
      'div',
      { class: 'settings' },
      segmented(t.goal, goals, chosen.goal, choose.goal),
      segmented(t.length, lengths, chosen.length, choose.length),
      select,
    ),
  );
}
