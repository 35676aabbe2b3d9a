/** The frame of the page: header, addresses, and the open view. */

import { fill, h, icon, toast } from './dom.js';
import { GAMES, gameNamed } from './games.js';
import { language, setLanguage, t } from './i18n/index.js';
import { HttpSource } from './source.js';
import { recall, remember } from './store.js';
import { Explore } from './views/explore/explore.js';

/**
 * @typedef {import('./games.js').Game} Game
 * @typedef {'explore' | 'map' | 'materials' | 'train' | 'games'} ViewName
 * @typedef {{ game: Game, view: ViewName, rest: string, query: URLSearchParams }} Route
 * @typedef {object} View
 * @property {HTMLElement} element
 * @property {(route: Route) => void} update called when the address changes within the view
 * @property {(event: KeyboardEvent) => void} [key] called for a key that no control has handled
 * @property {(text: string) => void} [paste] called for a text that is pasted outside of a field
 * @property {() => void} [close]
 * @typedef {object} Context the context of a view
 * @property {Game} game
 * @property {import('./source.js').Source} source
 * @property {Route} route
 * @property {(view: ViewName, rest?: string, query?: Record<string, string>, replace?: boolean) => void} go
 * @property {(fen: string) => void} keep sets the position with which other views of this game begin
 * @property {Map<string, any>} session data that views keep while the page is open
 */

/** @type {Record<ViewName, () => Promise<new (context: Context) => View>>} */
const VIEWS = {
  explore: async () => Explore,
  map: async () => (await import('./views/map.js')).MapView,
  materials: async () => (await import('./views/materials/materials.js')).Materials,
  train: async () => (await import('./views/train/train.js')).Train,
  games: async () => (await import('./views/games/games.js')).Games,
};

const NAMES = /** @type {ViewName[]} */ (Object.keys(VIEWS));

/** Whether `damka site` has written this page. If not, `damka serve` has sent it. */
const isSite = document.querySelector('meta[name="damka-site"]') !== null;
/** @type {import('./source.js').Source} */
const source = isSite ? new (await import('./site/source.js')).TableSource() : new HttpSource();
/** @type {Map<string, any>} */
const session = new Map();
/** @type {View | null} */
let view = null;
/** @type {string} */
let shown = '';
/** @type {string[]} games with tables, or all games while these are unknown */
let available = GAMES.map((game) => game.name);

/** Decodes a part of an address; returns it unchanged if it is malformed. @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** @returns {Route} */
function route() {
  const [path, query] = location.hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const [name, viewName, ...rest] = path.split('/').map(decoded);
  const game = gameNamed(name) ?? gameNamed(recall('game', 'russian')) ?? GAMES[0];
  const found = NAMES.find((candidate) => candidate === viewName) ?? 'explore';
  return { game, view: found, rest: rest.join('/'), query: new URLSearchParams(query ?? '') };
}

/**
 * @param {string} game
 * @param {ViewName} name
 * @param {string} [rest]
 * @param {Record<string, string>} [query]
 */
function address(game, name, rest = '', query = {}) {
  const words = Object.entries(query)
    .filter(([, value]) => value !== '')
    .map(
      ([key, value]) =>
        `${key}=${encodeURIComponent(value)
          .replace(/%20/g, '+')
          .replace(/%(2C|3A|2F)/g, decodeURIComponent)}`,
    )
    .join('&');
  return `#/${game}/${name}${rest ? `/${rest}` : ''}${words ? `?${words}` : ''}`;
}

/** The query with which a view of this game begins. @param {string} game */
function kept(game) {
  const fen = session.get(`fen:${game}`);
  return fen ? { fen } : undefined;
}

/** @param {ViewName} name @param {string} game */
function link(name, game) {
  // The games view opens the games that were shown last.
  if (name === 'games') return session.get(`games:${game}`) ?? address(game, name);
  return address(game, name, '', name === 'explore' || name === 'map' ? kept(game) : undefined);
}

const main = h('main', { id: 'main', tabindex: '-1' });
const header = h('header', { class: 'frame' });
const nav = h('nav', { class: 'views' });
const footer = h('footer', { class: 'foot' });

