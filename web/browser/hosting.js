// A simple web server: files by their names, no ranges. It may compress, serve below a path, be slow or be down. A
// test may replace the server's answer for a file.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** Serves a directory below `path`. */
export async function host(directory, { path = '/', compress = false } = {}) {
  const site = { path, isGone: false, delay: 0, requests: [], bytes: 0, replacements: new Map() };
  const server = createServer(async (request, response) => {
    if (site.isGone) return request.socket.destroy();
    const { pathname } = new URL(request.url, 'http://host');
    site.requests.push(pathname);
    if (site.delay) await new Promise((resolve) => setTimeout(resolve, site.delay));
    const name = decodeURIComponent(pathname.slice(path.length)) || 'index.html';
    if (!pathname.startsWith(path) || normalize(name).startsWith('..')) return response.writeHead(404).end();
    let bytes = site.replacements.get(name);
    try {
      bytes ??= await readFile(join(directory, name));
    } catch {
      return response.writeHead(404).end();
    }
    const headers = { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream' };
    if (compress) {
      bytes = await promisify(gzip)(bytes);
      headers['content-encoding'] = 'gzip';
    }
    site.bytes += bytes.length;
    response.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  site.base = `http://127.0.0.1:${server.address().port}${path}`;
  site.close = () => {
    server.close();
    server.closeAllConnections();
  };
  return site;
}
