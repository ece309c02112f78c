/** An agent of another system no longer wants what its message asked for. */

import { Fault } from '@/lib/faults'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import { deliver } from '../../messages/commands/deliver'
import { isStepOver, isTaskOver } from '../../statuses'
import { cancelStep } from '../../steps/commands/endings'
import { stepsOfAll } from '../../steps/ownSteps'
import { finishTask } from '../../tasks/commands/finishTask'
import { failLock } from '../../waits/commands/withoutAnswer'
import { isJobOver, selectJob } from '../jobs'
import { selectAskedOutside } from '../outside'
import { selectWorkOf } from '../outsideWork'
import { mustBePeer } from './conversations'
import { takeEnvelope } from './takeFromOutside'

/**
 * Ends the work, the steps and the questions that came from the message. A repeat has no effect.
 *
 * faults  NOT_ALLOWED, NOT_FOUND, ALREADY_SO: it is over
 */
export function cancelFromOutside(context: DecisionContext, command: CommandOf<'cancelFromOutside'>): void {
  const { protocol, message: id, status, bytes, sha, body } = command
  const peer = mustBePeer(context, command.peer, protocol)
  const job = selectJob(context.world, peer.id, id)
  if (job === null) throw new Fault('NOT_FOUND', { what: 'message', id })
  if (job.state === 'canceled') return
  if (isJobOver(job)) throw new Fault('ALREADY_SO', { what: 'it is over' })
  const { conversation, said } = job
  const { task, agent, ours } = conversation
  const why = context.say('workCanceled', { who: context.name(agent) })
  const own = new Set(said.map((one) => one.id))
  const cancel = deliver(context, {
    task,
    sender: agent,
    receivers: [ours],
    text: why,
    replyTo: id,
    workState: 'stopped',
  })
  for (const step of stepsOfAll(context.world.steps[task]))
    if (!isStepOver(step) && [step.answers?.message, step.cause.message].some((one) => one && own.has(one)))
      cancelStep(context, step, null, why)
  for (const question of selectAskedOutside(context.world, task, agent)) {
    if (!own.has(question.id)) continue
    const waiting = question.waiting?.[question.receivers.indexOf(agent)]
    if (waiting !== undefined) failLock(context, waiting, agent, why)
    context.delivery(task, question.id, agent, 'superseded', why)
  }
  for (const work of selectWorkOf(context.world, task))
    if (work.requestedIn?.thread === id && !isTaskOver(work))
      finishTask(context, work, { state: 'failed', summary: why }, null)
  takeEnvelope(context, {
    ...{ peer: peer.id, protocol, conversation: conversation.id, task, outsider: agent, message: cancel, theirs: '' },
    ...{ content: '', ours, callback: null, status, bytes, sha, body },
  })
}
