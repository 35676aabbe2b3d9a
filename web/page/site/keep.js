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

/** @type {Map<string, Promise<Cache | null>>} */
const opened = new Map();

/** What is kept of a game, or of the site itself. @param {string} game @returns {Promise<Cache | null>} */
export function keptOf(game) {
  let cache = opened.get(game);
  if (!cache) {
    // A browser may refuse, for lack of space or in a private window; the site works without.
    cache = canKeep ? caches.open(PREFIX + game).catch(() => null) : Promise.resolve(null);
    opened.set(game, cache);
  }
  return cache;
}

/** Keeps nothing of a game any more. @param {string} game */
export async function forget(game) {
  opened.delete(game);
  if (canKeep) await caches.delete(PREFIX + game);
}

/**
 * The game of a file, such as `tables/russian/ab/cd.bin`, or `site`; null for what is not kept here.
 * @param {URL} url
 */
function gameOf(url) {
  const path = url.href.startsWith(ROOT.href) ? url.href.slice(ROOT.href.length) : '';
  const [part, game] = path.split('/');
  return part === 'tables' || part === 'data' ? game : path === 'site.json' ? 'site' : null;
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
  const game = gameOf(url);
  if (!game) return fetch(url, init);
  const cache = await keptOf(game);
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
