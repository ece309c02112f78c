/** The places of personal texts in events. A store keeps them outside the row, so that they can be removed and its hashes stay. */
import type { EventType } from './events'

const TEXT_KINDS = [
  'message',
  'answer',
  'preview',
  'name',
  'profile',
  'question',
  'memory',
  'reason',
  'summary',
  'result',
  'intention',
  'info',
  'prompt',
  'address',
  'records',
] as const
type TextKind = (typeof TEXT_KINDS)[number]

/** pointer: RFC 6901, where `*` means each element of a list; names: its members. A list or object is one text as a whole. */
type TextPlace<Pointer extends string = string> = {
  readonly pointer: Pointer
  readonly names: readonly string[]
  readonly kind: TextKind
}

const places = <const Pointer extends string>(kind: TextKind, ...pointers: Pointer[]): TextPlace<Pointer>[] =>
  pointers.map((pointer) => ({ pointer, names: pointer.split('/').slice(1), kind }))
const NONE: readonly TextPlace<never>[] = []

const AGENT = [
  ...places('name', '/config/configId', '/config/name', '/config/groups', '/config/outside/uri'),
  ...places('profile', '/config/role', '/config/profile', '/config/outside/capabilities'),
]
const STEP = places('intention', '/intention', '/text')
const RESULT = [
  ...places('result', '/result/text', '/result/made', '/repairs'),
  ...places('preview', '/result/body/preview'),
]
const LINE = places('info', '/line')
const REASON = places('reason', '/reason')
const NOTE = places('reason', '/note')
const ENVELOPE = [
  ...places('reason', '/why', '/reason'),
  ...places('address', '/callback'),
  ...places('preview', '/body/preview'),
]

