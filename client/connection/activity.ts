/** Whether somebody uses this page. The first question starts to listen, and counts as a move. */
const ACTIVE_MS = 60_000

let activeAt: number | null = null

function listen(): number {
  for (const name of ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart', 'focus']) {
    window.addEventListener(name, () => (activeAt = Date.now()), { passive: true, capture: true })
  }
  return Date.now()
}

export const lastActiveAt = (): number => (activeAt ??= listen())

export function wasActiveWithin(ms: number): boolean {
  return document.visibilityState === 'visible' && Date.now() - lastActiveAt() < ms
}

export function isPageActive(): boolean {
  return wasActiveWithin(ACTIVE_MS) && document.hasFocus()
}
