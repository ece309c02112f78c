/** Web push of this browser: support, subscribing and unsubscribing, following a clicked notice. */
import type {
  MadeAnswer,
  MyChannels,
  PushSubscription as NewSubscription,
  PostChannelTest,
  PostTold,
  TriedAnswer,
} from '@/lib/wire'
import { type ApiResult, type CallRefused, call, command } from '../api'
import { navigate } from '../nav'
import { desktopPermission, requestDesktopPermission } from './desktop'
import { type Effect, itemOfSoundId } from './escalation'

const WORKER = '/service-worker.js'

/** insecure: push needs https or localhost · unsupported: by this browser · denied: by its settings. */
type PushAbility = 'insecure' | 'unsupported' | 'denied' | 'able'
export type PushProblem = 'notAllowed' | 'notSubscribed' | CallRefused

export function pushAbility(): PushAbility {
  if (!window.isSecureContext) return 'insecure'
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || typeof Notification === 'undefined')
    return 'unsupported'
  return Notification.permission === 'denied' ? 'denied' : 'able'
}

export const getChannels = (): Promise<ApiResult<MyChannels>> => call('GET', '/api/me/channels')
export const testChannel = (test: PostChannelTest): Promise<ApiResult<TriedAnswer>> =>
  call('POST', '/api/me/channels/test', test)
export const dropBrowser = (id: string): Promise<ApiResult<{ id: string }>> =>
  call('DELETE', `/api/me/browsers/${encodeURIComponent(id)}`)

const subscriptionHere = async (): Promise<PushSubscription | null> => {
  if (pushAbility() !== 'able') return null
  const registration = await navigator.serviceWorker.getRegistration('/')
  return (await registration?.pushManager.getSubscription()) ?? null
}

export const endpointHere = async (): Promise<string | null> => (await subscriptionHere())?.endpoint ?? null

/**
 * Subscribe this browser for the signed-in person. Asks for permission, so only after a click.
 *
 * in      key: MyChannels.pushKey; name: of the browser, for the list
 * out     null: subscribed, or pushAbility() says why not; notAllowed: the browser's question was not answered with yes;
 *         notSubscribed: the browser or its push service refused; else the server's refusal
 */
export async function turnOnPush(key: string, name: string): Promise<PushProblem | null> {
  if (pushAbility() !== 'able') return null
  if ((await requestDesktopPermission()) !== 'granted') return pushAbility() === 'denied' ? null : 'notAllowed'
  try {
    await navigator.serviceWorker.register(WORKER, { scope: '/', updateViaCache: 'none' })
    const { pushManager } = await navigator.serviceWorker.ready
    // An old subscription may be signed by the key of another data folder.
    await (await pushManager.getSubscription())?.unsubscribe()
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
    const { endpoint, keys } = made.toJSON()
    if (endpoint === undefined || keys?.p256dh === undefined || keys.auth === undefined) return 'notSubscribed'
    const body: NewSubscription = { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth }, name }
    const answer = await call<MadeAnswer>('POST', '/api/me/browsers', body)
    if (answer.ok) return null
    await made.unsubscribe()
    return answer.fault
  } catch (error) {
    console.warn('push was not turned on', error)
    return 'notSubscribed'
  }
}

export async function turnOffPush(): Promise<void> {
  const here = await subscriptionHere().catch(() => null)
  if (here === null) return
  const channels = await getChannels()
  const mine = channels.ok ? channels.value.browsers.find(({ endpoint }) => endpoint === here.endpoint) : undefined
  if (mine) await dropBrowser(mine.id)
  await here.unsubscribe().catch(() => false)
}

const reportAlerted = (channel: PostTold['channel'], items: string[]): void => {
  if (items.length > 0) void command('/api/me/told', { channel, items: items.slice(0, 50) })
}

/**
 * Tell the server of which items the page alerted its person by a sound or desktop notice; senders read it beside the delivery. Those
 * that are no Urgents it ignores.
 *
 * in      isHeard: somebody looks at the page, or it may play sounds
 */
export function reportAlerts(effects: readonly Effect[], isHeard: boolean): void {
  const alarms = effects.flatMap((effect) => (effect.kind === 'alarm' ? effect.soundIds : []))
  if (isHeard) reportAlerted('page', alarms.map(itemOfSoundId))
  if (desktopPermission() !== 'granted') return
  reportAlerted(
    'desktop',
    effects.flatMap((effect) => (effect.kind === 'desktop' && effect.isUrgent ? [effect.id] : [])),
  )
}

/** Go to the address of a notice that was clicked while this page was open. out: stops */
export function followNotices(): () => void {
  if (!('serviceWorker' in navigator)) return () => undefined
  const onMessage = ({ data }: MessageEvent<unknown>): void => {
    if (typeof data !== 'object' || data === null || !('kind' in data) || data.kind !== 'open') return
    if ('path' in data && typeof data.path === 'string') navigate(data.path)
  }
  navigator.serviceWorker.addEventListener('message', onMessage)
  return () => navigator.serviceWorker.removeEventListener('message', onMessage)
}

const BROWSERS = { 'Edg/': 'Edge', 'Firefox/': 'Firefox', 'Chrome/': 'Chrome', 'Safari/': 'Safari' }
const SYSTEMS = {
  Android: 'Android',
  iPhone: 'iPhone',
  iPad: 'iPad',
  Windows: 'Windows',
  'Mac OS': 'macOS',
  Linux: 'Linux',
}

/** The browser's name in the list: "Firefox · Linux". */
export function browserName(agent: string): string {
  const nameIn = (marks: Record<string, string>): string | undefined =>
    Object.entries(marks).find(([mark]) => agent.includes(mark))?.[1]
  return [nameIn(BROWSERS) ?? 'Browser', nameIn(SYSTEMS)].filter(Boolean).join(' · ')
}
