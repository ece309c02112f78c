/**
 * Leaving: a member leaves a task, an agent leaves the team.
 *
 * Owns: what each ends. Not here: who decides it (operate.ts, configure.ts), the end rule itself (endings.ts).
 */

import type { AgentId, TaskId } from '../ids'
import { stepsIn } from '../ownSteps'
import type { ReceiptRecord, RequestRecord, StageRecord, TaskRecord } from '../records'
import { isOpen } from '../reduce/request'
import { isStepOver, isTaskOver } from '../selectors/agents'
import { selectConversationsOf } from '../selectors/outside'
import type { DecisionContext } from './draft'
import { cancelStep, endOf } from './endings'
import { returnHanded } from './handOver'
import { failLock } from './locks'
import { closeConversation } from './outbox'
import { afterStep, checkStage, endPart } from './parts'
import { supersede } from './requests'

/**
 * Nothing of the member stays open in the task: its part fails with the reason, its steps, locks and requests end, what it
 * was asked goes back to whoever asked, and what waited for it in the queue is over.
 */
export function endMembership(draft: DecisionContext, task: TaskId, agent: AgentId, reason: string): void {
  const isBase = draft.world.tasks[task]?.base ?? false
  const running = Object.values(draft.world.stages[task] ?? {}).filter(
    (stage: StageRecord) => !isBase && stage.state === 'running' && stage.parts[agent] !== undefined,
  )
  if (draft.world.tasks[task]?.group.includes(agent)) {
    draft.emit('task.participantsRemoved', { task, agents: [agent] })
  }
  for (const one of selectConversationsOf(draft.world, task))
    if (one.agent === agent) closeConversation(draft, one, reason)
  for (const stage of running) endPart(draft, task, stage.id, agent, { failed: reason })
  endOf(draft, { kind: 'member', task, agent }, reason)
  returnHanded(draft, task, agent)
  endAsked(draft, task, agent, reason)
  endReplies(draft, task, agent, reason)
  endQueue(draft, task, agent, reason)
  if (draft.world.agents[agent]?.kind === 'outside') endWaits(draft, task, agent, reason)
  for (const stage of running) checkStage(draft, task, stage.id)
}

/** The agent or person is gone: out of every task that goes on, and no message reaches it any more. */
export function removeAgent(draft: DecisionContext, agent: AgentId, reason: string): void {
  draft.emit('agent.removed', { agent })
  const tasks = Object.values(draft.world.tasks).filter((task: TaskRecord) => !isTaskOver(task))
  for (const task of tasks) {
    const takesPart = task.group.includes(agent) || draft.world.steps[task.id]?.[agent] !== undefined
    if (takesPart) endMembership(draft, task.id, agent, reason)
  }
}

/** Questions that were put to this one alone: nobody else can answer them as asked. */
function endAsked(draft: DecisionContext, task: TaskId, agent: AgentId, reason: string): void {
  for (const request of Object.values(draft.world.requests[task] ?? {})) {
    const isAlone = (one: RequestRecord): boolean => one.asked.length === 1 && one.asked[0] === agent
    if (isOpen(request) && isAlone(request)) supersede(draft, request, reason)
  }
}

/** Replies that nobody is there to hear any more. */
function endReplies(draft: DecisionContext, task: TaskId, agent: AgentId, reason: string): void {
  for (const own of Object.values(draft.world.steps[task] ?? {})) {
    for (const step of stepsIn(own)) {
      if (step.answers?.to !== agent || isStepOver(step)) continue
      cancelStep(draft, step, null, reason)
      afterStep(draft, step)
    }
  }
}

/** No step of ours stands for what somebody outside owes: whoever waits for it there is told that it will not come. */
function endWaits(draft: DecisionContext, task: TaskId, agent: AgentId, reason: string): void {
  for (const { locks } of Object.values(draft.world.work)) {
    for (const lock of locks) if (lock.task === task && lock.on === agent) failLock(draft, lock.id, agent, reason)
  }
}

function endQueue(draft: DecisionContext, task: TaskId, agent: AgentId, reason: string): void {
  const receipts: ReceiptRecord[] = Object.values(draft.world.receipts[task]?.[agent] ?? {})
  for (const { message: id, state } of receipts) {
    const message = draft.world.messages[task]?.[id]
    if (state !== 'queued' || !message) continue
    draft.emit('message.receipt', { task, message: id, agent, state: 'failed', note: reason })
    const waiting = message.waiting?.[message.receivers.indexOf(agent)]
    if (waiting !== undefined) failLock(draft, waiting, agent, reason)
  }
}
