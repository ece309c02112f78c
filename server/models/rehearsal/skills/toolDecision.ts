import type { DueCall } from '../abilities'
import { json, wordsOf } from '../common'
import { notedConstraints } from '../constraints'
import { jobWith } from '../findings'
import { type Job, lastJob, withJob } from '../job'
import type { RehearsalPrompt, ShownStep } from '../readPrompt'
import { errorOf, fileNameIn, knownFrom, namedButNotFound, nextReadBack, nextReading, wantedFiles } from '../toolLoop'
import type { Words } from '../words'

export function playToolDecision(prompt: RehearsalPrompt): string {
  const items = prompt.toolHistory ?? []
  const calls = items.filter((item) => item.type === 'tool')
  const found = calls.map((item) => lastJob(item.text)).findLast((one) => one !== null) ?? null
  const job = found === null ? null : jobWith(found, notedConstraints(prompt))
  const words = wordsOf(prompt, job)
  const last = calls.at(-1)
  if (job === null)
    return json('tool_decision', {
      continue: false,
      result: last === undefined ? words.nothingToCall : (last.failure ?? ''),
    })
  const need =
    job.do === 'write' || job.do === 'read_back'
      ? nextReadBack(calls)
      : last?.call === null && last.state === 'failed'
        ? null
        : nextReading(calls, job, null)
  if (need === null) return json('tool_decision', { continue: false, result: endOf(calls, job, words) })
  const step = sayNeed(need, words)
  const act = job.do === 'write' || job.do === 'read_back' ? 'read_back' : 'read'
  return json('tool_decision', {
    continue: true,
    step_intention: step,
    text_content: withJob(step, { ...job, do: act, about: need.do === 'read' ? need.path : null }),
  })
}

function sayNeed(need: DueCall, words: Words): string {
  switch (need.do) {
    case 'list':
      return words.nextList(need.path)
    case 'read':
      return words.nextRead(need.path)
    case 'read_many':
      return words.nextRead(need.paths.join(words.list))
    case 'search':
      return words.nextSearch(fileNameIn(need.pattern))
    case 'write':
      return words.write(need.path)
  }
}

function endOf(calls: readonly ShownStep[], job: Job, words: Words): string {
  const known = knownFrom(calls)
  if (job.do === 'write' || job.do === 'read_back') {
    const failed = known.writeFailed
    if (failed !== null) return words.notWritten(failed.path, failed.error)
    return known.written.length === 0 ? words.nothingToCall : words.written(known.written.at(-1)?.path ?? '')
  }
  const wanted = new Set(wantedFiles(known, job))
  const read = known.sources.filter((source) => wanted.has(source.path)).length
  const refused = calls.findLast((item) => item.state === 'failed' || item.isError)
  if (read === 0 && known.listed.length === 0 && refused !== undefined) return words.toolFailed(errorOf(refused))
  return words.allRead(
    read,
    namedButNotFound(known, job).map((one) => one.path),
  )
}
