/** Reads a model's answer to a skill: what has one clear meaning is read, what could mean two things is refused. */
import type { Json } from '../records'
import {
  type Block,
  closedByOpening,
  type FoundBlocks,
  findBlocks,
  plainBrackets,
  plainEntities,
  skipJson,
} from './blocks'
import { ANSWER_TAGS, type AnswerTag, unescapeDeep, unescapeTags } from './escape'
import type { Fixup } from './fixups'
import { nativeCallsIn } from './nativeCalls'
import { referenceOf, sayReference, type TextOfStep, withReferred } from './references'
import { type MemoryChange, sayIssues, TAG_FORMATS, type TagValues } from './schemas'
import { holdsList, shapeValue } from './shapes'
import { dropReasoning, stripFence } from './tags'
import { readValue } from './values'

/** One of these tags is required (the last one counts); `also` may accompany it. A tag in both may also be alone. */
export type ExpectedTags<Main extends AnswerTag, Also extends AnswerTag> = {
  oneOf: readonly Main[]
  also: readonly Also[]
}

export type TakenTag<Main extends AnswerTag> = { [Tag in Main]: { tag: Tag; value: TagValues[Tag] } }[Main]

export type ParsedAnswer<Main extends AnswerTag, Also extends AnswerTag> = {
  main: TakenTag<Main>
  also: { [Tag in Also]?: TagValues[Tag] }
  memory: MemoryChange[]
  /** Why the notes in the answer cannot be read; its main tag is still valid. */
  memoryProblem: string | null
  /** What was normalised before it could be read. */
  fixups: Fixup[]
}

type AnswerReading<Main extends AnswerTag, Also extends AnswerTag> =
  | { ok: true; answer: ParsedAnswer<Main, Also> }
  | { ok: false; reason: string }

export type ReadOptions = {
  /** The text does not contain the model's reasoning. */
  isReasoningApart?: boolean
  /** Left out: a reference stays as it is written, as a text. */
  textOf?: TextOfStep
}

/**
 * out     the last complete one of them with its parsed content, texts and arguments unescaped, and the changes to the
 *         notes; or a reason that tells the model what to correct. Text outside of tags is ignored; a tag inside another one
 *         is part of its content.
 * source  docs/prompts.md
 */
export function parseAnswer<Main extends AnswerTag, Also extends AnswerTag = never>(
  text: string,
  asked: ExpectedTags<Main, Also>,
  { isReasoningApart = false, textOf = sayReference }: ReadOptions = {},
): AnswerReading<Main, Also> {
  const asksForThink = (asked.oneOf as readonly AnswerTag[]).includes('think')
  const found = findAsked(dropReasoning(text, asksForThink, isReasoningApart), asked)
  if (!found.ok) return found
  const { block, beside } = found
  const fixups = new Set<Fixup>(block.fixups)
  const main = readTag(block.name, block.content, textOf)
  if (!main.ok) return main
  for (const fixup of main.fixups) fixups.add(fixup)
  const also: { [Tag in Also]?: TagValues[Tag] } = {}
  for (const name of asked.also) {
    const tag = beside.findLast((other) => other.name === name)
    if (tag === undefined) continue
    const read = readTag(name, tag.content, textOf)
    if (!read.ok) return read
    also[name] = read.value
    for (const fixup of [...tag.fixups, ...read.fixups]) fixups.add(fixup)
  }
  const notes = lastOrJoined(beside, 'persistent_memory')
  const memory = notes === null ? null : readTag('persistent_memory', notes.content, textOf)
  if (notes !== null && memory?.ok) for (const fixup of [...notes.fixups, ...memory.fixups]) fixups.add(fixup)
  const changes = (memory?.ok ? memory.value : []).map((change) => lowerHeadings(change, fixups))
  return {
    ok: true,
    answer: {
      main: { tag: block.name, value: main.value } as TakenTag<Main>,
      also,
      memory: changes,
      memoryProblem: memory === null || memory.ok ? null : memory.reason,
      fixups: [...fixups],
    },
  }
}

