/**
 * The alerts of a page: which sound, toast or desktop notice a waiting item gets, and when it is repeated. Pure.
 *
 * An Urgent escalates until it is acknowledged; a mention or an Action alerts once; an FYI is a dot.
 */

import * as z from 'zod/mini'

/** urgent: an Urgent, or somebody is blocked · call: a mention or an Action · quiet: for information. */
type AlertLevel = 'urgent' | 'call' | 'quiet'

export type WaitingItem = {
  id: string
  level: AlertLevel
  /** Urgent and not acknowledged. */
  isAlerting: boolean
  since: number
}

/** away: tab hidden or nobody active · elsewhere: in the app, not at this item · atIt: its card is on screen. */
export type Attention = 'away' | 'elsewhere' | 'atIt'

/** The alerts of one item so far; stored, so that a reload does not repeat them. */
type AlertsGiven = {
  /** Of the first alert, epoch ms. */
  at: number
  alerts: number
  /** A desktop notice may still be shown. */
  isOnDesktop: boolean
}
export type EscalationMemory = { told: Readonly<Record<string, AlertsGiven>>; remindedAt: number }

export type Effect =
  /** soundIds: one for each alert it plays for, the same in every tab. */
  | { kind: 'chime' | 'alarm'; soundIds: readonly string[] }
  | { kind: 'toast'; id: string }
  /** isUrgent: it stays until it is handled. */
  | { kind: 'desktop'; id: string; isUrgent: boolean }
  /** One notice for all Actions that have been open for long. */
  | { kind: 'remind'; count: number }
  | { kind: 'close'; id: string }

export const NO_ALERTS_GIVEN: EscalationMemory = { told: {}, remindedAt: 0 }

const memoryShape = z.object({
  told: z.record(z.string(), z.object({ at: z.number(), alerts: z.number(), isOnDesktop: z.boolean() })),
  remindedAt: z.number(),
})

/** A memory of another shape counts as none. */
export const readEscalationMemory = (stored: unknown): EscalationMemory =>
  memoryShape.safeParse(stored).data ?? NO_ALERTS_GIVEN

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** An unseen Urgent alerts at these times after the first, then every five minutes for half an hour; ms. */
const REPEAT_ALERTS_AT: readonly number[] = [0, 20_000, 40_000, 60_000]
const REPEAT_ALERTS_END_MS = 30 * MINUTE

/** Configured by the server; ms. openMs: an Action open this long is reminded of, then every openAgainMs; 0: never. */
type EscalationTimes = { againMs: number; untilMs: number; openMs: number; openAgainMs: number }
export const ESCALATION_TIMES: EscalationTimes = {
  againMs: 5 * MINUTE,
  untilMs: REPEAT_ALERTS_END_MS,
  openMs: 4 * HOUR,
  openAgainMs: 24 * HOUR,
}

/** When the alert after so many comes, ms after the first; null: no more. */
function nextAlertAfter(alerts: number, { againMs, untilMs }: EscalationTimes): number | null {
  const fixed = REPEAT_ALERTS_AT[alerts]
  if (fixed !== undefined) return fixed
  const last = REPEAT_ALERTS_AT[REPEAT_ALERTS_AT.length - 1] ?? 0
  const at = last + (alerts - REPEAT_ALERTS_AT.length + 1) * againMs
  return at <= untilMs ? at : null
}

/** The id of the nth sound for one item, the same in every tab. */
const soundIdOf = (id: string, nth: number): string => `${nth} ${id}`
export const itemOfSoundId = (soundId: string): string => soundId.slice(soundId.indexOf(' ') + 1)

/**
 * The alerts that are due now.
 *
 * in      waiting: all items; attentionFor: whether the person sees this item; isDnd: do not disturb
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
    if (item.level === 'quiet') continue
    const before = memory.told[item.id]
    const attention = attentionFor(item.id)
    told[item.id] =
      item.level === 'urgent'
        ? alertUrgent(item, before, attention, isDnd, now, times, effects)
        : (before ?? alertOnce(item.id, attention, isDnd, now, effects))
    if (item.level === 'urgent' && !item.isAlerting && before?.isOnDesktop) {
      // Acknowledged.
      effects.push({ kind: 'close', id: item.id })
      told[item.id] = { ...before, isOnDesktop: false }
    }
  }
  for (const [id, before] of Object.entries(memory.told)) {
    if (told[id] === undefined && before.isOnDesktop) effects.push({ kind: 'close', id })
  }
  const remindedAt = remind(memory.remindedAt, waiting, attentionFor, isDnd, now, times, effects)
  return { memory: { told, remindedAt }, effects: oneSound(effects) }
}

function alertUrgent(
  item: WaitingItem,
  before: AlertsGiven | undefined,
  attention: Attention,
  isDnd: boolean,
  now: number,
  times: EscalationTimes,
  effects: Effect[],
): AlertsGiven {
  const told = before ?? { at: now, alerts: 0, isOnDesktop: false }
  if (!item.isAlerting) return told
  // In the app there is one alert; the dialog or the card's own pulse stays visible.
  const dueAfter = attention === 'away' ? nextAlertAfter(told.alerts, times) : told.alerts === 0 ? 0 : null
  if (dueAfter === null || now - told.at < dueAfter) return told
  if (isDnd) return { ...told, alerts: told.alerts + 1 }
  effects.push({ kind: 'alarm', soundIds: [soundIdOf(item.id, told.alerts)] })
  if (attention === 'away') effects.push({ kind: 'desktop', id: item.id, isUrgent: true })
  return { ...told, alerts: told.alerts + 1, isOnDesktop: told.isOnDesktop || attention === 'away' }
}

function alertOnce(id: string, attention: Attention, isDnd: boolean, now: number, effects: Effect[]): AlertsGiven {
  const sound: Effect = { kind: 'chime', soundIds: [soundIdOf(id, 0)] }
  if (!isDnd && attention === 'away') effects.push(sound, { kind: 'desktop', id, isUrgent: false })
  if (!isDnd && attention === 'elsewhere') effects.push({ kind: 'toast', id }, sound)
  return { at: now, alerts: 0, isOnDesktop: !isDnd && attention === 'away' }
}

/** One notice for all Actions that have been open for hours, only while the person is away. */
function remind(
  remindedAt: number,
  waiting: readonly WaitingItem[],
  attentionFor: (id: string) => Attention,
  isDnd: boolean,
  now: number,
  { openMs, openAgainMs }: EscalationTimes,
  effects: Effect[],
): number {
  if (openMs === 0) return remindedAt
  const long = waiting.filter(({ level, since }) => level === 'call' && now - since >= openMs)
  const [first] = long
  if (!first || isDnd || attentionFor(first.id) !== 'away' || now - remindedAt < openAgainMs) return remindedAt
  effects.push({ kind: 'remind', count: long.length })
  return now
}

function oneSound(effects: readonly Effect[]): Effect[] {
  const sounds = effects.flatMap((effect) => (effect.kind === 'alarm' || effect.kind === 'chime' ? [effect] : []))
  const sound = sounds.find(({ kind }) => kind === 'alarm') ?? sounds[0]
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
  const calls = waiting.filter(({ level }) => level !== 'quiet').length
  return { title: calls > 0 ? `(${calls})` : '', icon: calls > 0 ? 'dot' : 'plain' }
}
