/**
 * decide: what a command does to the world, as facts. Pure: the time and the ids' seed come in with the command.
 *
 * A new command does not compile before it stands here.
 */

import { Fault } from '@/lib/faults'
import type { MasEvent } from '../events'
import { type AgentId, asId } from '../ids'
import type { Json, World } from '../records'
import { askBack } from './askBack'
import { attemptNotice, endAttempt, escalate, noteTold, raiseAgain } from './attempts'
import { watchWaits } from './blocked'
import { reportCheckpoint } from './checkpoints'
import type { Command, CommandType, Envelope, NewBody } from './command'
import { applyConfig } from './configure'
import { type Batch, DecisionContext } from './decisionContext'
import { archiveTask, evictRecords, restoreTask, retireThread } from './eviction'
import { handOver, settleHandOver } from './handOver'
import { importConversation, openHandoff } from './importConversation'
import { watchJudges } from './judge'
import { beginDay } from './limits'
import { addLoad } from './load'
import { isOperatorCommand, operate } from './operate'
import { finishDelivery, startDelivery } from './outbox'
import { changePeers, isPeerCommand } from './peers'
import { acknowledge, markDone, markShown, personSends, undoReceipt } from './personSends'
import { registerOutside } from './registerOutside'
import { remind, remindDue, remindMe } from './remind'
import { answerRequest, claimRequest } from './requests'
import { runToolByHand } from './runByHand'
import { finishStep, hold, recordCall, recoverStep, startEffect, startStep } from './runSteps'
import { sendOutside } from './sendOutside'
import { noteEnvelope, takeFromOutside } from './takeFromOutside'
import { openToolRequest, withdrawToolRequest } from './toolRequests'
import { expireWait, releaseWait } from './waits'

/** Facts to append, the answer for whoever asked, bodies that the facts name. */
export type Decided = { ok: true; events: MasEvent[]; reply: Json; bodies: NewBody[]; world: World }
export type DecisionRefused = { ok: false; fault: Fault }

/** Commands that only the system itself may put. */
const OF_SYSTEM: ReadonlySet<CommandType> = new Set([
  'applyConfig',
  'startNode',
  'startStep',
  'finishStep',
  'holdStep',
  'recordCall',
  'startEffect',
  'recoverStep',
  'openToolRequest',
  'withdrawToolRequest',
  'archiveTask',
  'retireThread',
  'wakeTask',
  'evictRecords',
  'expireWait',
  'remindDue',
  'attemptNotice',
  'endAttempt',
  'escalate',
  'raiseAgain',
  'beginDay',
  'takeFromOutside',
  'importConversation',
  'openHandoff',
  'reportCheckpoint',
  'registerOutside',
  'noteEnvelope',
  'sendOutside',
  'startDelivery',
  'finishDelivery',
  'addLoad',
])

/**
 * Decide one command.
 *
 * in      the world as it will be after all commands before it; the command; server time, epoch ms; what it shares with the
 *         decisions of its batch (a refusal, or a throw, leaves that world spoiled)
 * out     events, all of them or none; or the Fault to be said to whoever asked
 * source  docs/rules.md R1, R3; used by server/engine/committer
 */
export function decide(world: World, envelope: Envelope, at: number, batch?: Batch): Decided | DecisionRefused {
  const context = new DecisionContext(world, envelope, at, batch)
  try {
    const reply = run(context, envelope)
    watchJudges(context)
    watchWaits(context)
    return { ok: true, events: context.events, reply, bodies: context.bodies, world: context.world }
  } catch (fault) {
    if (fault instanceof Fault) return { ok: false, fault }
    throw fault
  }
}

function run(context: DecisionContext, { by, command }: Envelope): Json {
  const isSystem = by.startsWith('system:')
  if (OF_SYSTEM.has(command.type)) {
    if (!isSystem) throw new Fault('NOT_ALLOWED', { what: command.type })
    return runSystem(context, command)
  }
  return runPerson(context, personWhoMay(context.world, by), command)
}