/** Notes are below headings of the prompt: their highest heading is `###`. Lines in a code fence are not headings. */
function lowerHeadings(change: MemoryChange, fixups: Set<Fixup>): MemoryChange {
  if (!('add' in change) || !/^ {0,3}#{1,2}\s/m.test(change.add)) return change
  let inFence = false
  const lines = change.add.split('\n').map((line) => {
    if (/^ {0,3}(?:`{3}|~{3})/.test(line)) inFence = !inFence
    return inFence ? line : line.replace(/^( {0,3})#{1,2}(?=\s)/, '$1###')
  })
  const add = lines.join('\n')
  if (add !== change.add) fixups.add('note_headings')
  return { add }
}

type FoundMain = { ok: true; block: Block; beside: Block[] } | { ok: false; reason: string }

/** A tag that may accompany others is the answer only without them. */
function findAsked(answer: string, { oneOf, also }: ExpectedTags<AnswerTag, AnswerTag>): FoundMain {
  const first = oneOf.filter((name) => !also.includes(name))
  const found = findMain(answer, first)
  const isThere = found.ok || first.some((name) => answer.includes(`<${name}`))
  return isThere || first.length === oneOf.length ? found : findMain(answer, oneOf)
}

const holdsJson = (name: AnswerTag): boolean => TAG_FORMATS[name].holds === 'json'

/** The block that counts, and those beside it. Exact tags first; other forms only where there are none. */
function findMain(answer: string, names: readonly AnswerTag[]): FoundMain {
  const asAnswered = inForm(answer, names, null)
  if (asAnswered?.ok) return asAnswered
  const bracketed = plainBrackets(answer)
  const inBrackets = bracketed === answer ? null : inForm(bracketed, names, 'tag_brackets')
  if (asAnswered !== null) {
    // Only the closing tag may be in other brackets: an opening tag inside the text is no answer.
    const isSameOpening = inBrackets?.ok && answer.startsWith(bracketed.slice(0, inBrackets.block.at + 2))
    return inBrackets?.ok && isSameOpening ? inBrackets : asAnswered
  }
  if (inBrackets?.ok) return inBrackets
  const entities = plainEntities(answer)
  const inEntities = entities === answer ? null : inForm(entities, names, 'tag_escaped')
  return inEntities?.ok ? inEntities : (inBrackets ?? inEntities ?? withoutTag(answer, names))
}

/** Read with tags in this form; null when there is no such tag at all. */
function inForm(answer: string, names: readonly AnswerTag[], form: Fixup | null): FoundMain | null {
  const found = findBlocks(answer, holdsJson)
  const mended = (block: Block): Block => (form === null ? block : { ...block, fixups: [form, ...block.fixups] })
  const asked = found.blocks.filter((block) => names.includes(block.name))
  const exact = asked.filter((block) => block.exact)
  const name = (exact.at(-1) ?? asked.at(-1))?.name
  const block = name === undefined ? null : lastOrJoined(exact.length > 0 ? exact : asked, name)
  if (block !== null) {
    const twice = openedTwice(answer, found, block)
    if (twice !== null) return twice
    const inner = withSeveral(withoutDouble(block), exact.length > 0 ? exact : asked)
    const beside = found.blocks.filter((other) => other.at >= inner.end || other.end <= inner.at)
    return { ok: true, block: mended(inner), beside: beside.map(mended) }
  }
  return withoutEnd(answer, names, found, mended)
}

/** The last block of that name. Single objects in tags of their own, one behind the other, are a list where the tag holds one. */
function lastOrJoined(blocks: readonly Block[], name: AnswerTag): Block | null {
  const last = blocks.findLast((block) => block.name === name)
  if (last === undefined) return null
  const isSingle = (block: Block): boolean => block.name === name && stripFence(block.content).startsWith('{')
  if (!holdsList(name) || !isSingle(last)) return last
  const run = blocks.slice(0, blocks.indexOf(last) + 1)
  const from = run.findLastIndex((block) => !isSingle(block)) + 1
  const joined = run.slice(from)
  if (joined.length < 2) return last
  return {
    ...last,
    at: joined[0]?.at ?? last.at,
    content: joined.map((block) => stripFence(block.content)).join('\n'),
    fixups: [...new Set<Fixup>([...joined.flatMap((block) => block.fixups), 'tags_joined'])],
  }
}

/** An opening at the beginning of a line, another one in the text behind it, and one end: which is the answer? */
function openedTwice(answer: string, found: FoundBlocks, block: Block): FoundMain | null {
  const before = found.unclosed.filter((open) => open.name === block.name && open.begins && open.end <= block.at).at(-1)
  if (before === undefined || found.blocks.some((other) => other.at >= before.end && other.at < block.at)) return null
  const between = answer.slice(before.end, block.at)
  if (between.trim() === '') {
    block.fixups.push('tag_doubled')
    return null
  }
  return { ok: false, reason: `<${block.name}> is opened twice and closed once` }
}

/** `<summary><summary>…</summary></summary>`: the content of the inner tag counts. */
function withoutDouble(block: Block): Block {
  const inside = findBlocks(block.content, holdsJson).blocks
  const [only] = inside
  const isAll = only !== undefined && inside.length === 1 && only.name === block.name
  if (!isAll || block.content.trim() !== block.content.slice(only.at, only.end).trim()) return block
  return {
    ...block,
    content: only.content,
    fixups: [...new Set<Fixup>([...block.fixups, ...only.fixups, 'tag_doubled'])],
  }
}

/** Marks an answer beside which another complete one has other content, so that readers of the step see it. */
function withSeveral(block: Block, asked: readonly Block[]): Block {
  const isOther = (one: Block): boolean =>
    (one.end <= block.at || one.at >= block.end) &&
    (one.name !== block.name || stripFence(one.content) !== stripFence(block.content))
  return asked.some(isOther) ? { ...block, fixups: [...block.fixups, 'last_of_several'] } : block
}

/** A tag without an end: the end of JSON can be found, that of a text cannot. */
function withoutEnd(
  answer: string,
  names: readonly AnswerTag[],
  found: FoundBlocks,
  mended: (block: Block) => Block,
): FoundMain | null {
  const open = found.unclosed.filter((one) => names.includes(one.name))
  const last = open.at(-1)
  if (last === undefined) {
    const missing = withoutOpening(answer, names)
    const within = found.blocks.find((block) => names.some((name) => findInside(block, name)))
    if (missing !== null || within === undefined)
      return missing === null ? null : { ok: true, block: mended(missing), beside: [] }
    return { ok: false, reason: `the tag stands inside <${within.name}>; write it outside` }
  }
  const closed = closedByOpening(answer, open)
  if (closed !== null) return { ok: true, block: mended(closed), beside: [] }
  if (holdsJson(last.name)) {
    const end = skipJson(answer, last.end)
    if (
      end.isWhole &&
      /^\s*(?:(?:`{3,}|~{3,})\s*)?(?:<?[/\\]?\w{0,30}>?\s*)$/.test(answer.slice(end.at, end.at + 80))
    ) {
      const block = {
        ...last,
        content: answer.slice(last.end, end.at),
        end: answer.length,
        fixups: ['tag_unclosed' as const],
      }
      return { ok: true, block: mended({ ...block, content: unfenced(block.content) }), beside: found.blocks }
    }
  }
  return { ok: false, reason: `<${last.name}> is opened and never closed` }
}

/** Removes a code fence before the JSON that is unclosed, like the tag. */
const unfenced = (content: string): string => content.replace(/^\s*(?:`{3,}[^\n`]*|~{3,}[^\n~]*)\n/, '')

