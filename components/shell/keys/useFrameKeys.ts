import { useTranslations } from 'use-intl'
import { useAction } from '@/client/actions/keyboard'
import { navigate, pathTo } from '@/client/nav'
import { copyText } from '@/components/ui/copyText'
import { RAIL } from '../navigation/railRows'

const PANES = ['banner', 'nav', 'list', 'main', 'inspector']

/** The row of a list that gets the focus: the current one, otherwise the first in view. */
function rowOf(list: HTMLElement): HTMLElement | undefined {
  const { top, bottom } = list.getBoundingClientRect()
  const rows = [...list.querySelectorAll<HTMLElement>('[role=row], nav a')].filter((row) => {
    const box = row.getBoundingClientRect()
    // The list's sticky head covers the first of its rows.
    return box.height > 0 && box.top >= top + HEAD_PX && box.bottom <= bottom
  })
  return rows.find((row) => row.matches('[tabindex="0"], [aria-current]')) ?? rows[0]
}
const HEAD_PX = 48

/** Visible panes, in the order of F6. */
function panes(): HTMLElement[] {
  return PANES.map((name) => document.querySelector<HTMLElement>(`[data-pane=${name}]`)).filter(
    (pane): pane is HTMLElement => pane !== null && pane.getClientRects().length > 0,
  )
}

function movePane(step: 1 | -1): void {
  const shown = panes()
  const at = shown.findIndex((pane) => pane.contains(document.activeElement))
  const next = at < 0 ? (step > 0 ? 0 : shown.length - 1) : (at + step + shown.length) % shown.length
  shown[next]?.focus()
}

/** The address that “copy link” copies: of the row or card with the focus, otherwise of the page. */
function linkHere(focused: Element | null): string {
  const card = focused?.closest<HTMLElement>('[data-href]')?.dataset.href
  const row =
    focused?.closest('tr')?.querySelector<HTMLAnchorElement>('a[data-row]') ??
    focused?.closest<HTMLAnchorElement>('a[data-id][href], [data-id] a[href]')
  return new URL(card ?? row?.href ?? window.location.href, window.location.href).href
}

export function useFrameKeys(frame: {
  /** Sees all tasks, and so every screen of the rail. */
  isWatcher: boolean
  needs: readonly string[]
  here: string
  onHelp: () => void
  onPalette: () => void
  /** null: there is none. */
  onToggleList: (() => void) | null
  onCloseInspector: (() => void) | null
  onEscape: () => void
}): void {
  const { isWatcher, needs, here, onHelp, onPalette, onToggleList, onCloseInspector, onEscape } = frame
  const said = useTranslations()
  const copyLink = (): void => copyText(linkHere(document.activeElement), said('common.copied'))
  const goNeed = (step: 1 | -1): void => {
    const at = needs.findIndex((href) => here.startsWith(href))
    const next = at < 0 ? (step > 0 ? 0 : needs.length - 1) : (at + step + needs.length) % needs.length
    const href = needs[next]
    if (href) navigate(href)
  }
  useAction('help', 'page', { run: onHelp })
  useAction('palette', 'page', { run: onPalette })
  useAction('next', 'page', { run: needs.length > 0 ? () => goNeed(1) : null })
  useAction('previous', 'page', { run: needs.length > 0 ? () => goNeed(-1) : null })
  // RAIL is constant, so the number of hooks is fixed.
  for (const row of RAIL) {
    const isThere = isWatcher || !row.isForWatchers
    // biome-ignore lint/correctness/useHookAtTopLevel: see above.
    useAction(`go.${row.screen}`, 'page', isThere ? { href: pathTo(row.screen) } : { run: null })
  }
  useAction('search', 'page', { href: pathTo('search') })
  useAction('copyLink', 'page', { run: copyLink })
  useAction('nextPane', 'page', { run: () => movePane(1) })
  useAction('previousPane', 'page', { run: () => movePane(-1) })
  useAction('list', 'page', { run: onToggleList })
  useAction('inspector', 'page', { run: onCloseInspector })
  const closeTopmost = (): void => {
    // Dialogs and menus have handled their Escape before.
    onCloseInspector?.()
    onEscape()
    const before = document.activeElement
    // The pane under the inspector is drawn again only after this press.
    requestAnimationFrame(() => {
      // The next key was faster, and has moved the focus already.
      if (document.activeElement !== before && document.activeElement !== document.body) return
      const shown = panes()
      const list = shown.find((pane) => pane.dataset.pane === 'list')
      const main = shown.find((pane) => pane.dataset.pane === 'main')
      // The last row, else the heading: a focus ring round a whole pane says nothing.
      const target = (list && rowOf(list)) ?? main?.querySelector<HTMLElement>('h1')
      ;(target ?? list ?? main)?.focus({ preventScroll: true })
    })
  }
  useAction('escape', 'page', { run: closeTopmost })
}
