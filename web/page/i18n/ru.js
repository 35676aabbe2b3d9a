/** The texts in Russian. */

/** @typedef {import('../games.js').Color} Color */

/** Texts of errors, by the codes of the server and of the WebAssembly reader. @type {Record<string, string>} */
const ERRORS = {
  bad_signature: 'Это не соотношение материала.',
  bad_parameter: 'В адресе неверное значение.',
  bad_cursor: 'В списке нет такого места.',
  bad_body: 'В тексте нет того, что здесь ожидается.',
  no_piece: 'На этом поле нет фигуры.',
  no_such_position: 'Такой позиции не нашлось.',
  no_such_game: 'Такой игры здесь нет.',
  no_histogram: 'В таблице нет распределения по длине.',
  missing_table: 'Для этого материала здесь нет таблицы.',
  missing_game: 'Для этой игры здесь нет таблиц.',
  beyond_tables: 'Для такой позиции не бывает таблицы.',
  too_many_captures: 'Взятий подряд слишком много, чтобы ответить.',
  too_many_requests: 'Слишком много запросов с этого адреса.',
  too_large: 'Это больше, чем здесь принимается.',
  too_slow: 'Данные не пришли вовремя.',
  busy: 'Сервер занят.',
  no_memory: 'Не хватает памяти.',
  damaged_table: 'Таблица повреждена.',
  unreadable_table: 'Таблицу не удалось прочитать.',
  internal: 'Сервер не смог ответить.',
  stopped: 'Программа, читающая таблицы, остановилась. Обновите страницу.',
  too_long: 'Ответ потребовал слишком много данных.',
};

/** @type {Record<string, string>} */
const SIDE = { w: 'Белые', b: 'Чёрные' };

/** @type {Record<string, string>} */
const OF_SIDE = { w: 'белых', b: 'чёрных' };

const RULES = new Intl.PluralRules('ru');

/** @param {number} n @param {string} one @param {string} few @param {string} many */
function counted(n, one, few, many) {
  const rule = RULES.select(n);
  return `${n}\u00a0${rule === 'one' ? one : rule === 'few' ? few : many}`;
}

/** @param {number} n */
const moves = (n) => counted(n, 'ход', 'хода', 'ходов');

/** @param {number} n */
const plies = (n) => counted(n, 'полуход', 'полухода', 'полуходов');

/** @type {Record<string, Record<string, [string, string]>>} */
const PIECES = {
  draughts: { M: ['белая шашка', 'чёрная шашка'], K: ['белая дамка', 'чёрная дамка'] },
  chess: {
    K: ['белый король', 'чёрный король'],
    Q: ['белый ферзь', 'чёрный ферзь'],
    R: ['белая ладья', 'чёрная ладья'],
    B: ['белый слон', 'чёрный слон'],
    N: ['белый конь', 'чёрный конь'],
    P: ['белая пешка', 'чёрная пешка'],
  },
  alapo: {
    Q: ['белый большой круг', 'чёрный большой круг'],
    R: ['белый большой квадрат', 'чёрный большой квадрат'],
    B: ['белый большой треугольник', 'чёрный большой треугольник'],
    K: ['белый малый круг', 'чёрный малый круг'],
    W: ['белый малый квадрат', 'чёрный малый квадрат'],
    F: ['белый малый треугольник', 'чёрный малый треугольник'],
  },
};

/** @type {Record<string, Record<string, [string, string, string]>>} */
const COUNTED_PIECES = {
  draughts: { K: ['дамка', 'дамки', 'дамок'], M: ['шашка', 'шашки', 'шашек'] },
  chess: {
    K: ['король', 'короля', 'королей'],
    Q: ['ферзь', 'ферзя', 'ферзей'],
    R: ['ладья', 'ладьи', 'ладей'],
    B: ['слон', 'слона', 'слонов'],
    N: ['конь', 'коня', 'коней'],
    P: ['пешка', 'пешки', 'пешек'],
  },
  alapo: {
    Q: ['большой круг', 'больших круга', 'больших кругов'],
    R: ['большой квадрат', 'больших квадрата', 'больших квадратов'],
    B: ['большой треугольник', 'больших треугольника', 'больших треугольников'],
    K: ['малый круг', 'малых круга', 'малых кругов'],
    W: ['малый квадрат', 'малых квадрата', 'малых квадратов'],
    F: ['малый треугольник', 'малых треугольника', 'малых треугольников'],
  },
};