const PERSONAL_TEXT = {
  'node.started': NONE,
  'node.left': NONE,
  'sequencer.took': NONE,
  'config.applied': [
    ...places('name', '/team/name'),
    ...places('profile', '/team/startable', '/team/toolGuides', '/team/skillGuides'),
  ],
  'setup.read': places('profile', '/entry/value'),
  'setup.changed': places('profile', '/entry/value'),
  'human.accessChanged': NONE,

  'task.added': [
    ...places('name', '/name', '/start/name'),
    ...places('intention', '/intention'),
    ...places('message', '/start/passage', '/start/comment', '/start/files'),
  ],
  'task.started': NONE,
  'task.participantsAdded': NONE,
  'task.participantsRemoved': NONE,
  'task.managerChanged': NONE,
  'task.toolRuled': NONE,
  'task.renamed': places('name', '/name'),
  'task.paused': REASON,
  'task.resumed': NONE,
  'task.finished': places('summary', '/summary', '/result'),
  'task.rated': places('reason', '/sentence'),
  'task.changeBegun': NONE,
  'task.archived': NONE,
  'task.woken': places('records', '/piece'),
  'thread.retired': NONE,
  'records.evicted': NONE,
  'info.shared': LINE,

  'stage.added': [...places('name', '/name'), ...places('intention', '/intention', '/allocation')],
  'stage.renamed': [...places('name', '/name'), ...places('intention', '/intention')],
  'stage.started': NONE,
  'stage.agentStateChanged': REASON,
  'stage.completionSubmitted': places('summary', '/summary'),
  'stage.partHanded': NONE,
  'stage.judging': NONE,
  'stage.finished': NONE,
  'stage.failed': REASON,

  'agent.created': AGENT,
  'agent.changed': AGENT,
  'agent.paused': REASON,
  'agent.resumed': NONE,
  'agent.removed': NONE,
  'memory.added': places('memory', '/note/text'),
  'memory.removed': NONE,
  'lock.added': NONE,
  'lock.bypassed': NONE,
  'lock.released': NONE,

  'step.added': STEP,
  'step.inserted': STEP,
  'step.started': NONE,
  'step.instructed': [
    ...places('reason', '/instruction/reason'),
    ...places('preview', '/instruction/arguments/preview'),
  ],
  'step.held': NONE,
  'step.approved': places('preview', '/arguments/preview'),
  'step.finished': [...RESULT, ...LINE],
  'step.failed': [...RESULT, ...LINE, ...REASON],
  'step.cancelled': REASON,
  'step.requeued': NONE,
  'step.interrupted': REASON,
  'step.hurried': NONE,
  'step.moved': NONE,
  'step.retired': NONE,

  'message.sent': [
    ...places('message', '/text', '/change/passage', '/change/comment', '/change/files'),
    ...places(
      'name',
      '/change/name',
      '/attachments/*/name',
      '/attachments/*/savedAs',
      '/attachments/*/alt',
      '/attachments/*/copiedFrom',
      '/imported/name',
    ),
    ...places(
      'preview',
      '/attachments/*/body/preview',
      '/imported/body/preview',
      '/imported/citations',
      '/cited/sources',
    ),
    ...places('message', '/action', '/said'),
  ],
  'message.held': NONE,
  'message.receipt': NOTE,
  'message.reminded': NONE,
  'message.snoozed': NONE,
  'message.undone': NONE,
  'message.raised': NONE,
  'message.offered': places('message', '/sentence'),
  'message.handed': NONE,
  'message.returned': NOTE,
  'message.escalated': NONE,

  'request.opened': [
    ...places('question', '/seed/question', '/seed/said', '/seed/choices', '/seed/tool/schema'),
    ...places('address', '/seed/tool/url'),
    ...places('preview', '/seed/call/changes', '/seed/call/arguments/preview', '/seed/tool/body/preview'),
    ...places('name', '/seed/evidence/*/name'),
    ...places('answer', '/seed/begun/text'),
    ...places('message', '/seed/handing/sentence'),
    ...places('reason', '/seed/attempts/*/note'),
  ],
  'request.claimed': NONE,
  'request.snoozed': NONE,
  'request.offered': [...places('message', '/sentence'), ...places('answer', '/begun')],
  'request.handed': NONE,
  'request.raised': NONE,
  'request.escalated': NONE,
  'request.answered': [...places('answer', '/answer/text'), ...places('preview', '/answer/arguments/preview')],
  'request.released': REASON,
  'request.expired': NONE,
  'request.superseded': REASON,

  'notice.attempted': places('reason', '/attempt/note'),
  'notice.attemptEnded': NOTE,
  'notice.given': places('name', '/notice/words'),

  'budget.warned': NONE,
  'budget.reached': NONE,
  'budget.extended': NONE,
  'budget.lifted': NONE,

  'effect.started': NONE,
  'effect.finished': NONE,
  'effect.lateOutcome': places('reason', '/what'),
  'files.changed': places('name', '/changes/*/path'),
  'model.called': [
    ...places('prompt', '/call/prompt/sections'),
    ...places('preview', '/call/answer/preview', '/call/reasoning/preview'),
    ...places('reason', '/call/error'),
  ],
  'peer.added': NONE,
  'peer.removed': NONE,
  'peer.seen': NONE,
  'conversation.opened': places('address', '/callback'),
  'conversation.named': NONE,
  'conversation.closed': REASON,
  'envelope.received': ENVELOPE,
  'envelope.answered': ENVELOPE,
  'envelope.queued': NONE,
  'envelope.started': NONE,
  'envelope.sent': ENVELOPE,
  'checkpoint.reported': [...places('name', '/agentName', '/label'), ...places('preview', '/metadata/preview')],
  'template.saved': places('message', '/name', '/text', '/fields'),
  'template.removed': NONE,
  'schedule.saved': places('message', '/name', '/text', '/attachments'),
  'schedule.paused': REASON,
  'schedule.resumed': NONE,
  'schedule.removed': NONE,
  'schedule.asked': NONE,
  'operator.acted': REASON,
} satisfies Record<EventType, readonly TextPlace[]>

export type PersonalPlace<Type extends EventType> = (typeof PERSONAL_TEXT)[Type][number]['pointer']

/** No pointers for an unknown event type. */
export const textPlacesOf = (type: string): readonly TextPlace[] =>
  Object.hasOwn(PERSONAL_TEXT, type) ? PERSONAL_TEXT[type as EventType] : NONE
