/** Which unacknowledged Urgent is up as a dialog, and whether the red bar is. Pure. */

/** An unacknowledged Urgent, and how it is looked at. Times are epoch ms. */
export type AlertingItem = {
  /** Of its request or message: an item that is raised again keeps the dialog it has. */
  id: string
  since: number
  /** Its reader put its dialog away. */
  isFolded: boolean
  /** It does not come up by itself now: its reader is resting, or asked to be reminded later. */
  isQuiet: boolean
  /** When what names it (card, line, strip) came into view, or somebody moved in the page after that; null: not in view. */
  lookedAt: number | null
  /** Since when its card is certainly not in view; now, while the page is being drawn. */
  offScreenSince: number
  /** Its card is open in the page, has the focus, or an unsent text: a dialog would cover what is being read. */
  isBeingRead: boolean
  /** When this page first saw it. */
  seenAt: number
}

export type UrgentChoice = {
  /** The item in the dialog. */
  dialog: string | null
  /** Its reader pressed Show: nothing but they or its end takes it away. */
  isPressed: boolean
  hasBar: boolean
}
export const NO_URGENT: UrgentChoice = { dialog: null, isPressed: false, hasBar: false }

/** The page is in use for so long after input in a text field or an open menu, which delays the dialog for at most MAX_DELAY_MS. */
export const IN_USE_MS = 3_000
const MAX_DELAY_MS = 15_000
/** Time for a new page to draw its card. */
const SETTLE_MS = 600
/** What names it in view, without an open card, brings the dialog when nobody moved in the page for so long. */
const UNNOTICED_MS = 20_000

/** The current input in the page. lastInputAt: of a text field; lastMenuAt: when a menu or a list of choices was last open; epoch ms. */
export type PageUse = { lastInputAt: number; lastMenuAt: number }

/**
 * in      alerting: all items; before: the last choice, or what a press made of it; now: epoch ms
 */
export function chooseUrgent(
  alerting: readonly AlertingItem[],
  before: UrgentChoice,
  use: PageUse,
  now: number,
): UrgentChoice {
  const oldestFirst = [...alerting].sort((a, b) => a.since - b.since)
  const isAway = ({ isFolded, isQuiet }: AlertingItem): boolean => isFolded || isQuiet
  // An open dialog stays until it is settled or put away; one that came by itself also until its reader rests.
  const open = oldestFirst.find(({ id }) => id === before.dialog)
  if (open !== undefined && (before.isPressed ? !open.isFolded : !isAway(open))) return { ...before, hasBar: false }
  const isElsewhere = ({ offScreenSince, seenAt }: AlertingItem): boolean =>
    now - offScreenSince >= SETTLE_MS || now - seenAt >= MAX_DELAY_MS
  const first = oldestFirst.find(
    (one) =>
      !isAway(one) &&
      !one.isBeingRead &&
      (one.lookedAt === null ? isElsewhere(one) : now - one.lookedAt >= UNNOTICED_MS),
  )
  if (first === undefined) return { ...NO_URGENT, hasBar: oldestFirst.some(isAway) }
  const isInUse = now - Math.max(use.lastInputAt, use.lastMenuAt) < IN_USE_MS
  if (isInUse && now - first.seenAt < MAX_DELAY_MS) return { ...NO_URGENT, hasBar: true }
  return { dialog: first.id, isPressed: false, hasBar: false }
}
