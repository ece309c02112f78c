/** Filters of "Needs me": by task, asker and kind, and the snoozed ones; kept in the address. Pure. */
import type { AgentId } from '@/lib/mas/ids'
import type { InboxView } from '@/lib/wire'
import { INBOX_KINDS, type InboxFilter, type InboxKind } from '@/lib/wire/inboxFilter'
import { type OpenRow, rowSender, rowTask, snoozedUntil } from './rows'

/** The filter of the address: `?task=&from=&kind=&snoozed=1`; `from` is the asker. in: read: a parameter; unknown kinds count as none */
export function readRowFilter(read: (name: string) => string | null): InboxFilter {
  const kind = INBOX_KINDS.find((one) => one === read('kind'))
  const [task, from] = [read('task'), read('from')]
  return {
    ...(task ? { task } : {}),
    ...(from ? { from } : {}),
    ...(kind ? { kind } : {}),
    ...(read('snoozed') === '1' ? { snoozed: true as const } : {}),
  }
}

/** out: every parameter, null where it does not filter */
export const filterParams = ({ task, from, kind, snoozed }: InboxFilter): Record<string, string | null> => ({
  task: task ?? null,
  from: from ?? null,
  kind: kind ?? null,
  snoozed: snoozed ? '1' : null,
})

export function filterHref(filter: InboxFilter): string {
  const search = new URLSearchParams({ view: 'needs-me' })
  for (const [name, value] of Object.entries(filterParams(filter))) if (value !== null) search.set(name, value)
  return `/inbox?${search}`
}

export const isFiltered = (filter: InboxFilter): boolean => Object.keys(filter).length > 0

export function kindOfRow(row: OpenRow): InboxKind {
  if (row.kind === 'message') {
    const type = row.message.type
    return type === 'fyi' ? 'message' : type
  }
  switch (row.request.kind) {
    case 'answer':
      return 'question'
    case 'confirm':
    case 'plan':
      return 'confirmation'
    case 'part':
      return 'part'
    case 'judge':
    case 'limit':
    case 'tool':
      return 'decision'
  }
}

/** The views with this one in place of its namesake, or without it. in: filter: null: none; place: absent: the end */
export const withView = (
  views: readonly InboxView[],
  name: string,
  filter: InboxFilter | null,
  place = views.length,
): InboxView[] =>
  views.filter((view) => view.name !== name).toSpliced(place, 0, ...(filter === null ? [] : [{ name, filter }]))

/** in: now: epoch ms, for snoozes that are over */
export const filterRows = (rows: readonly OpenRow[], filter: InboxFilter, me: AgentId, now: number): OpenRow[] =>
  rows.filter(
    (row) =>
      (filter.task === undefined || rowTask(row) === filter.task) &&
      (filter.from === undefined || rowSender(row).id === filter.from) &&
      (filter.kind === undefined || kindOfRow(row) === filter.kind) &&
      (!filter.snoozed || snoozedUntil(row, me) > now),
  )
