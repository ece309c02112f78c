/**
 * How a page tells its member that something waits: which sound, toast or desktop notice, and when again. Pure.
 *
 * An Urgent climbs it until it is acknowledged; a mention or an Action is told once; an FYI is a dot.
 */

/** urgent: somebody stands still, or an Urgent · call: a mention or an Action · quiet: for information. */
export type AlertLevel = 'urgent' | 'call' | 'quiet'

/** What waits for the member, as far as telling goes. */
export type WaitingItem = {
  id: string
  level: AlertLevel
  /** Urgent and not acknowledged. */
  isRinging: boolean
  /** Epoch ms. */
  since: number
}

/** away: tab hidden or nobody active · elsewhere: in the app, not at this item · atIt: its card is on screen. */
export type Attention = 'away' | 'elsewhere' | 'atIt'

/** What was told of one item; kept over reloads, so that nothing is told twice. */
export type AlertsGiven = {
  /** When the item was first told of, epoch ms. */
  at: number
  /** How often it knocked. */
  knocks: number
  /** A desktop notice of it may still stand. */
  isOnDesktop: boolean
}
export type EscalationMemory = { told: Readonly<Record<string, AlertsGiven>>; remindedAt: number }

export type Effect =
  /** calls: what it sounds for, each named the same in every tab. */
  | { kind: 'tick' | 'knock'; calls: readonly string[] }
  | { kind: 'toast'; id: string }
  /** isUrgent: it stays until it is dealt with. */
  | { kind: 'desktop'; id: string; isUrgent: boolean }
  /** One notice for everything that has been open for long. */
  | { kind: 'remind'; count: number }
  | { kind: 'close'; id: string }

export const NO_ALERTS_GIVEN: EscalationMemory = { told: {}, remindedAt: 0 }

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** An Urgent that nobody sees knocks at these times after the first, then every five minutes for half an hour. */
export const REPEAT_ALERTS_AT: readonly number[] = [0, 20_000, 40_000, 60_000]
export const REPEAT_ALERTS_END_MS = 30 * MINUTE

/** What the server may set; ms. openMs: an Action open this long is told again, then every openAgainMs; 0: never. */
export type EscalationTimes = { againMs: number; untilMs: number; openMs: number; openAgainMs: number }
export const ESCALATION_TIMES: EscalationTimes = {
  againMs: 5 * MINUTE,
  untilMs: REPEAT_ALERTS_END_MS,
  openMs: 4 * HOUR,
  openAgainMs: 24 * HOUR,
}

/** When the knock after so many comes, ms after the first; null: no more. */
export function nextAlertAfter(knocks: number, { againMs, untilMs }: EscalationTimes): number | null {
  const early = REPEAT_ALERTS_AT[knocks]
  if (early !== undefined) return early
  const last = REPEAT_ALERTS_AT[REPEAT_ALERTS_AT.length - 1] ?? 0
  const at = last + (knocks - REPEAT_ALERTS_AT.length + 1) * againMs
  return at <= untilMs ? at : null
}

/** The nth sound for one item, named the same in every tab. */
const callOf = (id: string, nth: number): string => `${nth} ${id}`
export const itemOfCall = (call: string): string => call.slice(call.indexOf(' ') + 1)

/**
 * One look at everything that waits.
 *
 * in      waiting: all of it; lookingAt: where the member is, seen from this item; isResting: do not disturb
 *         now: epoch ms; times: as the server sets them
 * out     what to do, in order, and what to remember; a sound at most once however many ask for it
 */
export function nextEscalation(
  memory: EscalationMemory,
  waiting: readonly WaitingItem[],
  lookingAt: (id: string) => Attention,
  isResting: boolean,
  now: number,
  times: EscalationTimes = ESCALATION_TIMES,
): { memory: EscalationMemory; effects: Effect[] } {
  const told: Record<string, AlertsGiven> = {}
  const effects: Effect[] = []
  for (const item of waiting) {
    if (item.level === 'quiet') continue
    const before = memory.told[item.id]
    const looking = lookingAt(item.id)
    told[item.id] =
      item.level === 'urgent'
        ? climbUrgent(item, before, looking, isResting, now, times, effects)
        : (before ?? tellCall(item.id, looking, isResting, now, effects))
    if (item.level === 'urgent' && !item.isRinging && before?.isOnDesktop) {
      // Acknowledged: its notice has done its work.
      effects.push({ kind: 'close', id: item.id })
      told[item.id] = { ...before, isOnDesktop: false }
    }
  }
  for (const [id, before] of Object.entries(memory.told)) {
    if (told[id] === undefined && before.isOnDesktop) effects.push({ kind: 'close', id })
  }
  const remindedAt = remind(memory.remindedAt, waiting, lookingAt, isResting, now, times, effects)
  return { memory: { told, remindedAt }, effects: oneSound(effects) }
}

