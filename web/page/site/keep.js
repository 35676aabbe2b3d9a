/**
 * What this browser keeps of the site. Files of a game are kept as they come, so that what was seen is there
 * without a connection. The page uses this, and so does the worker that reads tables.
 */

/** The directory of the site: this file is `shell/VERSION/site/keep.js` in it. */
export const ROOT = new URL('../../../', import.meta.url);

/** Names of caches begin with it: an origin may have several sites. */
const PREFIX = `damka ${ROOT.pathname} `;

/** So long the server may take to say whether something changed, if there is a copy from before. */
const PATIENCE_MS = 3000;

/** Whether this browser keeps anything: only pages that came by HTTPS, or from this machine, may. */
export const canKeep = 'caches' in globalThis;

/**
 * The name of the cache that a file belongs to, or null for what is not kept here. The chunks of a game are in 16
 * caches: a browser does not list a cache of 20,000 entries.
 * @param {URL} url
 */
function nameOf(url) {
  const path = url.href.startsWith(ROOT.href) ? url.href.slice(ROOT.href.length) : '';
  const [part, game, directory] = path.split('/');
  if (path === 'site.json') return `${PREFIX}site`;
  if (part !== 'tables' && part !== 'data') return null;
  return `${PREFIX}${game} ${path.endsWith('.bin') ? directory[0] : 'data'}`;
}

/**
 * A browser may refuse, for lack of space or in a private window; the site works without.
 * @param {string} name
 * @returns {Promise<Cache | null>}
 */
const opened = (name) => (canKeep ? caches.open(name).catch(() => null) : Promise.resolve(null));

/** The cache that a file belongs to, if it is kept. @param {URL} url */
async function cacheOf(url) {
  const name = nameOf(url);
  return name === null ? null : opened(name);
}

/** The names of the caches of a game. @param {string} game */
async function namesOf(game) {
  return canKeep ? (await caches.keys()).filter((name) => name.startsWith(`${PREFIX}${game} `)) : [];
}

/** The addresses of all that is kept of a game. @param {string} game */
export async function keptUrls(game) {
  const kept = new Set(/** @type {string[]} */ ([]));
  for (const name of await namesOf(game)) {
    for (const { url } of (await (await opened(name))?.keys()) ?? []) kept.add(url);
  }
  return kept;
}

/** Keeps a file. @param {string} url @param {Response} response */
export async function keep(url, response) {
  const cache = await cacheOf(new URL(url));
  if (!cache) throw new Error('nothing can be kept');
  await cache.put(url, response);
}

/** Lets go of a file. @param {string} url */
export async function drop(url) {
  await (await cacheOf(new URL(url)))?.delete(url);
}

/** Keeps nothing of a game any more. @param {string} game */
export async function forget(game) {
  for (const name of await namesOf(game)) await caches.delete(name);
}

/** Whether the name of a file says what is in it. @param {URL} url */
function lasts(url) {
  return !/\/(site|tables)\.json$/.test(url.pathname);
}

/**
 * Like `fetch`, with what is kept: files that never change come from there, the others only without a connection.
 * @param {string | URL | Request} input
 * @param {RequestInit} [init]
 * @returns {Promise<Response>}
 */
export async function keptFetch(input, init = {}) {
  const url = new URL(input instanceof Request ? input.url : input, ROOT);
  const cache = await cacheOf(url);
  // Whoever asks for another copy has seen that this one is wrong.
  const before = init.cache === 'reload' ? undefined : await cache?.match(url);
  if (before && lasts(url)) return before;
  const late = before ? AbortSignal.timeout(PATIENCE_MS) : null;
  const signal = late && init.signal ? AbortSignal.any([late, init.signal]) : (late ?? init.signal);
  let response;
  let bytes;
  try {
    response = await fetch(url, { ...init, signal, cache: init.cache ?? (lasts(url) ? 'default' : 'no-cache') });
    // A server in trouble is as good as none.
    if (response.status >= 500 && before) return before;
    if (!response.ok || !cache) return response;
    // All of it, before anybody has it: whoever has the answer may abort, and nothing would be kept.
    bytes = await response.arrayBuffer();
  } catch (error) {
    if (before && !init.signal?.aborted) return before;
    throw error;
  }
  const headers = { 'content-type': response.headers.get('content-type') ?? '' };
  cache.put(url, new Response(bytes, { headers })).catch(() => {});
  return new Response(bytes, { headers });
}
