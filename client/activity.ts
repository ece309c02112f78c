/** Whether this page is being looked at: visible, focused, and somebody moved in it within a minute. */
const ACTIVE_MS = 60_000

let activeAt: number | null = null

function listen(): number {
  for (const name of ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart', 'focus']) {
    window.addEventListener(name, () => (activeAt = Date.now()), { passive: true, capture: true })
  }
  return Date.now()
}

/** Did anybody move in this page, while it could be seen, in so many ms? The first question counts as a move. */
export function wasActiveWithin(ms: number): boolean {
  activeAt ??= listen()
  return document.visibilityState === 'visible' && Date.now() - activeAt < ms
}

/** The first question begins to listen, and counts as a move. */
export function isLookedAt(): boolean {
  activeAt ??= listen()
  return document.visibilityState === 'visible' && document.hasFocus() && Date.now() - activeAt < ACTIVE_MS
}
