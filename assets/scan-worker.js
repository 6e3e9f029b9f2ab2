// A service worker that opens the page Scan without network, if it was open in this browser before. It caches only
// files, and no page of a session. In place of the page it shows scan-offline.html, which is the same for everybody.

const cacheName = 'scan'
const standIn = '/dashboard/assets/scan-offline.html'
const files = [
  standIn,
  '/dashboard/assets/tabler.css',
  '/dashboard/assets/dashboard.css',
  '/dashboard/assets/frame.css',
  '/dashboard/assets/forms.css',
  '/dashboard/assets/tables.css',
  '/dashboard/assets/bookings.css',
  '/dashboard/assets/scan.css',
  '/dashboard/assets/dashboard.js',
  '/dashboard/assets/scan.js',
  '/dashboard/assets/qr/decode.js',
  '/dashboard/assets/qr/index.js',
]

self.addEventListener('install', (event) => {
  self.skipWaiting()
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(files)))
})

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET') return
  if (request.mode === 'navigate') {
    const isScan = new URL(request.url).pathname.endsWith('/scan')
    if (isScan) event.respondWith(fetch(request).catch(() => caches.match(standIn)))
  } else if (files.includes(new URL(request.url).pathname)) event.respondWith(readFile(request))
})

/** The current file of the server, or the cached one without network. The cache key is the path without `?v=`. */
async function readFile(request) {
  const { pathname } = new URL(request.url)
  try {
    const answer = await fetch(request)
    if (answer.ok) await (await caches.open(cacheName)).put(pathname, answer.clone())
    return answer
  } catch {
    return (await caches.match(pathname)) ?? Response.error()
  }
}
