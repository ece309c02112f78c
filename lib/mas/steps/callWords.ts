/** A tool call in one line: its action and its subject. */
import { oneLine } from '@/lib/format/plainText'
import { isJsonObject, jsonValueOf } from '@/lib/json'
import { CALL_VERBS } from '@/messages/calls.zh'
import { beginningOf } from '../bodies'
import type { Json, Language, ToolInstruction } from '../records'

const LONGEST_ABOUT = 80

/** The most informative arguments, the best first. */
const TELLING = [
  'path',
  'paths',
  'file',
  'filename',
  'uri',
  'url',
  'source',
  'query',
  'pattern',
  'target',
  'name',
  'title',
  'message',
]
/** Of a tool's name what an address beside it says already: `read_text_file prices/north.csv`. */
const SAID_BY_ADDRESS = /^(text|media|multiple|file|files|directory|folder|page|url)$/
const ADDRESSES: readonly string[] = TELLING.slice(0, TELLING.indexOf('query'))

/** The most informative argument, in one line; '' if there is no text. */
export const aboutOf = (args: Record<string, Json>): string => tellingOf(args)?.text ?? ''

/** The same for arguments as JSON text, which may be cut. */
export const aboutOfJson = (json: string): string => aboutOf(completeIn(json))

function tellingOf(args: Record<string, Json>): { key: string; text: string } | null {
  const texts = Object.entries(args).flatMap(([key, value]) => {
    const text = textOf(value)
    return text === null || text === '' ? [] : [{ key, text }]
  })
  const rank = ({ key }: { key: string }): number => {
    const at = TELLING.indexOf(key.toLowerCase())
    return at < 0 ? TELLING.length : at
  }
  return texts.reduce<(typeof texts)[number] | null>(
    (best, one) => (best === null || rank(one) < rank(best) ? one : best),
    null,
  )
}

function textOf(value: Json): string | null {
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string')
  const text = typeof value === 'string' ? value : isList ? value.join(', ') : null
  return text === null ? null : beginningOf(oneLine(text), LONGEST_ABOUT)
}

/**
 * A short text of the call, from the preview of its arguments: `read prices/north.csv`; null if it is not a tool call. Names of
 * tools, files and pages stay as they are.
 */
export function callInWords(instruction: ToolInstruction, language: Language): string | null {
  if (instruction.kind !== 'call') return null
  const telling = tellingOf(completeIn(instruction.arguments.preview))
  const words = instruction.name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s_\-.]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase())
  const [verb = instruction.name, ...more] = instruction.target === 'tool' ? words : [instruction.name]
  const hasAddress = telling !== null && ADDRESSES.includes(telling.key.toLowerCase())
  const kept = hasAddress ? more.filter((word) => !SAID_BY_ADDRESS.test(word)) : more
  const said = language === 'zh' && kept.length === 0 && telling !== null ? (CALL_VERBS[verb] ?? verb) : verb
  return [said, ...kept, telling?.text ?? ''].filter(Boolean).join(' ')
}

/** The arguments of a call that stand whole in their beginning. */
export const completeArguments = (call: Extract<ToolInstruction, { kind: 'call' }>): Record<string, Json> =>
  completeIn(call.arguments.preview)

/** The addresses in a call: files, folders, pages. in: as callInWords */
export function addressesOf(instruction: ToolInstruction | null): string[] {
  if (instruction?.kind !== 'call') return []
  if (instruction.target === 'resource') return [instruction.name]
  return Object.entries(completeIn(instruction.arguments.preview)).flatMap(([key, value]) => {
    const all: readonly Json[] = Array.isArray(value) ? value : [value]
    return ADDRESSES.includes(key.toLowerCase()) ? all.filter((one) => typeof one === 'string') : []
  })
}

/** The complete arguments in the beginning of a JSON object. */
function completeIn(json: string): Record<string, Json> {
  const value = jsonValueOf(json)
  if (value !== undefined) return isJsonObject(value) ? value : {}
  const pairs = [...json.matchAll(/"(\w+)"\s*:\s*("(?:[^"\\]|\\.)*")/g)]
  // Of a list that is cut, the texts that stand whole.
  const lists = [...json.matchAll(/"(\w+)"\s*:\s*\[((?:\s*"(?:[^"\\]|\\.)*"\s*,)+)/g)]
  return Object.fromEntries([
    ...pairs.map(([, key = '', text = '""']): [string, Json] => [key, String(JSON.parse(text))]),
    ...lists.map(([, key = '', texts = '']): [string, Json] => [
      key,
      JSON.parse(`[${texts.replace(/,$/, '')}]`) as Json,
    ]),
  ])
}
