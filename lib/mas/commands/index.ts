/**
 * decide: what a command does to the world, as facts. Pure: the time and the ids' seed come in with the command.
 *
 * Owns: the table from command to decision, and who may put which. A new command does not compile before it stands here.
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
import { type Batch, DecisionContext } from './draft'
import { handOver, settleHandOver } from './handOver'
import { importConversation, openHandoff } from './importConversation'
import { watchJudges } from './judge'
import { archiveTask, evictRecords, retireThread, restoreTask } from './leaving'
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
  const draft = new DecisionContext(world, envelope, at, batch)
  try {
    const reply = run(draft, envelope)
    watchJudges(draft)
    watchWaits(draft)
    return { ok: true, events: draft.events, reply, bodies: draft.bodies, world: draft.world }
  } catch (fault) {
    if (fault instanceof Fault) return { ok: false, fault }
    throw fault
  }
}

function run(draft: DecisionContext, { by, command }: Envelope): Json {
  const isSystem = by.startsWith('system:')
  if (OF_SYSTEM.has(command.type)) {
    if (!isSystem) throw new Fault('NOT_ALLOWED', { what: command.type })
    return runSystem(draft, command)
  }
  return runPerson(draft, personWhoMay(draft.world, by), command)
}

/** The person by whom the command comes; someone without access may nothing. */
function personWhoMay(world: World, by: string): AgentId {
  const person = world.agents[asId<AgentId>(by)]
  if (person?.kind !== 'human' || person.removed || person.access === 'none')
    throw new Fault('NOT_ALLOWED', { what: 'act here' })
  return person.id
}

function runSystem(draft: DecisionContext, command: Command): Json {
  switch (command.type) {
    case 'applyConfig':
      applyConfig(draft, command)
      return null
    case 'startNode':
      for (const node of Object.keys(draft.world.nodes)) {
        if (node === command.node) draft.emit('node.left', { node })
      }
      draft.emit('node.started', { node: command.node, epoch: command.epoch })
      return null
    case 'startStep':
      return startStep(draft, command)
    case 'finishStep':
      return finishStep(draft, command)
    case 'holdStep':
      return hold(draft, command)
    case 'recordCall':
      recordCall(draft, command)
      return null
    case 'startEffect':
      startEffect(draft, command)
      return null
    case 'recoverStep':
      recoverStep(draft, command)
      return null
    case 'openToolRequest':
      return openToolRequest(draft, command)
    case 'withdrawToolRequest':
      withdrawToolRequest(draft, command)
      return null
    case 'archiveTask':
      archiveTask(draft, command)
      return null
    case 'wakeTask':
      restoreTask(draft, command)
      return null
    case 'retireThread':
      retireThread(draft, command)
      return null
    case 'evictRecords':
      evictRecords(draft, command)
      return null
    case 'expireWait':
      expireWait(draft, command)
      return null
    case 'remindDue':
      remindDue(draft, command)
      return null
    case 'attemptNotice':
      return attemptNotice(draft, command)
    case 'endAttempt':
      endAttempt(draft, command)
      return null
    case 'escalate':
      escalate(draft, command)
      return null
    case 'raiseAgain':
      raiseAgain(draft, command)
      return null
    case 'registerOutside':
      return registerOutside(draft, command)
    case 'reportCheckpoint':
      return reportCheckpoint(draft, command)
    case 'takeFromOutside':
      return takeFromOutside(draft, command)
    case 'importConversation':
      return importConversation(draft, command)
    case 'openHandoff':
      return openHandoff(draft, command)
    case 'noteEnvelope':
      noteEnvelope(draft, command)
      return null
    case 'sendOutside':
      return sendOutside(draft, command)
    case 'startDelivery':
      return startDelivery(draft, command)
    case 'finishDelivery':
      finishDelivery(draft, command)
      return null
    case 'beginDay':
      beginDay(draft, command)
      return null
    case 'addLoad':
      return addLoad(draft, command)
    default:
      throw new Fault('NOT_ALLOWED', { what: command.type })
  }
}

function runPerson(draft: DecisionContext, person: AgentId, command: Command): Json {
  if (isOperatorCommand(command)) return operate(draft, person, command)
  if (isPeerCommand(command)) return changePeers(draft, person, command)
  switch (command.type) {
    case 'sendMessage':
      if (command.sender !== person) throw new Fault('NOT_YOU')
      return personSends(draft, person, command)
    case 'answerRequest':
      return answerRequest(draft, person, command)
    case 'claimRequest':
      claimRequest(draft, person, command)
      return null
    case 'askBack':
      return askBack(draft, person, command)
    case 'handOver':
      return handOver(draft, person, command)
    case 'settleHandOver':
      return settleHandOver(draft, person, command)
    case 'releaseWait':
      return releaseWait(draft, person, command)
    case 'remind':
      return remind(draft, person, command)
    case 'remindMe':
      return remindMe(draft, person, command)
    case 'noteTold':
      noteTold(draft, person, command)
      return null
    case 'markShown':
      markShown(draft, person, command)
      return null
    case 'acknowledge':
      acknowledge(draft, person, command)
      return null
    case 'markDone':
      markDone(draft, person, command)
      return null
    case 'undoReceipt':
      undoReceipt(draft, person, command)
      return null
    case 'runTool':
      return runToolByHand(draft, person, command)
    default:
      throw new Fault('NOT_ALLOWED', { what: command.type })
  }
}

export type { Batch, Command, Envelope, NewBody }
