/** Builds a concrete tool call from the abilities that a server offers. */

export type Ability = { name: string; args: { name: string; required: boolean }[] }

/** from_step: replaced by the whole text of that step. */
type Argument = string | string[] | { from_step: string }

/** A needed call, independent of the server's own tool names. */
export type DueCall =
  | { do: 'list'; path: string }
  | { do: 'read'; path: string }
  | { do: 'read_many'; paths: string[] }
  | { do: 'search'; path: string; pattern: string }
  /** content: the step whose text is written. */
  | { do: 'write'; path: string; content: { from_step: string } }

type RehearsalCall = { tool: string; arguments: Record<string, Argument> }

export function readAbilities(lines: readonly string[]): Ability[] {
  return lines.flatMap((line) => {
    const open = /^([A-Za-z0-9_.-]+)\(/.exec(line)
    if (!open?.[1]) return []
    return [{ name: open[1], args: splitArguments(insideParentheses(line.slice(open[0].length))) }]
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

export const offers = (abilities: readonly Ability[], what: DueCall['do']): boolean =>
  pick(abilities, what) !== undefined

/** out: the call; or the required arguments that are missing; or tool null: no ability fits */
export function callFor(
  need: DueCall,
  abilities: readonly Ability[],
): { ok: true; call: RehearsalCall } | { ok: false; tool: string | null; missing: string[] } {
  const ability = pick(abilities, need.do)
  if (!ability) return { ok: false, tool: null, missing: [] }
  const args: RehearsalCall['arguments'] = {}
  const missing: string[] = []
  for (const arg of ability.args) {
    const value = valueFor(arg.name, need)
    if (value !== undefined) args[arg.name] = value
    else if (arg.required) missing.push(arg.name)
  }
  return missing.length > 0
    ? { ok: false, tool: ability.name, missing }
    : { ok: true, call: { tool: ability.name, arguments: args } }
}

function pick(abilities: readonly Ability[], what: DueCall['do']): Ability | undefined {
  for (const wanted of WANTED[what]) {
    const found = abilities.find((ability) => wanted.test(ability.name))
    if (found) return found
  }
  return undefined
}

/** Names of arguments, by what they hold. */
export const ARGUMENTS = {
  path: /^(?:path|file|filename|file_path|filepath|uri|dir|directory|folder)$/i,
  content: /^(?:content|contents|text|data|body)$/i,
  pattern: /^(?:pattern|query|glob|name)$/i,
}

function valueFor(name: string, need: DueCall): Argument | undefined {
  if (need.do === 'read_many') return /^(?:paths|files|filenames)$/i.test(name) ? need.paths : undefined
  if (ARGUMENTS.path.test(name)) return need.path
  if (need.do === 'write' && ARGUMENTS.content.test(name)) return need.content
  if (need.do === 'search' && ARGUMENTS.pattern.test(name)) return need.pattern
  return undefined
}

/** The kind of a call in the history, by its tool's name. */
export function kindOfCall(name: string): DueCall['do'] | null {
  const kinds: DueCall['do'][] = ['list', 'read', 'read_many', 'search', 'write']
  return kinds.find((kind) => WANTED[kind].some((wanted) => wanted.test(name))) ?? null
}

function insideParentheses(text: string): string {
  let depth = 1
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at)
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    if (depth === 0) return text.slice(0, at)
  }
  return text
}

function splitArguments(text: string): Ability['args'] {
  const parts: string[] = []
  let depth = 0
  let part = ''
  for (const sign of text) {
    if ('({['.includes(sign)) depth += 1
    if (')}]'.includes(sign)) depth -= 1
    if (sign === ',' && depth === 0) {
      parts.push(part)
      part = ''
    } else part += sign
  }
  return [...parts, part].flatMap((one) => {
    const found = /^\s*([A-Za-z0-9_-]+)(\?)?\s*(?::.*)?$/.exec(one)
    return found?.[1] ? [{ name: found[1], required: found[2] !== '?' }] : []
  })
}
