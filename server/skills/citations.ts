/** The sources of an agent's message: results and messages of its history that the text cites. */
import { fieldsIn } from '@/lib/json'
import { anchorsIn, liftAnchors, withoutUnknown } from '@/lib/mas/cited'
import type { Json, StepRecord } from '@/lib/mas/records'
import { addressesOf, callInWords } from '@/lib/mas/steps/callWords'
import { selectCauseMessage } from '@/lib/mas/steps/history'
import type { OutgoingMessage, StepOutcome } from '@/lib/mas/steps/outcome'
import { selectName } from '@/lib/mas/team/agents'
import { sayInLanguage } from '@/lib/mas/words'
import type { SkillRun } from './port'
import { referableSteps, textOfStep } from './references'

const MOST_SOURCES = 40
const SNIPPET_CHARACTERS = 300
/** How many sources the reason lists: the newest. */
const MOST_NAMED = 20

/** Why a message is to be written again: items that it cites are no sources; null: all are. */
export function doubtSources({ sync }: StepOutcome, run: SkillRun): string | null {
  const anchors = anchorsIn(sync.send_message?.message ?? '')
  if (anchors.length === 0) return null
  const known = referableSteps(run).filter((step) => isSource(step, run))
  const wrong = anchors.filter(({ step }) => !known.some(({ number }) => number === step)).map(({ id }) => `[${id}]`)
  if (wrong.length === 0) return null
  const sources = known.slice(-MOST_NAMED).map(({ number }) => `[cit_${number}]`)
  const { language } = run.world.team
  return sources.length === 0
    ? sayInLanguage(language, 'noSources', { wrong: wrong.join(', ') })
    : sayInLanguage(language, 'wrongSources', { wrong: wrong.join(', '), sources: sources.join(', ') })
}

/** It found something out: a result of a tool, or a message that was taken in. */
const isSource = (step: StepRecord, { world }: SkillRun): boolean =>
  step.type === 'tool' || (step.executor === 'process_message' && selectCauseMessage(world, step) !== null)

/** The outcome with the sources of its message, and without the anchors in its text, also those of no source; others unchanged. */
export async function withCitations(outcome: StepOutcome, run: SkillRun): Promise<StepOutcome> {
  const message = outcome.sync.send_message
  if (message === undefined) return outcome
  return { ...outcome, sync: { ...outcome.sync, send_message: await citedMessage(message, run) } }
}

async function citedMessage(message: OutgoingMessage, run: SkillRun): Promise<OutgoingMessage> {
  const anchors = anchorsIn(message.message).slice(0, MOST_SOURCES)
  if (anchors.length === 0) return message
  const steps = referableSteps(run)
  const sources: Record<string, Json> = {}
  for (const { id, step: number, line } of anchors) {
    const step = steps.find((one) => one.number === number)
    const source = step === undefined ? null : await sourceOf(step, line, run)
    if (source !== null) sources[id] = source
  }
  const { text, at } = liftAnchors(withoutUnknown(message.message, sources), sources)
  // A message of nothing but wrong sources stays as it was written.
  if (text.trim() === '') return message
  if (at.length === 0) return { ...message, message: text }
  // A line that the result does not have, or that is none of a file, is not said.
  const idOf = (id: string): string => (hasPlace(sources[id]) ? id : id.replace(/:\d+$/, ''))
  const cited = Object.fromEntries(Object.entries(sources).map(([id, source]) => [idOf(id), source]))
  return { ...message, message: text, cited: { at: at.map((one) => ({ ...one, id: idOf(one.id) })), sources: cited } }
}

const hasPlace = (source: Json | undefined): boolean => fieldsIn(fieldsIn(source).location).line_number !== undefined

/** An entry of the citation map; null: the step is neither a tool result nor a message. */
async function sourceOf(step: StepRecord, line: number | null, run: SkillRun): Promise<Record<string, Json> | null> {
  const message = step.executor === 'process_message' ? selectCauseMessage(run.world, step) : null
  if (!isSource(step, run)) return null
  const text = await textOfStep(step, run)
  const paths = step.type === 'tool' ? addressesOf(step.instruction) : []
  const place = line === null ? null : placeOf(text, line, paths)
  const words = line === null ? text : (text.split('\n')[line - 1] ?? '')
  const snippet = [...words.trim()].slice(0, SNIPPET_CHARACTERS).join('')
  const location = {
    ...(place === null ? {} : { line_number: place.line }),
    ...(snippet === '' ? {} : { text_snippet: snippet }),
  }
  if (message !== null)
    return {
      source_type: 'message',
      source_id: message.id,
      source_name: selectName(run.world, message.sender),
      location,
    }
  const url = addressesOf(step.instruction).find((address) => /^https?:\/\//.test(address))
  const name = step.instruction === null ? null : callInWords(step.instruction, run.world.team.language)
  return {
    source_type: 'tool_result',
    source_id: step.id,
    source_name: (place?.path === undefined ? name : nameOfOne(name, paths, place.path)) ?? step.executor,
    location,
    ...(url === undefined ? {} : { url }),
  }
}

/**
 * Where a line of a result stands: of several files that are joined below their names, the file and its own line.
 *
 * out     null: the text has no such line, or it is none of a file
 */
function placeOf(text: string, line: number, paths: readonly string[]): { line: number; path?: string } | null {
  const lines = text.split('\n')
  if (line < 1 || line > lines.length) return null
  if (paths.length < 2) return { line }
  for (let at = line - 1; at >= 0; at -= 1) {
    const path = paths.find((one) => lines[at]?.trim() === `${one}:`)
    if (path !== undefined) return at === line - 1 ? null : { line: line - 1 - at, path }
  }
  return null
}

/** `read a.csv, b.csv` of one of them: `read b.csv`. */
function nameOfOne(name: string | null, paths: readonly string[], path: string): string | null {
  const at = name === null ? -1 : name.indexOf(paths[0] ?? path)
  return name === null || at < 0 ? path : `${name.slice(0, at)}${path}`
}
