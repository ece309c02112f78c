/** What the page is busy with: its parts say so when they come and go, so that nothing has to search the page for them. */

type PageUse = {
  /** Of a text field outside of an Urgent's dialog; epoch ms, 0: never. */
  lastInputAt: number
  /** When a menu or a list of choices was last open; epoch ms, 0: never. */
  lastMenuAt: number
  /** Content is still coming. */
  isBeingDrawn: boolean
}

const skeletons = new Set<Element>()
const menus = new Set<Element>()
let lastInputAt = 0
let menuClosedAt = 0

/** A ref for what stands in the place of content of the page's main pane. */
export function skeletonRef(element: Element | null): (() => void) | undefined {
  if (!element?.closest('[data-pane=main]')) return
  return frameSkeletonRef(element)
}

/** A ref for what stands in the place of the whole page. */
export function frameSkeletonRef(element: Element | null): (() => void) | undefined {
  if (element === null) return
  skeletons.add(element)
  return () => void skeletons.delete(element)
}

/** A ref for a menu, or the list of a select, that is open while it is drawn. */
export function menuRef(element: Element | null): (() => void) | undefined {
  if (element === null) return
  menus.add(element)
  return () => {
    menus.delete(element)
    menuClosedAt = Date.now()
  }
}

/** out: ends it */
export function listenToInput(): () => void {
  const onInput = ({ target }: Event): void => {
    if (!(target instanceof Element) || !target.closest('[role=alertdialog]')) lastInputAt = Date.now()
  }
  window.addEventListener('input', onInput, true)
  return () => window.removeEventListener('input', onInput, true)
}

export const isBeingDrawn = (): boolean => skeletons.size > 0

export const pageUse = (): PageUse => ({
  lastInputAt,
  lastMenuAt: menus.size > 0 ? Date.now() : menuClosedAt,
  isBeingDrawn: isBeingDrawn(),
})
