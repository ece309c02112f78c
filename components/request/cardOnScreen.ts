/** Finding the card of an item on this page. */

/** Its card in the page itself, when any of it is in view. */
export function cardOnScreen(item: string): HTMLElement | null {
  const card = document.querySelector<HTMLElement>(`[data-pane=main] [data-id="${CSS.escape(item)}"]`)
  const box = card?.getBoundingClientRect()
  return card && box && box.height > 0 && box.bottom > 0 && box.top < window.innerHeight ? card : null
}