/** The person by whom the command comes; someone without access may nothing. */
function personWhoMay(world: World, by: string): AgentId {
  const person = world.agents[asId<AgentId>(by)]
  if (person?.kind !== 'human' || person.removed || person.access === 'none')
    throw new Fault('NOT_ALLOWED', { what: 'act here' })
  return person.id
}

function runSystem(context: DecisionContext, command: Command): Json {
  switch (command.type) {
    case 'applyConfig':
      applyConfig(context, command)
      return null
    case 'startNode':
      for (const node of Object.keys(context.world.nodes)) {
        if (node === command.node) context.emit('node.left', { node })
      }
      context.emit('node.started', { node: command.node, epoch: command.epoch })
      return null
    case 'startStep':
      return startStep(context, command)
    case 'finishStep':
      return finishStep(context, command)
    case 'holdStep':
      return hold(context, command)
    case 'recordCall':
      recordCall(context, command)
      return null
    case 'startEffect':
      startEffect(context, command)
      return null
    case 'recoverStep':
      recoverStep(context, command)
      return null
    case 'openToolRequest':
      return openToolRequest(context, command)
    case 'withdrawToolRequest':
      withdrawToolRequest(context, command)
      return null
    case 'archiveTask':
      archiveTask(context, command)
      return null
    case 'wakeTask':
      restoreTask(context, command)
      return null
    case 'retireThread':
      retireThread(context, command)
      return null
    case 'evictRecords':
      evictRecords(context, command)
      return null
    case 'expireWait':
      expireWait(context, command)
      return null
    case 'remindDue':
      remindDue(context, command)
      return null
    case 'attemptNotice':
      return attemptNotice(context, command)
    case 'endAttempt':
      endAttempt(context, command)
      return null
    case 'escalate':
      escalate(context, command)
      return null
    case 'raiseAgain':
      raiseAgain(context, command)
      return null
    case 'registerOutside':
      return registerOutside(context, command)
    case 'reportCheckpoint':
      return reportCheckpoint(context, command)
    case 'takeFromOutside':
      return takeFromOutside(context, command)
    case 'importConversation':
      return importConversation(context, command)
    case 'openHandoff':
      return openHandoff(context, command)
    case 'noteEnvelope':
      noteEnvelope(context, command)
      return null
    case 'sendOutside':
      return sendOutside(context, command)
    case 'startDelivery':
      return startDelivery(context, command)
    case 'finishDelivery':
      finishDelivery(context, command)
      return null
    case 'beginDay':
      beginDay(context, command)
      return null
    case 'addLoad':
      return addLoad(context, command)
    default:
      throw new Fault('NOT_ALLOWED', { what: command.type })
  }
}

function runPerson(context: DecisionContext, person: AgentId, command: Command): Json {
  if (isOperatorCommand(command)) return operate(context, person, command)
  if (isPeerCommand(command)) return changePeers(context, person, command)
  switch (command.type) {
    case 'sendMessage':
      if (command.sender !== person) throw new Fault('NOT_YOU')
      return personSends(context, person, command)
    case 'answerRequest':
      return answerRequest(context, person, command)
    case 'claimRequest':
      claimRequest(context, person, command)
      return null
    case 'askBack':
      return askBack(context, person, command)
    case 'handOver':
      return handOver(context, person, command)
    case 'settleHandOver':
      return settleHandOver(context, person, command)
    case 'releaseWait':
      return releaseWait(context, person, command)
    case 'remind':
      return remind(context, person, command)
    case 'remindMe':
      return remindMe(context, person, command)
    case 'noteTold':
      noteTold(context, person, command)
      return null
    case 'markShown':
      markShown(context, person, command)
      return null
    case 'acknowledge':
      acknowledge(context, person, command)
      return null
    case 'markDone':
      markDone(context, person, command)
      return null
    case 'undoReceipt':
      undoReceipt(context, person, command)
      return null
    case 'runTool':
      return runToolByHand(context, person, command)
    default:
      throw new Fault('NOT_ALLOWED', { what: command.type })
  }
}

export type { Batch, Command, Envelope, NewBody }