/** @param {Route} current */
function drawFrame(current) {
  /** @param {Game} game */
  const option = (game) =>
    h('option', { value: game.name, selected: game === current.game }, t.gameName[game.name]);
  const others = GAMES.filter(
    (game) => !available.includes(game.name) && (source.canGrow || game === current.game),
  );
  const pick = h(
    'select',
    {
      class: 'game-select',
      'aria-label': t.game,
      onchange: (/** @type {Event} */ event) => {
        const { value } = /** @type {HTMLSelectElement} */ (event.target);
        const { view: name } = route();
        go(name, '', name === 'explore' || name === 'map' ? kept(value) : undefined, false, value);
      },
    },
    GAMES.filter((game) => available.includes(game.name)).map(option),
    others.length ? h('optgroup', { label: t.withoutTables }, others.map(option)) : null,
  );
  const next = language === 'en' ? 'ru' : 'en';
  const dark = isDark();
  fill(
    header,
    h('a', { class: 'skip', href: '#main', onclick: skip }, t.skip),
    h(
      'a',
      { class: 'logo', href: link('explore', current.game.name), 'aria-label': t.home },
      h('img', { src: new URL('icon.svg', import.meta.url), alt: '', width: 28, height: 28 }),
      h('span', null, 'damka'),
    ),
    pick,
    h(
      'button',
      {
        type: 'button',
        class: 'language',
        lang: next,
        'aria-label': next === 'ru' ? 'RU: Русский' : 'EN: English',
        onclick: () => {
          setLanguage(next);
          restart();
        },
      },
      next.toUpperCase(),
    ),
    h(
      'button',
      {
        type: 'button',
        class: 'icon-button',
        'aria-label': dark ? t.lightTheme : t.darkTheme,
        title: dark ? t.lightTheme : t.darkTheme,
        onclick: () => {
          setTheme(dark ? 'light' : 'dark');
          drawFrame(route());
        },
      },
      icon(dark ? 'light' : 'dark'),
    ),
    source.tools?.(current.game.name),
  );
  nav.setAttribute('aria-label', t.views);
  fill(
    nav,
    NAMES.map((name) =>
      h(
        'a',
        { href: link(name, current.game.name), 'aria-current': current.view === name ? 'page' : null },
        icon(name),
        h('span', null, t.viewName[name]),
      ),
    ),
  );
  fill(footer, h('a', { href: 'openapi.json' }, t.api));
  document.title = `${t.viewName[current.view]} · ${t.gameName[current.game.name]} · damka`;
}

/** @param {Event} event */
function skip(event) {
  event.preventDefault();
  main.focus();
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

/** @param {string} theme */
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  remember('theme', theme);
}

/**
 * @param {ViewName} name
 * @param {string} [rest]
 * @param {Record<string, string>} [query]
 * @param {boolean} [replace]
 * @param {string} [game]
 */
function go(name, rest, query, replace = false, game = route().game.name) {
  const target = address(game, name, rest, query);
  if (target === location.hash) return;
  if (replace) history.replaceState(null, '', target);
  else history.pushState(null, '', target);
  arrive();
}

function restart() {
  shown = '';
  arrive();
}

let arrivals = 0;

async function arrive() {
  const current = route();
  const [named] = location.hash.replace(/^#\/?/, '').split(/[/?]/).map(decoded);
  if (named && !gameNamed(named)) {
    toast(t.noSuchGame(named));
    go('explore', '', undefined, true, current.game.name);
    return;
  }
  const key = `${current.game.name}/${current.view}`;
  if (current.view === 'games' && current.rest) session.set(`games:${current.game.name}`, location.hash);
  remember('game', current.game.name);
  if (key === shown && view) {
    view.update(current);
    refreshLinks(current);
    return;
  }
  shown = key;
  const arrival = ++arrivals;
  const Made = await VIEWS[current.view]();
  if (arrival !== arrivals) return;
  view?.close?.();
  view = new Made({
    game: current.game,
    source,
    route: current,
    go: (name, rest, query, replace) => {
      // A view that was left must not change the address.
      if (shown === key) go(name, rest, query, replace);
    },
    keep: (fen) => {
      session.set(`fen:${current.game.name}`, fen);
      refreshLinks(route());
    },
    session,
  });
  drawFrame(current);
  main.dataset.view = current.view;
  fill(main, view.element);
  if (arrival > 1) scrollTo(0, 0);
}

/** Links to views carry the position that is shown. @param {Route} current */
function refreshLinks(current) {
  for (const [i, anchor] of [...nav.querySelectorAll('a')].entries()) {
    anchor.setAttribute('href', link(NAMES[i], current.game.name));
  }
}

const theme = recall('theme', '');
if (theme) document.documentElement.dataset.theme = theme;
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => drawFrame(route()));
addEventListener('popstate', arrive);
addEventListener('keydown', (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
  view?.key?.(event);
});

addEventListener('paste', (event) => {
  const text = event.clipboardData?.getData('text') ?? '';
  if (/^(INPUT|TEXTAREA)$/.test(/** @type {HTMLElement} */ (event.target).tagName) || !text.trim()) return;
  view?.paste?.(text);
});

document.body.append(header, nav, main);
// The footer links to the description of the API, which a site does not have.
if (!isSite) document.body.append(footer);
arrive();
source.games().then(
  (games) => {
    available = games.filter((game) => game.signatures > 0).map((game) => game.name);
    const named = gameNamed(location.hash.split('/')[1] ?? '');
    // If the address names no game, a site begins with a game that it has.
    if (!source.canGrow && !named && available.length && !available.includes(route().game.name)) {
      go('explore', '', undefined, true, GAMES.find((game) => available.includes(game.name))?.name);
    } else drawFrame(route());
  },
  () => {},
);
