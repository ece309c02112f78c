/** Merging pages of a list that grows while it is read; the words of an envelope's verdict. Pure. */
import type { ChipState } from '@/components/ui/marks/StatusChip'
import { VERDICTS, type Verdict } from '@/lib/mas/outside/records'
import { DIRECTORY_LISTS, type DirectoryList, type DirectoryPage } from '@/lib/wire'

export const listOf = (name: string | undefined): DirectoryList =>
  DIRECTORY_LISTS.find((one) => one === name) ?? 'peers'

/** An id for each row of any list: its own, its number, or that of its agent. */
export type DirectoryRow = { id: string } | { seq: number } | { who: { id: string } }
export const idOfRow = (row: DirectoryRow): string =>
  'id' in row ? row.id : 'seq' in row ? String(row.seq) : row.who.id

/** Append the next page; rows that are held stay as they are. */
export function withNext<Page extends DirectoryPage<DirectoryRow>>(held: Page, next: Page): Page {
  const known = new Set(held.rows.map(idOfRow))
  return { ...held, rows: [...held.rows, ...next.rows.filter((row) => !known.has(idOfRow(row)))], next: next.next }
}

export const knownVerdict = (verdict: string): Verdict | null => VERDICTS.find((one) => one === verdict) ?? null

const CHIPS: Record<Verdict, ChipState> = {
  taken: 'done',
  repeat: 'idle',
  answered: 'done',
  in_progress: 'done',
  answers_nothing: 'idle',
  delivered: 'done',
  retry: 'waiting',
  failed: 'failed',
}
/** A verdict that is none of ours is the code of a refusal. */
export const chipOfVerdict = (verdict: string): ChipState => {
  const known = knownVerdict(verdict)
  return known === null ? 'failed' : CHIPS[known]
}

/** The meaning of a refusal's code, of whichever protocol; several codes share one. */
const REFUSALS = {
  invalid_json: 'json',
  '-32700': 'json',
  invalid_message: 'shape',
  invalid_envelope: 'shape',
  invalid_list: 'shape',
  invalid_packet: 'shape',
  bad_request: 'shape',
  '-32600': 'shape',
  unsupported_protocol: 'version',
  unsupported_version: 'version',
  unknown_message_type: 'unknown',
  unknown_action: 'unknown',
  method_not_allowed: 'unknown',
  '-32601': 'unknown',
  invalid_parameters: 'parameters',
  '-32602': 'parameters',
  callback_not_allowed: 'callback',
  unauthorized: 'key',
  unauthenticated: 'key',
  bad_signature: 'signature',
  forbidden: 'forbidden',
  agent_not_allowed: 'forbidden',
  not_allowed: 'forbidden',
  agent_not_found: 'agent',
  agent_unavailable: 'busy',
  unavailable: 'busy',
  conversation_not_found: 'conversation',
  conversation_closed: 'conversation',
  id_taken: 'id',
  not_found: 'nothing',
  not_json: 'media',
  message_too_large: 'large',
  too_large: 'large',
  too_many: 'many',
  internal_error: 'ours',
  '-32603': 'ours',
  '1000': 'key',
  '1001': 'key',
  '4003': 'many',
  '13000': 'unknown',
  '13001': 'nothing',
  '13002': 'nothing',
  '13003': 'ours',
  '13004': 'forbidden',
} as const
type VerdictRefusal = (typeof REFUSALS)[keyof typeof REFUSALS]
/** null: an unknown code */
export const verdictRefusalOf = (code: string): VerdictRefusal | null =>
  Object.hasOwn(REFUSALS, code) ? REFUSALS[code as keyof typeof REFUSALS] : null
