/** Which rows of `me` stand where in the inbox. Pure. */
import type { AgentId } from '@/lib/mas/ids'
import type { TransferRecord } from '@/lib/mas/records'
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

export const VIEWS = ['needs-me', 'waiting', 'fyi', 'done'] as const
export type InboxView = (typeof VIEWS)[number]
export type InboxRow = RequestRow | MessageRow | WaitingRow | NoticeRow
export type OpenRow = RequestRow | MessageRow

/** The view an address names; anything else is the first. */
export const viewOf = (name: string | null): InboxView => VIEWS.find((view) => view === name) ?? 'needs-me'

const isGroup = (group: string): group is InboxGroup => INBOX_GROUPS.some((one) => one === group)
export const isOpenRow = (row: InboxRow): row is OpenRow =>
  (row.kind === 'request' || row.kind === 'message') && isGroup(row.group)

/** The item a row is about: what links and focus name. */
export const itemOf = (row: OpenRow): string => (row.kind === 'request' ? row.request.id : row.message.id)

export type OpenGroup = { group: InboxGroup; rows: OpenRow[] }

/**
 * "Needs me" in its groups, each in the server's order; groups without rows are left out.
 *
 * in      rows of `me`; kept: rows that settled while they were on screen (seen, or beaten to an answer), in their old group
 */
export function openGroupsOf(rows: readonly InboxRow[], kept: readonly OpenRow[] = []): OpenGroup[] {
  const open = rows.filter(isOpenRow)
  const here = new Set(open.map(({ id }) => id))
  const all = [...open, ...kept.filter(({ id }) => !here.has(id))].sort((a, b) => (a.sort < b.sort ? -1 : 1))
  return INBOX_GROUPS.map((group) => ({ group, rows: all.filter((row) => row.group === group) })).filter(
    ({ rows: inGroup }) => inGroup.length > 0,
  )
}

/** What asks me for something and is mine to give: requests, parts, people's Urgents and Actions. Not what is on its way already. */
export const transferableRows = (rows: readonly InboxRow[], me: AgentId): OpenRow[] =>
  rows
    .filter(isOpenRow)
    .filter((row) =>
      row.kind === 'request'
        ? row.request.asked.includes(me) && !row.request.handing
        : row.message.needReply && !row.receipt.handing,
    )

/** Could this person take it over? The server decides; unknown tasks are left to it. */
export function canTakeOver(row: OpenRow, { id, access }: Who, tasks: readonly OverviewRow[]): boolean {
  if (access === 'operator') return true
  const of = row.kind === 'request' ? row.request.task : row.message.task
  const task = tasks.find((one) => one.task === of)
  if (task === undefined) return true
  // Of the base task they see what is put to them, and of messages only their own threads.
  return task.base ? row.kind === 'request' : task.members.some((member) => member.id === id)
}

/** Whoever asks, or wrote it. */
export const senderOf = (row: OpenRow): Who => (row.kind === 'request' ? row.asker : row.sender)
export const textOf = (row: OpenRow): string => (row.kind === 'request' ? row.request.question : row.message.text)

export type TransferOffer = { handing: TransferRecord; rows: OpenRow[] }

const transferOf = (row: OpenRow): TransferRecord | null =>
  (row.kind === 'request' ? row.request.handing : row.receipt.handing) ?? null

/** What others handed me and I have not accepted, by hand-over, the oldest first. */
export function transferOffers(rows: readonly InboxRow[], me: AgentId): TransferOffer[] {
  const found = new Map<string, TransferOffer>()
  for (const row of rows.filter(isOpenRow)) {
    const handing = transferOf(row)
    if (handing === null || handing.to !== me) continue
    const known = found.get(handing.id) ?? { handing, rows: [] }
    known.rows.push(row)
    found.set(handing.id, known)
  }
  return [...found.values()].sort((a, b) => a.handing.at - b.handing.at)
}

/** How many a group holds: the server's count, for only the first of many are sent. */
export const groupCount = (group: OpenGroup, totals: MeTotals | null): number =>
  Math.max(totals?.byGroup[group.group] ?? 0, 0)

/** The next request after one that leaves: the one below it, else the first of those above; null: back to the list. */
export function successorOf(groups: readonly OpenGroup[], item: string): string | null {
  const rows = groups.flatMap((group) => group.rows)
  const at = rows.findIndex((row) => itemOf(row) === item)
  const next = [...rows.slice(at + 1), ...rows.slice(0, Math.max(at, 0))].find(({ kind }) => kind === 'request')
  return next ? itemOf(next) : null
}

/** The requests that these drafts belong to, each once; a card's other boxes stand under its own name. */
export const requestsWithDrafts = (places: readonly string[]): string[] => [
  ...new Set(places.flatMap((place) => /^request:([^.]+)/.exec(place)?.[1] ?? [])),
]
