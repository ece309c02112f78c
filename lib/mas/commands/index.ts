/** decide: a command and a world give events. Pure. A new command does not compile until it has a row in HANDLERS. */
import { Fault } from '@/lib/faults'
import { eraseTask } from '../archive/commands/erase'
import { archiveTask, evictRecords, restoreTask, retireThread } from '../archive/commands/eviction'
import {
  attemptNotice,
  endAttempt,
  escalate,
  noteTold,
  raiseAgain,
  urgeDue,
  urgeRequest,
} from '../asks/commands/attempts'
import { handOver, settleHandOver } from '../asks/commands/handOver'
import { remind, remindDue, remindMe } from '../asks/commands/remind'
import { answerRequest, askBack, claimRequest } from '../asks/commands/requests'
import { openToolRequest, withdrawToolRequest } from '../asks/commands/toolRequests'
import { type AgentId, asId } from '../ids'
import { beginDay } from '../limits/commands/limits'
import { acknowledge, markDone, markShown, personSends, undoOutcome } from '../messages/commands/personSends'
import { cancelFromOutside } from '../outside/commands/cancelFromOutside'
import { reportCheckpoint, reportMilestone } from '../outside/commands/checkpoints'
import { importConversation, openHandoff } from '../outside/commands/importConversation'
import { finishSending, startSending } from '../outside/commands/outbox'
import { registerOutside } from '../outside/commands/outsideAgents'
import {
  addPeerByOperator,
  changePeerByOperator,
  removePeerByOperator,
  renewPeerKeyByOperator,
  testPeerByOperator,
} from '../outside/commands/peers'
import { sendOutside } from '../outside/commands/sendOutside'
import { seePeer, takeFromOutside } from '../outside/commands/takeFromOutside'
import type { Json, World } from '../records'
import { admitPerson, changeSetup, leaveTeam, undoSetup } from '../setup/commands/changeSetup'
import { applyConfig } from '../setup/commands/configure'
import { takeTeam } from '../setup/commands/takeTeam'
import { watchJudges } from '../stages/commands/judge'
import { watchParts } from '../stages/commands/parts'
import { askInput, hold } from '../steps/commands/holdSteps'
import { cancelByPerson, retryByPerson } from '../steps/commands/operateSteps'
import { runToolByHand } from '../steps/commands/runByHand'
import { finishStep, recordCall, recordFiles, recoverStep, startEffect, startStep } from '../steps/commands/runSteps'
import { recordTrial } from '../steps/commands/tryCall'
import { openTalk } from '../tasks/commands/openTalk'
import {
  addStagesByPerson,
  changeManager,
  changeParticipants,
  finishStageByPerson,
  finishTaskByPerson,
  makeTask,
  removeAgentByPerson,
  retryStageByPerson,
} from '../tasks/commands/operate'
import { pauseAgent, pauseTask, readNow, resumeAgent, resumeTask } from '../tasks/commands/pause'
import { rateTask } from '../tasks/commands/rate'
import { renameStage, renameTask } from '../tasks/commands/rename'
import { askScheduled, pauseSchedule, removeSchedule, resumeSchedule, saveSchedule } from '../tasks/commands/schedules'
import { removeTemplate, saveTemplate } from '../tasks/commands/templates'
import { endToolRule, ruleTool } from '../tasks/commands/toolRules'
import { mayAct } from '../team/agents'
import { watchWaits } from '../waits/commands/blocked'
import { expireWait, releaseWait } from '../waits/commands/waits'
import { mustOperate } from './act'
import type { CommandOf, CommandType, Envelope } from './command'
import { DecisionContext } from './decisionContext'

/** Events to append, the reply to the sender, bodies that the events refer to. */
export type Decided = { ok: true; reply: Json; world: World } & Pick<DecisionContext, 'events' | 'bodies' | 'envelopes'>
type DecisionRefused = { ok: false; fault: Fault }

type Handler<Type extends CommandType> =
  | { by: 'system'; run: (context: DecisionContext, command: CommandOf<Type>) => Json }
  | { by: 'person'; run: (context: DecisionContext, person: AgentId, command: CommandOf<Type>) => Json }

/** A command that only the system itself may give. */
const bySystem = <Type extends CommandType>(
  run: (context: DecisionContext, command: CommandOf<Type>) => Json,
): Handler<Type> => ({ by: 'system', run })

