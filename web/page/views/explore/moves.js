/** The ranked moves of a position, with those of unknown value. */

import { h } from '../../dom.js';
import { t } from '../../i18n/index.js';
import { badge, toneOf } from '../../result.js';
import { phrase, section, signaturePieces } from '../parts.js';

/**
 * @typedef {import('../../games.js').Game} Game
 * @typedef {import('../../games.js').Color} Color
 * @typedef {import('../../source.js').Answer} Answer
 * @typedef {import('../../source.js').Move} Move
 * @typedef {object} MoveHandlers
 * @property {(move: Move) => void} play
 * @property {(move: Move | null) => void} point shows the move on the board
 * @property {boolean} canGrow whether missing tables can be built
 */

/** Scores from here on mean that the engine sees a win. */
const CERTAIN = 10_000;

/** The order of the moves: one of unknown value may be better than one that loses. */
const ORDER = /** @type {const} */ (['win', 'draw', 'unknown', 'loss']);

/** Text only for screen readers. @param {string} text */
function unseen(text) {
  return h('span', { class: 'visually-hidden' }, text);
}

/**
 * @param {Move} move
 * @param {Color} turn
 * @param {number} longest the greatest distance of all moves
 * @param {boolean} isOnly whether it alone keeps the result
 * @param {MoveHandlers} handlers
 */
function moveRow(move, turn, longest, isOnly, { play, point }) {
  const { dtw } = move;
  const length = h('i', null);
  length.style.width = `${Math.max(0.04, (dtw ?? 0) / longest) * 100}%`;
  const distance =
    dtw === null
      ? null
      : [
          h('span', { class: `bar ${toneOf(move.value, turn)}` }, length),
          h('span', { class: 'n' }, String(Math.ceil(dtw / 2)), unseen(` ${t.movesWord(Math.ceil(dtw / 2))}`)),
          h('span', { class: 'n plies' }, String(dtw), unseen(` ${t.pliesWord(dtw)}`)),
        ];
  return h(
    'li',
    null,
    h(
      'button',
      {
        type: 'button',
        class: 'move-row',
        onclick: () => play(move),
        onpointerenter: () => point(move),
        onpointerleave: () => point(null),
        onfocus: () => point(move),
        onblur: () => point(null),
      },
      badge(move.value, turn),
      h('span', { class: 'san' }, move.move, unseen(`: ${t.value[move.value]}`)),
      isOnly ? h('span', { class: `flag ${toneOf(move.value, turn)}` }, t.onlyMove) : null,
      distance,
    ),
  );
}

/**
 * The moves by value: those with a distance one per row, the others side by side.
 * @param {Move[]} ranked
 * @param {Color} turn
 * @param {MoveHandlers} handlers
 */
function moveGroups(ranked, turn, handlers) {
  const moves = [...ranked].sort((a, b) => ORDER.indexOf(a.value) - ORDER.indexOf(b.value));
  const longest = Math.max(1, ...moves.map((move) => move.dtw ?? 0));
  const [best] = moves;
  const known = moves.every((move) => move.value !== 'unknown');
  const keeping = moves.filter((move) => move.value === best.value);
  const isOnly = known && moves.length > 1 && keeping.length === 1 && best.value !== 'loss';
  const withDistance = moves.find((move) => move.dtw !== null);
  /** @type {HTMLElement[]} */
  const groups = [];
  for (const [i, move] of moves.entries()) {
    const before = moves[i - 1];
    if (!before || before.value !== move.value || (before.dtw === null) !== (move.dtw === null)) {
      if (move === withDistance) {
        const units = [h('span', null, t.movesUnit), h('span', null, t.pliesUnit)];
        groups.push(h('div', { class: 'moves-head', 'aria-hidden': 'true' }, units));
      }
      groups.push(h('ol', { class: `moves${move.dtw === null ? ' compact' : ''}` }));
    }
    groups[groups.length - 1].append(moveRow(move, turn, longest, isOnly && i === 0, handlers));
  }
  return groups;
}

/**
 * The missing tables of an answer.
 * @param {Game} game
 * @param {Answer} answer
 * @param {boolean} canGrow whether missing tables can be built
 */
export function missingNote(game, { missing = [], trouble }, canGrow) {
  if (trouble?.kind === 'beyond') return h('div', { class: 'note-box' }, h('p', null, t.beyond));
  const names = [...new Set(missing.map((table) => table.signature))];
  const chips = names.slice(0, 6).map((name) => h('span', { class: 'chip' }, signaturePieces(game, name), name));
  const command = h('code', null, `damka gen ${game.name} ${names.slice(0, 3).join(' ')} --tables ${t.tablesDir}`);
  return h(
    'div',
    { class: 'note-box' },
    h('p', null, canGrow ? t.missing(names.length) : t.missingOnSite(names.length)),
    h('div', { class: 'missing' }, chips),
    names.length && canGrow
      ? [h('p', { class: 'command' }, t.buildsThem, command), h('p', { class: 'command muted' }, t.tablesDirText)]
      : null,
  );
}

/** @param {import('../../source.js').Opinion | undefined} engine */
function opinion(engine) {
  if (!engine?.move) return null;
  const { move, score = 0 } = engine;
  const forced = Math.abs(score) < CERTAIN ? null : score > 0 ? 'win' : 'loss';
  return h('p', { class: 'engine' }, phrase(t.engineThinks(move, score, forced)));
}

/**
 * All legal moves, best first; nothing if the game is over.
 * @param {Game} game
 * @param {Color} turn
 * @param {Answer} answer
 * @param {MoveHandlers} handlers
 */
export function movesCard(game, turn, answer, handlers) {
  const { moves, missing = [] } = answer;
  if (!moves.length) return missing.length ? missingNote(game, answer, handlers.canGrow) : null;
  /** @param {string} value */
  const count = (value) => moves.filter((move) => move.value === value).length;
  const counts = ORDER.filter((value) => count(value)).map((value) =>
    h('span', { class: `count ${toneOf(value, turn)}` }, t.movesThat[value](count(value))),
  );
  return section(
    t.moves,
    h('div', { class: 'counts' }, counts),
    missing.length || answer.trouble ? missingNote(game, answer, handlers.canGrow) : null,
    opinion(answer.engine),
    h('div', { class: 'move-groups' }, moveGroups(moves, turn, handlers)),
  );
}
