/** Whether an unacknowledged Urgent is shown as a dialog, as the folded bar, or not at all just now. Pure. */
export type AlertingItem = {
  id: string
  since: number
  /** When somebody last looked at its card: it came into view, or is in view and they moved in the page; null: not in view. */
  lookedAt: number | null
  /** Since when its card is certainly not in view, epoch ms; now, while the page is being drawn. */
  offScreenSince: number
  /** Its card has the focus, or an unsent text. */
  isBeingAnswered: boolean
  /** When this page first saw it, epoch ms. */
  seenAt: number
}

export type UrgentChoice = {
  dialog: string | null
  hasBar: boolean
}

/** The page is in use for so long after input in a text field or an open menu, which delays the dialog for at most MAX_DELAY_MS. */
export const IN_USE_MS = 3_000
const MAX_DELAY_MS = 15_000
/** Time for a new page to draw its card. */
const SETTLE_MS = 600
/** A card in view brings the dialog when nobody acknowledged it or moved in the page for so long. */
const UNNOTICED_MS = 20_000

/** The current input in the page. lastInputAt: of a text field; lastMenuAt: when a menu or a list of choices was last open; epoch ms. */
export type PageUse = { lastInputAt: number; lastMenuAt: number }

/**
 * in      alerting: all items; folded: ids that were folded; open: the item of the open dialog
 *         now: epoch ms
 */
export function chooseUrgent(
  alerting: readonly AlertingItem[],
  folded: ReadonlySet<string>,
  open: string | null,
  use: PageUse,
  now: number,
): UrgentChoice {
  const oldestFirst = [...alerting].sort((a, b) => a.since - b.since)
  const isFolded = oldestFirst.some(({ id }) => folded.has(id))
  // An open dialog stays until it is settled or folded.
  if (open !== null && !folded.has(open) && oldestFirst.some(({ id }) => id === open)) {
    return { dialog: open, hasBar: false }
  }
  const isElsewhere = ({ offScreenSince, seenAt }: AlertingItem): boolean =>
    now - offScreenSince >= SETTLE_MS || now - seenAt >= MAX_DELAY_MS
  const due = oldestFirst.filter(
    (one) =>
      !folded.has(one.id) &&
      !one.isBeingAnswered &&
      (one.lookedAt === null ? isElsewhere(one) : now - one.lookedAt >= UNNOTICED_MS),
  )
  const first = due[0]
  if (first === undefined) return { dialog: null, hasBar: isFolded }
  const isInUse = now - Math.max(use.lastInputAt, use.lastMenuAt) < IN_USE_MS
  if (isInUse && now - first.seenAt < MAX_DELAY_MS) return { dialog: null, hasBar: true }
  return { dialog: first.id, hasBar: false }
}
