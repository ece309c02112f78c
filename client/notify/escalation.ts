/**
 * The alerts of a page: which sound, toast or desktop notice a waiting item gets, and when it is repeated. Pure.
 *
 * An Urgent escalates until it is acknowledged; a mention or an Action alerts once; an FYI is a dot.
 */

import * as z from 'zod/mini'
import type { Loudness } from '@/lib/mas/asks/rings'

export type WaitingItem = {
  id: string
  loudness: Loudness
  /** Urgent and not acknowledged. */
  isAlerting: boolean
  askedAt: number
  /** Since when it waits, or was raised again. */
  since: number
  /** Until when its reader asked not to be reminded, epoch ms; 0: they did not. */
  snoozedUntil: number
}

/** What of an item rings: one that is raised again rings anew. */
export const ringOf = ({ id, since }: Pick<WaitingItem, 'id' | 'since'>): string => `${id} ${since}`

/** away: tab hidden or nobody active · elsewhere: in the app, not at this item · atIt: its card is on screen. */
export type Attention = 'away' | 'elsewhere' | 'atIt'

const memoryShape = z.object({
  /** By item. at: of the first alert, epoch ms; alerts: so far; isOnDesktop: a desktop notice may still be shown. */
  told: z.record(z.string(), z.object({ at: z.number(), alerts: z.number(), isOnDesktop: z.boolean() })),
  remindedAt: z.number(),
})
/** The alerts given so far; stored, so that a reload does not repeat them. */
export type EscalationMemory = z.infer<typeof memoryShape>
type AlertsGiven = EscalationMemory['told'][string]

export type Effect =
  /** soundIds: one for each alert it plays for, the same in every tab. */
  | { kind: 'chime' | 'alarm'; soundIds: readonly string[] }
  | { kind: 'toast'; id: string }
  /** isUrgent: it stays until it is handled. */
  | { kind: 'desktop'; id: string; isUrgent: boolean }
  /** One notice for all Actions that have been open for long. */
  | { kind: 'remind'; count: number }
  /** Closes the desktop notice. */
  | { kind: 'close'; id: string }
  /** One toast for many. */
  | { kind: 'crowd'; count: number }
  | { kind: 'closeToast'; id: string }
  | { kind: 'announce'; id: string; isUrgent: boolean }

export const NO_ALERTS_GIVEN: EscalationMemory = { told: {}, remindedAt: 0 }

/** A memory of another shape counts as none. */
export const readEscalationMemory = (stored: unknown): EscalationMemory =>
  memoryShape.safeParse(stored).data ?? NO_ALERTS_GIVEN

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** An unseen Urgent alerts at these times after the first, then every five minutes for half an hour; ms. */
const REPEAT_ALERTS_AT: readonly number[] = [0, 20_000, 40_000, 60_000]
const REPEAT_ALERTS_END_MS = 30 * MINUTE

/** Configured by the server; ms. openMs: an Action open this long is reminded of, then every openAgainMs; 0: never. */
export type EscalationTimes = { againMs: number; untilMs: number; openMs: number; openAgainMs: number }
export const ESCALATION_TIMES: EscalationTimes = {
  againMs: 5 * MINUTE,
  untilMs: REPEAT_ALERTS_END_MS,
  openMs: 4 * HOUR,
  openAgainMs: 24 * HOUR,
}

/** How many alerts an unseen Urgent has had so long after the first, ms. */
function alertsWithin(ms: number, { againMs, untilMs }: EscalationTimes): number {
  const repeats = Math.floor((Math.min(ms, untilMs) - (REPEAT_ALERTS_AT.at(-1) ?? 0)) / againMs)
  return REPEAT_ALERTS_AT.filter((at) => at <= ms).length + Math.max(0, repeats)
}

/** A sound has its item, since when that alerts and the number of its alert, the same in every tab. */
export const itemOfSoundId = (soundId: string): string => soundId.slice(soundId.indexOf(' ') + 1)

/**
 * The alerts that are due now.
 *
 * in      waiting: all items; attentionFor: whether the person sees this item; isDnd: do not disturb, when alerts are skipped
 *         now: epoch ms
 * out     the effects in order, with at most one sound, and the memory for the next call
 */
