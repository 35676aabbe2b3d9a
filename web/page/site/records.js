/** Reads recorded games, PDN or PGN: tags, moves with their signs and comments, results. */

/**
 * @typedef {object} WrittenMove
 * @property {string} text
 * @property {number[]} nags
 * @property {string[]} comments
 * @property {string[]} variations
 * @typedef {object} WrittenGame
 * @property {Record<string, string>} tags
 * @property {string[]} comments before the first move
 * @property {WrittenMove[]} moves
 * @property {string} result
 */

/** A tag, a comment, the rest of a line, a parenthesis, a numeric annotation, a move number, a word. */
const TOKEN =
  /\[\s*(?<name>\w+)\s*"(?<value>(?:[^"\\]|\\.)*)"\s*\]|\{(?<comment>[^}]*)\}?|;(?<line>[^\n]*)|(?<open>\()|(?<shut>\))|\$(?<nag>\d+)|(?<number>\d+)\s*\.+|(?<word>[^\s(){};$[\]]+)|[[\]]/g;

/** @type {Record<string, string>} */
const RESULTS = {
  '1-0': '1-0',
  '2-0': '1-0',
  '0-1': '0-1',
  '0-2': '0-1',
  '1/2-1/2': '1/2-1/2',
  '1-1': '1/2-1/2',
  '½-½': '1/2-1/2',
  '0-0': '0-0',
  '*': '*',
};

const SIGNS = ['!', '?', '!!', '??', '!?', '?!'];

/** A variation on one line: comments up to the end of a line become comments in braces. @param {string} text */
function variationText(text) {
  const closed = text.replace(/\{[^}]*\}?|;([^\n]*)/g, (all, line) =>
    line === undefined ? all : `{${line.replace(/}/g, ')').trim()}}`,
  );
  return plain(closed);
}

/** A text without line breaks. @param {string} text */
const plain = (text) => text.replace(/\s+/g, ' ').trim();

/**
 * The games of a text. Unknown words are returned as moves, because only the rules can distinguish them.
 * @param {string} text
 * @param {boolean} isChess whether `0-0` is a move
 * @returns {WrittenGame[]}
 */
export function readGames(text, isChess) {
  /** @type {WrittenGame[]} */
  const games = [];
  /** @type {WrittenGame | null} */
  let game = null;
  let depth = 0;
  let variation = 0;
  const end = () => {
    if (game && (game.moves.length || Object.keys(game.tags).length)) games.push(game);
    game = null;
    depth = 0;
  };
  for (const match of text.matchAll(TOKEN)) {
    const { name, value, comment, line, open, shut, nag, number, word } = match.groups ?? {};
    if (depth > 0) {
      if (open) depth += 1;
      if (shut) depth -= 1;
      if (shut && depth === 0) game?.moves.at(-1)?.variations.push(variationText(text.slice(variation, match.index)));
      continue;
    }
    if (name !== undefined && game?.moves.length) end();
    game ??= { tags: {}, comments: [], moves: [], result: '*' };
    const last = game.moves.at(-1);
    const remark = comment ?? line;
    if (name !== undefined) game.tags[name] = value.replace(/\\(.)/g, '$1');
    else if (remark !== undefined) (last ?? game).comments.push(plain(remark));
    else if (open) {
      depth = 1;
      variation = match.index + 1;
    } else if (nag) last?.nags.push(Number(nag));
    else if (word && RESULTS[word] && !(isChess && word === '0-0')) {
      game.result = RESULTS[word] === '*' ? (RESULTS[game.tags.Result ?? ''] ?? '*') : RESULTS[word];
      end();
    } else if (word && SIGNS.includes(word)) last?.nags.push(SIGNS.indexOf(word) + 1);
    else if (word && number === undefined && !/^(\d+|\.+)$/.test(word)) {
      const [, move, sign] = /^(.*?)([!?]*)$/.exec(word.replace(/^\.+/, '')) ?? [];
      game.moves.push({
        text: move,
        nags: SIGNS.includes(sign) ? [SIGNS.indexOf(sign) + 1] : [],
        comments: [],
        variations: [],
      });
    }
  }
  if (game) {
    const { tags } = /** @type {WrittenGame} */ (game);
    /** @type {WrittenGame} */ (game).result = RESULTS[tags.Result ?? ''] ?? '*';
  }
  end();
  return games;
}
