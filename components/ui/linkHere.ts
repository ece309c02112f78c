/** What “copy link” means where the focus is. */

/** The whole address of the row or card that has the focus; else of the page. */
export function linkHere(focused: Element | null): string {
  const card = focused?.closest<HTMLElement>('[data-href]')?.dataset.href
  const row =
    focused?.closest('tr')?.querySelector<HTMLAnchorElement>('a[data-row]') ??
    focused?.closest<HTMLAnchorElement>('a[data-id][href], [data-id] a[href]')
  return new URL(card ?? row?.href ?? window.location.href, window.location.href).href
}
