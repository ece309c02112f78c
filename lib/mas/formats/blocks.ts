/** Finds the tags of an answer. A tag with the invisible joiner is escaped foreign text, never a tag. */
import { ANSWER_TAGS, type AnswerTag } from './escape'
import type { Fixup } from './fixups'

/** One tag with its content, not inside another one. `exact`: written letter by letter as it should be. */
export type Block = {
  name: AnswerTag
  content: string
  at: number
  end: number
  exact: boolean
  fixups: Fixup[]
}

/** An opening that has no end. `begins`: nothing but space before it on its line. */
type Unclosed = { name: AnswerTag; at: number; end: number; begins: boolean; exact: boolean }

export type FoundBlocks = { blocks: Block[]; unclosed: Unclosed[] }

type Token = {
  name: AnswerTag
  kind: 'open' | 'close' | 'empty'
  at: number
  end: number
  exact: boolean
  fixups: Fixup[]
}

/** No answer tag with its attributes is longer. */
const LONGEST_TAG = 240
const LESS = 60
const GREATER = 62
const STEP_LISTS: readonly AnswerTag[] = ['planned_step', 'reflection_step', 'decision_step']

const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '')
const NAMES = new Map<string, AnswerTag>(ANSWER_TAGS.map((name) => [plain(name), name]))
for (const name of STEP_LISTS) NAMES.set(`${plain(name)}s`, name)

/**
 * The blocks of an answer, in their order.
 *
 * in      the answer; which tags hold JSON (a tag that a JSON text quotes does not end it)
 * out     every complete tag that is not inside another one, and the openings without an end. Tags in other case, with
 *         spaces, hyphens or attributes count as well, marked as not exact.
 */
export function findBlocks(answer: string, holdsJson: (name: AnswerTag) => boolean): FoundBlocks {
  const tokens = readTokens(answer)
  const ends = matchTokens(tokens)
  const blocks: Block[] = []
  const unclosed: Unclosed[] = []
  // JSON is skipped at most once per opening, and in total over four times the length of the answer: the time stays linear.
  let budget = answer.length * 4
  for (let index = 0; index < tokens.length; index += 1) {
    const open = tokens[index]
    if (open?.kind !== 'open') continue
    let close: number | undefined
    if (holdsJson(open.name) && budget > 0) {
      const end = skipJson(answer, open.end)
      budget -= Math.max(0, end.at - open.end)
      if (end.isWhole) close = closeAt(tokens, index, open.name, answer, end.at)
    }
    close ??= ends.get(index)
    const last = close === undefined ? undefined : tokens[close]
    if (close === undefined || last === undefined) {
      unclosed.push({
        name: open.name,
        at: open.at,
        end: open.end,
        exact: open.exact,
        begins: beginsLine(answer, open.at),
      })
      continue
    }
    blocks.push({
      name: open.name,
      content: answer.slice(open.end, last.at),
      at: open.at,
      end: last.end,
      exact: open.exact && last.exact,
      fixups: [...new Set([...open.fixups, ...last.fixups])],
    })
    index = close
  }
  return { blocks, unclosed }
}

function readTokens(answer: string): Token[] {
  const tokens: Token[] = []
  for (let at = answer.indexOf('<'); at >= 0; at = answer.indexOf('<', at + 1)) {
    const token = readToken(answer, at)
    if (token !== null) tokens.push(token)
  }
  return tokens
}

function readToken(answer: string, at: number): Token | null {
  let stop = at + 1
  for (const limit = Math.min(answer.length, at + LONGEST_TAG); stop < limit; stop += 1) {
    const mark = answer.charCodeAt(stop)
    if (mark === LESS) return null
    if (mark === GREATER) break
  }
  if (answer.charCodeAt(stop) !== GREATER) return null
  const inside = answer.slice(at + 1, stop)
  const end = stop + 1
  const isClose = /^\s*[/\\]/.test(inside)
  const isEmpty = !isClose && /\/\s*$/.test(inside)
  const words = inside.replace(/^\s*[/\\]|\/\s*$/g, '').trim()
  const whole = NAMES.get(plain(words))
  const name = whole ?? (words.includes('=') ? NAMES.get(plain(words.split(/\s/, 1)[0] ?? '')) : undefined)
  if (name === undefined) return null
  const before = answer.charAt(at - 1)
  // `<summary>` in a code span is a mention, not a tag.
  if (before === '`' && answer.charAt(end) === '`') return null
  const exact = inside === name || inside === `/${name}`
  const fixups: Fixup[] = exact ? [] : [whole === undefined ? 'tag_decorated' : 'tag_spelling']
  const isBold = before === '*' && answer.startsWith('**', at - 2) && answer.startsWith('**', end)
  if (isBold) fixups.push('tag_decorated')
  const kind = isClose ? 'close' : isEmpty ? 'empty' : 'open'
  return { name, kind, at: isBold ? at - 2 : at, end: isBold ? end + 2 : end, exact, fixups }
}

