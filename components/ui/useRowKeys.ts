/**
 * Keys that move between the rows of a table: arrows inside it, `j` and `k` from anywhere. Each row holds one link
 * marked `data-row`.
 */
import { type KeyboardEvent, type RefObject, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useKey } from '@/components/shell/keyboard'

/**
 * in      isOn: there are rows, and no other table of the page has the two letters
 * out     the table's ref and its handler
 */
export function useRowKeys(isOn: boolean): {
  table: RefObject<HTMLTableElement | null>
  onKeyDown: (event: KeyboardEvent) => void
} {
  const t = useTranslations('keys')
  const table = useRef<HTMLTableElement>(null)
  const move = (step: 1 | -1): void => {
    const links = [...(table.current?.querySelectorAll<HTMLElement>('a[data-row]') ?? [])]
    const at = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement))
    links[at < 0 ? 0 : Math.max(0, Math.min(links.length - 1, at + step))]?.focus()
  }
  useKey('j', t('nextRow'), isOn ? () => move(1) : null)
  useKey('k', t('previousRow'), isOn ? () => move(-1) : null)
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : null
    // Keys pressed in a dialog bubble through React to here.
    if (step === null || !(event.target instanceof Node) || !event.currentTarget.contains(event.target)) return
    event.preventDefault()
    move(step)
  }
  return { table, onKeyDown }
}