const findInside = (block: Block, name: AnswerTag): boolean =>
  block.name !== name && block.content.includes(`<${name}>`) && block.content.includes(`</${name}>`)

/** Only the end of the tag is there, and all before it is one JSON value. */
function withoutOpening(answer: string, names: readonly AnswerTag[]): Block | null {
  for (const name of names) {
    const end = answer.indexOf(`</${name}>`)
    if (end < 0 || !holdsJson(name)) continue
    const whole = skipJson(answer, 0)
    const isAll = whole.isWhole && /^\s*(?:`{3,}|~{3,})?\s*$/.test(answer.slice(whole.at, end))
    if (isAll) {
      const content = unfenced(answer.slice(0, whole.at))
      return { name, content, at: 0, end: end + name.length + 3, exact: false, fixups: ['tag_unclosed'] }
    }
  }
  return null
}

/** Tags that are taken where a model writes them, but that no prompt asks for beside another. */
export const UNDERSTOOD_ONLY: readonly AnswerTag[] = ['think', 'get_more_info']

const CALLS: readonly AnswerTag[] = ['tool_instruction', 'tool_decision']
/** Texts of skills that answer with nothing else: what a model writes without the tag is the text. */
const PLAIN_TEXTS: readonly AnswerTag[] = ['result', 'quick_think', 'summary', 'process_message']
const LAYOUT_TAG = new RegExp(`</?(?:${[...ANSWER_TAGS, 'more_history', 'section'].join('|')})\\b`, 'i')
/** A tag of the model's own around all of its answer. */
const OWN_WRAPPER = /^<(answer|final_answer|final|response|output|text)>([\s\S]*)<\/\1>$/i

/** An answer without its tag: nothing but the JSON of one tag, calls in a native form, or the text of a skill that writes only one. */
function withoutTag(answer: string, names: readonly AnswerTag[]): FoundMain {
  if (answer.trim() === '') return { ok: false, reason: 'the answer is empty' }
  const inner = stripFence(answer)
  const fitting = /^[{[]/.test(inner) ? names.filter((name) => isAllOf(name, inner)) : []
  const [only] = fitting
  const missing = (name: AnswerTag, content: string, beside: Block[] = []): FoundMain => ({
    ok: true,
    block: { name, content, at: 0, end: answer.length, exact: false, fixups: ['tag_missing'] },
    beside,
  })
  if (only !== undefined && fitting.length === 1) return missing(only, answer)
  const caller = names.find((name) => CALLS.includes(name))
  const calls = caller === undefined ? null : nativeCallsIn(answer)
  if (caller !== undefined && calls !== null)
    return missing(caller, calls.length > 1 ? `[${calls.join(',')}]` : calls.join(''))
  const plain = plainTextIn(answer, names)
  if (plain !== null) return missing(plain.name, plain.text, plain.beside)
  const offered = names.filter((name) => names.length === 1 || !UNDERSTOOD_ONLY.includes(name))
  return { ok: false, reason: `there is no ${offered.map((name) => `<${name}>`).join(' or ')} in the answer` }
}

/** All of the answer but its notes, if it is words for the only text that is asked for, perhaps with the end of its tag. */
function plainTextIn(
  answer: string,
  names: readonly AnswerTag[],
): { name: AnswerTag; text: string; beside: Block[] } | null {
  const [name, another] = names.filter((one) => one !== 'think')
  if (name === undefined || another !== undefined || !PLAIN_TEXTS.includes(name)) return null
  const notes = findBlocks(answer, holdsJson).blocks.filter((block) => block.name === 'persistent_memory')
  const said = notes.reduceRight((text, { at, end }) => text.slice(0, at) + text.slice(end), answer).trim()
  const rest = said.endsWith(`</${name}>`) ? said.slice(0, -name.length - 3).trim() : said
  const text = OWN_WRAPPER.exec(rest)?.[2]?.trim() ?? rest
  const { blocks, unclosed } = findBlocks(text, holdsJson)
  // Another tag says that the text is no answer to this skill, and JSON may be that of another.
  const isOther = blocks.length + unclosed.length > 0 || LAYOUT_TAG.test(text) || /^[{[]/.test(stripFence(text))
  return text === '' || isOther ? null : { name, text, beside: notes }
}

function isAllOf(name: AnswerTag, text: string): boolean {
  const read = readTag(name, text, sayReference, false)
  return read.ok && (holdsJson(name) || read.fixups.includes('wrapper'))
}

type TagReading<Tag extends AnswerTag> =
  | { ok: true; value: TagValues[Tag]; fixups: Fixup[] }
  | { ok: false; reason: string }

/** The input is reported with each issue, so that a wrong type is not called missing. */
const TELL = { reportInput: true }

function readTag<Tag extends AnswerTag>(
  name: Tag,
  content: string,
  textOf: TextOfStep,
  maybeProse = true,
): TagReading<Tag> {
  const format = TAG_FORMATS[name]
  if (format.holds === 'text') {
    const told = unwrapped(name, stripFence(content))
    const number = referenceOf(told.text)
    const read = format.schema.safeParse(number === null ? unescapeTags(told.text) : textOf(number), TELL)
    if (!read.success) return { ok: false, reason: `<${name}>: ${sayIssues(read.error.issues)}` }
    return { ok: true, value: read.data, fixups: told.fixups }
  }
  const fits = (value: Json): boolean =>
    format.schema.safeParse(value).success || format.schema.safeParse(shapeValue(name, value).value).success
  const json = readValue(content, holdsList(name), maybeProse ? fits : null)
  if (!json.ok) return { ok: false, reason: `<${name}> does not hold strict JSON: ${json.reason}` }
  const value = withReferred(unescapeDeep(json.value), textOf)
  const read = format.schema.safeParse(value, TELL)
  if (read.success) return { ok: true, value: read.data, fixups: json.fixups }
  const shaped = shapeValue(name, value)
  const again = format.schema.safeParse(shaped.value, TELL)
  if (again.success) return { ok: true, value: again.data, fixups: [...json.fixups, ...shaped.fixups] }
  return { ok: false, reason: `<${name}>: ${sayIssues(again.error.issues)}` }
}

/** A text, also where it was written as `{"summary": "…"}`. */
function unwrapped(name: AnswerTag, text: string): { text: string; fixups: Fixup[] } {
  if (!text.startsWith('{')) return { text, fixups: [] }
  const read = readValue(text, false, null)
  const entries = read.ok && read.value !== null && typeof read.value === 'object' ? Object.entries(read.value) : []
  const [entry, other] = entries
  if (entry === undefined || other !== undefined || entry[0] !== name) return { text, fixups: [] }
  const number = referenceOf(entry[1])
  const inner = number === null ? entry[1] : sayReference(number)
  if (typeof inner !== 'string') return { text, fixups: [] }
  return { text: inner, fixups: [...(read.ok ? read.fixups : []), 'wrapper'] }
}
