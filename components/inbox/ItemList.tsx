/** Items in groups, and the one that is open: beside the list where there is room for both, else in its place. */
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useAction } from '@/client/actions/keyboard'
import { useNow } from '@/client/clock'
import { setSearch, useSearchParam } from '@/client/nav'
import { getDisplay } from '@/client/theme'
import { cx } from '@/components/ui/cx'
import type { AgentId } from '@/lib/mas/ids'
import { type Before, nextItem } from './chosenItem'
import { ItemActs, useItemActs } from './ItemActs'
import { ItemDetail } from './ItemDetail'
import { ItemRow } from './ItemRow'
import { type InboxRow, isOpenRow, itemOf } from './rows'

export type ItemGroup = {
  id: string
  /** null: the list has no groups. */
  head: { name: string; icon: ReactNode; count: number; className: string } | null
  rows: readonly InboxRow[]
}

type ItemListProps = {
  groups: readonly ItemGroup[]
  me: AgentId
  isBeside: boolean
  /** Of a row: the box of a selection. */
  boxOf?: (row: InboxRow) => ReactNode
  /** Below a row: until when it is snoozed. */
  noteOf?: (row: InboxRow) => ReactNode
  /** Above and below the rows, in the column of the list. */
  above?: ReactNode
  below?: ReactNode
}

export function ItemList({ groups, me, isBeside, boxOf, noteOf, above, below }: ItemListProps) {
  const t = useTranslations('inbox')
  const root = useRef<HTMLDivElement>(null)
  const rows = groups.flatMap((group) => group.rows)
  const chosen = useChosen(rows, me)
  const acts = useItemActs(me)
  const keys = { root, rows, chosen, isBeside }
  const open = rows.find((row) => itemOf(row) === chosen.item)
  useFocus(keys)
  useListKeys(keys, acts)
  const detail = (row: InboxRow, onFold?: () => void): ReactNode => (
    <ItemDetail key={itemOf(row)} row={row} me={me} onFold={onFold} />
  )
  return (
    <div
      ref={root}
      tabIndex={-1}
      data-list="items"
      className={cx('outline-none', isBeside ? 'flex min-h-0 grow items-stretch' : 'contents')}
    >
      <div
        data-scroll={isBeside || undefined}
        className={cx(isBeside && 'w-[clamp(25rem,36%,34rem)] shrink-0 overflow-y-auto border-r border-line pb-12')}
      >
        {above}
        {groups.map(({ id, head, rows: inGroup }) => (
          <section key={id} className={cx(head && 'mt-4')} aria-label={head?.name}>
            {head ? (
              <h2 className={cx('mb-1 flex items-center gap-2 px-3 text-table font-medium', head.className)}>
                {head.icon}
                <span>
                  {head.name}
                  {head.count > 0 ? ` · ${head.count}` : null}
                </span>
              </h2>
            ) : null}
            <ul className="border-t border-line">
              {inGroup.map((row) => {
                const isChosen = itemOf(row) === chosen.item
                return (
                  <li key={row.id}>
                    {isChosen && !isBeside ? (
                      <div className="my-2 flex items-start gap-3">
                        {boxOf?.(row)}
                        <div className="min-w-0 grow">
                          {detail(row, chosen.fold)}
                          {noteOf?.(row)}
                        </div>
                      </div>
                    ) : (
                      <ItemRow
                        row={row}
                        isChosen={isChosen}
                        onOpen={() => chosen.open(itemOf(row))}
                        box={boxOf?.(row)}
                        acts={isOpenRow(row) ? <ItemActs row={row} acts={acts} /> : null}
                      >
                        {noteOf?.(row)}
                      </ItemRow>
                    )}
                  </li>
                )
              })}
            </ul>
          </section>
        ))}
        {below}
      </div>
      {isBeside ? (
        <section aria-label={t('item')} data-scroll className="min-w-0 grow overflow-y-auto">
          <div className="mx-auto max-w-column px-6 py-5">
            {open ? (
              <>
                {detail(open)}
                {noteOf?.(open)}
              </>
            ) : (
              <p className="py-10 text-center text-t3">{t(rows.length === 0 ? 'nothingOpen' : 'chooseItem')}</p>
            )}
          </div>
        </section>
      ) : null}
      {acts.dialog}
    </div>
  )
}

type Chosen = {
  item: string | null
  /** Counts the presses of the reader that opened an item; the focus follows them. isIntoBox: into its answer box */
  pressed: { count: number; isIntoBox: boolean }
  open: (item: string, isIntoBox?: boolean) => void
  fold: () => void
}

function useChosen(rows: readonly InboxRow[], me: AgentId): Chosen {
  const now = useNow('minutes')
  const named = useSearchParam('item')
  const [before, setBefore] = useState<Before>({ item: null, order: [] })
  const [folded, setFolded] = useState<string | null>(null)
  const [pressed, setPressed] = useState({ count: 0, isIntoBox: false })
  const order = rows.map(itemOf)
  const item = nextItem(rows, named !== null && order.includes(named) ? { item: named, order } : before, me, now)
  if (before.item !== item || before.order.join() !== order.join()) setBefore({ item, order })
  return {
    item: item === folded ? null : item,
    pressed,
    open: (next, isIntoBox = false) => {
      setFolded(null)
      setBefore({ item: next, order })
      setSearch({ item: next }, { replace: named !== null })
      setPressed(({ count }) => ({ count: count + 1, isIntoBox }))
    },
    fold: () => setFolded(item),
  }
}

