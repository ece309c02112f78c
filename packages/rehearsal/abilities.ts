/** Builds a concrete tool call from the abilities that a server offers. */

export type Ability = { name: string; args: { name: string; required: boolean }[] }

/** A needed call, independent of the server's own tool names. */
export type DueCall =
  | { do: 'list' | 'read'; path: string }
  | { do: 'read_many'; paths: string[] }
  | { do: 'search'; path: string; pattern: string }
  /** content: the step whose text is written, or `before`. */
  | { do: 'write'; path: string; content: { from_step: string } }

/** from_step: replaced by the whole text of that step. */
type Argument = string | string[] | { from_step: string }
/** A call in the answer format. */
type WrittenCall = { tool_name: string; arguments: Record<string, Argument> }

/** The abilities in the lines after the last `abilities of …:`, or after that of a server. */
export function readAbilities(text: string, server: string | null = null): Ability[] {
  const [, ...parts] = text.split(/^abilities of (.*):[ \t]*$/m)
  const at = server === null ? parts.length - 2 : parts.findIndex((name, n) => n % 2 === 0 && name === server)
  const list = at < 0 ? '' : (parts[at + 1] ?? '')
  return list.split('\n').flatMap((written) => {
    const line = written.trim()
    const [open = '', name] = /^([A-Za-z0-9_.-]+)\(/.exec(line) ?? []
    return name === undefined ? [] : [{ name, args: argumentsIn(line.slice(open.length)) }]
  })
}

/** Tool names of file servers, the most common first. */
const WANTED: Record<DueCall['do'], RegExp[]> = {
  list: [
    /^list_directory$/i,
    /^(?:list|ls|dir)_?(?:dir|directory|files|folder)?$/i,
    /^list_(?!allowed)\w*(?:dir|file|folder)\w*$/i,
  ],
  read: [
    /^read_text_file$/i,
    /^read_file$/i,
    /^(?:read|get|cat|open)_(?!multiple|media|many)\w*(?:file|text|document)\w*$/i,
  ],
  read_many: [/^read_(?:multiple|many)_files$/i],
  search: [/^search_files$/i, /^(?:search|find|glob)_?\w*$/i],
  write: [/^write_file$/i, /^(?:write|save|create|put)_(?!dir)\w*(?:file|text|document)\w*$/i],
}
const KINDS: DueCall['do'][] = ['list', 'read', 'read_many', 'search', 'write']

/** Names of arguments, by what they hold. */
const ARGUMENTS = {
  path: /^(?:path|file|filename|file_path|filepath|uri|dir|directory|folder)$/i,
  paths: /^(?:paths|files|filenames)$/i,
  content: /^(?:content|contents|text|data|body)$/i,
  pattern: /^(?:pattern|query|glob|name)$/i,
}
type Role = keyof typeof ARGUMENTS

/** out: the call; or the tool with its required arguments that are unknown, tool null: no ability fits */
export function callFor(
  { do: what, ...values }: DueCall,
  abilities: readonly Ability[],
): WrittenCall | { tool: string | null; missing: string[] } {
  const ability = abilityFor(abilities, what)
  if (!ability) return { tool: null, missing: [] }
  const known = Object.entries(values) as [Role, Argument][]
  const args: WrittenCall['arguments'] = {}
  const missing: string[] = []
  for (const { name, required } of ability.args) {
    const value = known.find(([role]) => ARGUMENTS[role].test(name))?.[1]
    if (value !== undefined) args[name] = value
    else if (required) missing.push(name)
  }
  return missing.length > 0 ? { tool: ability.name, missing } : { tool_name: ability.name, arguments: args }
}

function abilityFor(abilities: readonly Ability[], what: DueCall['do']): Ability | undefined {
  return WANTED[what].flatMap((wanted) => abilities.find(({ name }) => wanted.test(name)) ?? [])[0]
}

export const offers = (abilities: readonly Ability[], what: DueCall['do']): boolean =>
  abilityFor(abilities, what) !== undefined

/** The kind of a call in the history, by its tool's name. */
export const kindOfCall = (name: string): DueCall['do'] | null =>
  KINDS.find((kind) => WANTED[kind].some((wanted) => wanted.test(name))) ?? null

/** The text that a call has for one of its arguments. */
export function textArgument(args: Record<string, unknown>, role: Role): string {
  const value = Object.entries(args).find(([name]) => ARGUMENTS[role].test(name))?.[1]
  return typeof value === 'string' ? value : ''
}

/** The arguments before the closing parenthesis: `path: string, head?: number`. */
function argumentsIn(text: string): Ability['args'] {
  const parts: string[] = []
  let depth = 0
  let part = ''
  for (const sign of text) {
    if (sign === ')' && depth === 0) break
    if ('({['.includes(sign)) depth += 1
    if (')}]'.includes(sign)) depth -= 1
    if (sign === ',' && depth === 0) {
      parts.push(part)
      part = ''
    } else part += sign
  }
  return [...parts, part].flatMap((one) => {
    const [, name, optional] = /^\s*([A-Za-z0-9_-]+)(\?)?\s*(?::.*)?$/.exec(one) ?? []
    return name === undefined ? [] : [{ name, required: optional === undefined }]
  })
}
