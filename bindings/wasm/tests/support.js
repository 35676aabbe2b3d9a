/** A server of files, and the native program. */

import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** @param {string} name */
function needed(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} must be set: see bindings/wasm/tests/run`);
  return value;
}

/** Directories of tables, of their chunks, and the native program. */
export const TABLES = needed('TABLES');
export const CHUNKS = needed('CHUNKS');
const DAMKA = needed('DAMKA');

/**
 * The output of the native program, as an object for each line.
 * @param {string[]} args
 * @param {string} [input]
 */
export function native(args, input = '') {
  const output = execFileSync(DAMKA, [...args, '--tables', TABLES, '--json'], { input, maxBuffer: 1 << 28 });
  return output
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/**
 * A number of positions of each signature of a game.
 * @param {string} game
 * @param {number} each
 */
export function positions(game, each) {
  const signatures = [...new Set(native(['stats', game]).map(({ signature }) => signature))];
  return signatures.flatMap((signature) =>
    native(['list', game, signature, '--sample', String(each), '--seed', '25']).map(({ fen }) => fen),
  );
}

/** A server of the files of a directory. `answer` may answer in its place. */
export class Server {
  /** @param {string} directory */
  constructor(directory) {
    this.directory = directory;
    /** @type {string[]} */
    this.requests = [];
    /** @type {(path: string, response: import('node:http').ServerResponse, request: import('node:http').IncomingMessage) => boolean | Promise<boolean>} */
    this.answer = () => false;
    this.knowsRanges = false;
    this.delay = 0;
    this.open = 0;
    this.server = createServer((request, response) => this.serve(request, response));
    // Connections stay open: otherwise one may be closed while a native program runs, just before it is used again.
    this.server.keepAliveTimeout = 0;
  }

  async start() {
    await new Promise((resolve) => this.server.listen(0, '127.0.0.1', () => resolve(undefined)));
    const address = this.server.address();
    if (typeof address !== 'object' || !address) throw new Error('no address');
    this.url = `http://127.0.0.1:${address.port}/`;
    return this;
  }

  stop() {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    return closed;
  }

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  async serve(request, response) {
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://host').pathname);
    this.requests.push(path);
    this.open += 1;
    response.on('close', () => (this.open -= 1));
    if (this.delay) await new Promise((resolve) => setTimeout(resolve, this.delay));
    if (await this.answer(path, response, request)) return;
    const bytes = await readFile(join(this.directory, path)).catch(() => null);
    if (!bytes) {
      response.writeHead(404).end();
      return;
    }
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    if (range && this.knowsRanges) {
      const [start, end] = [Number(range[1]), Math.min(Number(range[2]), bytes.length - 1)];
      const headers = { 'content-range': `bytes ${start}-${end}/${bytes.length}` };
      response.writeHead(206, headers).end(bytes.subarray(start, end + 1));
      return;
    }
    response.writeHead(200).end(bytes);
  }
}
