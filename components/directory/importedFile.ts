/** What kind of import a chosen file is, and what the server answered. Pure; the server checks the content. */
import { jsonOf } from './pages'

export type ImportedFile =
  | { is: 'list'; count: number; path: string; body: unknown }
  | { is: 'packet'; to: string; path: string; body: unknown }
  | { is: 'nothing' }

const record = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? { ...value } : {}

/** A list of messages, an export, or a packet that hands a job over. */
export function readImportedFile(text: string): ImportedFile {
  const value = jsonOf(text)
  const { messages = value, meta, protocol } = record(value)
  if (Array.isArray(messages)) {
    return { is: 'list', count: messages.length, path: '/api/harmony/import', body: { messages } }
  }
  if (protocol !== 'harmony_handoff_v1') return { is: 'nothing' }
  return { is: 'packet', to: String(record(meta).target_agent ?? ''), path: '/api/harmony/handoff', body: value }
}

/** task: the one that was made; messages: null: a packet; notCopied: why pictures still stand at the other system */
export type ImportResult = { task: string; messages: number | null; notCopied: string[] }

export function importFile(answer: unknown): ImportResult {
  const { conversation_id, messages, not_copied } = record(answer)
  const failed = Array.isArray(not_copied) ? not_copied : []
  return {
    task: String(conversation_id ?? ''),
    messages: typeof messages === 'number' ? messages : null,
    notCopied: failed.map((one) => String(record(one).why ?? '')),
  }
}
