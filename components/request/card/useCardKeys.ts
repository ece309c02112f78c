/** Keys in a list of cards: j k and arrows move, Enter opens, r a d press the part with that data-act. */
import { type KeyboardEvent as ReactKeyboardEvent, type RefObject, useEffect, useEffectEvent } from 'react'
import { useAction } from '@/client/actions/keyboard'
import { navigate } from '@/client/nav'
import { isComposing } from '@/components/ui/fields/keyboard'

/** ⌘ or Ctrl with Enter, in any field of a card. */
export const onSubmitChord =
  (submit: () => void) =>
  (event: ReactKeyboardEvent): void => {
    if (event.key !== 'Enter' || isComposing(event) || !(event.metaKey || event.ctrlKey)) return
    event.preventDefault()
    event.stopPropagation()
    submit()
  }

const CARDS = 'article[data-id]'

/** The outermost cards: a request inside a bubble belongs to its bubble. */
const cardsOf = (list: HTMLElement | null): HTMLElement[] =>
  [...(list?.querySelectorAll<HTMLElement>(CARDS) ?? [])].filter((card) => !card.parentElement?.closest(CARDS))

/** in: handlers get the id of the focused card; onReply: replaces moving the focus into its answer box */
export function useCardKeys(
  list: RefObject<HTMLElement | null>,
  {
    onReply,
    onCopyLink,
    onUnread,
  }: {
    onReply?: (id: string) => void
    onCopyLink?: (id: string | null) => void
    onUnread?: (id: string) => void
  } = {},
): void {
  const current = (): HTMLElement | null => {
    const cards = cardsOf(list.current)
    return cards.find((card) => card.contains(document.activeElement)) ?? null
  }
  const move = (step: 1 | -1) => (): void => {
    const cards = cardsOf(list.current)
    const at = cards.findIndex((card) => card.contains(document.activeElement))
    const next = at < 0 ? (step > 0 ? 0 : cards.length - 1) : at + step
    cards[next]?.focus()
    cards[next]?.scrollIntoView({ block: 'nearest' })
  }
  const act = (name: string) => (): void => {
    const card = current() ?? cardsOf(list.current).find((one) => one.querySelector(`[data-act=${name}]`)) ?? null
    const part = card?.querySelector<HTMLElement>(`[data-act=${name}]`)
    if (!part) return
    part.scrollIntoView({ block: 'nearest' })
    if (part instanceof HTMLTextAreaElement || name === 'approve') part.focus()
    else part.click()
  }
  const reply = (): void => {
    const id = current()?.dataset.id
    if (onReply === undefined) act('reply')()
    else if (id !== undefined) onReply(id)
  }
  const withId = (act: ((id: string) => void) | undefined): (() => void) | null =>
    act === undefined
      ? null
      : () => {
          const id = current()?.dataset.id
          if (id !== undefined) act(id)
        }
  const moveNow = useEffectEvent((step: 1 | -1) => move(step)())
  useEffect(() => {
    // Joins the page's keys: arrows move between cards only while a card itself has the focus.
    const onKeyDown = (event: KeyboardEvent): void => {
      const card = event.target
      if (!(card instanceof HTMLElement) || !card.matches(CARDS) || list.current?.contains(card) !== true) return
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
      const { href } = card.dataset
      if (event.key === 'ArrowDown') moveNow(1)
      else if (event.key === 'ArrowUp') moveNow(-1)
      else if (event.key === 'Enter' && href !== undefined) navigate(href)
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [list])
  const copyCurrent = onCopyLink && (() => onCopyLink(current()?.dataset.id ?? null))
  useAction('nextRow', 'cards', { run: move(1) })
  useAction('previousRow', 'cards', { run: move(-1) })
  useAction('reply', 'cards', { run: reply })
  useAction('acknowledge', 'cards', { run: act('acknowledge') })
  useAction('approve', 'cards', { run: act('approve') })
  useAction('done', 'cards', { run: act('done') })
  useAction('copyLink', 'cards', { run: copyCurrent ?? null })
  useAction('unread', 'cards', { run: withId(onUnread) })
  useAction('deliveries', 'cards', { run: act('deliveries') })
}
