/** Who asked for a new task, where its manager decides: a person or an agent of another system. */

import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId, MessageId, ThreadId } from '../../ids'
import { isAsked, isElsewhere, runsSteps } from '../../members/traits'
import { whyPeerIsAtLimit } from '../../outside/commands/peerLimits'
import type { MessageRecord, NewStage, StepRecord, World } from '../../records'
import { selectStep } from '../../team/agents'
import { Refused } from './namedInAnswer'

/** The agent's pending reply step in the same thread, or null. */
export const owedReply = (world: World, step: StepRecord): StepRecord | null =>
  (world.work[step.agent]?.todo ?? [])
    .flatMap((ref) => selectStep(world, ref.task, step.agent, ref.step) ?? [])
    .find((one) => one.answers !== null && one.task === step.task && one.thread === step.thread) ?? null

/** Who asked, and in which message: in the base task the first of the thread, in a conversation the one that is answered, else the last. */
export function requestOf(world: World, step: StepRecord): { by: AgentId; message: ThreadId } | null {
  const messages = world.messages[step.task] ?? {}
  if (world.tasks[step.task]?.conversation !== true) {
    const root = step.thread === null ? undefined : messages[step.thread]
    return root === undefined ? null : requestIn(root, isAsked(world, root.sender))
  }
  const owed: MessageId | undefined = owedReply(world, step)?.answers?.message
  const said: MessageRecord[] = Object.values(messages)
  const last = said
    .filter(({ sender, imported }) => sender !== step.agent && sender !== 'system:task' && imported === undefined)
    .reduce<MessageRecord | null>((newest, one) => (newest === null || one.seq > newest.seq ? one : newest), null)
  const request = (owed === undefined ? undefined : messages[owed]) ?? last
  return request === null ? null : requestIn(request, !runsSteps(world, request.sender))
}

const requestIn = ({ id, sender }: MessageRecord, mayRequest: boolean) =>
  sender !== 'system:task' && mayRequest ? { by: sender, message: id } : null

/** Throws Refused where no task can be created for this requester now. */
export function mustBeFor(context: DecisionContext, by: AgentId | null, stages: readonly NewStage[]): void {
  const why = by === null ? null : whyPeerIsAtLimit(context, by)
  if (why !== null) throw new Refused(why)
  mustHaveNoPart(context, by, stages)
}

/** A requester outside is not in the group, so it has no part in a stage. Throws Refused. */
export function mustHaveNoPart(context: DecisionContext, by: AgentId | null, stages: readonly NewStage[]): void {
  if (by !== null && isElsewhere(context.world, by) && stages.some(({ allocation }) => Object.hasOwn(allocation, by)))
    throw new Refused(context.say('requesterHasNoPart', { who: context.name(by) }))
}
