/** How rows of the view `me` are grouped in the inbox, and what transfers can be made of them. Pure. */

import { pathTo } from '@/client/nav'
import { messageText, questionText } from '@/client/readersWords'
import { bySort } from '@/client/views/viewState'
import { requestAlerts } from '@/lib/mas/asks/alerts'
import type { AgentId, MessageId, RequestId, TaskId } from '@/lib/mas/ids'
import type { RequestRecord, TransferRecord } from '@/lib/mas/records'
import {
  INBOX_GROUPS,
  type InboxGroup,
  type MessageRow,
  type MeTotals,
  type NoticeRow,
  type OverviewRow,
  type RequestRow,
  type WaitingRow,
  type Who,
} from '@/lib/wire/rows'

const VIEWS = ['needs-me', 'waiting', 'fyi', 'done'] as const
export type InboxTab = (typeof VIEWS)[number]
export type InboxRow = RequestRow | MessageRow | WaitingRow | NoticeRow
export type OpenRow = (RequestRow | MessageRow) & { group: InboxGroup }

/** in: `?view=` of the address; an unknown name gives the first view */
export const viewOf = (name: string | null): InboxTab => VIEWS.find((view) => view === name) ?? 'needs-me'

export const isOpenRow = (row: InboxRow): row is OpenRow => INBOX_GROUPS.some((group) => group === row.group)

/** What the row asks of its reader; null: nothing. */
export const requestOfRow = (row: RequestRow | MessageRow): RequestRecord | null =>
  row.kind === 'request' ? row.request : row.outcome.request

const alerts = (request: RequestRecord | null): boolean => request !== null && requestAlerts(request)

/** An Urgent that nobody has acknowledged. */
export const isAlertingRow = (row: InboxRow): row is OpenRow => isOpenRow(row) && alerts(requestOfRow(row))

/** The id of the request, message or notice of a row, as links and focus use it. */
export const itemOf = (row: InboxRow): string => {
  switch (row.kind) {
    case 'request':
      return row.request.id
    case 'message':
    case 'waiting':
      return row.message.id
    case 'notice':
      return row.notice.id
  }
}

/** The message by which an act names what it changes; null: a request that came without one. */
export const messageOf = (row: OpenRow): MessageId | null =>
  row.kind === 'message' ? row.message.id : row.request.message

/** Epoch ms until when its reader asked not to be reminded; 0: they did not. */
export const snoozedUntil = (row: RequestRow | MessageRow, me: AgentId): number =>
  requestOfRow(row)?.snoozed?.[me] ?? (row.kind === 'message' ? row.remindAt : 0) ?? 0

/** What a reminder of this row is about. */
export const reminderOf = (row: OpenRow): { request: RequestId | null; message: MessageId | null } =>
  row.kind === 'request' ? { request: row.request.id, message: null } : { request: null, message: row.message.id }

export type OpenGroup = { group: InboxGroup; rows: OpenRow[] }

/**
 * "Needs me" in its groups, each in the server's order; empty groups are left out.
 *
 * in      rows of `me`; kept: rows that settled while they were on screen, in the group they had before
 */
export function openGroupsOf(rows: readonly InboxRow[], kept: readonly OpenRow[] = []): OpenGroup[] {
  const open = rows.filter(isOpenRow)
  const here = new Set(open.map(({ id }) => id))
  const all = [...open, ...kept.filter(({ id }) => !here.has(id))].sort(bySort)
  return INBOX_GROUPS.map((group) => ({ group, rows: all.filter((row) => row.group === group) })).filter(
    ({ rows: inGroup }) => inGroup.length > 0,
  )
}

/** Open requests, Actions and Urgents of mine that are not offered to somebody yet. */
export const transferableRows = (rows: readonly InboxRow[], me: AgentId): OpenRow[] =>
  rows.filter(isOpenRow).filter((row) => {
    const request = requestOfRow(row)
    return request?.asked.includes(me) && !request.transfer
  })

/** Whether this person can read the row's item. The server decides; a task that is not known here counts as readable. */
export function canTakeOver(row: OpenRow, { id, access }: Who, tasks: readonly OverviewRow[]): boolean {
  if (access === 'operator') return true
  const task = tasks.find((one) => one.task === rowTask(row))
  if (task === undefined) return true
  // In the base task a person sees requests put to them and the messages of their own threads only.
  return task.base ? row.kind === 'request' : task.members.some((member) => member.id === id)
}

export const rowSender = (row: OpenRow): Who => (row.kind === 'request' ? row.asker : row.sender)
export const rowText = (row: OpenRow): string =>
  row.kind === 'request' ? questionText(row.request) : messageText(row.message)
export const rowTask = (row: OpenRow): TaskId => (row.kind === 'request' ? row.request.task : row.message.task)
export const rowSince = (row: OpenRow): number => (row.kind === 'request' ? row.request.openedAt : row.message.at)
/** Since when it rings: since it came, or was raised again. */
export const ringsSince = (row: OpenRow): number => Math.max(rowSince(row), requestOfRow(row)?.raisedAt ?? 0)
export const rowHref = (row: OpenRow): string =>
  row.kind === 'request'
    ? pathTo('request', { requestId: row.request.id })
    : pathTo('message', { taskId: row.message.task, messageId: row.message.id })

export type TransferOffer = { transfer: TransferRecord; rows: OpenRow[] }

const transferOf = (row: OpenRow): TransferRecord | null => requestOfRow(row)?.transfer ?? null

/** Transfers offered to me that I have not answered, the oldest first, each with its rows. */
export function transferOffers(rows: readonly InboxRow[], me: AgentId): TransferOffer[] {
  const found = new Map<string, TransferOffer>()
  for (const row of rows.filter(isOpenRow)) {
    const transfer = transferOf(row)
    if (transfer === null || transfer.to !== me) continue
    const offer = found.get(transfer.id) ?? { transfer, rows: [] }
    offer.rows.push(row)
    found.set(transfer.id, offer)
  }
  return [...found.values()].sort((a, b) => a.transfer.at - b.transfer.at)
}

/** How many open items the rows leave out. What has settled is none of them, also while it stays on screen. */
export const moreThan = (rows: readonly InboxRow[], totals: Pick<MeTotals, 'needsMe'> | null): number =>
  Math.max(0, (totals?.needsMe ?? 0) - rows.filter(isOpenRow).length)

/** The request to focus after this item has left: the next below it, else the first above; null: none. */
export function successorOf(groups: readonly OpenGroup[], item: string): string | null {
  const rows = groups.flatMap((group) => group.rows)
  const at = rows.findIndex((row) => itemOf(row) === item)
  const next = [...rows.slice(at + 1), ...rows.slice(0, Math.max(at, 0))].find(({ kind }) => kind === 'request')
  return next ? itemOf(next) : null
}
