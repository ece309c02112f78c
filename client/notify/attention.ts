/**
 * What this page shows, sounds and announces of what waits for its person. Pure: the parts of the page only draw it.
 *
 *   rows, screen, do not disturb, snoozes, other tabs, press ──► nextAttention ──► shown: bar, dialog, title, icon, question
 *                                                                              └──► effects: sound, toast, desktop notice, announcement
 *
 * What rings for which type is in `lib/mas/asks/rings.ts`, the times of alerts in `escalation.ts`. What reaches people outside of the
 * page is planned by `server/notify`.
 */
import type { CardSight } from '../onScreen'
import type { PageUse } from '../pageUse'
import {
  type Attention,
  type Effect,
  type EscalationMemory,
  type EscalationTimes,
  NO_ALERTS_GIVEN,
  nextEscalation,
  ringOf,
  titleMarkOf,
  type WaitingItem,
  withOldCalls,
} from './escalation'
import type { TabState } from './tabs'

/** What a part of the page draws. */
export type DrawnEffect = Exclude<Effect, { soundIds: unknown }>

/** now, openedAt: epoch ms of the server; pageNow and what concerns the screen: of this browser. */
export type AttentionInput = {
  now: number
  pageNow: number
  items: readonly WaitingItem[]
  /** The page is settled and has its rows: what happens once may begin. Rows that this browser remembers would sound again. */
  isReady: boolean
  sightOf: (item: string) => Omit<CardSight, 'element' | 'isMost'> | 'pending' | null
  /** Its card holds an unsent text. */
  isPinned: (item: string) => boolean
  page: PageUse & { lastActiveAt: number; openedAt: number; isToastThere: boolean }
  /** all: with this one. */
  tabs: { isLeader: boolean; here: TabState; all: readonly TabState[] }
  /** Do not disturb; lets: Urgents break through. */
  dnd: { isResting: boolean; lets: boolean }
  times?: EscalationTimes
}

export type Press = { do: 'fold' } | { do: 'show'; item: string } | { do: 'snooze'; item: string; minutes: number }

/** isPressed: its reader pressed Show: nothing but they or its end takes the dialog away. */
type Urgents = {
  dialog: string | null
  isPressed: boolean
  hasBar: boolean
  /** Rings whose dialog their reader put away. */
  folded: ReadonlySet<string>
  /** Snoozes of this page, by ring, until when: the rows have them later. */
  snoozed: ReadonlyMap<string, number>
  /** By ring: when this page first saw it, and since when its card is certainly not in view. */
  seen: ReadonlyMap<string, { seenAt: number; offScreenSince: number }>
}

export type AttentionMemory = {
  alerts: EscalationMemory
  urgents: Urgents
  /** Items that need no announcement; null: at the first rows, which are not announced. */
  announced: ReadonlySet<string> | null
  toasted: ReadonlySet<string>
  /** Items that rang at the last step, and when the first of them left. */
  ringing: readonly string[]
  handledAt: number | null
  isHandled: boolean
}

/** title, icon: of the window; titleItem: whose sender the title names by turns; isHandled: desktop notices may be offered. */
export type ShownAlerts = Pick<Urgents, 'dialog' | 'hasBar'> &
  ReturnType<typeof titleMarkOf> & { titleItem: string | null; isHandled: boolean }

const NO_DIALOG = { dialog: null, isPressed: false }

/** folded: as this tab stored it; alerts: as this browser did */
export const firstAttention = (folded: Iterable<string> = [], alerts = NO_ALERTS_GIVEN): AttentionMemory => ({
  alerts,
  urgents: { ...NO_DIALOG, hasBar: false, folded: new Set(folded), snoozed: new Map(), seen: new Map() },
  announced: null,
  toasted: new Set(),
  ringing: [],
  handledAt: null,
  isHandled: false,
})

/** More toasts than these in one step become one. */
const MAX_TOASTS = 3
const MINUTE_MS = 60_000
/** The toast that confirms an act is expected within this time. */
const TOAST_WITHIN_MS = 2_000
/** The page is in use for so long after input in a text field or an open menu, which delays the dialog for at most MAX_DELAY_MS. */
const IN_USE_MS = 3_000
const MAX_DELAY_MS = 15_000
/** Time for a new page to draw its card. */
const SETTLE_MS = 600
/** What names it in view, without an open card, brings the dialog when nobody moved in the page for so long. */
const UNNOTICED_MS = 20_000

