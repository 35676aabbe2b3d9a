/** The moves of a game with their marks and the comments of the record. */

import { h } from '../../dom.js';
import { parseFen } from '../../notation.js';
import { numbered } from '../parts.js';
import { commentText, isBad, judgementText, MARKS, ownSigns } from './judgements.js';

/**
 * @typedef {import('../../games.js').Game} Game
 * @typedef {import('../../source.js').AnnotatedGame} AnnotatedGame
 * @typedef {import('../../source.js').AnnotatedMove} AnnotatedMove
 */

/** @param {string} text */
function comment(text) {
  return text ? h('span', { class: 'comment' }, text) : null;
}

/** A variation, with comments in another style. @param {string} text */
function variationText(text) {
  const parts = text.split(/\{([^}]*)\}/).map((part, i) => (i % 2 ? h('em', null, commentText([part])) : part));
  return h('span', { class: 'comment variation' }, '(', parts, ')');
}

/** @param {AnnotatedMove} ply */
function remarks({ comments, variations }) {
  return [comment(commentText(comments)), ...variations.map(variationText)];
}

/** @param {AnnotatedMove} ply */
function hasRemarks(ply) {
  return Boolean(commentText(ply.comments)) || ply.variations.length > 0;
}

/**
 * The moves as buttons.
 * @param {Game} game
 * @param {AnnotatedGame} shown
 * @param {(ply: number) => void} goTo
 */
export function moveList(game, { plies, start, comments }, goTo) {
  const turn = parseFen(game, start)?.turn ?? 'w';
  /** @param {number} i */
  const button = (i) => {
    const ply = plies[i];
    const kind = isBad(ply.judgement) ? 'mistake' : null;
    const mark = MARKS[ply.judgement ?? ''] ?? '';
    const signs = ownSigns(ply, mark);
    const judgement = judgementText(ply);
    return h(
      'button',
      {
        type: 'button',
        class: kind,
        'data-ply': i + 1,
        'aria-label': judgement ? `${ply.move}${signs && ` ${signs}`}, ${judgement}` : null,
        onclick: () => goTo(i + 1),
      },
      ply.move,
      signs ? h('span', { class: 'own' }, signs) : null,
      mark ? h('span', { class: 'table-mark', 'aria-hidden': 'true' }, mark) : null,
    );
  };
  const moves = numbered(game, turn, plies, button, (i) => i === 0 || hasRemarks(plies[i - 1]));
  return [comment(commentText(comments)), moves.flatMap((move, i) => [move, ...remarks(plies[i])])];
}
