/** Writes judged games as PDN or PGN, like `damka annotate`. */

import { moveNumber } from '../notation.js';
import { readGames } from './records.js';

/**
 * @typedef {import('../games.js').Game} Game
 * @typedef {import('../source.js').AnnotatedGame} AnnotatedGame
 * @typedef {import('../source.js').AnnotatedMove} AnnotatedMove
 * @typedef {import('../source.js').GivenUp} GivenUp
 * @typedef {import('../source.js').Verdict} Verdict
 * @typedef {{ text: string, endsLine?: boolean }} Word a part that is not broken across lines; whether it is a comment
 *   up to the end of its line
 */

/** The maximum length of a line of moves, unless a single word is longer. */
const WIDTH = 79;

/** The tags that every game has, and what is written for unknown values. @type {[string, string][]} */
const ROSTER = [
  ['Event', '?'],
  ['Site', '?'],
  ['Date', '????.??.??'],
  ['Round', '?'],
  ['White', '?'],
  ['Black', '?'],
];

/** The marks of the numeric annotations 1 to 6. */
const MARKS = ['!', '?', '!!', '??', '!?', '?!'];

/** The comment and the numeric annotation of each judgement. @type {Record<string, [string, number | null]>} */
const JUDGEMENTS = {
  only_move: ['only move', null],
  inaccuracy: ['inaccuracy', 6],
  mistake: ['mistake', 2],
  blunder: ['blunder', 4],
  threw_away_win: ['throws away a win', 4],
  threw_away_draw: ['throws away a draw', 4],
};

const DISTANCE = '(?: in \\d+ pl(?:y|ies))';
const SAID = `(only move|inaccuracy|mistake|blunder|throws away a draw|throws away a win)${DISTANCE}?`;
/** Matches comments of an earlier annotation on a move, but not single words, which may be a person's. */
const EARLIER = new RegExp(
  `^(?:(?:win|draw|loss)(?:${DISTANCE}(?:, ${SAID})?|, ${SAID})|[+-]\\d+(?:\\.\\d+)?/\\d+, ${SAID})$`,
);
/** Matches the comment of an earlier annotation at the end of a game. */
const EARLIER_END = new RegExp(`^(?:White|Black) gives up a (?:draw|win${DISTANCE}?)$`);

/** A distance in words, to follow a result. @param {number | null} dtw */
const distance = (dtw) => (dtw === null ? '' : dtw === 1 ? ' in 1 ply' : ` in ${dtw} plies`);

/** @param {GivenUp} given */
const endComment = ({ side, value, dtw }) =>
  `${side === 'white' ? 'White' : 'Black'} gives up a ${value}${distance(dtw)}`;

/**
 * The text of a game with its judgements.
 * @param {Game} game
 * @param {Omit<AnnotatedGame, 'text'>} judged
 * @param {{ isStart: boolean, isOpen: boolean }} about whether the game begins with the start position, and whether
 * its result is only in a tag because it could be read as a move
 */
export function written(game, judged, { isStart, isOpen }) {
  const { start, comments, plies, given_up: given, result } = judged;
  const turn = plies[0]?.turn === 'black' ? 'b' : 'w';
  // PGN continues the move numbers of the FEN.
  const before = game.family === 'chess' ? 2 * (Math.max(1, Number(start.split(' ')[5]) || 1) - 1) : 0;
  /** @param {number} at @param {boolean} begins @param {string} move */
  const numbered = (at, begins, move) => {
    const number = moveNumber(game, turn, at + before, begins);
    return { text: number ? `${number} ${move}` : move };
  };
  /** @type {Word[]} */
  const words = commentWords(comments);
  let begins = true;
  for (const [i, ply] of plies.entries()) {
    const last = i + 1 === plies.length;
    const { nags, texts } = remarks(ply, i, last ? given : null, last);
    const mark = MARKS[nags[0] - 1] ?? '';
    words.push(numbered(i, begins, ply.move + mark));
    words.push(...nags.slice(mark ? 1 : 0).map((nag) => ({ text: `$${nag}` })));
    words.push(...commentWords(texts));
    words.push(...ply.variations.flatMap(variationWords));
    const best = ply.best_moves;
    const isNew = best.length > 0 && !ply.variations.some((old) => beginsAlike(game, old, best));
    if (isNew) {
      const line = best.map((move, j) => numbered(i + j, j === 0, move));
      line[0].text = `(${line[0].text}`;
      line[line.length - 1].text += ')';
      words.push(...line);
    }
    begins = isNew || ply.variations.length > 0;
  }
  words.push({ text: isOpen ? '*' : result });
  return `${tagLines(game, judged, isStart)}\n${wrapped(words)}\n`;
}

