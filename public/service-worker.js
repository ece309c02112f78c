// Opens the console while the server cannot be reached, shows what is pushed to this browser while no page of the console is open, and
// opens a notice's item when it is clicked.
// Owns: the empty page and its files of one build, notices of pushes. Not here: anything that somebody wrote or may see: what is known is
// kept by the page (client/viewCache.ts), for its person. What a push holds is said in server/notify/channels/webPush.ts.

/** The build that the server has: `{tag, page, files}`, put above this file by server/gateway/pages.ts. Not there in development. */
const shell = self.SHELL ?? null
const PREFIX = 'convene-shell-'
const cacheName = PREFIX + (shell?.tag ?? '')
const PAGE = '/'
/** So many files are fetched at once. */
const AT_ONCE = 2
/** A line that takes longer to say anything counts as away. */
const PATIENCE_MS = 6_000
/** What stands before the server says so of a server that is away. */
const AWAY = [502, 503, 504]

self.addEventListener('install', (event) => event.waitUntil(keepShell().then(() => self.skipWaiting())))
self.addEventListener('activate', (event) => event.waitUntil(begin()))
self.addEventListener('message', (event) => {
  if (event.data?.kind === 'keep-shell') event.waitUntil(keepShell().then(dropOthers))
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

/** Every address of the console is one page; signing in needs the server, and a download is none. */
function isConsole(path) {
  return !/^\/(api|_next|login)(\/|$)/.test(path) && !/\.\w+$/.test(path)
}

const isKept = async () => (await caches.match(PAGE, { cacheName })) !== undefined

/** All of this build or nothing: the page is put last, so a shell that has it is whole. Pushes work without. */
async function keepShell() {
  if (shell === null || (await isKept())) return
  try {
    const cache = await caches.open(cacheName)
    for (let at = 0; at < shell.files.length; at += AT_ONCE) {
      await Promise.all(
        shell.files.slice(at, at + AT_ONCE).map(async (path) => {
          const file = await fetch(path)
          if (!file.ok) throw new Error(`${path}: ${file.status}`)
          await cache.put(path, file)
        }),
      )
    }
    const page = await fetch(PAGE, { cache: 'no-cache', credentials: 'omit' })
    // Another build has come meanwhile, or another node has it: its files are others.
    if (page.headers.get('ETag')?.replace(/^W\//, '') !== shell.page) throw new Error('another build')
    await cache.put(PAGE, page)
  } catch {
    await caches.delete(cacheName)
  }
}

async function begin() {
  await dropOthers()
  // The server is asked while this file is still being started.
  await self.registration.navigationPreload?.enable()
  await self.clients.claim()
}

/** Those of older builds, once there is one of this. */
async function dropOthers() {
  if (shell === null || !(await isKept())) return
  const names = await caches.keys()
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== cacheName).map((name) => caches.delete(name)),
  )
}

/** A file's name says what is in it, so the one that is kept is the right one. */
async function fileOf(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? (await fetch(request))
}

/** The server's page, or the kept one while there is no server. */
async function pageOf(event) {
  const kept = async () =>
    (await caches.match(PAGE, { cacheName, ignoreVary: true })) ?? (await caches.match(PAGE, { ignoreVary: true }))
  const asked = (async () => (await event.preloadResponse) ?? (await fetch(event.request)))()
  const patience = new Promise((resolve) => setTimeout(() => resolve(null), PATIENCE_MS))
  try {
    const answer = await Promise.race([asked, patience])
    if (answer !== null && !AWAY.includes(answer.status)) return answer
    return (await kept()) ?? (await asked)
  } catch (error) {
    const page = await kept()
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
    // The same tag takes the place of the notice before: one item never makes a pile.
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
    // Not installed, or not allowed: the notice says enough.
  }
}

/** Only within this console, whatever the push says. */
function pathOf(data) {
  const path = data?.path
  return typeof path === 'string' && path.startsWith('/') && !path.startsWith('//') ? path : '/inbox'
}

/** An open page goes there by itself, without loading anew; else a new one is opened. */
async function open(path) {
  const pages = await self.clients.matchAll({ type: 'window' })
  const page = pages.find((one) => one.visibilityState === 'visible') ?? pages[0]
  if (page === undefined) return await self.clients.openWindow(path)
  page.postMessage({ kind: 'open', path })
  return await page.focus()
}

/** The browser changed its address at the push service. */
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
