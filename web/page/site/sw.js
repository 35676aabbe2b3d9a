// Keeps the page itself, so that it opens without a connection. `damka site` writes `SITE` before this text: the
// version, and the files of the page. What they read is kept by keep.js.

const ROOT = new URL('./', self.location.href).href;
const PREFIX = `damka ${new URL(ROOT).pathname} shell `;
const NAME = PREFIX + SITE.version;

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('message', (event) => {
  if (event.data === 'activate') self.skipWaiting();
});
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const path = request.url.startsWith(ROOT) ? request.url.slice(ROOT.length).split(/[?#]/)[0] : null;
  if (request.method !== 'GET' || path === null) return;
  if (request.mode === 'navigate' && (path === '' || path === 'index.html')) event.respondWith(page(request));
  else if (path.startsWith('shell/')) event.respondWith(kept(request.url, request));
});

async function install() {
  const cache = await caches.open(NAME);
  await Promise.all([
    keepPage(cache),
    ...SITE.files.map(async (file) => {
      const url = ROOT + file;
      // Another version may have the same files.
      await cache.put(url, (await caches.match(url)) ?? (await load(url)));
    }),
  ]);
}

async function keepPage(cache) {
  const { body, headers } = await load(ROOT, { cache: 'no-cache' });
  // A response that was redirected may not answer a navigation.
  await cache.put(ROOT, new Response(body, { headers }));
}

async function load(url, init) {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response;
}

async function activate() {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== NAME).map((name) => caches.delete(name)),
  );
  await self.clients.claim();
}

// The page. A new version that waits is shown to whoever has no other page of the site open.
async function page(request) {
  const { waiting } = self.registration;
  const pages = await self.clients.matchAll({ type: 'window' });
  if (!waiting || pages.length > 1) return kept(ROOT, request);
  // It has all its files in its cache, the newest.
  const newest = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME).at(-1);
  const answer = newest && (await caches.match(ROOT, { cacheName: newest }));
  waiting.postMessage('activate');
  return answer || kept(ROOT, request);
}

// What is named by its contents may come from the cache of any version; the page itself not.
async function kept(url, request) {
  const own = await caches.match(url, { cacheName: NAME });
  return own ?? (url === ROOT ? undefined : await caches.match(url)) ?? fetch(request);
}
