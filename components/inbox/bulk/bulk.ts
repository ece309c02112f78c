/** One act on many rows of the inbox: which of them it fits, and what became of each. Pure but for the calls it is given. */
import type { ApiResult, CallRefused } from '@/client/api'
import { canAcknowledge } from '@/components/request/shown'
import { isQuestion } from '@/lib/mas/asks/requests'
import type { AgentId } from '@/lib/mas/ids'
import { isOpen } from '@/lib/mas/statuses'
import { type OpenRow, requestOfRow, transferableRows } from '../rows'

/** read: mentions and messages · answer: questions · remind: what can be snoozed */
export const BULK_ACTS = ['acknowledge', 'done', 'read', 'answer', 'handOver', 'remind'] as const
export type BulkAct = (typeof BULK_ACTS)[number]

/** Whether the act fits a row; a confirmation or a part is never decided together with others. */
export function canDo(act: BulkAct, row: OpenRow, me: AgentId): boolean {
  const request = requestOfRow(row)
  switch (act) {
    case 'acknowledge':
      return request !== null && canAcknowledge(request, me)
    case 'done':
      if (row.kind === 'message') return request !== null && isOpen(request)
      // Its asker waits for no answer, and it came with a message.
      return (
        row.request.kind === 'answer' && row.request.message !== null && isAsked(row, me) && !isQuestion(row.request)
      )
    case 'read':
      return row.kind === 'message' && request === null && row.outcome.shownAt === null
    case 'answer':
      return row.kind === 'request' && row.request.kind === 'answer' && isAsked(row, me)
    case 'handOver':
      return transferableRows([row], me).length > 0
    case 'remind':
      return isAsked(row, me)
  }
}

const isAsked = (row: OpenRow, me: AgentId): boolean => requestOfRow(row)?.asked.includes(me) ?? false

export type BulkResult = {
  /** undo: the act before was taken back */
  act: BulkAct | 'undo'
  done: readonly OpenRow[]
  refused: readonly { row: OpenRow; fault: CallRefused }[]
}

/**
 * Send a command for each row, one after the other; a refusal stops none of the others.
 *
 * in      send: the command of one row
 * out     what the server accepted and what it refused, each in the order of the rows
 */
export async function actOnAll(
  act: BulkResult['act'],
  rows: readonly OpenRow[],
  send: (row: OpenRow) => Promise<ApiResult<unknown>>,
): Promise<BulkResult> {
  const done: OpenRow[] = []
  const refused: { row: OpenRow; fault: CallRefused }[] = []
  for (const row of rows) {
    const outcome = await send(row)
    if (outcome.ok) done.push(row)
    else refused.push({ row, fault: outcome.fault })
  }
  return { act, done, refused }
}

export function commonChoices(rows: readonly OpenRow[]): readonly string[] {
  const [first, ...rest] = rows.map((row) => (row.kind === 'request' ? row.request.choices : []))
  if (first === undefined) return []
  return rest.every((choices) => JSON.stringify(choices) === JSON.stringify(first)) ? first : []
}

/** Buttons that fit beside the count of the selection in one row, of a page and of the narrow list. */
export const MOST_BUTTONS = { page: 4, list: 1 } as const
/** What stays a button the longest: what ends an item, then what passes it on. */
const RANK: Readonly<Record<BulkAct, number>> = { acknowledge: 0, done: 1, answer: 2, handOver: 3, read: 4, remind: 5 }

/** out: the acts that are buttons, and those in the menu after them, each in its order */
export function splitActs<Item extends { act: BulkAct }>(
  acts: readonly Item[],
  most: number = MOST_BUTTONS.page,
): { buttons: Item[]; more: Item[] } {
  const kept = [...acts].sort((a, b) => RANK[a.act] - RANK[b.act]).slice(0, most)
  return { buttons: acts.filter((one) => kept.includes(one)), more: acts.filter((one) => !kept.includes(one)) }
}
