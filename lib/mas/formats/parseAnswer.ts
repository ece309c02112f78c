/**
 * Reads a model's answer to a skill.
 *
 * Owns: from the whole answer to the parsed, unescaped content of the tags that the skill names, or the reason why not.
 * Not here: which skill takes which tags (server/skills).
 */

import type { MemoryChange } from '../outcome'
import type { Json } from '../records'
import { type AnswerTag, unescapeDeep, unescapeTags } from './escape'
import { sayIssues, TAG_FORMATS, type TagValues } from './schemas'
import { dropReasoning, findLastOf, findLastTag, stripFence } from './tags'

/** One of these tags must be there (the last one counts); `also` may stand beside it. */
export type Asked<Main extends AnswerTag, Also extends AnswerTag> = { oneOf: readonly Main[]; also: readonly Also[] }

export type Taken<Main extends AnswerTag> = { [Tag in Main]: { tag: Tag; value: TagValues[Tag] } }[Main]

export type ParsedAnswer<Main extends AnswerTag, Also extends AnswerTag> = {
  main: Taken<Main>
  also: { [Tag in Also]?: TagValues[Tag] }
  memory: MemoryChange[]
  /** Why the notes in the answer cannot be read; its main tag stands all the same. */
  memoryProblem: string | null
}

export type AnswerReading<Main extends AnswerTag, Also extends AnswerTag> =
  | { ok: true; answer: ParsedAnswer<Main, Also> }
  | { ok: false; reason: string }

/**
 * Parse an answer.
 *
 * in      the whole text of the model; the tags that the skill asks for
 * out     the last complete one of them with its parsed content, texts and arguments unescaped, and the changes to the
 *         notes; or a reason that tells the model what to mend. Text outside of tags is ignored.
 */
export function parseAnswer<Main extends AnswerTag, Also extends AnswerTag = never>(
  text: string,
  asked: Asked<Main, Also>,
): AnswerReading<Main, Also> {
  const asksForThink = (asked.oneOf as readonly AnswerTag[]).includes('think')
  const answer = dropReasoning(text, asksForThink)
  const found = findLastOf(answer, asked.oneOf)
  if (found === null) return { ok: false, reason: sayMissing(answer, asked.oneOf) }
  const main = readTag(found.name as Main, found.content)
  if (!main.ok) return main
  // What stands inside the tag that counts is its content, not a wish of the model's own.
  const beside = `${answer.slice(0, found.at)}\n${answer.slice(found.end)}`
  const also: { [Tag in Also]?: TagValues[Tag] } = {}
  for (const name of asked.also) {
    const tag = findLastTag(beside, name)
    if (tag === null) continue
    const read = readTag(name, tag.content)
    if (!read.ok) return read
    also[name] = read.value
  }
  const notes = findLastTag(beside, 'persistent_memory')
  const memory = notes === null ? null : readTag('persistent_memory', notes.content)
  return {
    ok: true,
    answer: {
      main: { tag: found.name, value: main.value } as Taken<Main>,
      also,
      memory: memory?.ok ? memory.value : [],
      memoryProblem: memory === null || memory.ok ? null : memory.reason,
    },
  }
}

type TagReading<Tag extends AnswerTag> = { ok: true; value: TagValues[Tag] } | { ok: false; reason: string }

function readTag<Tag extends AnswerTag>(name: Tag, content: string): TagReading<Tag> {
  const format = TAG_FORMATS[name]
  const inner = stripFence(content)
  let value: Json
  if (format.holds === 'text') {
    value = unescapeTags(inner)
  } else {
    const json = readJson(inner)
    if (!json.ok) return { ok: false, reason: `<${name}> does not hold strict JSON: ${json.reason}` }
    value = unescapeDeep(json.value)
  }
  const read = format.schema.safeParse(value)
  if (!read.success) return { ok: false, reason: `<${name}>: ${sayIssues(read.error.issues)}` }
  return { ok: true, value: read.data }
}

function readJson(text: string): { ok: true; value: Json } | { ok: false; reason: string } {
  try {
    return { ok: true, value: JSON.parse(text) as Json }
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) }
  }
}

function sayMissing(answer: string, names: readonly AnswerTag[]): string {
  const opened = names.find((name) => answer.includes(`<${name}>`))
  if (opened !== undefined) return `<${opened}> is opened and never closed`
  return `there is no ${names.map((name) => `<${name}>`).join(' or ')} in the answer`
}