function climbUrgent(
  item: WaitingItem,
  before: AlertsGiven | undefined,
  looking: Attention,
  isResting: boolean,
  now: number,
  times: EscalationTimes,
  effects: Effect[],
): AlertsGiven {
  const told = before ?? { at: now, knocks: 0, isOnDesktop: false }
  if (!item.isRinging) return told
  // In the app the dialog, or the card's own pulse, goes on where the one knock ends.
  const dueAfter = looking === 'away' ? nextAlertAfter(told.knocks, times) : told.knocks === 0 ? 0 : null
  if (dueAfter === null || now - told.at < dueAfter) return told
  if (isResting) return { ...told, knocks: told.knocks + 1 }
  effects.push({ kind: 'knock', calls: [callOf(item.id, told.knocks)] })
  if (looking === 'away') effects.push({ kind: 'desktop', id: item.id, isUrgent: true })
  return { ...told, knocks: told.knocks + 1, isOnDesktop: told.isOnDesktop || looking === 'away' }
}

function tellCall(id: string, looking: Attention, isResting: boolean, now: number, effects: Effect[]): AlertsGiven {
  const tick: Effect = { kind: 'tick', calls: [callOf(id, 0)] }
  if (!isResting && looking === 'away') effects.push(tick, { kind: 'desktop', id, isUrgent: false })
  if (!isResting && looking === 'elsewhere') effects.push({ kind: 'toast', id }, tick)
  return { at: now, knocks: 0, isOnDesktop: !isResting && looking === 'away' }
}

/** Actions that have been open for hours: one notice for all, only to somebody who is away. */
function remind(
  remindedAt: number,
  waiting: readonly WaitingItem[],
  lookingAt: (id: string) => Attention,
  isResting: boolean,
  now: number,
  { openMs, openAgainMs }: EscalationTimes,
  effects: Effect[],
): number {
  if (openMs === 0) return remindedAt
  const long = waiting.filter(({ level, since }) => level === 'call' && now - since >= openMs)
  const [first] = long
  if (!first || isResting || lookingAt(first.id) !== 'away' || now - remindedAt < openAgainMs) return remindedAt
  effects.push({ kind: 'remind', count: long.length })
  return now
}

/** The knock says it all: no tick beside it, and no second one. */
function oneSound(effects: readonly Effect[]): Effect[] {
  const sounds = effects.flatMap((effect) => (effect.kind === 'knock' || effect.kind === 'tick' ? [effect] : []))
  const sound = sounds.find(({ kind }) => kind === 'knock') ?? sounds[0]
  return effects.flatMap((effect): Effect[] => {
    if (effect.kind !== 'knock' && effect.kind !== 'tick') return [effect]
    return effect === sound ? [{ ...effect, calls: sounds.flatMap(({ calls }) => calls) }] : []
  })
}

/**
 * The mark before the window's title and on its icon.
 *
 * out     ringing: 🚨, red; calls: "(3)" and a dot, only while away; quiet: the dot alone, while away
 */
export function titleMarkOf(
  waiting: readonly WaitingItem[],
  isAway: boolean,
): { title: string; icon: 'plain' | 'dot' | 'urgent' } {
  if (waiting.some(({ isRinging }) => isRinging)) return { title: '🚨', icon: 'urgent' }
  if (!isAway) return { title: '', icon: 'plain' }
  const calls = waiting.filter(({ level }) => level !== 'quiet').length
  return { title: calls > 0 ? `(${calls})` : '', icon: calls > 0 ? 'dot' : 'plain' }
}