type Keys = {
  root: RefObject<HTMLDivElement | null>
  rows: readonly InboxRow[]
  chosen: Chosen
  isBeside: boolean
}

const cardOf = (root: HTMLElement | null, item: string | null): HTMLElement | null =>
  item === null ? null : (root?.querySelector<HTMLElement>(`article[data-id="${CSS.escape(item)}"]`) ?? null)
const rowOf = (root: HTMLElement | null, item: string): HTMLElement | null =>
  root?.querySelector<HTMLElement>(`[data-item="${CSS.escape(item)}"] a[data-row]`) ?? null

/** The focus goes to what the reader opened, and to the next item when one that had it leaves. */
function useFocus({ root, chosen }: Keys): void {
  const { item, pressed } = chosen
  const named = useSearchParam('item')
  const seen = useRef({ item, count: pressed.count })
  const focus = useEffectEvent((): void => {
    const isPressed = pressed.count !== seen.current.count
    const isAnother = item !== seen.current.item
    const isFirst = seen.current.item === null && !isPressed
    seen.current = { item, count: pressed.count }
    const isLost = document.activeElement === document.body || document.activeElement === null
    if (!isPressed && !(isAnother && isLost && !isFirst)) return
    const card = cardOf(root.current, item)
    const box = pressed.isIntoBox && isPressed ? card?.querySelector<HTMLElement>('textarea[data-act=reply]') : null
    card?.scrollIntoView({ block: 'nearest' })
    ;(box ?? card ?? root.current)?.focus()
  })
  // Joins the focus: a row and its card are two elements.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another item is open, or the reader pressed.
  useEffect(() => focus(), [item, pressed])
  const focusNamed = useEffectEvent((name: string): void => cardOf(root.current, name)?.focus())
  useEffect(() => {
    // Joins the address: `?item=` names the item to focus.
    if (named !== null && document.activeElement?.closest('[data-item]') == null) focusNamed(named)
  }, [named])
}

/** j k and arrows move, r Shift+a a go to the part of the card with that data-act, digits choose its options; e h Shift+h act on the item. */
function useListKeys({ root, rows, chosen, isBeside }: Keys, acts: ReturnType<typeof useItemActs>): void {
  const order = rows.map(itemOf)
  /** The item that has the focus, else the open one. */
  const current = (): string | null => {
    const at = document.activeElement
    if (at === null || !root.current?.contains(at)) return chosen.item
    const line = at.closest<HTMLElement>('[data-item]')?.dataset.item
    return line ?? at.closest<HTMLElement>('article[data-id]')?.dataset.id ?? chosen.item
  }
  const move = (step: 1 | -1) => (): void => {
    const item = current()
    const at = item === null ? -1 : order.indexOf(item)
    const next = order[at < 0 ? (step > 0 ? 0 : order.length - 1) : at + step]
    if (next === undefined) return
    const to = rowOf(root.current, next) ?? cardOf(root.current, next)
    to?.focus()
    to?.scrollIntoView({ block: 'nearest' })
    if (isBeside && rowOf(root.current, next)) setSearch({ item: next }, { replace: true })
  }
  const press = (name: string) => (): void => {
    const item = current()
    if (item === null) return
    const part = cardOf(root.current, item)?.querySelector<HTMLElement>(`[data-act=${name}]`)
    if (!part) {
      if (name === 'reply' && item !== chosen.item) chosen.open(item, true)
      return
    }
    part.scrollIntoView({ block: 'nearest' })
    // What decides takes a second press: the item that is open may have come by itself.
    if (name === 'acknowledge') part.click()
    else part.focus()
  }
  const withRow = (act: (row: InboxRow) => void) => (): void => {
    const item = current()
    const row = rows.find((one) => itemOf(one) === item)
    if (row) act(row)
  }
  useAction('nextRow', 'inbox', { run: order.length > 0 ? move(1) : null })
  useAction('previousRow', 'inbox', { run: order.length > 0 ? move(-1) : null })
  useAction('reply', 'inbox', { run: press('reply') })
  useAction('acknowledge', 'inbox', { run: press('acknowledge') })
  useAction('approve', 'inbox', { run: press('approve') })
  useAction('settle', 'inbox', { run: withRow(acts.settle) })
  useAction('handOver', 'inbox', { run: withRow(acts.handOver) })
  useAction('snooze', 'inbox', { run: withRow(acts.snooze) })
  useAction('fold', 'inbox', {
    run: isBeside
      ? null
      : () => {
          const item = current()
          if (item === null) return
          if (item === chosen.item) chosen.fold()
          else chosen.open(item)
        },
  })
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    const at = event.target
    if (!(at instanceof HTMLElement) || root.current?.contains(at) !== true) return
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    if (!at.matches('article[data-id], a[data-row]')) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === 1 || step === -1) move(step)()
    else if (!chooseOption(cardOf(root.current, current()), event.key)) return
    event.preventDefault()
  })
  useEffect(() => {
    // Joins the page's keys: arrows and digits, while an item itself has the focus.
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** The option with this number, counted from 1; the focus goes to the box beside it, from where the answer is sent. */
function chooseOption(card: HTMLElement | null, key: string): boolean {
  if (!/^[1-9]$/.test(key) || !getDisplay().singleKeys) return false
  const option = card?.querySelectorAll<HTMLElement>('[role=radiogroup] input[type=radio]')[Number(key) - 1]
  if (!option) return false
  option.click()
  card?.querySelector<HTMLElement>('textarea[data-act=reply]')?.focus()
  return true
}
