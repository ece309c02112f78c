import type { PlannedStepFormat as PlannedStep } from '@/lib/mas/formats'
import { fileTool, finishedItems, isPlanned, jobOf, planned, tagged, taggedJson, wordsFor } from '../common'
import { type Do, type Job, lastJob } from '../job'
import type { RehearsalPrompt } from '../readPrompt'
import { isHandedOver, matchSaid, partResult, sentencesOf } from '../result'
import { hasUnread, writtenAndReadBack } from '../toolLoop'
import type { Words } from '../words'
import { reflectionStep, stepMaker, unasked } from './planning'
import { playSummary } from './summary'

/** Most reflections in a part; then it ends with what there is. */
const MOST_LOOKS = 3

export function playReflection(prompt: RehearsalPrompt): string {
  const job = jobOf(prompt)
  const words = wordsFor(prompt, job)
  const missing =
    job === null || job.hire !== null || finishedItems(prompt, 'reflection').length >= MOST_LOOKS
      ? []
      : missingSteps(prompt, job, words)
  if (missing.length === 0 && job !== null) return playSummary(prompt)
  const said = words.compared(
    sayDone(prompt, job, words),
    missing.length === 0
      ? words.nothingMissing
      : words.stillMissing(missing.map((step) => step.step_intention).join(words.list)),
  )
  if (missing.length === 0) return tagged('summary', said)
  return `${said}\n${taggedJson('reflection_step', [...missing, reflectionStep(words, job)])}`
}

function missingSteps(prompt: RehearsalPrompt, job: Job, words: Words): PlannedStep[] {
  const make = stepMaker(prompt, job, words)
  const tool = fileTool(prompt)
  const calls = prompt.history.filter((item) => item.type === 'tool')
  const toolFailed = calls.some((item) => item.state === 'failed' && item.call === null)
  const wasTried = (act: Do): boolean => calls.some((item) => lastJob(item.text)?.do === act)
  const steps: PlannedStep[] = []
  const add = (step: PlannedStep | null): void => {
    if (step !== null) steps.push(step)
  }
  if (!toolFailed && hasUnread(prompt.history, job)) add(make('read'))
  if (job.part !== 'analyse' && steps.length === 0) steps.push(...unasked(prompt, job, words))
  const changed = steps.length > 0
  /** A planned step is repeated only after something new. */
  const addUnlessPlanned = (step: PlannedStep | null): void => {
    if (step !== null && (changed || !isPlanned(prompt, step.executor, step.step_intention))) steps.push(step)
  }
  if (job.part === 'read') {
    addUnlessPlanned(make('handoff'))
    return steps
  }
  addUnlessPlanned(make('report'))
  if (changed || !wasTried('write')) add(make('write'))
  const written = writtenAndReadBack(prompt.history)
  if (!changed && written !== null && written.back === null && tool !== null && !wasTried('read_back')) {
    const intention = words.nextReadBack(written.path)
    steps.push(planned('tool', tool, intention, intention, { ...job, about: written.path }, 'read_back'))
  }
  addUnlessPlanned(make('deliver'))
  return steps
}

function sayDone(prompt: RehearsalPrompt, job: Job | null, words: Words): string {
  if (job === null) return ''
  const result = partResult(prompt, job, words)
  if (job.hire !== null) return result.said ?? words.hiredNot(job.hire.name)
  const said = sentencesOf(result, words)
  const to = job.deliver_to !== null && isHandedOver(prompt, job, words) ? [words.sentTo(job.deliver_to.name)] : []
  return [...said.files, ...said.missing, ...to, ...matchSaid(prompt, words)].join(words.space)
}
