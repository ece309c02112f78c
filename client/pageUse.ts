/** What the page is busy with: its parts say so when they come and go, so that nothing has to search the page for them. */

/**
 * lastInputAt   when somebody typed outside of an Urgent's dialog; epoch ms, 0: never
 * lastMenuAt    when a menu or a list of choices was last open
 */
export type PageUse = { lastInputAt: number; lastMenuAt: number; isBeingDrawn: boolean }

const skeletons = new Set<Element>()
const menus = new Set<Element>()
let lastInputAt = 0
let menuClosedAt = 0

/** out: a ref for an element that is in the set while it is drawn */
const refFor = (drawn: Set<Element>, onGone?: () => void) => (element: Element | null) => {
  if (element === null) return
  drawn.add(element)
  return () => {
    drawn.delete(element)
    onGone?.()
  }
}

/** A ref for what stands in the place of the whole page. */
export const frameSkeletonRef = refFor(skeletons)
/** A ref for what stands in the place of content; outside of the main pane it keeps nothing waiting. */
export const skeletonRef = (element: Element | null) =>
  element?.closest('[data-pane=main]') ? frameSkeletonRef(element) : undefined
/** A ref for a menu, or the list of a select, that is open while it is drawn. */
export const menuRef = refFor(menus, () => {
  menuClosedAt = Date.now()
})

export function onTyped({ target }: Event): void {
  if (!(target instanceof Element) || !target.closest('[role=alertdialog]')) lastInputAt = Date.now()
}

export const isBeingDrawn = (): boolean => skeletons.size > 0

export const pageUse = (): PageUse => ({
  lastInputAt,
  lastMenuAt: menus.size > 0 ? Date.now() : menuClosedAt,
  isBeingDrawn: isBeingDrawn(),
})
