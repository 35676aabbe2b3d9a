/** The texts in English. */

/** @typedef {import('../games.js').Color} Color */

/** @type {Record<string, string>} */
const SIDE = { w: 'White', b: 'Black' };

/** @param {number} n @param {string} word @param {string} [words] */
const counted = (n, word, words = `${word}s`) => `${n}\u00a0${n === 1 ? word : words}`;

/** @type {Record<string, Record<string, string>>} */
const PIECES = {
  draughts: { M: 'man', K: 'king' },
  chess: { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight', P: 'pawn' },
  alapo: {
    Q: 'large circle',
    R: 'large square',
    B: 'large triangle',
    K: 'small circle',
    W: 'small square',
    F: 'small triangle',
  },
};

/** The pieces of one side, such as `king and 2 men`. @param {string} family @param {string} side the letters */
function pieceWords(family, side) {
  const words = [...new Set(side)].map((letter) => {
    const n = side.split(letter).length - 1;
    const word = PIECES[family]?.[letter] ?? letter;
    return n === 1 ? word : counted(n, word, word === 'man' ? 'men' : `${word}s`);
  });
  const last = words.pop() ?? '';
  return words.length ? `${words.join(', ')} and ${last}` : last;
}

/** @type {Record<string, string>} */
const GAMES = {
  russian: 'Russian draughts',
  english: 'English draughts',
  brazilian: 'Brazilian draughts',
  pool: 'Pool checkers',
  czech: 'Czech draughts',
  spanish: 'Spanish draughts',
  italian: 'Italian draughts',
  thai: 'Thai draughts',
  alapo: 'Alapo',
  chess: 'Chess',
};

/** @type {Record<string, string>} */
const JUDGEMENTS = {
  only_move: 'the only move',
  threw_away_win: 'throws the win away',
  threw_away_draw: 'throws the draw away',
  inaccuracy: 'an inaccuracy',
  mistake: 'a mistake',
  blunder: 'a blunder',
};

/** @type {Record<'draughts' | 'chess' | 'alapo', string>} */
const RECORD_HINT = {
  draughts: '[Event "…"]\n[White "…"]\n[Black "…"]\n\n1. c3-d4 d6-c5 2. b2-c3 …',
  chess: '[Event "…"]\n[White "…"]\n[Black "…"]\n\n1. e4 e5 2. Nf3 …',
  alapo: '1. c2-c3 d5-d4 2. …',
};

export const en = {
  skip: 'Skip to content',
  home: 'damka, to the explorer',
  views: 'Views',
  game: 'Game',
  gameName: GAMES,
  withoutTables: 'Without tables',
  api: 'For programs: the API',
  viewName: { explore: 'Explore', map: 'Map', materials: 'Materials', train: 'Train', games: 'Games' },
  lightTheme: 'Light theme',
  darkTheme: 'Dark theme',
  color: SIDE,
  board: 'Board',
  /** @param {string} family @param {Color} color @param {string} kind */
  pieceName: (family, color, kind) => `${SIDE[color].toLowerCase()} ${PIECES[family][kind]}`,
  /** @param {Color} color */
  toMove: (color) => `${SIDE[color]} to move`,
  /** A signature in words, the side `first` first. @param {string} family @param {string} signature @param {Color} [first] */
  materialWords: (family, signature, first = 'w') => {
    const [white, black = ''] = signature.split('v').map((side) => pieceWords(family, side));
    const words = first === 'w' ? `${white} against ${black}` : `${black} against ${white}`;
    return words.charAt(0).toUpperCase() + words.slice(1);
  },
  /** The meaning of the letters of signatures. @param {string} family */
  letters: (family) =>
    Object.entries(PIECES[family])
      .map(([letter, word]) => `${letter} ${word}`)
      .join(', '),
  value: { win: 'win', draw: 'draw', loss: 'loss', unknown: 'unknown' },

  verdictUnknown: 'No table has this result',
  verdictDraw: 'Draw',
  verdictDrawDetail: 'neither side can win',
  verdictStalemate: 'stalemate: there is no legal move',
  verdictMate: 'checkmate',
  verdictNoMoves: 'the game is over',
  verdictNoDistance: 'distance not known',
  /** @param {Color} winner */
  verdictWon: (winner) => `${SIDE[winner]} has won`,
  /** @param {Color} winner */
  verdictWins: (winner) => `${SIDE[winner]} wins`,
  /** @param {Color} winner @param {number} moves */
  verdictWinsIn: (winner, moves) => `${SIDE[winner]} wins in ${counted(moves, 'move')}`,
  /** @param {Color} winner @param {number} moves */
  verdictMates: (winner, moves) => `${SIDE[winner]} mates in ${counted(moves, 'move')}`,
  /** A result within a sentence. @param {string} text */
  inSentence: (text) => text.replace(/^Draw/, 'draw'),
  /** @param {Color} winner */
  winsShort: (winner) => `${SIDE[winner]} wins`,
  /** @param {number} n */
  plies: (n) => counted(n, 'ply', 'plies'),

  moves: 'Moves',
  movesUnit: 'moves',
  /** Without the number. @param {number} n @returns {string} */
  movesWord: (n) => (n === 1 ? 'move' : 'moves'),
  pliesUnit: 'plies',
  /** Without the number. @param {number} n @returns {string} */
  pliesWord: (n) => (n === 1 ? 'ply' : 'plies'),
  movesThat: {
    /** @param {number} n */
    win: (n) => `${n}\u00a0win`,
    /** @param {number} n */
    draw: (n) => `${n}\u00a0draw`,
    /** @param {number} n */
    loss: (n) => `${n}\u00a0lose`,
    /** @param {number} n */
    unknown: (n) => `${n}\u00a0unknown`,
  },
  onlyMove: 'only move',
  whichMove: 'Which move?',
  bestPlay: 'Best play',
  played: 'Played',
  /** @param {'draughts' | 'chess' | 'alapo'} family @returns {string} */
  copyRecord: (family) => (family === 'draughts' ? 'Copy PDN' : 'Copy PGN'),
  /** @param {'draughts' | 'chess' | 'alapo'} family @returns {string} */
  recordCopied: (family) => (family === 'draughts' ? 'PDN copied' : 'PGN copied'),
  alike: 'Positions like this one',
  /** @param {string} material @param {string} positions @param {Color} turn */
  alikeText: (material, positions, turn) =>
    `${material}, ${SIDE[turn]} to move: ${positions} positions. For ${SIDE[turn]}:`,
  wins: 'Wins',
  draws: 'Draws',
  losses: 'Losses',
  beyond: 'There are too many pieces for any table. Play on: once pieces are exchanged, the result appears.',
  /** @param {number} n @returns {string} */
  missing: (n) =>
    n === 1
      ? 'One table is missing here. With it the answer would be complete:'
      : n
        ? 'Some tables are missing here. With them the answer would be complete:'
        : 'No table here has this position. You can play on.',
  /** @param {number} n @returns {string} */
  missingOnSite: (n) =>
    n === 1
      ? 'This site has no table of these pieces:'
      : n
        ? 'This site has no tables of these pieces:'
        : 'No table here has this position. You can play on.',
  buildsThem: 'This command builds the missing tables:',
  buildsIt: 'This command builds it:',
  tablesDir: 'DIR',
  tablesDirText: 'DIR is the directory with the tables of this page.',
  /** @param {string} move @param {number} score @param {'win' | 'loss' | null} forced the forced result that it sees */
  engineThinks: (move, score, forced) =>
    `The engine would play ${move}${forced ? `, and sees a ${forced}` : ` (${score >= 0 ? '+' : '−'}${Math.abs(score / 100).toFixed(2)})`}. That is an opinion, not a proof.`,

  flip: 'Turn the board',
  first: 'To the beginning',
  back: 'One move back',
  forward: 'One move on',
  last: 'To the end',
  playOn: 'Play the best line',
  pause: 'Pause',
  setUp: 'Set up',
  setUpTitle: 'Set up a position',
  setUpText: 'Choose a piece and tap squares, or drag pieces on and off.',
  done: 'Done',
  erase: 'Remove pieces',
  sideToMove: 'Side to move',
  exchange: 'Exchange colours',
  mirror: 'Mirror',
  shiftAll: 'Shift',
  shift: {
    left: 'Shift left',
    right: 'Shift right',
    up: 'Shift up',
    down: 'Shift down',
    upLeft: 'Shift up and left',
    upRight: 'Shift up and right',
    downLeft: 'Shift down and left',
    downRight: 'Shift down and right',
  },
  clear: 'Clear',
  random: 'Random',
  randomOf: 'A position of the material',
  /** @param {string} example */
  materialLabel: (example) => `Material, such as ${example}`,
  /** @param {string} example */
  materialExpected: (example) => `Type the pieces of both sides, such as ${example}`,
  fenLabel: 'Position as FEN, or a PDN or PGN to load',
  copyLink: 'Copy a link to this position',
  linkCopied: 'Link copied',
  notPossible: 'A piece would leave the board',
  noMirror: 'A position with men has no mirror image',
  notYet: 'Not a position yet',
  fault: {
    empty: 'Choose a piece and tap squares to place it.',
    no_white: 'White needs a piece.',
    no_black: 'Black needs a piece.',
    kings: 'Each side needs exactly one king.',
  },
  /** @param {string} name */
  noSuchGame: (name) => `No such game: ${name}`,
  /** @param {string} signature */
  noSuchTable: (signature) => `No table for ${signature}`,
  tryAgain: 'Try again',
  stillWorking: 'Still at work …',
  problem: {
    offline: [
      'No connection',
      'Positions you have seen are still here; everything else comes back with the connection.',
    ],
    missing: ['No table for this', 'No table here has the result.'],
    beyond: ['Beyond the tables', 'There are too many pieces for any table.'],
    bad: ['Not a legal position', 'There is an error in the position.'],
    busy: ['The server is busy', 'Wait a moment, then try again.'],
    large: ['Too large', 'This is too much at once.'],
    absent: ['Not available here', 'This is not offered here.'],
    failed: ['That went wrong', 'There is no answer.'],
  },
  /**
   * The text of an error with this code; null if its own English message says more.
   * @param {string} _code
   * @param {number | undefined} _at
   * @returns {string | null}
   */
  errorText: (_code, _at) => null,

  offline: 'Without a connection',
  offlineText:
    'This page, and everything you have seen on it, opens without a connection. You can keep the rest, too.',
  keptState: {
    /** @param {string} game @param {string} size */
    none: (game, size) => `${game}: ${size} in all.`,
    /** @param {string} game @param {string} size */
    old: (game, size) => `${game}: kept without the newest tables, ${size} in all.`,
    /** @param {string} game @param {string} size */
    whole: (game, size) => `${game}: everything is kept in this browser, ${size}.`,
  },
  /** @param {string} size */
  keepAll: (size) => `Keep everything (${size})`,
  keepNew: 'Keep the new tables',
  keepNone: 'Keep nothing',
  /** @param {string} done @param {string} total */
  keeping: (done, total) => `${done} of ${total}`,
  stop: 'Stop',
  close: 'Close',
  keepStopped: 'Stopped. The downloaded part is kept; the same button continues.',
  keepFailed: 'The connection was lost. The downloaded part is kept; the same button continues.',
  noRoom: 'This browser has no room for it.',
  newVersion: 'There is a new version of this page.',
  loadNewVersion: 'Show it',

  mapNeedsPosition: 'Set up a position in the explorer first. The map then shows each of its pieces on every square.',
  /** @param {string} piece @param {string} square */
  mapLead: (piece, square) => `The ${piece}, now on ${square}: the result with it on each square.`,
  mapHint: 'Numbers are plies to the end. Tap a piece to choose it, a square to move it there.',
  openInExplorer: 'Open in explorer',

  materialsLead: 'All materials with tables.',
  /** @param {number} n @param {string} positions */
  materialsCount: (n, positions) => `${counted(n, 'material')}, ${positions} positions`,
  material: 'Material',
  positions: 'Positions',
  /** @param {number} n @returns {string} */
  positionsWord: (n) => (n === 1 ? 'position' : 'positions'),
  whiteToMoveShare: 'White to move',
  longestWinHead: 'Longest win, plies',
  sortBy: 'Sort',
  /** @param {string} text */
  noSuchMaterial: (text) => `No such material: ${text}`,
  /** @param {string} letters */
  noSuchMaterialText: (letters) => `A material is the pieces of both sides, joined by “v”. Letters: ${letters}.`,
  materialsKeyHead: 'How to read the table',
  /** @param {string} letters */
  materialsKey: (letters) =>
    `Letters: ${letters}. Bars and percentages are for White to move. Beside the longest win is who wins it. Positions are counted with either side to move; where both sides have the same pieces, each is there twice, with colours exchanged.`,
  all: 'All',
  /** @param {number} n @param {string} _family */
  pieces: (n, _family) => counted(n, 'piece'),
  numberOfPieces: 'Number of pieces',
  filter: 'Filter materials',
  /** @param {string} family @returns {string} */
  filterHint: (family) => (family === 'chess' ? 'KRvK' : family === 'alapo' ? 'QvR' : 'KKvK'),
  nothingFound: 'No such material here',
  nothingFoundText: 'Change the filter, or build more tables.',
  noTables: 'No tables of this game yet',
  noTablesText: 'The operator of this page can build small ones in seconds:',
  noTablesOnSite: 'This site has none.',
  /** @param {number} n */
  showMore: (n) => `Show more (${n})`,
  more: 'More',
  randomPosition: 'Random position',
  longestWins: 'Longest wins',
  longestWinsText: 'The positions that take the most plies against perfect defence.',
  zugzwangs: 'Mutual zugzwang',
  zugzwangsText: 'Each side would do better if the other were to move.',
  onlyMoves: 'One winning move',
  onlyMovesText: 'A single move wins; all others do not.',
  /** @param {string} move */
  onlyMoveIs: (move) => `only ${move} wins`,
  nothingHere: 'There are none.',
  noDistances: 'No position is decided, or no table has distances.',
  /** @param {number} n */
  plotLabel: (n) => `Numbers of positions won or lost by plies, up to ${n}`,
  plotCaption: 'Positions by plies to the end, on a logarithmic scale',

  trainWelcome: 'Win it, or hold it',
  trainWelcomeText: 'You get a position, and defence that never errs.',
  trainSettings: 'Exercise',
  goal: 'Goal',
  goalWin: 'Win',
  goalDraw: 'Hold a draw',
  length: 'Length',
  lengthAny: 'Any length',
  lengthShort: 'Short',
  lengthLong: 'Long',
  anyMaterial: 'Any material',
  trainNothing: 'Nothing to play here',
  trainNothingText: 'Choose another material, or the other goal.',
  /** @param {Color} color */
  taskWin: (color) => `${SIDE[color]} to move and win`,
  /** @param {number | null} moves */
  taskWinText: (moves) =>
    `${moves === null ? '' : `Perfect play takes ${counted(moves, 'move')}. `}The defence resists as long as it can.`,
  /** @param {Color} color @returns {[string, string]} */
  taskLost: (color) => [
    `${SIDE[color]} to move: this position is lost`,
    'Against perfect defence there is nothing to win or hold here. Take another position.',
  ],
  /** @type {[string, string]} */
  taskUnknown: ['No table has this position', 'Only positions with a known result can be played here.'],
  /** @type {[string, string]} */
  taskOver: ['The game is over', 'There is no move to play here. Take another position.'],
  /** @param {Color} color */
  taskDraw: (color) => `${SIDE[color]} to move and draw`,
  /** @param {number} moves */
  taskDrawText: (moves) => `Hold it for ${counted(moves, 'move')}. Your opponent sets every trap there is.`,
  stillWinning: 'Still winning',
  /** @param {number} moves */
  movesLeft: (moves) => `${counted(moves, 'move')} left with perfect play.`,
  slower: 'Still winning, but slower',
  /** @param {string} best @param {number} lost @param {number} left */
  slowerText: (best, lost, left) => `${best} was ${counted(lost, 'move')} faster. ${counted(left, 'move')} left.`,
  holding: 'Still a draw',
  /** @param {number} moves */
  holdingText: (moves) => `${counted(moves, 'more move', 'more moves')} to hold.`,
  /** @param {string} move @param {boolean} lost */
  threwWin: (move, lost) => (lost ? `${move} throws the win away, and loses` : `${move} throws the win away`),
  /** @param {string} move */
  threwDraw: (move) => `${move} loses`,
  /** @param {string} move @param {'win' | 'draw'} goal */
  onlyWas: (move, goal) => `Only ${move} ${goal === 'win' ? 'wins' : 'holds the draw'}.`,
  /** @param {string} move @param {number} n @param {'win' | 'draw'} goal */
  severalWere: (move, n, goal) =>
    `${counted(n, 'move')} ${goal === 'win' ? 'would have won' : 'would have held'}, ${move} the best of them.`,
  /** @param {string} move @param {number} n */
  whyDraw: (move, n) =>
    n === 1
      ? `The answer is ${move}, the one move that saves the other side.`
      : `The answer is ${move}, and the other side holds.`,
  /** @param {string} move @param {number} moves */
  whyLoss: (move, moves) => `The answer is ${move}, and the other side wins in ${counted(moves, 'move')}.`,
  takeBack: 'Take back',
  showMove: 'Show the move',
  hint: 'Hint',
  nextPosition: 'New position',
  tryAgainHere: 'Try again',
  wonClean: 'Won, without a slip',
  wonWithHelp: 'Won',
  /** @param {number} played @param {number} fewest */
  wonText: (played, fewest) =>
    played <= fewest
      ? `${counted(played, 'move')}: the fastest win.`
      : `${counted(played, 'move')}; perfect play needs ${fewest}.`,
  heldDraw: 'Draw held',
  heldText: 'Every try was met.',
  yourResults: 'Your results',
  reset: 'Reset',
  counterWon: 'won',
  counterClean: 'without a slip',
  counterHeld: 'draws held',
  counterThrown: 'thrown away',
  counterStreak: 'in a row',
  counterBest: 'best row',
  challenges: 'Challenges',
  challengesText: 'The longest win of each material, against perfect defence.',
  solved: 'solved',

  gamesLead: 'Load a game to see the results of its positions, and the moves that changed them.',
  /** @param {string} family @returns {string} */
  recordLabel: (family) => (family === 'draughts' ? 'Games as PDN' : 'Games as PGN'),
  recordHint: RECORD_HINT,
  example: 'Try an example',
  otherGames: 'Other games',
  openFile: 'Open a file',
  dropHint: 'or drop one here',
  annotate: 'Analyse',
  annotating: 'Analysing the games…',
  /** @param {number} done @param {number} all */
  annotated: (done, all) => `${done} of ${all}`,
  /** @param {string} game */
  otherGame: (game) => `This is a record of another game: ${game}.`,
  /** @param {string} game */
  openAs: (game) => `Analyse it as ${game}`,
  noGames: 'No game in this text',
  noGamesText: 'Paste a game with its moves, or open a PDN or PGN file.',
  /** @param {number} n */
  gamesFailed: (n) => `${counted(n, 'game was', 'games were')} left out`,
  /** @param {number} n */
  gameFailed: (n) => `Game ${n}:`,
  chooseGame: 'Game of this file',
  untitled: 'Untitled game',
  graphLabel: 'Result over the moves',
  findings: {
    /** @param {number} n */
    threw_away_win: (n) => counted(n, 'win thrown away', 'wins thrown away'),
    /** @param {number} n */
    threw_away_draw: (n) => counted(n, 'draw thrown away', 'draws thrown away'),
    /** @param {number} n */
    blunder: (n) => counted(n, 'blunder'),
    /** @param {number} n */
    mistake: (n) => counted(n, 'mistake'),
    /** @param {number} n */
    inaccuracy: (n) => counted(n, 'inaccuracy', 'inaccuracies'),
    /** @param {number} n */
    only_move: (n) => counted(n, 'only move found', 'only moves found'),
  },
  /** @param {number} known @param {number} all */
  tablesKnow: (known, all) => `Tables have the result before ${known} of ${all} moves.`,
  tablesKnowNone: 'The tables here have none of its positions.',
  notInThisTab: 'This address is of a game that was loaded in another tab. Load it again to see it here.',
  marksLegend: 'Coloured marks are by the tables, the others are from the record.',
  /** @param {Color} side */
  gaveUpDraw: (side) => `The game ended as a loss for ${SIDE[side]}, in a drawn position.`,
  /** @param {Color} side @param {number | null} moves */
  gaveUpWin: (side, moves) =>
    `The game ended as a draw, while ${SIDE[side]} was winning${moves === null ? '' : ` in ${counted(moves, 'move')}`}.`,
  /** @param {Color} side @param {number | null} moves */
  gaveUpAll: (side, moves) =>
    `The game ended as a loss for ${SIDE[side]}, who was winning${moves === null ? '' : ` in ${counted(moves, 'move')}`}.`,
  judgement: JUDGEMENTS,
  /** @param {number} moves */
  threwWinIn: (moves) => `throws away a win in ${counted(moves, 'move')}`,
  /** @param {string} moves */
  better: (moves) => `Better: ${moves}.`,
};
