/** The worker's side: answers the calls of `client.js`. */

import { DamkaError, open } from './index.js';

/**
 * @typedef {{ id: number, method: string, args: any[] } | { abort: number }} Message
 * @typedef {object} Port the channel of a worker: its global object, or a message port
 * @property {(message: any) => void} postMessage
 * @property {(type: string, listener: (event: any) => void) => void} addEventListener
 */

/**
 * Answers the messages of a port.
 * @param {Port} port
 * @param {{ fetch?: typeof fetch }} [options] `fetch`: used in place of the global function
 */
export function serve(port, { fetch } = {}) {
  /** @type {Map<number, import('./index.js').Tables>} */
  const opened = new Map();
  let last = 0;
  /** The calls in progress. @type {Map<number, AbortController>} */
  const running = new Map();

  /** @param {string} method @param {any[]} args @param {AbortSignal} signal */
  async function answer(method, args, signal) {
    if (method === 'open') {
      const tables = await open({ ...args[0], fetch, signal });
      last += 1;
      opened.set(last, tables);
      return { number: last, game: tables.game, manifest: tables.manifest };
    }
    const [number, ...rest] = args;
    const tables = opened.get(number);
    if (!tables) throw new DamkaError({ kind: 'bad', code: 'bad_parameter', message: 'these tables are not open' });
    if (method === 'close') {
      opened.delete(number);
      return tables.close();
    }
    if (method === 'fetched') return tables.fetched;
    const options = rest.pop();
    return /** @type {any} */ (tables)[method](...rest, { ...options, signal });
  }

  /** @param {Message} message */
  async function take(message) {
    if ('abort' in message) {
      running.get(message.abort)?.abort();
      return;
    }
    const { id, method, args } = message;
    const controller = new AbortController();
    running.set(id, controller);
    try {
      port.postMessage({ id, result: await answer(method, args, controller.signal) });
    } catch (error) {
      const fields = error instanceof DamkaError ? error.fields() : { message: String(error) };
      if (!controller.signal.aborted) port.postMessage({ id, error: fields });
    } finally {
      running.delete(id);
    }
  }

  port.addEventListener('message', ({ data }) => take(data));
}