/** @param {Game} game @param {Omit<AnnotatedGame, 'text'>} judged @param {boolean} isStart */
function tagLines(game, { tags, start, result }, isStart) {
  const isKnown = (/** @type {string} */ value) => !/^[?. ]*$/.test(value);
  const rest = Object.entries(tags).filter(([name]) => !ROSTER.some(([known]) => known === name));
  const lines = [
    ...ROSTER.map(([name, unknown]) => [name, isKnown(tags[name] ?? '') ? tags[name] : unknown]),
    ['Result', result],
    ...(game.type ? [['GameType', game.type]] : []),
    ...(isStart ? [] : [['SetUp', '1'], ['FEN', start]]),
    ...rest,
  ];
  return lines.map(([name, value]) => `[${name} "${value.replace(/[\\"]/g, '\\$&')}"]\n`).join('');
}

/**
 * The annotations and comments of a move: those of the record except those of an earlier annotation, and those by
 * the tables.
 * @param {AnnotatedMove} ply
 * @param {number} index
 * @param {GivenUp | null} given
 * @param {boolean} isLast
 */
function remarks(ply, index, given, isLast) {
  const { before, after, judgement } = ply;
  const isKnown = after.value !== 'unknown';
  const earlier = ply.comments.map((comment) => (isKnown ? EARLIER.exec(comment) : null));
  const texts = ply.comments.filter((comment, i) => !earlier[i] && !(isLast && EARLIER_END.test(comment)));
  const earlierWords = earlier.map((match) => match?.slice(1).find(Boolean));
  const replaced = Object.values(JUDGEMENTS).filter(([words]) => earlierWords.includes(words));
  let { nags } = ply;
  const [words, nag] = JUDGEMENTS[judgement ?? ''] ?? ['', null];
  if (nag !== null) {
    nags = nags.filter((own) => !replaced.some(([, old]) => old === own));
    if (!nags.some((own) => MARKS[own - 1])) nags = [nag, ...nags];
  }
  // A result without a distance is written once.
  const isRepeated = index > 0 && !judgement && after.dtw === null && after.value === before.value;
  const value = isKnown && !isRepeated ? [`${after.value}${distance(after.dtw)}`] : [];
  const lost = judgement === 'threw_away_win' ? distance(before.dtw) : '';
  const comment = [...value, ...(words ? [words + lost] : [])].join(', ');
  for (const one of [comment, given ? endComment(given) : '']) if (one && !texts.includes(one)) texts.push(one);
  return { nags, texts };
}

/**
 * Whether one of two lines is the beginning of the other.
 * @param {Game} game @param {string} old @param {string[]} best
 */
function beginsAlike(game, old, best) {
  const moves = readGames(old, game.family === 'chess')[0]?.moves ?? [];
  return best.every((move, i) => !moves[i] || moves[i].text === move);
}

/** @param {string[]} comments @returns {Word[]} */
function commentWords(comments) {
  return comments.flatMap((comment) =>
    comment.includes('}')
      ? [{ text: `; ${comment}`, endsLine: true }]
      : `{${comment}}`.split(' ').map((text) => ({ text })),
  );
}

/** The words of a variation of the record; numbers stay with their moves. @param {string} variation @returns {Word[]} */
const variationWords = (variation) => `(${variation})`.split(/(?<!\d\.+) /).map((text) => ({ text }));

/** @param {Word[]} words */
function wrapped(words) {
  let text = '';
  let column = 0;
  let endsLine = false;
  for (const word of words) {
    const { length } = [...word.text];
    // Readers skip a line that begins with `%`, and some read one that begins with a bracket as a tag.
    const isFull = column + 1 + length > WIDTH && !/^[%[]/.test(word.text);
    if (column > 0 && (isFull || endsLine)) {
      text += '\n';
      column = 0;
    } else if (column > 0) {
      text += ' ';
      column += 1;
    }
    text += word.text;
    column += length;
    endsLine = Boolean(word.endsLine);
  }
  return text;
}
