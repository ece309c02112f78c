import { callFor, type DueCall, readAbilities } from '../abilities'
import { finishedItems, json, wordsOf } from '../common'
import { notedConstraints } from '../constraints'
import { jobWith } from '../findings'
import { type Job, lastJob } from '../job'
import type { RehearsalPrompt } from '../readPrompt'
import { looksLikeFile, nextReadBack, nextReading } from '../toolLoop'
import { pathsIn } from '../wish'
import type { Words } from '../words'

export function playInstructionGeneration(prompt: RehearsalPrompt): string {
  const said = prompt.toolStep?.text ?? ''
  const stepJob = lastJob(said)
  const job = stepJob === null ? null : jobWith(stepJob, notedConstraints(prompt))
  const words = wordsOf(prompt, job)
  const abilities = readAbilities(prompt.abilities)
  if (abilities.length === 0) {
    const asked = prompt.history.some(
      (item) =>
        item.type === 'tool' &&
        item.executor === prompt.toolStep?.executor &&
        item.call === null &&
        item.state === 'finished',
    )
    return json(
      'tool_instruction',
      asked
        ? { instruction_type: 'none', reason: words.noAbility(words.nothingToCall) }
        : { instruction_type: 'get_description' },
    )
  }
  const need = job === null ? needFromWords(said) : needFor(prompt, job, words, abilities)
  if (typeof need === 'string') return json('tool_instruction', { instruction_type: 'none', reason: need })
  if (need === null) return json('tool_instruction', { instruction_type: 'none', reason: words.nothingToCall })
  const built = callFor(need, abilities)
  if (built.ok)
    return json('tool_instruction', {
      instruction_type: 'function_call',
      tool_name: built.call.tool,
      arguments: built.call.arguments,
    })
  const reason = built.tool === null ? words.noAbility(need.do) : words.unknownArguments(built.tool, built.lacks)
  return json('tool_instruction', { instruction_type: 'none', reason })
}

/** The call that is due, null when none is, a sentence when one is due that cannot be made. */
function needFor(
  prompt: RehearsalPrompt,
  job: Job,
  words: Words,
  abilities: ReturnType<typeof readAbilities>,
): DueCall | string | null {
  switch (job.do) {
    case 'write': {
      const path = job.about ?? job.report_path
      const document = finishedItems(prompt, 'think').findLast((item) => lastJob(item.text)?.do === 'report')
      // A preview is not the document: to write it would pass a part off as the whole.
      if (path === null || document === undefined || document.cut) return words.noDocument
      return { do: 'write', path, content: document.result }
    }
    case 'read_back':
      return nextReadBack(prompt.history) ?? (job.about === null ? null : { do: 'read', path: job.about })
    default:
      return nextReading(prompt.history, job, abilities)
  }
}

/** A step that people or others wrote in words: a path in it is listed or read. */
function needFromWords(said: string): DueCall | null {
  const path = pathsIn(said)[0]
  if (path === undefined) return null
  return looksLikeFile(path) ? { do: 'read', path } : { do: 'list', path }
}
