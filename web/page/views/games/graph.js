/** The result of a game over its moves, as a curve. */

import { fill, h, svg } from '../../dom.js';
import { t } from '../../i18n/index.js';
import { valueFor } from '../../result.js';
import { isBad } from './judgements.js';

/**
 * @typedef {import('../../source.js').AnnotatedGame} AnnotatedGame
 * @typedef {import('../../source.js').Value} Value
 */

/**
 * The result of the position after `ply` plies, for White.
 * @param {AnnotatedGame} game
 * @param {number} ply
 * @returns {{ value: Value, score: number | null }}
 */
function resultAt({ plies }, ply) {
  const next = plies[ply];
  if (next) {
    const turn = next.turn === 'white' ? 'w' : 'b';
    const { value, score } = next.before;
    return { value: valueFor(value, turn, 'w'), score: score === null ? null : turn === 'w' ? score : -score };
  }
  const last = plies[ply - 1];
  if (!last) return { value: 'unknown', score: null };
  return { value: valueFor(last.after.value, last.turn === 'white' ? 'w' : 'b', 'w'), score: null };
}

/**
 * Draws the curve with a slider below it.
 * @param {HTMLElement} element
 * @param {AnnotatedGame} game
 * @param {number} now the shown ply
 * @param {(ply: number) => void} goTo
 */
export function drawGraph(element, game, now, goTo) {
  const { plies } = game;
  const [width, height, middle, reach] = [element.clientWidth || Math.min(innerWidth - 52, 570), 130, 65, 50];
  const count = Math.max(1, plies.length);
  /** @param {number} ply */
  const x = (ply) => Math.max(0, Math.min(width, (width * ply) / count));
  /** @param {number} ply @returns {number | null} */
  const y = (ply) => {
    const { value, score } = resultAt(game, ply);
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
    const { value } = resultAt(game, ply);
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
  drawing.append(svg('line', { x1: Math.max(1, x(now)), x2: Math.max(1, x(now)), y1: 0, y2: height, class: 'now' }));
  for (const [i, ply] of plies.entries()) {
    if (!isBad(ply.judgement)) continue;
    drawing.append(svg('ellipse', { cx: x(i + 0.5), cy: middle, rx: 5, ry: 5, class: 'mark-mistake' }));
  }
  drawing.addEventListener('pointerdown', (event) => {
    const box = drawing.getBoundingClientRect();
    goTo(Math.round(((event.clientX - box.left) / box.width) * count));
  });
  const slider = h('input', {
    type: 'range',
    min: 0,
    max: plies.length,
    value: now,
    'aria-label': t.graphLabel,
    oninput: () => goTo(Number(slider.value)),
  });
  fill(
    element,
    h('span', { class: 'graph-label upper' }, t.color.w),
    drawing,
    h('span', { class: 'graph-label lower' }, t.color.b),
    slider,
  );
}
