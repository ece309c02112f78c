/** Which entries of a person are acts of theirs, of what kind, and in what words. The others follow from an act. */
import { type DataOf, sayerOf } from '@/lib/i18n/sentences'
import type { OperatorActName } from '@/lib/mas/commands/act'
import type { Entry, EventOf, EventType } from '@/lib/mas/events'
import type { SenderId } from '@/lib/mas/ids'
import type { SetupKind } from '@/lib/mas/setup/setupRecords'
import type { ActKind } from '@/lib/wire/acts'
import { AUDIT_EN } from '@/messages/reports.en'
import { AUDIT_ZH } from '@/messages/reports.zh'

export const sayAudit = sayerOf(AUDIT_EN, AUDIT_ZH)
type Key = keyof typeof AUDIT_EN

/** What words are made with. say: in the language of the reader; name, names: of agents */
export type ActSayer = {
  by: string
  say: <One extends Key>(key: One, ...values: DataOf<(typeof AUDIT_EN)[One]>) => string
  name: (id: SenderId) => string
  names: (ids: readonly SenderId[]) => string
  decided: (event: EventOf<'request.answered'>) => string
  /** Another entry of the same decision tells it. */
  isTold: boolean
  /** The line that was written in the chat about it; null: none. */
  sentence: () => string | null
}
/** words: null: the entry is no act of its own */
type ActRule<Type extends EventType> = {
  kind: ActKind | ((event: EventOf<Type>) => ActKind)
  words: (event: EventOf<Type>, sayer: ActSayer) => string | null
}

const PLAIN_ACTS = {
  addParticipants: 'tasks',
  addStages: 'tasks',
  allowMore: 'requests',
  answerFor: 'requests',
  cancelStep: 'tasks',
  changeManager: 'tasks',
  finishStage: 'tasks',
  finishTask: 'tasks',
  handOver: 'requests',
  makeTask: 'tasks',
  pauseTask: 'tasks',
  refuseMore: 'requests',
  releaseWait: 'requests',
  removeParticipants: 'tasks',
  renameStage: 'tasks',
  renameTask: 'tasks',
  resumeTask: 'tasks',
  retryStage: 'tasks',
  retryStep: 'tasks',
  ruleTool: 'tasks',
  runTool: 'tasks',
  takeOver: 'requests',
} as const satisfies Partial<Record<OperatorActName, ActKind>>
/** On an agent or a person. */
const ACTS_ON_SOMEBODY = {
  leaveTeam: 'team',
  pauseAgent: 'team',
  readNow: 'team',
  removeAgent: 'team',
  resumeAgent: 'team',
} as const satisfies Partial<Record<OperatorActName, ActKind>>
/** The event that comes with it says more. */
const TOLD_ELSEWHERE = { saveTemplate: 'plans', removeTemplate: 'plans' } as const
const OPERATOR_ACT_KINDS: Record<OperatorActName, ActKind> = { ...PLAIN_ACTS, ...ACTS_ON_SOMEBODY, ...TOLD_ELSEWHERE }
const isIn = <Table extends object>(table: Table, key: PropertyKey): key is keyof Table => Object.hasOwn(table, key)

function operatorAct({ act, on, reason }: EventOf<'operator.acted'>, { say, name, sentence }: ActSayer): string | null {
  if (isIn(TOLD_ELSEWHERE, act)) return null
  const told = sentence()
  if (told !== null) return told
  const done = isIn(ACTS_ON_SOMEBODY, act)
    ? say(act, { name: name(on as SenderId) })
    : isIn(PLAIN_ACTS, act)
      ? say(act)
      : say('otherAct', { act })
  return reason === '' ? done : say('because', { act: done, why: reason })
}

const SETUP_WORDS = {
  agent: ['agentChanged', 'agentRemoved'],
  budget: ['budgetChanged', 'budgetRemoved'],
  human: ['humanChanged', 'humanRemoved'],
  model: ['modelChanged', 'modelRemoved'],
  tool: ['toolChanged', 'toolRemoved'],
} as const satisfies Record<Exclude<SetupKind, 'team'>, readonly [Key, Key]>

const act = <Type extends EventType>(kind: ActRule<Type>['kind'], words: ActRule<Type>['words']): ActRule<Type> => ({
  kind,
  words,
})

