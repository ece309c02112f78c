/** instruction_generation and tool_decision: the calls that are due, written with the abilities of the server. */
import { type Ability, callFor, type DueCall } from '../abilities'
import { finishedItems, knownConstraints, taggedJson, wordsFor } from '../common'
import { jobWith } from '../findings'
import { type Job, lastJob } from '../job'
import { looksLikeFile } from '../ops/fileNames'
import { pathsIn } from '../parseRequest'
import type { ShownStep } from '../readParts'
import type { RehearsalPrompt } from '../readPrompt'
import {
  errorOf,
  hasListed,
  knownFrom,
  namedButNotFound,
  nextReadBack,
  nextReadings,
  pastCalls,
  wantedFiles,
} from '../toolLoop'
import type { Words } from '../words'

export function playInstructionGeneration(prompt: RehearsalPrompt): string {
  const { text = '', executor } = prompt.toolStep ?? {}
  const job = jobIn(prompt, [text])
  const words = wordsFor(prompt, job)
  const { abilities } = prompt
  const instruction = (value: object): string => taggedJson('tool_instruction', value)
  const none = (reason: string): string => instruction({ instruction_type: 'none', reason })
  if (abilities.length === 0) {
    const isDescribed = prompt.history.some(
      (item) => item.type === 'tool' && item.executor === executor && item.call === null && item.state === 'finished',
    )
    return isDescribed
      ? none(words.noAbility(words.nothingToCall))
      : instruction({ instruction_type: 'get_description' })
  }
  const due = job === null ? dueInWords(text) : dueFor(prompt, job, abilities)
  if (due === null) return none(words.noDocument)
  const [written, ...further] = writtenCalls(due, abilities)
  if (written === undefined) return none(whyNone(due, abilities, words))
  return instruction(further.length === 0 ? written : [written, ...further])
}

/** The newest job in these texts of tool steps, with the constraints of people. */
function jobIn(prompt: RehearsalPrompt, texts: readonly string[]): Job | null {
  const job = texts.map((text) => lastJob(text)).findLast((one) => one !== null) ?? null
  return job && jobWith(job, knownConstraints(prompt))
}

/** The calls that the server can be asked for, as answers and plans have them. */
export const writtenCalls = (due: readonly DueCall[], abilities: readonly Ability[]) =>
  due.flatMap((one) => {
    const call = callFor(one, abilities)
    return 'tool_name' in call ? [call] : []
  })

/** Why none of these calls can be written. */
function whyNone([first]: readonly DueCall[], abilities: readonly Ability[], words: Words): string {
  if (first === undefined) return words.nothingToCall
  const call = callFor(first, abilities)
  return 'tool_name' in call || call.tool === null
    ? words.noAbility(first.do)
    : words.unknownArguments(call.tool, call.missing)
}

/** The calls that are due for a step; null: there is no document to be written. */
function dueFor(prompt: RehearsalPrompt, job: Job, abilities: readonly Ability[]): DueCall[] | null {
  switch (job.do) {
    case 'write': {
      const path = job.about ?? job.report_path
      const document = finishedItems(prompt, 'think').findLast((item) => lastJob(item.text)?.do === 'report')
      // A preview is incomplete: writing it would lose the rest.
      if (path === null || document === undefined || document.cut) return null
      return [{ do: 'write', path, content: { from_step: `#${document.n}` } }]
    }
    case 'read_back':
      return job.about === null ? [] : [{ do: 'read', path: job.about }]
    default:
      return nextReadings(prompt.history, job, abilities)
  }
}

/** A step described in plain text by people or other agents: a path in it is listed or read. */
function dueInWords(said: string): DueCall[] {
  const [path] = pathsIn(said)
  return path === undefined ? [] : [{ do: looksLikeFile(path) ? 'read' : 'list', path }]
}

export function playToolDecision(prompt: RehearsalPrompt): string {
  const calls = (prompt.toolHistory ?? []).filter((item) => item.type === 'tool')
  const last = calls.at(-1)
  const job = jobIn(
    prompt,
    calls.map((item) => item.text),
  )
  const words = wordsFor(prompt, job)
  const end = (result: string): string => taggedJson('tool_decision', { continue: false, result })
  if (job === null) return end(last === undefined ? words.nothingToCall : errorOf(last))
  const { abilities } = prompt
  // A written file is read back once; then the tool run ends.
  const writes = job.do === 'write' || job.do === 'read_back'
  const due = writes
    ? [nextReadBack(calls) ?? []].flat()
    : last?.call === null && last.state === 'failed'
      ? []
      : nextReadings(calls, job, abilities)
  const written = writtenCalls(due, abilities)
  if (written.length === 0) return end(writes ? writeEnd(calls, words) : readEnd(calls, job, words))
  return taggedJson('tool_decision', {
    continue: true,
    calls: writes ? written.map((call) => ({ ...call, last: true })) : written,
  })
}

/** After reading back there is nothing left to decide, so the file was not read back. */
function writeEnd(calls: readonly ShownStep[], words: Words): string {
  const last = pastCalls(calls).findLast(({ kind }) => kind === 'write')
  if (last === undefined) return words.nothingToCall
  return last.error === null ? words.writtenOnly(last.path) : words.notWritten(last.path, last.error)
}

function readEnd(calls: readonly ShownStep[], job: Job, words: Words): string {
  const known = knownFrom(calls)
  const wanted = new Set(wantedFiles(known, job))
  const read = known.sources.filter((source) => wanted.has(source.path)).length
  const refused = calls.findLast((item) => item.state === 'failed' || item.isError)
  if (read === 0 && !hasListed(known) && refused !== undefined) return words.toolFailed(errorOf(refused))
  return words.allRead(
    read,
    namedButNotFound(known, job).map((one) => one.path),
  )
}
