/** Pages of a list that goes on while one reads it, put together; what an envelope's verdict says. Pure. */
import type { ChipState } from '@/components/ui/StatusChip'
import { VERDICTS, type Verdict } from '@/lib/mas/outsideRecords'
import { DIRECTORY_LISTS, type DirectoryList, type DirectoryPage } from '@/lib/wire'

export const listOf = (name: string | undefined): DirectoryList =>
  DIRECTORY_LISTS.find((one) => one === name) ?? 'peers'

/**
 * The first page, asked for anew, before what was read already.
 *
 * out     rows that came meanwhile stand first, those that changed once; when nothing of the new page was known, what lies
 *         between is not known either, and reading begins again from the top
 */
export function withFirst<Row, Page extends DirectoryPage<Row>>(
  held: Page | null,
  first: Page,
  idOf: (row: Row) => string,
): Page {
  if (held === null || first.next === null) return first
  const known = new Set(held.rows.map(idOf))
  const isTouching = first.rows.some((row) => known.has(idOf(row)))
  if (!isTouching) return first
  const came = new Set(first.rows.map(idOf))
  const older = held.rows.filter((row) => !came.has(idOf(row)))
  return { ...first, rows: [...first.rows, ...older], next: older.length === 0 ? first.next : held.next }
}

/** The page after it, behind; what stands already stays where it is. */
export function withNext<Row, Page extends DirectoryPage<Row>>(
  held: Page,
  next: Page,
  idOf: (row: Row) => string,
): Page {
  const known = new Set(held.rows.map(idOf))
  return { ...held, rows: [...held.rows, ...next.rows.filter((row) => !known.has(idOf(row)))], next: next.next }
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
/** What is no verdict of ours is the code of a refusal. */
export const chipOfVerdict = (verdict: string): ChipState => {
  const known = knownVerdict(verdict)
  return known === null ? 'failed' : CHIPS[known]
}

/** What the codes of refusals mean, whichever language they are of; several have one meaning. */
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
export type VerdictRefusal = (typeof REFUSALS)[keyof typeof REFUSALS]
/** null: a code that is not known here. */
export const verdictRefusalOf = (code: string): VerdictRefusal | null =>
  Object.hasOwn(REFUSALS, code) ? REFUSALS[code as keyof typeof REFUSALS] : null

/** The value of a JSON text; undefined when it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
