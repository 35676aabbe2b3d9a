/**
 * Stores files of the site in this browser. Files of a game are stored when they are fetched, so that seen positions
 * are available offline. The page and the worker that reads tables use this.
 */

/** The directory of the site: this file is `shell/VERSION/site/keep.js` in it. */
export const ROOT = new URL('../../../', import.meta.url);

/** The beginning of the names of this site's caches. An origin may have several sites. */
const PREFIX = `damka ${ROOT.pathname} `;

/** The time to wait for the server if there is a stored copy. */
const PATIENCE_MS = 3000;

/** Whether this browser can store files: only for pages from HTTPS or from this machine. */
export const canKeep = 'caches' in globalThis;

/**
 * The name of the cache of a file, or null for files that are not stored here. The chunks of a game are in 16
 * caches, because browsers do not list a cache of 20,000 entries.
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
 * Opens a cache. A browser may refuse, for lack of space or in a private window; the site works without it.
 * @param {string} name
 * @returns {Promise<Cache | null>}
 */
const opened = (name) => (canKeep ? caches.open(name).catch(() => null) : Promise.resolve(null));

/** The cache of a file, if it has one. @param {URL} url */
async function cacheOf(url) {
  const name = nameOf(url);
  return name === null ? null : opened(name);
}

/** The names of the caches of a game. @param {string} game */
async function namesOf(game) {
  return canKeep ? (await caches.keys()).filter((name) => name.startsWith(`${PREFIX}${game} `)) : [];
}

/** The addresses of all stored files of a game. @param {string} game */
export async function keptUrls(game) {
  const kept = new Set(/** @type {string[]} */ ([]));
  for (const name of await namesOf(game)) {
    for (const { url } of (await (await opened(name))?.keys()) ?? []) kept.add(url);
  }
  return kept;
}

/** Stores a file. @param {string} url @param {Response} response */
export async function keep(url, response) {
  const cache = await cacheOf(new URL(url));
  if (!cache) throw new Error('nothing can be kept');
  await cache.put(url, response);
}

/** Removes a stored file. @param {string} url */
export async function drop(url) {
  await (await cacheOf(new URL(url)))?.delete(url);
}

/** Removes all stored files of a game. @param {string} game */
export async function forget(game) {
  for (const name of await namesOf(game)) await caches.delete(name);
}

/** Whether a file never changes, because its name identifies its contents. @param {URL} url */
function lasts(url) {
  return !/\/(site|tables)\.json$/.test(url.pathname);
}

/**
 * Like `fetch`, with stored files: files that never change come from the cache, others only without a connection.
 * @param {string | URL | Request} input
 * @param {RequestInit} [init]
 * @returns {Promise<Response>}
 */
export async function keptFetch(input, init = {}) {
  const url = new URL(input instanceof Request ? input.url : input, ROOT);
  const cache = await cacheOf(url);
  // A caller that requests another copy has found an error in the stored one.
  const before = init.cache === 'reload' ? undefined : await cache?.match(url);
  if (before && lasts(url)) return before;
  const late = before ? AbortSignal.timeout(PATIENCE_MS) : null;
  const signal = late && init.signal ? AbortSignal.any([late, init.signal]) : (late ?? init.signal);
  let response;
  let bytes;
  try {
    response = await fetch(url, { ...init, signal, cache: init.cache ?? (lasts(url) ? 'default' : 'no-cache') });
    // A server error is treated like a missing connection.
    if (response.status >= 500 && before) return before;
    if (!response.ok || !cache) return response;
    // The body is read as a whole first: otherwise nothing would be stored if the caller aborted later.
    bytes = await response.arrayBuffer();
  } catch (error) {
    if (before && !init.signal?.aborted) return before;
    throw error;
  }
  const headers = { 'content-type': response.headers.get('content-type') ?? '' };
  cache.put(url, new Response(bytes, { headers })).catch(() => {});
  return new Response(bytes, { headers });
}
