/** "Needs me": open items in their groups, each answered in place. */
import { AtSign, CircleCheck, Hourglass, MailOpen, Siren, SquareCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useDraftPlaces } from '@/client'
import { useNow } from '@/client/clock'
import { useSearchParam } from '@/client/nav'
import { HelpLink } from '@/components/help/HelpLink'
import { usePinnedCards } from '@/components/request'
import { RequestLine } from '@/components/request/card/RequestLine'
import { useCardKeys } from '@/components/request/card/useCardKeys'
import { cx } from '@/components/ui/cx'
import { Checkbox } from '@/components/ui/fields/Choice'
import { Lazy } from '@/components/ui/lazyFile'
import { EmptyState } from '@/components/ui/States'
import { firstWords } from '@/lib/format/plainText'
import type { AgentId } from '@/lib/mas/ids'
import type { InboxFilter } from '@/lib/wire/inboxFilter'
import type { InboxGroup, MeTotals } from '@/lib/wire/rows'
import { LiveRequest } from './LiveRequest'
import { lastAnswers, orphanedDrafts, snoozedLine } from './lazy'
import { MessageItem } from './MessageItem'
import { useOpenRows } from './openRows'
import { filterRows, isFiltered } from './rowFilter'
import {
  type InboxRow,
  isOpenRow,
  itemOf,
  moreThan,
  type OpenGroup,
  type OpenRow,
  openGroupsOf,
  rowText,
  snoozedUntil,
  successorOf,
} from './rows'

