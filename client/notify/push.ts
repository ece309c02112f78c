/**
 * Pushes to this browser: whether they can be, turning them on and off, going where a clicked one leads.
 *
 * Pages work without any of it.
 */
import type {
  MyChannels,
  PushSubscription as NewSubscription,
  PostChannelTest,
  PostTold,
  TriedAnswer,
} from '@/lib/wire'
import { type CallResult, call, command } from '../api'
import { navigate } from '../nav'
import { askDesktopPermission } from './desktop'

const WORKER = '/service-worker.js'

/** The browser asked, and nobody said yes. */
export const NOT_ALLOWED = 'notAllowed'

/** insecure: browsers push to https and localhost only · unsupported: this one to nobody · denied: not allowed here. */
export type PushAbility = 'insecure' | 'unsupported' | 'denied' | 'able'

export function pushAbility(): PushAbility {
  if (!window.isSecureContext) return 'insecure'
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || typeof Notification === 'undefined')
    return 'unsupported'
  return Notification.permission === 'denied' ? 'denied' : 'able'
}

export const getChannels = (): Promise<CallResult<MyChannels>> => call('GET', '/api/me/channels')
export const testChannel = (test: PostChannelTest): Promise<CallResult<TriedAnswer>> =>
  call('POST', '/api/me/channels/test', test)
export const dropBrowser = (id: string): Promise<CallResult<{ id: string }>> =>
  call('DELETE', `/api/me/browsers/${encodeURIComponent(id)}`)

const subscriptionHere = async (): Promise<PushSubscription | null> => {
  if (pushAbility() !== 'able') return null
  const registration = await navigator.serviceWorker.getRegistration('/')
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** The address of this browser at its push service; null: it takes no pushes. */
export const endpointHere = async (): Promise<string | null> => (await subscriptionHere())?.endpoint ?? null

/**
 * Have this browser take pushes for whoever is signed in. Asks for permission, so only after a click.
 *
 * in      key: the console's own (MyChannels.pushKey); name: as the browser is to be listed
 * out     null: it does; else why not: a PushAbility, NOT_ALLOWED, or the browser's own words
 */
export async function turnOnPush(key: string, name: string): Promise<string | null> {
  const ability = pushAbility()
  if (ability !== 'able') return ability
  if ((await askDesktopPermission()) !== 'granted') return pushAbility() === 'denied' ? 'denied' : NOT_ALLOWED
  try {
    await navigator.serviceWorker.register(WORKER, { scope: '/', updateViaCache: 'none' })
    const { pushManager } = await navigator.serviceWorker.ready
    // One of another data folder is signed by a key that is gone.
    await (await pushManager.getSubscription())?.unsubscribe()
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
    const { endpoint, keys } = made.toJSON()
    if (endpoint === undefined || keys?.p256dh === undefined || keys.auth === undefined) return 'unsupported'
    const body: NewSubscription = { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth }, name }
    const answer = await call<{ id: string }>('POST', '/api/me/browsers', body)
    if (answer.ok) return null
    await made.unsubscribe()
    return answer.fault.message
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** This browser takes none any more: whoever signs in here next is not told what was meant for another. */
export async function turnOffPush(): Promise<void> {
  const here = await subscriptionHere().catch(() => null)
  if (here === null) return
  const channels = await getChannels()
  const mine = channels.ok ? channels.value.browsers.find(({ endpoint }) => endpoint === here.endpoint) : undefined
  if (mine) await dropBrowser(mine.id)
  await here.unsubscribe().catch(() => false)
}

/** The page told its member of these, which ring: a sound, or a desktop notice. */
export const told = (channel: PostTold['channel'], items: string[]): Promise<CallResult<unknown>> =>
  command('/api/me/told', { channel, items: items.slice(0, 50) })

/** A clicked notice says where to go to the page that it brought to the front. */
export function followNotices(): () => void {
  if (!('serviceWorker' in navigator)) return () => undefined
  const hear = ({ data }: MessageEvent<unknown>): void => {
    if (typeof data !== 'object' || data === null || !('kind' in data) || data.kind !== 'open') return
    if ('path' in data && typeof data.path === 'string') navigate(data.path)
  }
  navigator.serviceWorker.addEventListener('message', hear)
  return () => navigator.serviceWorker.removeEventListener('message', hear)
}

/** What this browser is called in the list: "Firefox on Linux". */
export function browserName(agent: string): string {
  const browser =
    [
      ['Edg/', 'Edge'],
      ['Firefox/', 'Firefox'],
      ['Chrome/', 'Chrome'],
      ['Safari/', 'Safari'],
    ].find(([mark]) => agent.includes(mark ?? ''))?.[1] ?? 'Browser'
  const system = [
    ['Android', 'Android'],
    ['iPhone', 'iPhone'],
    ['iPad', 'iPad'],
    ['Windows', 'Windows'],
    ['Mac OS', 'macOS'],
    ['Linux', 'Linux'],
  ].find(([mark]) => agent.includes(mark ?? ''))?.[1]
  return system === undefined ? browser : `${browser} · ${system}`
}
