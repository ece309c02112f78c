import { type Ability, callFor, type DueCall, readAbilities } from '../abilities'
import { knownConstraints } from '../answers'
import { finishedItems, taggedJson, wordsFor } from '../common'
import { jobWith } from '../findings'
import { type Job, lastJob } from '../job'
import { pathsIn } from '../parseRequest'
import type { RehearsalPrompt } from '../readPrompt'
import { looksLikeFile, nextReadings } from '../toolLoop'
import type { Words } from '../words'

export function playInstructionGeneration(prompt: RehearsalPrompt): string {
  const said = prompt.toolStep?.text ?? ''
  const stepJob = lastJob(said)
  const job = stepJob === null ? null : jobWith(stepJob, knownConstraints(prompt))
  const words = wordsFor(prompt, job)
  const abilities = readAbilities(prompt.abilities)
  if (abilities.length === 0) {
    const asked = prompt.history.some(
      (item) =>
        item.type === 'tool' &&
        item.executor === prompt.toolStep?.executor &&
        item.call === null &&
        item.state === 'finished',
    )
    return taggedJson(
      'tool_instruction',
      asked
        ? { instruction_type: 'none', reason: words.noAbility(words.nothingToCall) }
        : { instruction_type: 'get_description' },
    )
  }
  const needs = job === null ? needsFromWords(said) : needsFor(prompt, job, words, abilities)
  return taggedJson('tool_instruction', typeof needs === 'string' ? none(needs) : callsFor(needs, abilities, words))
}

const none = (reason: string): { instruction_type: 'none'; reason: string } => ({ instruction_type: 'none', reason })

/** The calls in the answer format; or why the first one cannot be made. */
function callsFor(needs: readonly DueCall[], abilities: readonly Ability[], words: Words): object {
  const [written, ...further] = needs.flatMap((need) => writtenCall(need, abilities) ?? [])
  if (written !== undefined) return further.length === 0 ? written : [written, ...further]
  const [first] = needs
  if (first === undefined) return none(words.nothingToCall)
  const built = callFor(first, abilities)
  return none(
    built.ok || built.tool === null ? words.noAbility(first.do) : words.unknownArguments(built.tool, built.missing),
  )
}

/** A call in the answer format; null when no ability fits. */
export function writtenCall(need: DueCall, abilities: readonly Ability[]): object | null {
  const built = callFor(need, abilities)
  return built.ok ? { tool_name: built.call.tool, arguments: built.call.arguments } : null
}

/** The calls that are due; a sentence when one of them cannot be made. */
function needsFor(prompt: RehearsalPrompt, job: Job, words: Words, abilities: readonly Ability[]): DueCall[] | string {
  switch (job.do) {
    case 'write': {
      const path = job.about ?? job.report_path
      const document = finishedItems(prompt, 'think').findLast((item) => lastJob(item.text)?.do === 'report')
      // A preview is incomplete: writing it would lose the rest.
      if (path === null || document === undefined || document.cut) return words.noDocument
      return [{ do: 'write', path, content: { from_step: `#${document.n}` } }]
    }
    case 'read_back':
      return job.about === null ? [] : [{ do: 'read', path: job.about }]
    default:
      return nextReadings(prompt.history, job, abilities)
  }
}

/** A step described in plain text by people or other agents: a path in it is listed or read. */
function needsFromWords(said: string): DueCall[] {
  const path = pathsIn(said)[0]
  if (path === undefined) return []
  return [looksLikeFile(path) ? { do: 'read', path } : { do: 'list', path }]
}