const ICONS: Record<InboxGroup, typeof Siren> = {
  still: Hourglass,
  urgent: Siren,
  action: SquareCheck,
  mention: AtSign,
  unread: MailOpen,
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

type NeedsMeProps = {
  rows: readonly InboxRow[]
  shown: readonly OpenRow[]
  filter: InboxFilter
  totals: MeTotals | null
  person: AgentId
  /** Ids of chosen items; null: nothing is being selected. */
  chosen: ReadonlySet<string> | null
  onChoose: (item: string, isIn: boolean) => void
}

/** rows: all of the view; shown: those that need the reader and pass the filter */
export function NeedsMe({ rows, shown, filter, totals, person, chosen, onChoose }: NeedsMeProps) {
  const t = useTranslations('inbox')
  const list = useRef<HTMLDivElement>(null)
  const now = useNow('minutes')
  const kept = filterRows(useStickyRows(rows), filter, person, now)
  const groups = openGroupsOf(shown, kept)
  const item = useSearchParam('item')
  const open = useOpenRows(
    groups.flatMap((group) => group.rows),
    item,
  )
  const [leaving, setLeaving] = useState<{ item: string; next: string | null } | null>(null)
  const [turned, setTurned] = useState<{ item: string; isIntoBox: boolean } | null>(null)
  useCardKeys(list, { hasLines: true })

  useEffect(() => {
    // Joins the address: `?item=` names the item to focus.
    if (item) focusItem(list.current, item)
  }, [item])

  const isGone =
    leaving !== null && !groups.some(({ rows: inGroup }) => inGroup.some((row) => itemOf(row) === leaving.item))
  useEffect(() => {
    // Joins the focus: it moves from an answered item to the next one, else to the list.
    if (!isGone || leaving === null) return
    if (leaving.next) {
      open.turn(leaving.next, true)
      setTurned({ item: leaving.next, isIntoBox: false })
    } else list.current?.focus()
    setLeaving(null)
  }, [isGone, leaving, open])
  useEffect(() => {
    // Joins the focus: a line and its card are two elements.
    if (turned === null) return
    if (!focusItem(list.current, turned.item, turned.isIntoBox)) list.current?.focus()
    setTurned(null)
  }, [turned])

  const turn = (id: string, isOpen: boolean, isIntoBox = false): void => {
    open.turn(id, isOpen)
    setTurned({ item: id, isIntoBox })
  }

  const places = Object.keys(useDraftPlaces())
  const hasDrafts = places.some((place) => /^(request|task):/.test(place))
  const hasFilter = isFiltered(filter)
  const more = moreThan(rows, totals)
  return (
    <div ref={list} tabIndex={-1} className="outline-none" data-list="needs-me">
      {/* The filters say that nothing passes them. */}
      {groups.length === 0 && hasFilter ? null : groups.length === 0 ? (
        <>
          <EmptyState isInColumn title={t('nobody')} icon={<CircleCheck />} action={<HelpLink part="start" />}>
            {t('nobodyWhy')}
          </EmptyState>
          <Lazy file={lastAnswers} partProps={{ rows }} />
        </>
      ) : (
        groups.map((group) => (
          <GroupSection
            key={group.group}
            group={group}
            // The server's count: only the first rows of a long group are sent.
            count={
              hasFilter ? group.rows.filter((row) => !kept.includes(row)).length : (totals?.byGroup[group.group] ?? 0)
            }
          >
            {group.rows.map((row) => (
              <li key={row.id} className="flex items-start gap-3">
                {chosen ? (
                  <Checkbox
                    className="mt-4 touch:mt-1"
                    isLabelHidden
                    label={t('selectItem', { text: firstWords(rowText(row)) })}
                    isChecked={chosen.has(itemOf(row))}
                    onChange={(isIn) => onChoose(itemOf(row), isIn)}
                  />
                ) : null}
                <div className="min-w-0 grow">
                  {row.kind === 'message' ? (
                    <MessageItem
                      row={row}
                      fold={{ isOpen: open.isOpen(row), onTurn: (isOpen) => turn(row.message.id, isOpen) }}
                    />
                  ) : open.isOpen(row) || kept.includes(row) ? (
                    <LiveRequest
                      me={person}
                      shown={row}
                      place="list"
                      isMine={row.request.asked.includes(person)}
                      isOfferAbove
                      onFold={kept.includes(row) ? undefined : () => turn(itemOf(row), false)}
                      onAnswered={() => setLeaving({ item: itemOf(row), next: successorOf(groups, itemOf(row)) })}
                    />
                  ) : (
                    <RequestLine shown={row} onOpen={(isByKey) => turn(itemOf(row), true, isByKey)} />
                  )}
                  {snoozedUntil(row, person) > now ? (
                    <Lazy file={snoozedLine} partProps={{ row, until: snoozedUntil(row, person) }} />
                  ) : null}
                </div>
              </li>
            ))}
          </GroupSection>
        ))
      )}
      {/* Of rows that the filter leaves out too: only those that ended are listed. */}
      {hasDrafts ? (
        <Lazy
          file={orphanedDrafts}
          partProps={{ places, here: groups.flatMap(({ rows: inGroup }) => inGroup.map(itemOf)) }}
        />
      ) : null}
      {more > 0 ? <p className="mt-4 text-t2">{t('more', { count: more })}</p> : null}
    </div>
  )
}

function GroupSection({ group, count, children }: { group: OpenGroup; count: number; children: React.ReactNode }) {
  const t = useTranslations('inbox')
  const Icon = ICONS[group.group]
  // Items that were read just now are not counted.
  const name = t(`group.${group.group === 'unread' && count === 0 ? 'justRead' : group.group}`)
  return (
    <section className="mt-5" aria-label={name}>
      <h2
        className={cx(
          'mb-2 flex items-center gap-2 text-table font-medium',
          group.group === 'still' ? 'text-waiting' : group.group === 'urgent' ? 'text-urgent' : 'text-t2',
        )}
      >
        <Icon aria-hidden className="size-4" />
        <span>
          {name}
          {count > 0 ? ` · ${count}` : null}
        </span>
        <span aria-hidden className="grow border-t border-line" />
      </h2>
      <ul className="flex flex-col gap-2">{children}</ul>
    </section>
  )
}

/** isIntoBox: into its answer box, where it has one already. */
function focusItem(root: HTMLElement | null, item: string, isIntoBox = false): boolean {
  const card = root?.querySelector<HTMLElement>(`[data-id="${CSS.escape(item)}"]`)
  const box = isIntoBox ? card?.querySelector<HTMLElement>('textarea[data-act=reply]') : null
  card?.scrollIntoView({ block: 'nearest' })
  ;(box ?? card)?.focus()
  return card !== null && card !== undefined
}
