/** Sources of bytes: chunks on a server, or whole files in memory, on disk, or on a server with ranges. */

import { bad, damaged, missing, offline } from './errors.js';

/**
 * @typedef {object} Origin
 * @property {(name: string, again: boolean, signal: AbortSignal) => Promise<Uint8Array>} part The bytes of a
 * part. `again`: the bytes fetched before were wrong.
 */

/**
 * The absolute address of a text, relative to the page.
 * @param {string | URL} text
 */
export function address(text) {
  const base = globalThis.document?.baseURI ?? globalThis.location?.href;
  try {
    const url = new URL(text, base);
    // `localhost:8000/` is an address with the scheme `localhost`. Relative addresses cannot be resolved against it.
    return new URL('.', url) && url;
  } catch {
    const why = base ? 'is not an address' : 'is not an absolute address, and there is no page to resolve it against';
    throw bad(`url: \`${text}\` ${why}: expected one such as https://example.org/tables/`);
  }
}

/** What to call when a signal aborts. Each has only one listener, as Node.js warns of many. @type {WeakMap<AbortSignal, Set<() => void>>} */
const stopped = new WeakMap();

/**
 * Calls `stop` if the signal aborts. Returns a function that cancels this.
 * @param {AbortSignal | undefined} signal
 * @param {() => void} stop
 */
export function onAbort(signal, stop) {
  if (!signal) return () => {};
  /** @type {Set<() => void>} */
  const all = stopped.get(signal) ?? new Set();
  if (!stopped.has(signal)) {
    stopped.set(signal, all);
    signal.addEventListener('abort', () => [...all].forEach((stop) => stop()), { once: true });
  }
  all.add(stop);
  return () => {
    all.delete(stop);
  };
}

/**
 * Fetches files: like `fetch`, but throws `DamkaError`.
 * @typedef {(url: URL, init: RequestInit) => Promise<Response>} Get
 */

/**
 * @param {typeof globalThis.fetch} fetch
 * @param {RequestInit} request options of all requests
 * @returns {Get}
 */
export function getter(fetch, request) {
  return async (url, init) => {
    const headers = { ...Object.fromEntries(new Headers(request.headers)), ...init.headers };
    try {
      return await fetch(url, { ...request, ...init, headers });
    } catch (error) {
      if (init.signal?.aborted) throw init.signal.reason;
      throw offline('offline', `${url} cannot be fetched: ${/** @type {Error} */ (error).message}`);
    }
  };
}

/** Whether the server has no such file. @param {Response} response */
export const isAbsent = ({ status }) => status === 404 || status === 410;

/**
 * The error for a response without the file. An absent file is damage: chunks are named by other files, and ranges
 * belong to a file that has been opened.
 * @param {Response} response @param {string | URL} url
 */
function refused(response, url) {
  const message = `${url}: the server answers ${response.status}`;
  return isAbsent(response)
    ? damaged(`${message}: the directory is incomplete, or has changed since it was opened`)
    : offline(`http_${response.status}`, message);
}

/** @param {Response} response @param {AbortSignal} [signal] */
async function bytesOf(response, signal) {
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw offline('offline', `${response.url} broke off: ${/** @type {Error} */ (error).message}`);
  }
}

/**
 * The path of a chunk in the directory of its game.
 * @param {string} id
 */
export const chunkPath = (id) => `${id.slice(0, 2)}/${id.slice(2)}.bin`;

/** The length in bytes of an entry in the list of all chunks: the name and the length of a chunk. */
const ENTRY = 20;

/**
 * The chunks of the game, read from the list named by `chunks.list` of the manifest.
 * @param {Uint8Array} list
 */
export function readChunkList(list) {
  if (list.length % ENTRY !== 0) throw damaged('this is not a list of chunks');
  const view = new DataView(list.buffer, list.byteOffset, list.length);
  return Array.from({ length: list.length / ENTRY }, (_, entry) => {
    const name = list.subarray(entry * ENTRY, entry * ENTRY + 16);
    const id = Array.from(name, (byte) => byte.toString(16).padStart(2, '0')).join('');
    return { id, path: chunkPath(id), bytes: view.getUint32(entry * ENTRY + 16, true) };
  });
}

/** The chunks of a game on a server. @implements {Origin} */
export class ChunkOrigin {
  /** @param {URL} base the directory of the game @param {Get} get */
  constructor(base, get) {
    this.base = base;
    this.get = get;
  }

  /** @param {string} name @param {boolean} again @param {AbortSignal} signal */
  async part(name, again, signal) {
    const url = new URL(chunkPath(name), this.base);
    // A copy in a cache may be damaged.
    const response = await this.get(url, again ? { signal, cache: 'reload' } : { signal });
    if (!response.ok) throw refused(response, url);
    return bytesOf(response, signal);
  }
}

