/** Tables in a worker: the same functions, which do not block the page. */

import { DamkaError, bad } from './errors.js';
import { address, onAbort } from './fetching.js';

/** @typedef {import('./types.js').OpenOptions} OpenOptions */

/** The names of the functions. @type {readonly (keyof import('./types.js').Questions)[]} */
const QUESTIONS = [
  'answer',
  'value',
  'line',
  'map',
  'legalMoves',
  'list',
  'random',
  'stats',
  'histogram',
  'signatures',
  'signatureOf',
];

/**
 * Opens tables in a worker. `worker` runs `damka/worker.js` or calls `serve`; several tables may share it. Without
 * it a new one is started.
 * @param {Omit<OpenOptions, 'fetch'> & { worker?: import('./types.js').WorkerLike }} options
 * @returns {Promise<import('./types.js').RemoteTables>}
 */
export async function openInWorker(options) {
  const { worker, signal, ...sent } = options ?? {};
  const isOwn = worker === undefined;
  const given = absolute(sent);
  const port = clientOf(worker ?? (await startWorker()));
  try {
    const { number, game, manifest } = await port.call('open', [given], signal);
    return remote(port, number, game, manifest, isOwn);
  } catch (error) {
    if (isOwn) await port.worker.terminate();
    throw error;
  }
}

/**
 * The options for a worker: with absolute addresses, because a worker does not resolve relative ones as the page
 * does, and with headers as pairs, because `Headers` cannot be posted.
 * @param {Omit<OpenOptions, 'signal' | 'fetch'>} options
 */
function absolute({ url, wasm, request, ...options }) {
  const base = globalThis.document?.baseURI ?? import.meta.url;
  /** @type {Omit<OpenOptions, 'signal' | 'fetch'>} */
  const sent = { ...options };
  if (url !== undefined) sent.url = address(url).href;
  if (wasm !== undefined) sent.wasm = typeof wasm === 'string' || wasm instanceof URL ? new URL(wasm, base).href : wasm;
  if (request !== undefined) sent.request = { ...request, headers: [...new Headers(request?.headers)] };
  return sent;
}

/** @returns {Promise<import('./types.js').WorkerLike>} */
async function startWorker() {
  const url = new URL('./worker.js', import.meta.url);
  if (typeof Worker === 'function') return new Worker(url, { type: 'module' });
  const { Worker: NodeWorker } = await import('node:worker_threads');
  return /** @type {any} */ (new NodeWorker(url));
}

/** @type {WeakMap<object, Client>} */
const clients = new WeakMap();

/** @param {import('./types.js').WorkerLike} worker */
function clientOf(worker) {
  let client = clients.get(worker);
  if (!client) {
    client = new Client(worker);
    clients.set(worker, client);
  }
  return client;
}

/** Sends calls to a worker, and receives their results. */
class Client {
  /** @param {import('./types.js').WorkerLike} worker */
  constructor(worker) {
    this.worker = worker;
    this.last = 0;
    /** @type {Map<number, { resolve: (result: any) => void, reject: (error: unknown) => void }>} */
    this.calls = new Map();
    /** Why the worker no longer answers. @type {DamkaError | undefined} */
    this.broken = undefined;
    /** @param {any} message */
    const take = (message) => this.take(message);
    const broken = (/** @type {any} */ event) => this.break(event?.message ?? 'it cannot be started');
    if (worker.addEventListener) {
      worker.addEventListener('message', ({ data }) => take(data));
      worker.addEventListener('error', broken);
    } else {
      worker.on?.('message', take);
      worker.on?.('error', broken);
      worker.on?.('exit', () => this.break('it has ended'));
    }
  }

  /** @param {{ id: number, result?: any, error?: any }} message */
  take({ id, result, error }) {
    const call = this.calls.get(id);
    this.calls.delete(id);
    if (error) call?.reject(error.kind ? new DamkaError(error) : new Error(error.message));
    else call?.resolve(result);
  }

  /** @param {string} message */
  break(message) {
    this.broken ??= new DamkaError({ kind: 'failed', code: 'stopped', message: `the worker has stopped: ${message}` });
    for (const { reject } of this.calls.values()) reject(this.broken);
    this.calls.clear();
  }

  /**
   * @param {string} method
   * @param {any[]} args
   * @param {AbortSignal} [signal]
   * @returns {Promise<any>}
   */
  async call(method, args, signal) {
    signal?.throwIfAborted();
    if (this.broken) throw this.broken;
    this.last += 1;
    const id = this.last;
    let forget = () => {};
    try {
      return await new Promise((resolve, reject) => {
        this.calls.set(id, { resolve, reject });
        forget = onAbort(signal, () => {
          this.calls.delete(id);
          this.worker.postMessage({ abort: id });
          reject(signal?.reason);
        });
        this.worker.postMessage({ id, method, args });
      });
    } finally {
      forget();
    }
  }
}

/**
 * @param {Client} client
 * @param {number} number
 * @param {string} game
 * @param {any} manifest
 * @param {boolean} isOwn whether the worker serves only these tables
 * @returns {import('./types.js').RemoteTables}
 */
function remote(client, number, game, manifest, isOwn) {
  let isClosed = false;
  /** @type {any} */
  const tables = { game, manifest };
  for (const question of QUESTIONS) {
    tables[question] = async (/** @type {any[]} */ ...args) => {
      if (isClosed) throw bad('these tables are closed');
      const last = args.at(-1);
      // An AbortSignal cannot be posted to a worker, so the abort is sent as a message.
      const { signal, ...options } = typeof last === 'object' && last !== null ? args.pop() : {};
      return client.call(question, [number, ...args, options], signal);
    };
  }
  tables.fetched = async () => {
    if (isClosed) throw bad('these tables are closed');
    return client.call('fetched', [number]);
  };
  tables.close = async () => {
    if (isClosed) return;
    isClosed = true;
    if (isOwn) {
      await client.worker.terminate();
      client.break('its tables are closed');
    } else await client.call('close', [number]);
  };
  return tables;
}
