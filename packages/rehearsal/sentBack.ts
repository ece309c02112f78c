import { withoutNotes } from '@/lib/mas/builtInNotes'
import type { PlannedStage } from '@/lib/mas/steps/outcome'
import { lastJob, withJob } from './job'
import type { RehearsalPrompt } from './readPrompt'
import type { Words } from './words'

/** The stages with what people said of the plans before this one: each goal ends with it. */
export function withComments({ step }: RehearsalPrompt, stages: PlannedStage[], words: Words): PlannedStage[] {
  const said = step.sentBack.map((one) => words.answer('', one.by, one.said).trim()).join(words.space)
  if (said === '') return stages
  const goalWith = (goal: string): string => {
    const job = lastJob(goal)
    const text = [withoutNotes(goal), said].join(words.space)
    return job === null ? text : withJob(text, job)
  }
  return stages.map((stage) => ({
    ...stage,
    agent_allocation: Object.fromEntries(
      Object.entries(stage.agent_allocation).map(([agent, goal]) => [agent, goalWith(goal)]),
    ),
  }))
}