/**
 * A whole file: its size, and a function that reads its bytes.
 * @typedef {{ size: number, slice: (start: number, end: number, signal: AbortSignal) => Promise<Uint8Array> }} WholeFile
 */

/** Whole files. @implements {Origin} */
export class FileOrigin {
  /** @param {WholeFile[]} files @param {number} first the number of the first file */
  constructor(files, first) {
    this.files = files;
    this.first = first;
  }

  /** @param {string} name @param {boolean} _again @param {AbortSignal} signal */
  part(name, _again, signal) {
    const [number, start, length] = name.split(':').map(Number);
    return this.files[number - this.first].slice(start, start + length, signal);
  }
}

/** @param {Uint8Array} bytes @returns {WholeFile} */
export const bytesFile = (bytes) => ({
  size: bytes.length,
  slice: async (start, end) => bytes.subarray(start, end),
});

/** @param {Blob} blob @returns {WholeFile} */
export const blobFile = (blob) => ({
  size: blob.size,
  slice: async (start, end) => {
    try {
      return new Uint8Array(await blob.slice(start, end).arrayBuffer());
    } catch (error) {
      throw damaged(`the file cannot be read: ${/** @type {Error} */ (error).message}`);
    }
  },
});

/** The number of bytes that are fetched first, to learn the size of a file on a server. They include the header. */
const FIRST = 16384;

/**
 * A file on a server, read by ranges; read as a whole if the server does not support them.
 * @param {URL} url
 * @param {Get} get
 * @param {AbortSignal} [signal]
 * @returns {Promise<WholeFile>}
 */
export async function rangedFile(url, get, signal) {
  /** @param {number} start @param {number} end @param {AbortSignal} [signal] */
  const range = async (start, end, signal) => {
    const response = await get(url, { signal, headers: { range: `bytes=${start}-${end - 1}` } });
    if (start === 0 && isAbsent(response)) throw missing('missing_table', `there is no table at ${url}`);
    if (!response.ok) throw refused(response, url);
    return { response, bytes: await bytesOf(response, signal) };
  };
  const { response, bytes: first } = await range(0, FIRST, signal);
  if (response.status !== 206) return bytesFile(first);
  const size = Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1]);
  if (!Number.isSafeInteger(size)) throw bad(`${url}: the server does not report the size of the file`);
  return {
    size,
    slice: async (start, end, signal) => {
      if (end <= first.length) return first.subarray(start, end);
      const { response, bytes } = await range(start, end, signal);
      return response.status === 206 ? bytes : bytes.subarray(start, end);
    },
  };
}

/**
 * The fetches in progress. Calls that need the same part share its fetch, which is aborted when the last of them is
 * aborted.
 */
export class Fetches {
  /** @param {Origin} origin @param {(name: string, bytes: Uint8Array) => boolean} deliver */
  constructor(origin, deliver) {
    this.origin = origin;
    this.deliver = deliver;
    /** @type {Map<string, { done: Promise<void>, waiting: number, controller: AbortController }>} */
    this.running = new Map();
    /** The numbers of received parts and bytes. */
    this.fetched = { parts: 0, bytes: 0 };
  }

  /**
   * Waits until all parts are delivered.
   * @param {string[]} names
   * @param {AbortSignal} [signal]
   */
  async all(names, signal) {
    signal?.throwIfAborted();
    const entries = names.map((name) => this.begin(name));
    let forget = () => {};
    const aborted = new Promise((_, reject) => {
      forget = onAbort(signal, () => reject(signal?.reason));
    });
    try {
      await Promise.race([Promise.all(entries.map(({ done }) => done)), aborted]);
    } finally {
      forget();
      for (const entry of entries) {
        entry.waiting -= 1;
        if (entry.waiting === 0) entry.controller.abort();
      }
    }
  }

  /** @param {string} name */
  begin(name) {
    let entry = this.running.get(name);
    if (entry && !entry.controller.signal.aborted) {
      entry.waiting += 1;
      return entry;
    }
    const controller = new AbortController();
    const done = this.fetch(name, controller.signal).finally(() => {
      if (this.running.get(name) === entry) this.running.delete(name);
    });
    // With no caller left, a failure must not be an unhandled rejection.
    done.catch(() => {});
    entry = { done, waiting: 1, controller };
    this.running.set(name, entry);
    return entry;
  }

  /** @param {string} name @param {AbortSignal} signal */
  async fetch(name, signal) {
    for (const again of [false, true]) {
      const bytes = await this.origin.part(name, again, signal);
      this.fetched.parts += 1;
      this.fetched.bytes += bytes.length;
      if (this.deliver(name, bytes)) return;
    }
    throw damaged(`${name} is damaged: its bytes do not match its name`);
  }
}
