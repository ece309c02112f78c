// Shows what is pushed to this browser while no page of the console is open, and opens its item when it is clicked.
// Owns: notices of pushes. It answers no requests and keeps no pages: what is served is always what the server has now.
// What a push holds is said in server/notify/channels/webPush.ts.

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('push', (event) => event.waitUntil(show(contentOf(event.data))))
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(pathOf(event.notification.data)))
})
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(subscribeAgain(event)))

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