/** out: mayRing: items whose sound may still be played */
export function nextAttention(
  before: AttentionMemory,
  input: AttentionInput,
  press: Press | null = null,
): { memory: AttentionMemory; shown: ShownAlerts; effects: Effect[]; mayRing: ReadonlySet<string> } {
  const { now, items, tabs, dnd } = input
  const active = tabs.all.filter(({ isActive }) => isActive)
  const attentionTo = (id: string): Attention =>
    active.length === 0 ? 'away' : active.some(({ onScreen }) => onScreen.includes(id)) ? 'atIt' : 'elsewhere'
  const urgents = nextUrgents(before.urgents, input, press)
  const isHeldBack = before.announced === null && !input.isReady
  const old = withOldCalls(before.alerts, items, input.page.openedAt)
  const alerts = nextEscalation(old, items, attentionTo, dnd.isResting, now, input.times)
  const toasts = nextToasts(before.toasted, alerts.effects, input)
  const announcements = nextAnnouncements(before.announced, input)
  const handled = nextHandled(before, input)
  const isRinging = ({ id, loudness, isAlerting }: WaitingItem): boolean =>
    loudness === 'urgent' ? isAlerting : loudness === 'call' && attentionTo(id) !== 'atIt'
  return {
    memory: isHeldBack
      ? { ...before, urgents }
      : { ...handled, alerts: alerts.memory, urgents, toasted: toasts.toasted, announced: announcements.announced },
    shown: {
      dialog: urgents.dialog,
      hasBar: urgents.hasBar,
      ...titleMarkOf(items, active.length === 0),
      titleItem: items.find(({ isAlerting }) => isAlerting)?.id ?? null,
      isHandled: handled.isHandled,
    },
    effects: isHeldBack ? [] : [...toasts.effects, ...announcements.effects],
    mayRing: new Set(dnd.isResting || isHeldBack ? [] : items.filter(isRinging).map(({ id }) => id)),
  }
}

function nextUrgents(before: Urgents, input: AttentionInput, press: Press | null): Urgents {
  const { now, pageNow, page, dnd } = input
  const alerting = input.items.filter(({ isAlerting }) => isAlerting).sort((a, b) => a.askedAt - b.askedAt)
  const pressed = afterPress(before, alerting, press, now)
  // From then on the row counts: its reader may have ended the snooze.
  const known = new Set(alerting.filter(({ snoozedUntil }) => snoozedUntil > 0).map(ringOf))
  const snoozed = new Map([...pressed.snoozed].filter(([ring]) => !known.has(ring)))
  const seen = new Map(
    alerting.map((item) => {
      const { seenAt = pageNow, offScreenSince = pageNow } = before.seen.get(ringOf(item)) ?? {}
      const isOff = input.sightOf(item.id) === null && !page.isBeingDrawn
      return [ringOf(item), { seenAt, offScreenSince: isOff ? offScreenSince : pageNow }]
    }),
  )
  const isMuted = dnd.isResting && !dnd.lets
  const isFolded = (item: WaitingItem): boolean => pressed.folded.has(ringOf(item))
  const isAway = (item: WaitingItem): boolean =>
    isFolded(item) || isMuted || Math.max(item.snoozedUntil, snoozed.get(ringOf(item)) ?? 0) > now
  const next = (choice: Pick<Urgents, 'dialog' | 'isPressed' | 'hasBar'>): Urgents => ({
    ...pressed,
    ...choice,
    snoozed,
    seen,
  })
  // An open dialog stays until it is settled or put away; one that came by itself also until its reader rests.
  const open = alerting.find(({ id }) => id === pressed.dialog)
  if (open !== undefined && (pressed.isPressed ? !isFolded(open) : !isAway(open)))
    return next({ ...pressed, hasBar: false })
  const first = alerting.find((item) => !isAway(item) && isUnseen(item, input, seen))
  if (first === undefined) return next({ ...NO_DIALOG, hasBar: alerting.some(isAway) })
  const isInUse = pageNow - Math.max(page.lastInputAt, page.lastMenuAt) < IN_USE_MS
  if (isInUse && pageNow - (seen.get(ringOf(first))?.seenAt ?? 0) < MAX_DELAY_MS)
    return next({ ...NO_DIALOG, hasBar: true })
  return next({ dialog: first.id, isPressed: false, hasBar: false })
}