/** The pieces of one side, such as `дамка и 2 шашки`. @param {string} family @param {string} side the letters */
function pieceWords(family, side) {
  const words = [...new Set(side)].map((letter) => {
    const n = side.split(letter).length - 1;
    const forms = COUNTED_PIECES[family]?.[letter] ?? [letter, letter, letter];
    return n === 1 ? forms[0] : counted(n, ...forms);
  });
  const last = words.pop() ?? '';
  return words.length ? `${words.join(', ')} и ${last}` : last;
}

/** @type {Record<string, string>} */
const GAMES = {
  russian: 'Русские шашки',
  english: 'Английские шашки',
  brazilian: 'Бразильские шашки',
  pool: 'Пул-чекерс',
  czech: 'Чешские шашки',
  spanish: 'Испанские шашки',
  italian: 'Итальянские шашки',
  thai: 'Тайские шашки',
  alapo: 'Алапо',
  chess: 'Шахматы',
};

/** @type {Record<string, string>} */
const JUDGEMENTS = {
  only_move: 'единственный ход',
  threw_away_win: 'упускает выигрыш',
  threw_away_draw: 'упускает ничью',
  inaccuracy: 'неточность',
  mistake: 'ошибка',
  blunder: 'грубая ошибка',
};

/** @type {import('./index.js').Texts} */
export const ru = {
  skip: 'К содержанию',
  home: 'damka, к анализу',
  views: 'Разделы',
  game: 'Игра',
  gameName: GAMES,
  withoutTables: 'Без таблиц',
  api: 'Для программ: API',
  viewName: { explore: 'Анализ', map: 'Карта', materials: 'Материал', train: 'Тренировка', games: 'Партии' },
  lightTheme: 'Светлая тема',
  darkTheme: 'Тёмная тема',
  color: SIDE,
  board: 'Доска',
  pieceName: (family, color, kind) => PIECES[family][kind][color === 'w' ? 0 : 1],
  toMove: (color) => `Ход ${OF_SIDE[color]}`,
  materialWords: (family, signature, first = 'w') => {
    const [white, black = ''] = signature.split('v').map((side) => pieceWords(family, side));
    const words = first === 'w' ? `${white} – ${black}` : `${black} – ${white}`;
    return words.charAt(0).toUpperCase() + words.slice(1);
  },
  letters: (family) =>
    Object.entries(COUNTED_PIECES[family])
      .map(([letter, [word]]) => `${letter} ${word}`)
      .join(', '),
  value: { win: 'выигрыш', draw: 'ничья', loss: 'проигрыш', unknown: 'неизвестно' },

  verdictUnknown: 'Для этой позиции нет таблицы',
  verdictDraw: 'Ничья',
  verdictDrawDetail: 'никто не может выиграть',
  verdictStalemate: 'пат: ходов нет',
  verdictMate: 'мат',
  verdictNoMoves: 'игра окончена',
  verdictNoDistance: 'длина неизвестна',
  verdictWon: (winner) => `${SIDE[winner]} выиграли`,
  verdictWins: (winner) => `${SIDE[winner]} выигрывают`,
  verdictWinsIn: (winner, n) => `${SIDE[winner]} выигрывают за ${moves(n)}`,
  verdictMates: (winner, n) => `${SIDE[winner]} ставят мат за ${moves(n)}`,
  inSentence: (text) => text.charAt(0).toLowerCase() + text.slice(1),
  winsShort: (winner) => `${SIDE[winner]} выигрывают`,
  plies,

  moves: 'Ходы',
  movesUnit: 'ходы',
  movesWord: (n) => moves(n).replace(/^\d+\s/, ''),
  pliesUnit: 'полуходы',
  pliesWord: (n) => plies(n).replace(/^\d+\s/, ''),
  movesThat: {
    win: (n) => counted(n, 'выигрывает', 'выигрывают', 'выигрывают'),
    draw: (n) => `${n}\u00a0к\u00a0ничьей`,
    loss: (n) => counted(n, 'проигрывает', 'проигрывают', 'проигрывают'),
    unknown: (n) => `${n}\u00a0без\u00a0оценки`,
  },
  onlyMove: 'единственный',
  whichMove: 'Какой ход?',
  bestPlay: 'Лучшая игра',
  played: 'Сыграно',
  copyRecord: (family) => (family === 'draughts' ? 'Копировать PDN' : 'Копировать PGN'),
  recordCopied: (family) => (family === 'draughts' ? 'PDN скопирован' : 'PGN скопирован'),
  alike: 'Похожие позиции',
  alikeText: (material, positions, turn) =>
    `${material}, ход ${OF_SIDE[turn]}, позиций: ${positions}. Для ${OF_SIDE[turn]}:`,
  wins: 'Выигрыши',
  draws: 'Ничьи',
  losses: 'Проигрыши',
  beyond: 'Фигур слишком много для таблиц. Играйте дальше: после разменов результат появится.',
  missing: (n) =>
    n === 1
      ? 'Здесь не хватает одной таблицы. С ней ответ был бы полным:'
      : n
        ? 'Здесь не хватает таблиц. С ними ответ был бы полным:'
        : 'Ни одна таблица не знает этой позиции. Можно играть дальше.',
  missingOnSite: (n) =>
    n === 1
      ? 'На этом сайте нет таблицы этих фигур:'
      : n
        ? 'На этом сайте нет таблиц этих фигур:'
        : 'Ни одна таблица не знает этой позиции. Можно играть дальше.',
  buildsThem: 'Построить недостающее:',
  buildsIt: 'Её построит эта команда:',
  tablesDir: 'DIR',
  tablesDirText: 'DIR — каталог с таблицами этой страницы.',
  engineThinks: (move, score, forced) =>
    `Программа сыграла бы ${move}${
      forced
        ? ` и видит ${forced === 'win' ? 'выигрыш' : 'проигрыш'}`
        : ` (${score >= 0 ? '+' : '−'}${Math.abs(score / 100)
            .toFixed(2)
            .replace('.', ',')})`
    }. Это мнение, а не доказательство.`,

  flip: 'Повернуть доску',
  first: 'В начало',
  back: 'На ход назад',
  forward: 'На ход вперёд',
  last: 'В конец',
  playOn: 'Показать лучшую игру',
  pause: 'Пауза',
  setUp: 'Расставить',
  setUpTitle: 'Расстановка',
  setUpText: 'Выберите фигуру и касайтесь полей или перетаскивайте фигуры на доску и с доски.',
  done: 'Готово',
  erase: 'Убирать фигуры',
  sideToMove: 'Чей ход',
  exchange: 'Поменять цвета',
  mirror: 'Отразить',
  shiftAll: 'Сдвиг',
  shift: {
    left: 'Сдвинуть влево',
    right: 'Сдвинуть вправо',
    up: 'Сдвинуть вверх',
    down: 'Сдвинуть вниз',
    upLeft: 'Сдвинуть вверх и влево',
    upRight: 'Сдвинуть вверх и вправо',
    downLeft: 'Сдвинуть вниз и влево',
    downRight: 'Сдвинуть вниз и вправо',
  },
  clear: 'Очистить',
  random: 'Случайная',
  randomOf: 'Позиция с материалом',
  materialLabel: (example) => `Материал, например ${example}`,
  materialExpected: (example) => `Введите фигуры обеих сторон, например ${example}`,
  fenLabel: 'Позиция в виде FEN или партия в PDN или PGN',
  copyLink: 'Скопировать ссылку на позицию',
  linkCopied: 'Ссылка скопирована',
  notPossible: 'Фигура вышла бы за край доски',
  noMirror: 'У позиции с простыми шашками нет отражения',
  notYet: 'Позиция не готова',
  fault: {
    empty: 'Выберите фигуру и касайтесь полей, чтобы её поставить.',
    no_white: 'У белых нет фигур.',
    no_black: 'У чёрных нет фигур.',
    kings: 'У каждой стороны должен быть ровно один король.',
  },
  noSuchGame: (name) => `Нет такой игры: ${name}`,
  noSuchTable: (signature) => `Нет таблицы ${signature}`,
  tryAgain: 'Ещё раз',
  stillWorking: 'Ещё считаем…',
  problem: {
    offline: ['Нет связи', 'Просмотренные позиции остаются доступны, остальное вернётся вместе со связью.'],
    missing: ['Нет таблицы', 'Нужной таблицы здесь нет.'],
    beyond: ['За пределами таблиц', 'Фигур слишком много для таблиц.'],
    bad: ['Такая позиция невозможна', 'В позиции есть ошибка.'],
    busy: ['Сервер занят', 'Подождите немного и попробуйте ещё раз.'],
    large: ['Слишком много', 'Столько за один раз здесь не принимается.'],
    absent: ['Здесь недоступно', 'Здесь этой возможности нет.'],
    failed: ['Что-то пошло не так', 'Ответа нет.'],
  },
  // The server's message is shown for an impossible position, because only it names the piece.
  errorText: (code, at) => {
    if (code === 'bad_fen') return at ? `Запись позиции не читается: ошибка у знака ${at}.` : null;
    return ERRORS[code] ?? null;
  },

  offline: 'Без связи',
  offlineText: 'Эта страница и всё, что вы на ней видели, открываются и без связи. Остальное тоже можно сохранить.',
  keptState: {
    /** @param {string} game @param {string} size */
    none: (game, size) => `${game}: всего ${size}.`,
    /** @param {string} game @param {string} size */
    old: (game, size) => `${game}: сохранено до появления новых таблиц, всего ${size}.`,
    /** @param {string} game @param {string} size */
    whole: (game, size) => `${game}: всё сохранено в этом браузере, ${size}.`,
  },
  /** @param {string} size */
  keepAll: (size) => `Сохранить всё (${size})`,
  keepNew: 'Сохранить новые таблицы',
  keepNone: 'Удалить сохранённое',
  /** @param {string} done @param {string} total */
  keeping: (done, total) => `${done} из ${total}`,
  stop: 'Остановить',
  close: 'Закрыть',
  keepStopped: 'Остановлено. Уже загруженное сохранено, та же кнопка продолжит.',
  keepFailed: 'Связь прервалась. Уже загруженное сохранено, та же кнопка продолжит.',
  noRoom: 'В этом браузере не хватает места.',
  newVersion: 'Появилась новая версия страницы.',
  loadNewVersion: 'Показать',

  mapNeedsPosition: 'Сначала расставьте позицию в анализе. Карта покажет любую её фигуру на каждом поле.',
  mapLead: (piece, square) =>
    `${piece.charAt(0).toUpperCase()}${piece.slice(1)}, сейчас на ${square}: результат для каждого поля.`,
  mapHint: 'Числа — полуходы до конца. Коснитесь фигуры, чтобы выбрать её, или поля, чтобы поставить её туда.',
  openInExplorer: 'Открыть в анализе',

  materialsLead: 'Весь материал, для которого есть таблицы.',
  materialsCount: (n, positions) => `${counted(n, 'соотношение', 'соотношения', 'соотношений')}, позиций: ${positions}`,
  material: 'Материал',
  positions: 'Позиции',
  positionsWord: (n) => counted(n, 'позиция', 'позиции', 'позиций').replace(/^\d+\s/, ''),
  whiteToMoveShare: 'Ход белых',
  longestWinHead: 'Выигрыш, полуходы',
  sortBy: 'Порядок',
  noSuchMaterial: (text) => `Такого материала нет: ${text}`,
  noSuchMaterialText: (letters) => `Материал — фигуры обеих сторон через «v». Буквы: ${letters}.`,
  materialsKeyHead: 'Как читать таблицу',
  materialsKey: (letters) =>
    `Буквы: ${letters}. Полосы и проценты — при ходе белых. Рядом с самым долгим выигрышем — кто выигрывает. Позиции сосчитаны с ходом каждой стороны; при равном материале каждая входит дважды, второй раз с обменом цветов.`,
  all: 'Все',
  pieces: (n, family) =>
    family === 'draughts' ? counted(n, 'шашка', 'шашки', 'шашек') : counted(n, 'фигура', 'фигуры', 'фигур'),
  numberOfPieces: 'Сколько фигур',
  filter: 'Отобрать материал',
  filterHint: (family) => (family === 'chess' ? 'KRvK' : family === 'alapo' ? 'QvR' : 'KKvK'),
  nothingFound: 'Такого материала здесь нет',
  nothingFoundText: 'Измените отбор или постройте больше таблиц.',
  noTables: 'Таблиц этой игры пока нет',
  noTablesText: 'Владелец этой страницы построит небольшие за секунды:',
  noTablesOnSite: 'На этом сайте их нет.',
  showMore: (n) => `Показать ещё (${n})`,
  more: 'Ещё',
  randomPosition: 'Случайная позиция',
  longestWins: 'Самые долгие выигрыши',
  longestWinsText: 'Дольше всего до победы при лучшей защите.',
  zugzwangs: 'Взаимный цугцванг',
  zugzwangsText: 'Тот, чей ход, предпочёл бы его пропустить.',
  onlyMoves: 'Один выигрывающий ход',
  onlyMovesText: 'Выигрывает единственный ход, любой другой упускает победу.',
  onlyMoveIs: (move) => `выигрывает только ${move}`,
  nothingHere: 'Таких нет.',
  noDistances: 'Нет решённых позиций, или таблицы не знают длины выигрыша.',
  plotLabel: (n) => `Сколько позиций выиграно или проиграно за сколько полуходов, до ${n}`,
  plotCaption: 'Число позиций по полуходам до конца, логарифмическая шкала',

  trainWelcome: 'Выиграйте или удержите',
  trainWelcomeText: 'Вы получаете позицию и защиту, которая не ошибается.',
  trainSettings: 'Упражнение',
  goal: 'Цель',
  goalWin: 'Выиграть',
  goalDraw: 'Удержать ничью',
  length: 'Длина',
  lengthAny: 'Любая',
  lengthShort: 'Короткие',
  lengthLong: 'Длинные',
  anyMaterial: 'Любой материал',
  trainNothing: 'Здесь нечего играть',
  trainNothingText: 'Выберите другой материал или другую цель.',
  taskWin: (color) => `${SIDE[color]} начинают и выигрывают`,
  taskWinText: (n) => `${n === null ? '' : `При лучшей игре — ${moves(n)}. `}Защита сопротивляется до последнего.`,
  taskLost: (color) => [
    `Ход ${OF_SIDE[color]}: позиция проиграна`,
    'При лучшей защите здесь нечего выигрывать или удерживать. Возьмите другую позицию.',
  ],
  taskUnknown: ['Для этой позиции нет таблицы', 'Здесь играют только позиции, результат которых известен.'],
  taskOver: ['Игра окончена', 'Ходов здесь нет. Возьмите другую позицию.'],
  taskDraw: (color) => `${SIDE[color]} начинают и делают ничью`,
  taskDrawText: (n) => `Продержитесь ${moves(n)}. Соперник ставит все ловушки, какие есть.`,
  stillWinning: 'Всё ещё выиграно',
  movesLeft: (n) => `При лучшей игре до победы ${moves(n)}.`,
  slower: 'Выиграно, но можно быстрее',
  slowerText: (best, lost, left) => `${best} — быстрее на ${moves(lost)}. До победы ${moves(left)}.`,
  holding: 'Пока ничья',
  holdingText: (n) => `Осталось продержаться ${moves(n)}.`,
  threwWin: (move, lost) => (lost ? `${move} упускает выигрыш и проигрывает` : `${move} упускает выигрыш`),
  threwDraw: (move) => `${move} проигрывает`,
  onlyWas: (move, goal) => (goal === 'win' ? `Выигрывало только ${move}.` : `Ничью держало только ${move}.`),
  severalWere: (move, n, goal) =>
    `${goal === 'win' ? 'Выигрывало' : 'Ничью держало'} ${moves(n)}, лучше всего ${move}.`,
  whyDraw: (move, n) =>
    n === 1 ? `Ответ — ${move}, единственный ход, который спасает соперника.` : `Ответ — ${move}, и соперник держится.`,
  whyLoss: (move, n) => `Ответ — ${move}, и соперник выигрывает за ${moves(n)}.`,
  takeBack: 'Вернуть ход',
  showMove: 'Показать ход',
  hint: 'Подсказка',
  nextPosition: 'Новая позиция',
  tryAgainHere: 'Ещё раз',
  wonClean: 'Выиграно без единой ошибки',
  wonWithHelp: 'Выиграно',
  wonText: (played, fewest) =>
    played <= fewest ? `${moves(played)} — быстрее нельзя.` : `${moves(played)}; лучшая игра — ${fewest}.`,
  heldDraw: 'Ничья удержана',
  heldText: 'Все ловушки отбиты.',
  yourResults: 'Ваши результаты',
  reset: 'Сбросить',
  counterWon: 'выиграно',
  counterClean: 'без ошибок',
  counterHeld: 'удержано ничьих',
  counterThrown: 'упущено',
  counterStreak: 'подряд',
  counterBest: 'лучшая серия',
  challenges: 'Испытания',
  challengesText: 'Самый долгий выигрыш каждого материала при лучшей защите.',
  solved: 'решено',

  gamesLead: 'Загрузите партию: видно, где таблицы знают ответ и где его упустили.',
  recordLabel: (family) => (family === 'draughts' ? 'Партии в PDN' : 'Партии в PGN'),
  recordHint: {
    draughts: '[Event "…"]\n[White "…"]\n[Black "…"]\n\n1. c3-d4 d6-c5 2. b2-c3 …',
    chess: '[Event "…"]\n[White "…"]\n[Black "…"]\n\n1. e4 e5 2. Nf3 …',
    alapo: '1. c2-c3 d5-d4 2. …',
  },
  example: 'Показать на примере',
  otherGames: 'Другие партии',
  openFile: 'Открыть файл',
  dropHint: 'или перетащите его сюда',
  annotate: 'Разобрать',
  annotating: 'Разбираем партии…',
  annotated: (done, all) => `${done} из ${all}`,
  otherGame: (game) => `Это запись другой игры: ${game}.`,
  openAs: (game) => `Разобрать: ${game}`,
  noGames: 'В тексте нет партии',
  noGamesText: 'Вставьте партию с ходами или откройте файл PDN или PGN.',
  gamesFailed: (n) => `Пропущено партий: ${n}`,
  gameFailed: (n) => `Партия ${n}:`,
  chooseGame: 'Партия из файла',
  untitled: 'Партия без названия',
  graphLabel: 'Результат по ходу партии',
  findings: {
    threw_away_win: (n) => `упущено выигрышей: ${n}`,
    threw_away_draw: (n) => `упущено ничьих: ${n}`,
    blunder: (n) => `грубых ошибок: ${n}`,
    mistake: (n) => `ошибок: ${n}`,
    inaccuracy: (n) => `неточностей: ${n}`,
    only_move: (n) => `найдено единственных ходов: ${n}`,
  },
  tablesKnow: (known, all) => `Таблицы знают результат перед ${known} из ${all} ходов.`,
  tablesKnowNone: 'Здешние таблицы не знают ни одной её позиции.',
  notInThisTab: 'По этому адресу — партия, загруженная в другой вкладке. Загрузите её снова, чтобы увидеть здесь.',
  marksLegend: 'Цветные знаки поставлены таблицами, остальные — тем, кто записал партию.',
  gaveUpDraw: (side) => `Партия засчитана как проигрыш ${OF_SIDE[side]}, хотя позиция ничейная.`,
  gaveUpWin: (side, n) =>
    `Партия закончилась вничью, хотя ${SIDE[side].toLowerCase()} выигрывали${n === null ? '' : ` за ${moves(n)}`}.`,
  gaveUpAll: (side, n) =>
    `Партия засчитана как проигрыш ${OF_SIDE[side]}, хотя они выигрывали${n === null ? '' : ` за ${moves(n)}`}.`,
  judgement: JUDGEMENTS,
  threwWinIn: (n) => `упускает выигрыш за ${moves(n)}`,
  better: (list) => `Лучше: ${list}.`,
};
