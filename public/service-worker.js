// Service worker: serves the cached static page and its files while the server is unreachable, and shows pushed notices. It caches no
// user data: that is done by client/views/viewCache.ts. The payload of a push is written by server/notify/channels/webPush.ts.

/** The server's build: `{tag, page, files, others}`, prepended by server/gateway/http/pages.ts. Absent in development. */
const shell = self.SHELL ?? null
const PREFIX = 'convene-shell-'
const cacheName = PREFIX + (shell?.tag ?? '')
const PAGE = '/'
/** Files fetched in parallel. */
const PARALLEL = 2
/** A server that takes longer to answer counts as unreachable. */
const TIMEOUT_MS = 6_000
/** Answers of a proxy for a server that is unreachable. */
const UNREACHABLE = [502, 503, 504]

self.addEventListener('install', (event) => event.waitUntil(cacheShell().then(() => self.skipWaiting())))
self.addEventListener('activate', (event) => event.waitUntil(activate()))
self.addEventListener('message', (event) => {
  if (event.data?.kind === 'keep-shell') event.waitUntil(cacheShell().then(deleteOldCaches))
})
self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (shell === null || request.method !== 'GET' || url.origin !== self.location.origin) return
  if (url.pathname.startsWith('/_next/static/')) event.respondWith(fileOf(request))
  else if (request.mode === 'navigate' && isConsole(url.pathname)) event.respondWith(pageOf(event))
})
self.addEventListener('push', (event) => event.waitUntil(show(contentOf(event.data))))
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(pathOf(event.notification.data)))
})
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(subscribeAgain(event)))

/** Every address of the console is one page. Signing in and the pages beside it need the server; a path with an extension is a download, but for the screen of a file. */
function isConsole(path) {
  return (
    !/^\/(api|_next|login)(\/|$)/.test(path) &&
    (path.startsWith('/files/') || !/\.\w+$/.test(path)) &&
    !shell.others.some((pattern) => new RegExp(pattern).test(path))
  )
}

const isCached = async () => (await caches.match(PAGE, { cacheName })) !== undefined

/** Cache all of this build or nothing: the page is put last, so a cache that has it is complete. */
async function cacheShell() {
  if (shell === null || (await isCached())) return
  try {
    const cache = await caches.open(cacheName)
    for (let at = 0; at < shell.files.length; at += PARALLEL) {
      await Promise.all(
        shell.files.slice(at, at + PARALLEL).map(async (path) => {
          const file = await fetch(path)
          if (!file.ok) throw new Error(`${path}: ${file.status}`)
          await cache.put(path, file)
        }),
      )
    }
    const page = await fetch(PAGE, { cache: 'no-cache', credentials: 'omit' })
    // The server, or another node of it, has another build meanwhile.
    if (page.headers.get('ETag')?.replace(/^W\//, '') !== shell.page) throw new Error('another build')
    await cache.put(PAGE, page)
  } catch {
    await caches.delete(cacheName)
  }
}

async function activate() {
  await deleteOldCaches()
  // The request for the page starts before the worker does.
  await self.registration.navigationPreload?.enable()
  await self.clients.claim()
}

/** Delete the caches of older builds, once this one is complete. */
async function deleteOldCaches() {
  if (shell === null || !(await isCached())) return
  const names = await caches.keys()
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== cacheName).map((name) => caches.delete(name)),
  )
}

/** File names contain a hash of the content, so a cached file is current. */
async function fileOf(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? (await fetch(request))
}

/** The server's page, or the cached one while the server is unreachable. */
async function pageOf(event) {
  const cached = async () =>
    (await caches.match(PAGE, { cacheName, ignoreVary: true })) ?? (await caches.match(PAGE, { ignoreVary: true }))
  const requested = (async () => (await event.preloadResponse) ?? (await fetch(event.request)))()
  const timeout = new Promise((resolve) => setTimeout(() => resolve(null), TIMEOUT_MS))
  try {
    const answer = await Promise.race([requested, timeout])
    if (answer !== null && !UNREACHABLE.includes(answer.status)) return answer
    return (await cached()) ?? (await requested)
  } catch (error) {
    const page = await cached()
    if (page === undefined) throw error
    return page
  }
}

function contentOf(data) {
  try {
    return data.json()
  } catch {
    return null
  }
}

async function show(content) {
  if (content === null) return
  await badge(content.waiting)
  if (content.kind === 'close') {
    for (const notice of await self.registration.getNotifications({ tag: content.tag })) notice.close()
    return
  }
  await self.registration.showNotification(content.title, {
    body: content.text,
    // The same tag replaces the earlier notice of the same item.
    tag: content.tag,
    renotify: !content.isSilent,
    silent: content.isSilent,
    requireInteraction: content.isUrgent,
    lang: content.language,
    icon: '/icon-192.png',
    badge: '/badge-96.png',
    data: { path: content.path },
  })
}

/** The number on the icon of an installed app. */
async function badge(count) {
  try {
    if (count > 0) await self.navigator.setAppBadge?.(count)
    else await self.navigator.clearAppBadge?.()
  } catch {
    // Not installed, or not allowed.
  }
}

/** Paths of this console only. */
function pathOf(data) {
  const path = data?.path
  return typeof path === 'string' && path.startsWith('/') && !path.startsWith('//') ? path : '/inbox'
}

/** Navigate an open page without a reload, else open a new one. */
async function open(path) {
  const pages = await self.clients.matchAll({ type: 'window' })
  const page = pages.find((one) => one.visibilityState === 'visible') ?? pages[0]
  if (page === undefined) return await self.clients.openWindow(path)
  page.postMessage({ kind: 'open', path })
  return await page.focus()
}

/** The push service changed this browser's endpoint. */
async function subscribeAgain(event) {
  const options = event.oldSubscription?.options
  const fresh = event.newSubscription ?? (options ? await self.registration.pushManager.subscribe(options) : null)
  if (!fresh) return
  const { endpoint, keys } = fresh.toJSON()
  await fetch('/api/me/browsers', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ endpoint, keys, name: 'Browser' }),
  })
}
