/** The numbers of positions won or lost by distance, as bars. */

import { h, svg } from '../../dom.js';
import { t } from '../../i18n/index.js';
import { number, toneOf } from '../../result.js';

/** @typedef {import('../../source.js').Bar} Bar */

/**
 * The numbers of positions won or lost by distance.
 * @param {Bar[]} bars
 * @param {import('../../games.js').Color} turn the side to move
 */
export function plot(bars, turn) {
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
      class: toneOf(bar.value, turn),
      rx: Math.min(1.5, thick / 3),
    });
    rect.append(svg('title', null, `${t.value[bar.value]}, ${t.plies(bar.dtw ?? 0)}: ${number(bar.positions)}`));
    drawing.append(rect);
  }
  return h('figure', { class: 'plot-figure' }, drawing, h('figcaption', { class: 'muted' }, t.plotCaption));
}
