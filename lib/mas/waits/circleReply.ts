import type { AgentId, StepId, TaskId } from '../ids'
import { waitsForOutside } from '../outside/outsideWork'
import type { Answers, StepRecord, World } from '../records'
import { comesAgain, isOpen } from '../statuses'
import { stepIn } from '../steps/ownSteps'

const stepOf = (world: World, task: TaskId, agent: AgentId, step: StepId): StepRecord | null =>
  stepIn(world.steps[task]?.[agent], step) ?? null

/** The step that an agent may run although it is locked: a reply that bypasses the lock, or a step that this reply needs first. */
export function selectCircleReplyStep(world: World, agent: AgentId): StepRecord | null {
  const work = world.work[agent]
  for (const { task, step: id } of work?.todo ?? []) {
    if (world.tasks[task]?.paused) continue
    const step = stepOf(world, task, agent, id)
    const owed = step ? owedBy(world, step) : null
    if (!step || !owed) continue
    // The reply itself waits for an answer or a confirmation: that comes first.
    const isHeld = work?.locks.some((lock) => {
      const asking = stepOf(world, lock.task, agent, lock.step)
      return asking !== null && owedBy(world, asking)?.waiting === owed.waiting
    })
    return isHeld ? null : step
  }
  return null
}

/** The bypassing reply that a step serves, while it is waited for. */
function owedBy(world: World, step: StepRecord): Answers | null {
  const seen = new Set<StepId>()
  for (let at: StepRecord | null = step; at !== null && !seen.has(at.id); ) {
    seen.add(at.id)
    if (at.bypassesLock)
      return at.answers !== null && !hasReplied(at) && isOwed(world, at, at.answers) ? at.answers : null
    at = broughtBy(world, at)
  }
  return null
}

/** It has ended, and not because it needs something first: answers to its reply wait like everything. */
function hasReplied({ state, result }: StepRecord): boolean {
  if (state === 'failed') return true
  return state === 'finished' && !comesAgain(result)
}

/** The agent's own step that caused this one: it planned it, or asked the question that was answered. */
function broughtBy(world: World, { task, agent, cause }: StepRecord): StepRecord | null {
  const planner = cause.step === null ? null : stepOf(world, task, agent, cause.step)
  if (planner !== null || cause.message === null) return planner
  const asked = world.messages[task]?.[cause.message]?.replyTo ?? null
  const asking = asked === null ? null : (world.messages[task]?.[asked]?.fromStep ?? null)
  return asking === null ? null : stepOf(world, task, agent, asking)
}

/** Its asker still waits, or an outside agent does, or asked a question about a request that is still open. */
function isOwed(world: World, { task, agent }: StepRecord, { to, waiting, message }: Answers): boolean {
  if (waiting === null) return false
  if (waitsForOutside(world, agent, to)) return true
  if (world.work[to]?.locks.some((lock) => lock.id === waiting)) return true
  const about = world.messages[task]?.[message]?.asksBack
  const request = about === undefined ? undefined : world.requests[task]?.[about]
  return request !== undefined && isOpen(request)
}
