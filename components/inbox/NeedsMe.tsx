/** "Needs me": open items in their groups. */
import { AtSign, ClipboardList, Hourglass, MailOpen, Siren, SquareCheck } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useDraftPlaces } from '@/client'
import { useNow } from '@/client/clock'
import { usePinnedCards } from '@/components/request'
import { Checkbox } from '@/components/ui/fields/Choice'
import { firstWords } from '@/lib/format/plainText'
import type { AgentId } from '@/lib/mas/ids'
import type { InboxFilter } from '@/lib/wire/inboxFilter'
import type { InboxGroup, MeTotals } from '@/lib/wire/rows'
import { ItemList } from './ItemList'
import { FirstPage, OrphanedDrafts, SnoozedLine } from './lazy'
import { filterRows, isFiltered } from './rowFilter'
import { type InboxRow, isOpenRow, itemOf, moreThan, type OpenRow, openGroupsOf, rowText, snoozedUntil } from './rows'

const HEADS: Record<InboxGroup, { icon: typeof Siren; className: string }> = {
  urgent: { icon: Siren, className: 'text-urgent' },
  still: { icon: Hourglass, className: 'text-waiting' },
  part: { icon: ClipboardList, className: 'text-t2' },
  action: { icon: SquareCheck, className: 'text-t2' },
  mention: { icon: AtSign, className: 'text-t2' },
  unread: { icon: MailOpen, className: 'text-t2' },
}

/** Rows that have settled while they were read or answered here; they stay until the reader leaves. */
function useStickyRows(rows: readonly InboxRow[]): OpenRow[] {
  const held = usePinnedCards()
  const seen = useRef(new Map<string, OpenRow>())
  for (const row of rows) if (isOpenRow(row)) seen.current.set(row.id, row)
  const here = new Map<string, InboxRow>(rows.map((row) => [row.id, row]))
  return [...seen.current.values()].flatMap((row): OpenRow[] => {
    const now = here.get(row.id)
    const isOpenStill: boolean = now !== undefined && isOpenRow(now)
    if (isOpenStill) return []
    // Somebody else answered first: the card stays while it holds an unsent text.
    if (row.kind === 'request') {
      if (!held[row.request.id]) return []
      return [now?.kind === 'request' ? { ...now, group: row.group, sort: row.sort } : row]
    }
    // Read just now: it stays in its place.
    if (row.group !== 'mention' && row.group !== 'unread') return []
    return [now?.kind === 'message' ? { ...now, group: row.group, sort: row.sort } : row]
  })
}

/** The list and the field of an empty inbox take each other's place: the focus of what left goes to the panel of both. */
function useFocusKept(panel: RefObject<HTMLElement | null>, isEmpty: boolean): void {
  const last = useRef(isEmpty)
  useEffect(() => {
    // Joins the focus.
    if (last.current !== isEmpty && document.activeElement === document.body) panel.current?.focus()
    last.current = isEmpty
  }, [panel, isEmpty])
}

type NeedsMeProps = {
  rows: readonly InboxRow[]
  shown: readonly OpenRow[]
  filter: InboxFilter
  totals: MeTotals | null
  person: AgentId
  isBeside: boolean
  /** What holds this; it can be focused. */
  panel: RefObject<HTMLElement | null>
  /** Ids of chosen items; null: nothing is being selected. */
  chosen: ReadonlySet<string> | null
  onChoose: (item: string, isIn: boolean) => void
  /** Above the list: filters, offers. */
  above: ReactNode
  /** Below the list, which comes first; above the field of an empty one: who plays the agents, the password. */
  hints: ReactNode
  /** What is done with the selection. */
  selection: ReactNode
}

/** rows: all of the view; shown: those that need the reader and pass the filter */
export function NeedsMe(props: NeedsMeProps) {
  const { rows, shown, filter, totals, person, isBeside, panel, chosen, onChoose, above, hints, selection } = props
  const t = useTranslations('inbox')
  const now = useNow('minutes')
  const kept = filterRows(useStickyRows(rows), filter, person, now)
  const groups = openGroupsOf(shown, kept)
  useFocusKept(panel, groups.length === 0)
  const places = Object.keys(useDraftPlaces())
  const hasDrafts = places.some((place) => /^(request|task):/.test(place))
  const hasFilter = isFiltered(filter)
  const more = moreThan(rows, totals)
  const drafts = hasDrafts ? (
    // Of rows that the filter leaves out too: only those that ended are listed.
    <OrphanedDrafts places={places} here={groups.flatMap(({ rows: inGroup }) => inGroup.map(itemOf))} />
  ) : null
  if (groups.length === 0)
    return (
      <div data-scroll={isBeside || undefined} className={isBeside ? 'min-h-0 grow overflow-y-auto' : undefined}>
        <div className="mx-auto max-w-column">
          <div className="mx-auto max-w-[44rem]">{hints}</div>
          {above}
          {/* The filters say that nothing passes them. */}
          {hasFilter ? null : <FirstPage me={person} rows={rows} />}
          {drafts}
          {selection}
        </div>
      </div>
    )
  return (
    <ItemList
      me={person}
      isBeside={isBeside}
      above={above}
      groups={groups.map(({ group, rows: inGroup }) => {
        const { icon: Icon, className } = HEADS[group]
        // The server's count: only the first rows of a long group are sent. What was read just now is not counted.
        const count = hasFilter ? inGroup.filter((row) => !kept.includes(row)).length : (totals?.byGroup[group] ?? 0)
        const name = t(`group.${group === 'unread' && count === 0 ? 'justRead' : group}`)
        return {
          id: group,
          head: { name, count, className, icon: <Icon aria-hidden className="size-4" /> },
          rows: inGroup,
        }
      })}
      boxOf={
        chosen
          ? (row) =>
              isOpenRow(row) ? (
                <Checkbox
                  className="relative z-1 mt-1.5 touch:mt-0"
                  isLabelHidden
                  label={t('selectItem', { text: firstWords(rowText(row)) })}
                  isChecked={chosen.has(itemOf(row))}
                  onChange={(isIn) => onChoose(itemOf(row), isIn)}
                />
              ) : null
          : undefined
      }
      noteOf={(row) =>
        isOpenRow(row) && snoozedUntil(row, person) > now ? (
          <SnoozedLine row={row} until={snoozedUntil(row, person)} />
        ) : null
      }
      below={
        <>
          {drafts}
          {more > 0 ? <p className="mx-3 mt-4 text-t2">{t('more', { count: more })}</p> : null}
          {selection}
          <div className="mt-5 px-3">{hints}</div>
        </>
      }
    />
  )
}