/** A command that a person with access may give; the handler checks what else it needs. */
const byPerson = <Type extends CommandType>(
  run: (context: DecisionContext, person: AgentId, command: CommandOf<Type>) => Json,
): Handler<Type> => ({ by: 'person', run })

/** A command that only operators may give; `what` names the act in the refusal. */
const byOperator = <Type extends CommandType>(
  what: string,
  run: (context: DecisionContext, person: AgentId, command: CommandOf<Type>) => Json,
): Handler<Type> =>
  byPerson((context, person, command) => {
    mustOperate(context, person, what)
    return run(context, person, command)
  })

/** A handler whose command has no reply. */
const withoutReply =
  <Args extends unknown[]>(run: (...args: Args) => void) =>
  (...args: Args): null => {
    run(...args)
    return null
  }

const CHANGE_PEERS = 'change other systems'
const CHANGE_TEMPLATES = 'change templates'
const CHANGE_SETUP = 'change people, agents, models and tools'

/** Who may give each command, and what decides it. */
const HANDLERS: { [Type in CommandType]: Handler<Type> } = {
  applyConfig: bySystem(withoutReply(applyConfig)),
  startNode: bySystem(withoutReply(startNode)),
  admitPerson: bySystem(admitPerson),

  sendMessage: byPerson(sendAsThemselves),
  openTalk: byPerson(openTalk),
  answerRequest: byPerson(answerRequest),
  claimRequest: byPerson(withoutReply(claimRequest)),
  urgeRequest: byPerson(withoutReply(urgeRequest)),
  askBack: byPerson(askBack),
  handOver: byPerson(handOver),
  settleHandOver: byPerson(settleHandOver),
  releaseWait: byPerson(releaseWait),
  remind: byPerson(remind),
  remindMe: byPerson(remindMe),
  noteTold: byPerson(withoutReply(noteTold)),
  markShown: byPerson(withoutReply(markShown)),
  acknowledge: byPerson(withoutReply(acknowledge)),
  markDone: byPerson(withoutReply(markDone)),
  undoOutcome: byPerson(withoutReply(undoOutcome)),
  runTool: byPerson(runToolByHand),
  tryCall: byPerson(withoutReply(recordTrial)),

  expireWait: bySystem(withoutReply(expireWait)),
  remindDue: bySystem(withoutReply(remindDue)),
  attemptNotice: bySystem(attemptNotice),
  endAttempt: bySystem(withoutReply(endAttempt)),
  escalate: bySystem(withoutReply(escalate)),
  raiseAgain: bySystem(withoutReply(raiseAgain)),
  endToolRule: bySystem(withoutReply(endToolRule)),
  urgeDue: bySystem(withoutReply(urgeDue)),
  beginDay: bySystem(withoutReply(beginDay)),

  startStep: bySystem(startStep),
  finishStep: bySystem(finishStep),
  holdStep: bySystem(hold),
  askInput: bySystem(askInput),
  recordCall: bySystem(withoutReply(recordCall)),
  recordFiles: bySystem(withoutReply(recordFiles)),
  startEffect: bySystem(withoutReply(startEffect)),
  recoverStep: bySystem(withoutReply(recoverStep)),
  openToolRequest: bySystem(openToolRequest),
  withdrawToolRequest: bySystem(withoutReply(withdrawToolRequest)),

  pauseAgent: byPerson(pauseAgent),
  readNow: byPerson(readNow),
  resumeAgent: byPerson(resumeAgent),
  removeAgent: byPerson(removeAgentByPerson),
  ruleTool: byPerson(withoutReply(ruleTool)),
  pauseTask: byPerson(pauseTask),
  resumeTask: byPerson(resumeTask),
  cancelStep: byPerson(cancelByPerson),
  retryStep: byPerson(retryByPerson),
  makeTask: byPerson(makeTask),
  addStages: byPerson(addStagesByPerson),
  finishStage: byPerson(finishStageByPerson),
  retryStage: byPerson(retryStageByPerson),
  finishTask: byPerson(finishTaskByPerson),
  rateTask: byPerson(rateTask),
  eraseTask: byOperator('erase tasks', withoutReply(eraseTask)),
  renameTask: byPerson(renameTask),
  renameStage: byPerson(renameStage),
  changeParticipants: byPerson(changeParticipants),
  saveTemplate: byOperator(CHANGE_TEMPLATES, saveTemplate),
  removeTemplate: byOperator(CHANGE_TEMPLATES, removeTemplate),
  saveSchedule: byPerson(saveSchedule),
  pauseSchedule: byPerson(pauseSchedule),
  resumeSchedule: byPerson(resumeSchedule),
  removeSchedule: byPerson(removeSchedule),
  askScheduled: bySystem(askScheduled),
  changeManager: byPerson(changeManager),

  addPeer: byOperator(CHANGE_PEERS, addPeerByOperator),
  changePeer: byOperator(CHANGE_PEERS, withoutReply(changePeerByOperator)),
  renewPeerKey: byOperator(CHANGE_PEERS, renewPeerKeyByOperator),
  removePeer: byOperator(CHANGE_PEERS, withoutReply(removePeerByOperator)),
  testPeer: byOperator(CHANGE_PEERS, testPeerByOperator),

  takeTeam: byOperator(CHANGE_SETUP, takeTeam),
  changeSetup: byOperator(CHANGE_SETUP, changeSetup),
  undoSetup: byOperator(CHANGE_SETUP, undoSetup),
  leaveTeam: byOperator(CHANGE_SETUP, leaveTeam),

  archiveTask: bySystem(withoutReply(archiveTask)),
  wakeTask: bySystem(withoutReply(restoreTask)),
  retireThread: bySystem(withoutReply(retireThread)),
  evictRecords: bySystem(withoutReply(evictRecords)),

  registerOutside: bySystem(registerOutside),
  reportCheckpoint: bySystem(reportCheckpoint),
  reportMilestone: bySystem(reportMilestone),
  takeFromOutside: bySystem(takeFromOutside),
  cancelFromOutside: bySystem(withoutReply(cancelFromOutside)),
  importConversation: bySystem(importConversation),
  openHandoff: bySystem(openHandoff),
  seePeer: bySystem(withoutReply(seePeer)),
  sendOutside: bySystem(sendOutside),
  startSending: bySystem(startSending),
  finishSending: bySystem(withoutReply(finishSending)),
}

