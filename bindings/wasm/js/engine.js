/** The WebAssembly program: loaded once, shared by all tables. */

import { DamkaError, bad } from './errors.js';

/**
 * @typedef {object} Exports
 * @property {{ readonly buffer: ArrayBuffer }} memory
 * @property {(length: number) => number} damka_input
 * @property {() => number} damka_request
 * @property {() => number} damka_output
 * @property {() => number} damka_deliver
 */

/**
 * @typedef {URL | string | Response | ArrayBuffer | ArrayBufferView} WasmBytes
 * @typedef {WasmBytes | import('./types.js').WasmModule} WasmSource
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** @type {Promise<Engine> | undefined} */
let loaded;

/**
 * The program, loaded if necessary. The first call determines its source.
 * @param {WasmSource} [source]
 */
export function engine(source = new URL('damka.wasm', import.meta.url)) {
  loaded ??= instantiate(source).then(
    (instance) => new Engine(/** @type {any} */ (instance.exports)),
    (error) => {
      loaded = undefined;
      throw error;
    },
  );
  return loaded;
}

/** @param {WasmSource} source @returns {Promise<{ exports: object }>} */
async function instantiate(source) {
  if (source instanceof WebAssembly.Module) return WebAssembly.instantiate(source);
  const bytes = await bytesOf(/** @type {WasmBytes} */ (source));
  const { instance } = await WebAssembly.instantiate(/** @type {BufferSource} */ (bytes));
  return instance;
}

/** @param {WasmBytes} source @returns {Promise<ArrayBuffer | ArrayBufferView>} */
async function bytesOf(source) {
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return source;
  if (!(source instanceof Response)) {
    const url = new URL(source, globalThis.document?.baseURI ?? import.meta.url);
    if (url.protocol === 'file:') {
      const { readFile } = await import('node:fs/promises');
      return /** @type {any} */ (await readFile(url));
    }
    source = await fetch(url).catch((error) => {
      throw new DamkaError({ kind: 'offline', code: 'offline', message: `${url}: ${error.message}` });
    });
  }
  if (!source.ok) {
    const message = `damka.wasm: the server answers ${source.status}`;
    throw new DamkaError({ kind: 'offline', code: `http_${source.status}`, message });
  }
  return source.arrayBuffer();
}

export class Engine {
  /** @param {Exports} exports */
  constructor(exports) {
    this.exports = exports;
  }

  /** @param {Uint8Array[]} parts */
  input(...parts) {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const start = this.exports.damka_input(length) >>> 0;
    const memory = new Uint8Array(this.exports.memory.buffer, start, length);
    let at = 0;
    for (const part of parts) {
      memory.set(part, at);
      at += part.length;
    }
  }

  /**
   * The reply to a request: its result, or the parts that it needs.
   * @param {(string | number)[]} fields
   * @returns {{ ok?: any, needed?: string[], found?: any }}
   */
  request(fields) {
    for (const type of fields.map((field) => typeof field)) {
      if (type === 'string' || type === 'number') continue;
      throw bad(`expected a text or a number, not a value of type ${type}`);
    }
    const text = encoder.encode(fields.join('\0'));
    const reply = this.guarded(() => {
      this.input(text);
      const length = this.exports.damka_request();
      const start = this.exports.damka_output() >>> 0;
      return decoder.decode(new Uint8Array(this.exports.memory.buffer, start, length));
    });
    const { error, ...rest } = JSON.parse(reply);
    if (error) throw new DamkaError(error);
    return rest;
  }

  /**
   * Delivers a part to the program. Returns whether its bytes are right.
   * @param {string} name
   * @param {Uint8Array} bytes
   */
  deliver(name, bytes) {
    return this.guarded(() => {
      this.input(encoder.encode(`${name}\0`), bytes);
      return this.exports.damka_deliver() === 1;
    });
  }

  /**
   * Runs code of the program. After a trap, which is a bug or a lack of memory, the program cannot be used any more.
   * @template T
   * @param {() => T} run
   * @returns {T}
   */
  guarded(run) {
    if (this.trapped) throw this.trapped;
    try {
      return run();
    } catch (error) {
      const message = `damka has stopped: ${/** @type {Error} */ (error).message}`;
      this.trapped = new DamkaError({ kind: 'failed', code: 'stopped', message });
      loaded = undefined;
      throw this.trapped;
    }
  }
}

