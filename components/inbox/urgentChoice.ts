/** Whether an unacknowledged Urgent comes as a dialog, as the folded bar, or not at all just now. Pure. */

export type AlertingItem = {
  id: string
  /** Since when it asks, epoch ms. */
  since: number
  /** Its own card is on screen since then; null: it is elsewhere. */
  onScreenSince: number | null
  /** Since when it is certain that its card is elsewhere; while the page is still being drawn this is now. */
  offScreenSince: number
  /** It is being answered: its card has the focus, or a text in it. */
  isBeingAnswered: boolean
  /** First seen by this page. */
  seenAt: number
}

export type UrgentChoice = {
  /** The item whose dialog is up. */
  dialog: string | null
  /** The red bar is there. */
  hasBar: boolean
}

/** A text field got input this lately: nobody is interrupted. After `hold` the dialog comes all the same. */
export const TYPING_MS = 3_000
export const MAX_DELAY_MS = 15_000
/** A card may be about to appear: the page that was gone to is still being drawn. */
export const SETTLE_MS = 600
/** Looking at its card, and still not acknowledged. */
export const UNNOTICED_MS = 20_000

/**
 * in      ringing: all that rings; folded: ids put away with Escape; open: the dialog that is up now
 *         lastInputAt, now: epoch ms
 */
export function chooseUrgent(
  ringing: readonly AlertingItem[],
  folded: ReadonlySet<string>,
  open: string | null,
  lastInputAt: number,
  now: number,
): UrgentChoice {
  const oldestFirst = [...ringing].sort((a, b) => a.since - b.since)
  const isFolded = oldestFirst.some(({ id }) => folded.has(id))
  // What is up stays up until it is settled or folded, whatever else arrives.
  if (open !== null && !folded.has(open) && oldestFirst.some(({ id }) => id === open)) {
    return { dialog: open, hasBar: false }
  }
  const isElsewhere = ({ offScreenSince, seenAt }: AlertingItem): boolean =>
    now - offScreenSince >= SETTLE_MS || now - seenAt >= MAX_DELAY_MS
  const due = oldestFirst.filter(
    (one) =>
      !folded.has(one.id) &&
      !one.isBeingAnswered &&
      (one.onScreenSince === null ? isElsewhere(one) : now - one.onScreenSince >= UNNOTICED_MS),
  )
  const first = due[0]
  if (first === undefined) return { dialog: null, hasBar: isFolded }
  const isTyping = now - lastInputAt < TYPING_MS
  if (isTyping && now - first.seenAt < MAX_DELAY_MS) return { dialog: null, hasBar: true }
  return { dialog: first.id, hasBar: false }
}