/**
 * in      the world after all commands before it; the command; server time, epoch ms
 * out     all events, or the Fault for the sender
 * source  docs/rules R1, R3
 */
export function decide(world: World, envelope: Envelope, at: number): Decided | DecisionRefused {
  const context = new DecisionContext(world, envelope, at)
  try {
    const reply = run(context, envelope.by, envelope.command)
    watchParts(context)
    watchJudges(context)
    watchWaits(context)
    const { events, bodies, envelopes } = context
    return { ok: true, events, reply, bodies, envelopes, world: context.world }
  } catch (fault) {
    if (fault instanceof Fault) return { ok: false, fault }
    throw fault
  }
}

/** Does this version know such a command? */
export const isCommandType = (type: string): type is CommandType => Object.hasOwn(HANDLERS, type)

function run<Type extends CommandType>(context: DecisionContext, by: string, command: CommandOf<Type>): Json {
  const handler: Handler<Type> | undefined = isCommandType(command.type) ? HANDLERS[command.type] : undefined
  if (handler?.by === 'person') return handler.run(context, personWhoMay(context.world, by), command)
  if (handler === undefined || !by.startsWith('system:')) throw new Fault('NOT_ALLOWED', { what: command.type })
  return handler.run(context, command)
}

/** The person who sends the command. Throws NOT_ALLOWED without access. */
function personWhoMay(world: World, by: string): AgentId {
  const person = world.agents[asId<AgentId>(by)]
  if (!mayAct(person)) throw new Fault('NOT_ALLOWED', { what: 'act here' })
  return person.id
}

function sendAsThemselves(context: DecisionContext, person: AgentId, command: CommandOf<'sendMessage'>): Json {
  if (command.sender !== person) throw new Fault('NOT_YOU')
  return personSends(context, person, command)
}

function startNode(context: DecisionContext, { node, epoch }: CommandOf<'startNode'>): void {
  // One node decides at a time: who begins takes the place of all before.
  for (const left of Object.keys(context.world.nodes)) context.emit('node.left', { node: left })
  context.emit('node.started', { node, epoch })
}
