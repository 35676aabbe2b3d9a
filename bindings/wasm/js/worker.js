/** A worker that serves tables. */

import { serve } from './serve.js';

/** @type {any} */
const worker = globalThis;
if (typeof worker.postMessage === 'function') {
  serve(worker);
} else {
  const { parentPort } = await import('node:worker_threads');
  if (!parentPort) throw new Error('this is not a worker');
  serve({
    postMessage: (message) => parentPort.postMessage(message),
    addEventListener: (type, listener) => parentPort.on(type, (data) => listener({ data })),
  });
}
