import { type Ability, type DueCall, readAbilities } from '../abilities'
import { knownConstraints } from '../answers'
import { taggedJson, wordsFor } from '../common'
import { jobWith } from '../findings'
import { type Job, lastJob } from '../job'
import type { RehearsalPrompt, ShownStep } from '../readPrompt'
import { errorOf, knownFrom, namedButNotFound, nextReadBack, nextReadings, wantedFiles } from '../toolLoop'
import type { Words } from '../words'
import { writtenCall } from './instructionGeneration'

export function playToolDecision(prompt: RehearsalPrompt): string {
  const items = prompt.toolHistory ?? []
  const calls = items.filter((item) => item.type === 'tool')
  const found = calls.map((item) => lastJob(item.text)).findLast((one) => one !== null) ?? null
  const job = found === null ? null : jobWith(found, knownConstraints(prompt))
  const words = wordsFor(prompt, job)
  const last = calls.at(-1)
  if (job === null)
    return taggedJson('tool_decision', {
      continue: false,
      result: last === undefined ? words.nothingToCall : errorOf(last),
    })
  const abilities = readAbilities(prompt.abilities)
  const written = stillDue(calls, job, abilities).flatMap((need) => writtenCall(need, abilities) ?? [])
  if (written.length === 0) return taggedJson('tool_decision', { continue: false, result: endOf(calls, job, words) })
  // A written file is read back once; then the tool run ends.
  const isLast = job.do === 'write' || job.do === 'read_back'
  return taggedJson('tool_decision', {
    continue: true,
    calls: isLast ? written.map((call) => ({ ...call, last: true })) : written,
  })
}

function stillDue(calls: readonly ShownStep[], job: Job, abilities: readonly Ability[]): DueCall[] {
  const last = calls.at(-1)
  if (job.do === 'write' || job.do === 'read_back') {
    const back = nextReadBack(calls)
    return back === null ? [] : [back]
  }
  return last?.call === null && last.state === 'failed' ? [] : nextReadings(calls, job, abilities)
}

function endOf(calls: readonly ShownStep[], job: Job, words: Words): string {
  const known = knownFrom(calls)
  if (job.do === 'write' || job.do === 'read_back') {
    const failed = known.writeFailed
    if (failed !== null) return words.notWritten(failed.path, failed.error)
    const written = known.written.at(-1)
    // After reading back there is nothing left to decide.
    return written === undefined ? words.nothingToCall : words.writtenOnly(written)
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
