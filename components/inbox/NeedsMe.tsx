/** "Needs me": open items in their groups, each answered in place. */
import { AtSign, CircleCheck, Hourglass, MailOpen, Siren, SquareCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useSearchParam } from '@/client/nav'
import { HelpLink } from '@/components/help/HelpLink'
import { usePinnedCards } from '@/components/request'
import { useCardKeys } from '@/components/request/useCardKeys'
import { cx } from '@/components/ui/cx'
import { EmptyState } from '@/components/ui/States'
import type { AgentId } from '@/lib/mas/ids'
import type { InboxGroup, MeTotals } from '@/lib/wire/rows'
import { LastAnswers } from './DoneList'
import { LiveRequest } from './LiveRequest'
import { MessageItem } from './MessageItem'
import { OrphanedDrafts } from './OrphanedDrafts'
import {
  groupCount,
  type InboxRow,
  isOpenRow,
  itemOf,
  type OpenGroup,
  type OpenRow,
  openGroupsOf,
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

export function NeedsMe({
  rows,
  totals,
  person,
}: {
  rows: readonly InboxRow[]
  totals: MeTotals | null
  person: AgentId
}) {
  const t = useTranslations('inbox')
  const list = useRef<HTMLDivElement>(null)
  const kept = useStickyRows(rows)
  const groups = openGroupsOf(rows, kept)
  const item = useSearchParam('item')
  const [leaving, setLeaving] = useState<{ item: string; next: string | null } | null>(null)
  useCardKeys(list)

  useEffect(() => {
    // Joins the address: `?item=` names the item to focus.
    if (item) focusItem(list.current, item)
  }, [item])

  const isGone =
    leaving !== null && !groups.some(({ rows: inGroup }) => inGroup.some((row) => itemOf(row) === leaving.item))
  useEffect(() => {
    // Joins the focus: it moves from an answered item to the next one, else to the list.
    if (!isGone || leaving === null) return
    if (!leaving.next || !focusItem(list.current, leaving.next)) list.current?.focus()
    setLeaving(null)
  }, [isGone, leaving])

  const shownCount = groups.reduce((sum, { rows: inGroup }) => sum + inGroup.length, 0)
  const more = Math.max(0, (totals?.needsMe ?? 0) - shownCount)
  return (
    <div ref={list} tabIndex={-1} className="outline-none" data-list="needs-me">
      {groups.length === 0 ? (
        <>
          <EmptyState
            isInColumn
            title={t('nobody')}
            icon={<CircleCheck aria-hidden />}
            action={<HelpLink part="start" />}
          >
            {t('nobodyWhy')}
          </EmptyState>
          <LastAnswers rows={rows} />
        </>
      ) : (
        groups.map((group) => (
          <GroupSection key={group.group} group={group} count={groupCount(group, totals)}>
            {group.rows.map((row) => (
              <li key={row.id}>
                {row.kind === 'request' ? (
                  <LiveRequest
                    me={person}
                    shown={row}
                    place="list"
                    isMine={row.request.asked.includes(person)}
                    isOfferAbove
                    onAnswered={() => setLeaving({ item: itemOf(row), next: successorOf(groups, itemOf(row)) })}
                  />
                ) : (
                  <MessageItem row={row} />
                )}
              </li>
            ))}
          </GroupSection>
        ))
      )}
      <OrphanedDrafts shown={groups.flatMap(({ rows: inGroup }) => inGroup.map(itemOf))} />
      {more > 0 ? <p className="mt-4 text-t2">{t('more', { count: more })}</p> : null}
    </div>
  )
}

function GroupSection({ group, count, children }: { group: OpenGroup; count: number; children: React.ReactNode }) {
  const t = useTranslations('inbox')
  const Icon = ICONS[group.group]
  return (
    <section className="mt-5" aria-label={t(`group.${group.group}`)}>
      <h2
        className={cx(
          'mb-2 flex items-center gap-2 text-table font-medium',
          group.group === 'still' ? 'text-waiting' : group.group === 'urgent' ? 'text-urgent' : 'text-t2',
        )}
      >
        <Icon aria-hidden className="size-4" />
        <span>
          {t(`group.${group.group}`)}
          {/* Items that were read just now are not counted. */}
          {count > 0 ? ` · ${count}` : null}
        </span>
        <span aria-hidden className="grow border-t border-line" />
      </h2>
      <ul className="flex flex-col gap-2">{children}</ul>
    </section>
  )
}

function focusItem(root: HTMLElement | null, item: string): boolean {
  const card = root?.querySelector<HTMLElement>(`[data-id="${CSS.escape(item)}"]`)
  card?.scrollIntoView({ block: 'nearest' })
  card?.focus()
  return card !== null && card !== undefined
}