/** Each closing tag belongs to the nearest opening of its name before it that has none yet. */
function matchTokens(tokens: readonly Token[]): Map<number, number> {
  const ends = new Map<number, number>()
  const open = new Map<AnswerTag, number[]>()
  tokens.forEach((token, index) => {
    const stack = open.get(token.name) ?? []
    open.set(token.name, stack)
    if (token.kind === 'open') stack.push(index)
    const began = token.kind === 'close' ? stack.pop() : undefined
    if (began !== undefined) ends.set(began, index)
  })
  return ends
}

/** The end of that name which follows the JSON directly. */
function closeAt(
  tokens: readonly Token[],
  from: number,
  name: AnswerTag,
  answer: string,
  at: number,
): number | undefined {
  for (let index = from + 1; index < tokens.length; index += 1) {
    const token = tokens[index]
    if (token === undefined || token.at < at) continue
    return token.name === name && token.kind === 'close' && /^\s*(?:`{3,}|~{3,})?\s*$/.test(answer.slice(at, token.at))
      ? index
      : undefined
  }
  return undefined
}

/** Skips one strict JSON list or object, with a code fence before it. out: where it ends, and whether it is whole. */
export function skipJson(text: string, from: number): { at: number; isWhole: boolean } {
  const lead = /\s*(?:(?:`{3,}[^\n`]*|~{3,}[^\n~]*)\n\s*)?/y
  lead.lastIndex = from
  let at = from + (lead.exec(text)?.[0].length ?? 0)
  if (text.charAt(at) !== '{' && text.charAt(at) !== '[') return { at: from, isWhole: false }
  let depth = 0
  for (; at < text.length; at += 1) {
    const mark = text.charAt(at)
    if (mark === '"') {
      for (at += 1; at < text.length && text.charAt(at) !== '"'; at += 1) if (text.charAt(at) === '\\') at += 1
    } else if (mark === '{' || mark === '[') {
      depth += 1
    } else if (mark === '}' || mark === ']') {
      depth -= 1
      if (depth === 0) return { at: at + 1, isWhole: true }
    } else if (mark === '<') {
      return { at, isWhole: false }
    }
  }
  return { at, isWhole: false }
}

/** Only space precedes it on its line. */
function beginsLine(text: string, at: number): boolean {
  let before = at - 1
  while (before >= 0 && (text.charAt(before) === ' ' || text.charAt(before) === '\t')) before -= 1
  return before < 0 || text.charAt(before) === '\n' || text.charAt(before) === '\r'
}

const BRACKETED = (() => {
  const names = ANSWER_TAGS.map((name) => name.replaceAll('_', '[_\\s-]?')).join('|')
  return new RegExp(`([＜〈《⟨«【\\[<])\\s{0,3}([/／]?)\\s{0,3}(${names})\\s{0,3}([＞〉》⟩»】\\]>])`, 'gi')
})()

/** The answer with tags in other brackets (full-width ones, square ones) written in `<…>`. */
export const plainBrackets = (answer: string): string =>
  answer.replace(BRACKETED, (_whole, _open: string, slash: string, name: string) => {
    const tag = NAMES.get(plain(name))
    return `<${slash === '' ? '' : '/'}${tag ?? name}>`
  })

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#34;': '"',
  '&#39;': "'",
  '&apos;': "'",
  '&amp;': '&',
}

/** The answer with its entities decoded, if known tags are written with them. */
export function plainEntities(answer: string): string {
  if (!answer.includes('&lt;')) return answer
  return answer.replace(/&(?:lt|gt|quot|apos|amp|#34|#39);/g, (entity) => ENTITIES[entity] ?? entity)
}

/** `<name>…<name>`: the second opening is in the place of the end, and nothing follows it. */
export function closedByOpening(answer: string, unclosed: readonly Unclosed[]): Block | null {
  const [first, second, third] = unclosed
  if (first === undefined || second === undefined || third !== undefined || first.name !== second.name) return null
  if (!first.begins || answer.slice(second.end).trim() !== '') return null
  const content = answer.slice(first.end, second.at)
  if (content.trim() === '') return null
  return { name: first.name, content, at: first.at, end: second.end, exact: first.exact, fixups: ['tag_unclosed'] }
}