const ACTS: { [Type in EventType]: ActRule<Type> | null } = {
  'message.sent': act('messages', ({ sender, receivers }, { by, say, names }) => {
    if (sender !== by) return null
    return receivers.length === 0 ? say('sentToTask') : say('sent', { names: names(receivers) })
  }),
  'request.claimed': act('requests', ({ agent, until }, { by, say }) =>
    agent === by ? say(until === null ? 'acknowledged' : 'claimed') : null,
  ),
  'request.reminded': act('messages', ({ agents }, { say, names }) => say('reminded', { name: names(agents) })),
  'request.reopened': act('messages', ({ because, by: person }, { by, say }) =>
    because === 'undone' ? say('undone') : because === 'urgent' && person === by ? say('urged') : null,
  ),
  'reminder.set': act(
    (event) => ('request' in event ? 'requests' : 'messages'),
    ({ agent, until }, { by, say }) => (agent === by && until !== null ? say('snoozed') : null),
  ),
  'request.transferOffered': act('requests', ({ from, to }, { by, say, name }) =>
    from === by ? say('offered', { name: name(to) }) : null,
  ),
  'request.transferSettled': act('requests', ({ accepted }, { say }) => say(accepted ? 'accepted' : 'declined')),
  'request.answered': act('requests', (event, { by, say, decided }) =>
    event.answer.by === by ? say('answered', { decision: decided(event) }) : null,
  ),
  'task.rated': act('tasks', ({ rating }, { say }) => say(rating === 'up' ? 'ratedUp' : 'ratedDown')),
  'task.erased': act('tasks', ({ reason }, { say }) => say('because', { act: say('eraseTask'), why: reason })),
  'step.added': act('tasks', ({ agent, byHand, kind, intention }, { by, say, isTold }) =>
    agent === by && byHand && kind === 'tool' && !isTold ? say('ranTool', { call: intention }) : null,
  ),
  'model.called': act('tasks', ({ triedBy, call }, { by, say }) =>
    triedBy === by ? say('triedModel', { model: call.model }) : null,
  ),
  'step.cancelled': act('tasks', (event, { by, say, isTold }) =>
    event.by === by && !isTold ? say('cancelStep') : null,
  ),
  'operator.acted': act(
    ({ act: one }) => (isIn(OPERATOR_ACT_KINDS, one) ? OPERATOR_ACT_KINDS[one] : 'tasks'),
    operatorAct,
  ),
  'setup.changed': act('team', ({ entry: { kind, id, value } }, { say }) =>
    kind === 'team' ? say('teamChanged') : say(SETUP_WORDS[kind][value === null ? 1 : 0], { id }),
  ),
  'human.accessChanged': act('team', ({ agent, access }, { say, name }) =>
    say('accessGiven', { name: name(agent), access: say(access) }),
  ),
  'peer.added': act('team', ({ config }, { say }) => say('peerChanged', { name: config.uri })),
  'peer.removed': act('team', (_, { say }) => say('peerRemoved')),
  'template.saved': act('plans', ({ name }, { say }) => say('templateSaved', { name })),
  'template.removed': act('plans', (_, { say }) => say('templateRemoved')),
  'schedule.saved': act('plans', ({ name }, { say }) => say('scheduleSaved', { name })),
  'schedule.paused': act('plans', ({ by: who }, { by, say }) => (who === by ? say('schedulePaused') : null)),
  'schedule.resumed': act('plans', (_, { say }) => say('scheduleResumed')),
  'schedule.removed': act('plans', (_, { say }) => say('scheduleRemoved')),

  // Told by operator.acted, where a person does it.
  'task.added': null,
  'task.changeBegun': null,
  'task.renamed': null,
  'task.paused': null,
  'task.resumed': null,
  'task.finished': null,
  'task.toolRuled': null,
  'agent.toolRuled': null,
  'task.managerChanged': null,
  'task.participantsChanged': null,
  'stage.added': null,
  'stage.renamed': null,
  'stage.finished': null,
  'stage.partHanded': null,
  'agent.paused': null,
  'agent.resumed': null,
  'agent.removed': null,
  'step.prioritized': null,
  'step.approved': null,
  'request.ended': null,
  'budget.lifted': null,

  // They follow from an act, or the program does them.
  'node.started': null,
  'node.left': null,
  'sequencer.took': null,
  'config.applied': null,
  'setup.read': null,
  'task.started': null,
  'task.archived': null,
  'task.woken': null,
  'entry.erased': null,
  'thread.retired': null,
  'records.evicted': null,
  'stage.started': null,
  'stage.agentStateChanged': null,
  'stage.completionSubmitted': null,
  'stage.judging': null,
  'agent.created': null,
  'agent.changed': null,
  'memory.added': null,
  'memory.removed': null,
  'lock.added': null,
  'lock.bypassed': null,
  'lock.released': null,
  'step.started': null,
  'step.instructed': null,
  'step.held': null,
  'step.finished': null,
  'step.failed': null,
  'step.requeued': null,
  'step.interrupted': null,
  'step.moved': null,
  'step.retired': null,
  'message.asked': null,
  'message.delivery': null,
  'request.opened': null,
  'request.escalated': null,
  'notice.attempted': null,
  'notice.attemptEnded': null,
  'notice.given': null,
  'budget.warned': null,
  'budget.reached': null,
  'effect.started': null,
  'effect.finished': null,
  'effect.lateOutcome': null,
  'files.changed': null,
  'schedule.asked': null,
  'peer.seen': null,
  'conversation.opened': null,
  'conversation.named': null,
  'conversation.closed': null,
  'envelope.taken': null,
  'envelope.queued': null,
  'envelope.started': null,
  'envelope.sent': null,
  'checkpoint.reported': null,
}

/** The types of entries that are acts; `message.sent` is also read for the lines about acts. */
export const ACT_TYPES: readonly string[] = Object.entries(ACTS).flatMap(([type, rule]) => (rule ? [type] : []))

/** Does an entry tell by itself what a person did, so that what it brings about needs no words of its own? */
export const isTelling = ({ by, event }: Entry): boolean =>
  event.type === 'operator.acted' ||
  event.type === 'request.answered' ||
  (event.type === 'message.sent' && event.sender === by)

/** out: null: the entry is no act */
export function actIn({ event }: Pick<Entry, 'event'>, sayer: ActSayer): { kind: ActKind; what: string } | null {
  return actOf(event, sayer)
}

function actOf<Type extends EventType>(event: EventOf<Type>, sayer: ActSayer): { kind: ActKind; what: string } | null {
  const rule: ActRule<Type> | null = ACTS[event.type]
  const what = rule?.words(event, sayer) ?? null
  if (rule === null || what === null) return null
  return { kind: typeof rule.kind === 'function' ? rule.kind(event) : rule.kind, what }
}