/** Nobody looks at its card: a dialog would cover what is being read. */
function isUnseen(item: WaitingItem, { pageNow, page, ...input }: AttentionInput, seen: Urgents['seen']): boolean {
  const sight = input.sightOf(item.id)
  if (sight === 'pending') return false
  if (sight === null) {
    const { seenAt, offScreenSince } = seen.get(ringOf(item)) ?? { seenAt: 0, offScreenSince: 0 }
    return pageNow - offScreenSince >= SETTLE_MS || pageNow - seenAt >= MAX_DELAY_MS
  }
  const isBeingRead = (sight.kind === 'card' && sight.isHalf) || sight.hasFocus || input.isPinned(item.id)
  const lookedAt = Math.max(sight.since, sight.scrolledAt, page.lastActiveAt)
  return !isBeingRead && pageNow - lookedAt >= UNNOTICED_MS
}

function afterPress(urgents: Urgents, alerting: readonly WaitingItem[], press: Press | null, now: number): Urgents {
  switch (press?.do) {
    case undefined:
      return urgents
    case 'fold':
      // What alerts now is in the bar only.
      return { ...urgents, ...NO_DIALOG, folded: new Set([...urgents.folded, ...alerting.map(ringOf)]) }
    case 'show':
      return { ...urgents, dialog: press.item, isPressed: true, folded: new Set() }
    case 'snooze': {
      const rings = alerting.filter(({ id }) => id === press.item).map(ringOf)
      const until = new Map(rings.map((ring) => [ring, now + press.minutes * MINUTE_MS]))
      return { ...urgents, ...NO_DIALOG, snoozed: new Map([...urgents.snoozed, ...until]) }
    }
  }
}

/** Drops what other tabs do, and closes the toasts of items that are settled or in view, where they would only cover the page. */
function nextToasts(
  before: ReadonlySet<string>,
  all: readonly Effect[],
  { items, tabs: { isLeader, here } }: AttentionInput,
): { toasted: ReadonlySet<string>; effects: Effect[] } {
  const isLeft = (id: string): boolean => !here.onScreen.includes(id) && items.some((one) => one.id === id)
  const closed = [...before].filter((id) => !isLeft(id)).map((id): Effect => ({ kind: 'closeToast', id }))
  // Each tab shows its own toasts: the member may look at another tab than the leader.
  const mine = all.filter(({ kind }) =>
    kind === 'toast' ? here.isActive : kind === 'desktop' || kind === 'remind' ? isLeader : true,
  )
  const toasts = mine.flatMap((effect) => (effect.kind === 'toast' ? [effect.id] : []))
  // After a lost connection many items arrive at once.
  const isCrowd = toasts.length > MAX_TOASTS
  const rest = mine.filter(({ kind }) => kind !== 'toast' || !isCrowd)
  return {
    toasted: new Set([...[...before].filter(isLeft), ...(isCrowd ? [] : toasts)]),
    effects: [...closed, ...(isCrowd ? [{ kind: 'crowd', count: toasts.length } as const] : []), ...rest],
  }
}

/** Each new item is announced once. */
function nextAnnouncements(
  before: AttentionMemory['announced'],
  { items }: AttentionInput,
): { announced: AttentionMemory['announced']; effects: Effect[] } {
  const fresh = items.filter(({ id }) => before?.has(id) !== true)
  if (before !== null && fresh.length === 0) return { announced: before, effects: [] }
  const effects = fresh.map(({ id, isAlerting }): Effect => ({ kind: 'announce', id, isUrgent: isAlerting }))
  return {
    announced: new Set([...(before ?? []), ...fresh.map(({ id }) => id)]),
    effects: before === null ? [] : effects,
  }
}

/** Whether an Urgent or Action left the list since the page opened. It waits for the toast that confirms the act and can undo it. */
function nextHandled(before: AttentionMemory, { now, items, page }: AttentionInput): AttentionMemory {
  const ringing = items.flatMap(({ id, loudness }) => (loudness === 'quiet' ? [] : [id]))
  const hasLeft = before.ringing.some((id) => !ringing.includes(id))
  const handledAt = before.handledAt ?? (hasLeft ? now : null)
  const isOver = handledAt !== null && now - handledAt > TOAST_WITHIN_MS && !page.isToastThere
  return { ...before, ringing, handledAt, isHandled: before.isHandled || isOver }
}