export function nextEscalation(
  memory: EscalationMemory,
  waiting: readonly WaitingItem[],
  attentionFor: (id: string) => Attention,
  isDnd: boolean,
  now: number,
  times: EscalationTimes = ESCALATION_TIMES,
): { memory: EscalationMemory; effects: Effect[] } {
  const told: Record<string, AlertsGiven> = {}
  const effects: Effect[] = []
  for (const item of waiting) {
    const { id, loudness, isAlerting, since } = item
    if (loudness === 'quiet') continue
    const before = memory.told[id]
    const given = roundOf(before, since, now)
    const attention = attentionFor(id)
    const isUrgent = loudness === 'urgent'
    const alerts = isUrgent && isAlerting ? alarmsBy(given, attention, now, times) : given.alerts
    const isDue = isUrgent ? alerts > given.alerts : before === undefined
    const isAlerted = isDue && !isDnd
    if (isAlerted) effects.push(...alertsFor(item, attention, alerts))
    const isAcknowledged = isUrgent && !isAlerting
    if (isAcknowledged && given.isOnDesktop) effects.push({ kind: 'close', id })
    told[id] = {
      at: given.at,
      alerts,
      isOnDesktop: !isAcknowledged && (given.isOnDesktop || (isAlerted && attention === 'away')),
    }
  }
  for (const [id, before] of Object.entries(memory.told)) {
    if (told[id] === undefined && before.isOnDesktop) effects.push({ kind: 'close', id })
  }
  const long =
    times.openMs === 0 ? [] : waiting.filter((one) => one.loudness === 'call' && now - one.since >= times.openMs)
  const isAway = long[0] !== undefined && attentionFor(long[0].id) === 'away'
  const isReminded = isAway && !isDnd && now - memory.remindedAt >= times.openAgainMs
  if (isReminded) effects.push({ kind: 'remind', count: long.length })
  return { memory: { told, remindedAt: isReminded ? now : memory.remindedAt }, effects: oneSound(effects) }
}

/** What is raised again alerts anew. The first alert is never before that, also where the clock of the page is behind the server's. */
const roundOf = (before: AlertsGiven | undefined, since: number, now: number): AlertsGiven =>
  before !== undefined && before.at >= since
    ? before
    : { at: Math.max(now, since), alerts: 0, isOnDesktop: before?.isOnDesktop ?? false }

/**
 * How many alarms an Urgent has had by now; of several that were missed only the latest sounds. In the app it has one: the dialog
 * or the card's own pulse stays visible.
 */
const alarmsBy = ({ at, alerts }: AlertsGiven, attention: Attention, now: number, times: EscalationTimes): number =>
  Math.max(alerts, attention === 'away' ? alertsWithin(Math.max(0, now - at), times) : 1)

/** in: nth: the number of the alert */
function alertsFor({ id, loudness, since }: WaitingItem, attention: Attention, nth: number): Effect[] {
  const isUrgent = loudness === 'urgent'
  const sound: Effect = { kind: isUrgent ? 'alarm' : 'chime', soundIds: [`${since}.${nth} ${id}`] }
  if (attention === 'away') return [sound, { kind: 'desktop', id, isUrgent }]
  if (isUrgent) return [sound]
  return attention === 'elsewhere' ? [{ kind: 'toast', id }, sound] : []
}

/** Calls older than this when the page opens are shown by the page itself and alert no more. */
const OLD_MS = 10_000

/** Calls that were open before this page count as alerted. openedAt: epoch ms. */
export function withOldCalls(
  memory: EscalationMemory,
  waiting: readonly WaitingItem[],
  openedAt: number,
): EscalationMemory {
  const old = waiting.filter(
    ({ id, loudness, since }) => loudness === 'call' && since < openedAt - OLD_MS && !memory.told[id],
  )
  if (old.length === 0) return memory
  const silent = { at: openedAt, alerts: 0, isOnDesktop: false }
  return { ...memory, told: { ...memory.told, ...Object.fromEntries(old.map(({ id }) => [id, silent])) } }
}

/** Alarms come first in it: only so many of its alerts can be reported. */
function oneSound(effects: readonly Effect[]): Effect[] {
  const sounds = effects
    .flatMap((effect) => (effect.kind === 'alarm' || effect.kind === 'chime' ? [effect] : []))
    .sort((a, b) => Number(b.kind === 'alarm') - Number(a.kind === 'alarm'))
  const [sound] = sounds
  return effects.flatMap((effect): Effect[] => {
    if (effect.kind !== 'alarm' && effect.kind !== 'chime') return [effect]
    return effect === sound ? [{ ...effect, soundIds: sounds.flatMap(({ soundIds }) => soundIds) }] : []
  })
}

/**
 * The mark before the window's title and on its icon.
 *
 * out     an unacknowledged Urgent: 🚨, red; calls, while away: "(3)" and a dot; else none
 */
export function titleMarkOf(
  waiting: readonly WaitingItem[],
  isAway: boolean,
): { title: string; icon: 'plain' | 'dot' | 'urgent' } {
  if (waiting.some(({ isAlerting }) => isAlerting)) return { title: '🚨', icon: 'urgent' }
  if (!isAway) return { title: '', icon: 'plain' }
  const calls = waiting.filter(({ loudness }) => loudness !== 'quiet').length
  return { title: calls > 0 ? `(${calls})` : '', icon: calls > 0 ? 'dot' : 'plain' }
}
