/** Stores a whole game in this browser for offline use, or removes it. */

import { chunkPath, readChunkList } from '../damka/fetching.js';
import { drop, forget, keep, keptFetch, keptUrls, ROOT } from './keep.js';
import { recall, remember } from '../store.js';

/**
 * @typedef {import('./source.js').Entry} Entry
 * @typedef {{ url: string, bytes: number }} Wanted a file, and its size
 */

/** The number of files fetched in parallel. */
const AT_ONCE = 8;
const TRIES = 3;

/** @param {string} game */
const mark = (game) => `kept ${ROOT.pathname} ${game}`;

/** Whether all of a game is stored: `whole`, `old` (an older version), or `none`. @param {Entry} entry */
export function stateOf(entry) {
  const kept = recall(mark(entry.game), '');
  return kept === entry.digest ? 'whole' : kept ? 'old' : 'none';
}

/** The size of a game in bytes. @param {Entry} entry */
export async function sizeOf(entry) {
  return (await manifestOf(entry)).chunks.bytes + entry.data_bytes;
}

/** Whether this browser has room for `bytes`; true if it does not report its space. @param {number} bytes */
export async function hasRoom(bytes) {
  const { quota, usage } = (await navigator.storage?.estimate?.()) ?? {};
  return quota === undefined || quota - (usage ?? 0) > bytes;
}

/** @param {Entry} entry @returns {Promise<any>} */
async function manifestOf(entry) {
  return (await loaded(`${entry.directory}tables.json`)).json();
}

/** @param {string} path @param {AbortSignal} [signal] */
async function loaded(path, signal) {
  const response = await keptFetch(path, { signal });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response;
}

/** All files of a game. @param {Entry} entry @param {AbortSignal} [signal] @returns {Promise<Wanted[]>} */
async function filesOf(entry, signal) {
  const { chunks } = await manifestOf(entry);
  const listPath = `${entry.directory}${chunkPath(chunks.list)}`;
  const list = new Uint8Array(await (await loaded(listPath, signal)).arrayBuffer());
  /** @type {Wanted[]} */
  const files = [{ url: listPath, bytes: list.length }];
  for (const { path, bytes } of readChunkList(list)) files.push({ url: `${entry.directory}${path}`, bytes });
  const { materials } = await (await loaded(entry.index, signal)).json();
  const data = Object.values(materials);
  files.push(...data.map((url) => ({ url, bytes: entry.data_bytes / (data.length + 1) })));
  return files.map(({ url, bytes }) => ({ url: new URL(url, ROOT).href, bytes }));
}

/**
 * Stores all of a game. Stored files are not fetched again, so that a stopped download continues.
 * @param {Entry} entry
 * @param {(done: number, total: number) => void} progress in bytes
 * @param {AbortSignal} signal
 */
export async function keepAll(entry, progress, signal) {
  await navigator.storage?.persist?.();
  const files = await filesOf(entry, signal);
  const kept = await keptUrls(entry.game);
  const total = files.reduce((sum, file) => sum + file.bytes, 0);
  let done = files.filter(({ url }) => kept.has(url)).reduce((sum, file) => sum + file.bytes, 0);
  progress(done, total);
  const missing = files.filter(({ url }) => !kept.has(url));
  let next = 0;
  const work = async () => {
    while (next < missing.length) {
      const { url, bytes } = missing[next++];
      await load(url, signal);
      done += bytes;
      progress(done, total);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await prune(entry, files);
  remember(mark(entry.game), entry.digest);
}

/** Removes stored files that no longer belong to a game. @param {Entry} entry @param {Wanted[]} files */
async function prune(entry, files) {
  const named = [`${entry.directory}tables.json`, entry.index].map((path) => new URL(path, ROOT).href);
  const wanted = new Set([...files.map(({ url }) => url), ...named]);
  for (const url of await keptUrls(entry.game)) if (!wanted.has(url)) await drop(url);
}

/** Removes stored files that no longer belong to a game, if its tables have changed. @param {Entry} entry */
export async function tidy(entry) {
  const name = `seen ${ROOT.pathname} ${entry.game}`;
  const before = recall(name, '');
  if (before === entry.digest) return;
  if (before) await prune(entry, await filesOf(entry));
  remember(name, entry.digest);
}

/** Fetches a file and stores it. @param {string} url @param {AbortSignal} signal */
async function load(url, signal) {
  for (let tries = 1; ; tries++) {
    try {
      const response = await fetch(url, { signal });
      if (!response.ok) throw new Error(`${url}: ${response.status}`);
      await keep(url, response);
      return;
    } catch (error) {
      if (signal.aborted || tries === TRIES) throw error;
    }
  }
}

/** Removes a whole game. @param {Entry} entry */
export async function dropAll(entry) {
  remember(mark(entry.game), '');
  await forget(entry.game);
}
