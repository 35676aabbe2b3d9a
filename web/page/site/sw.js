// Stores the page itself, so that it opens offline. `damka site` writes `SITE` before this text: the version, and the
// files of the page. keep.js stores the files that the page reads.

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
  if (request.mode === 'navigate' && (path === '' || path === 'index.html')) event.respondWith(kept(ROOT, request));
  else if (path.startsWith('shell/')) event.respondWith(kept(request.url, request));
});

async function install() {
  const cache = await caches.open(NAME);
  await Promise.all([
    keepPage(cache),
    ...SITE.files.map(async (file) => {
      const url = ROOT + file;
      // A cache of another version may already have the same file.
      await cache.put(url, (await caches.match(url)) ?? (await load(url)));
    }),
  ]);
}

async function keepPage(cache) {
  const { body, headers } = await load(ROOT, { cache: 'no-cache' });
  // A redirected response must not answer a navigation.
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

async function kept(url, request) {
  const cache = await caches.open(NAME);
  return (await cache.match(url)) ?? fetch(request);
}
