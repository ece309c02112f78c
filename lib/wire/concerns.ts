/** The views that each event concerns, and its visible part. Pure, used where entries are sent. */
import { type Entry, type EventOf, type EventType, event as eventOf, type MasEvent, type StepSeed } from '../mas/events'
import { type AgentId, type MessageId, type RequestId, type StepId, SYSTEM_TASK, type TaskId } from '../mas/ids'
import { stepIn } from '../mas/ownSteps'
import type { AttemptAbout, World } from '../mas/records'
import { isVisibleMessage, isVisibleRequest, peopleOf, threadsOf } from '../mas/selectors/access/visibility'
import { bareLock, withoutThread } from './restrict'
import { scopeOf, scopeSeesTask, type ViewScope } from './viewScope'
import type { ParsedLogView } from './views'

type TaskLook = { world: World; task: TaskId; scope: ViewScope }
type AgentLook = { agent: AgentId; scope: ViewScope }
type StepLook = { world: World; step: StepId }

/**
 * Does, or may, this event change a view of a task, of an agent, of a step?
 *
 * agent   null: never. `bare`: what is left of it for who sees the agent and not the task that it happens in: enough to
 *         move the agent's queue and locks, nothing of what it is about
 */
type Concern<Told, Left> = {
  task: (event: Told, look: TaskLook) => boolean
  agent: { is: (event: Told, look: AgentLook) => boolean; bare: (event: Told) => Left } | null
  step: (event: Told, look: StepLook) => boolean
}

const always = (): boolean => true
const never = (): boolean => false
const whole = <Event>(event: Event): Event => event

type InTask = { task: TaskId }
type OfAgent = { agent: AgentId }
type OfStep = InTask & OfAgent & { step: StepId }
type EndOfStep = EventOf<'step.finished' | 'step.failed'>

const isTask = (event: InTask, { task }: TaskLook): boolean => event.task === task
const isAgent = (event: OfAgent, { agent }: AgentLook): boolean => event.agent === agent
const isSeenOfAgent = (event: InTask & OfAgent, { agent, scope }: AgentLook): boolean =>
  event.agent === agent && scopeSeesTask(scope)(event.task)

/** People share the base task, so each may know each; others are visible where they take part. */
const isKnown = ({ agent }: OfAgent, { world, task }: TaskLook): boolean =>
  world.agents[agent]?.kind === 'human' || peopleOf(world, task).has(agent)
const hasStep = ({ agent }: OfAgent, { world, step }: StepLook): boolean =>
  Object.values(world.steps).some((byAgent) => stepIn(byAgent[agent], step) !== undefined)

const isShownMessage = (event: InTask & { message: MessageId }, { world, task, scope }: TaskLook): boolean => {
  if (event.task !== task || scope.see !== 'person') return event.task === task
  const message = world.messages[task]?.[event.message]
  return message !== undefined && isVisibleMessage(message, threadsOf(world, task, scope.person))
}
const isShownRequest = (event: InTask & { request: RequestId }, { world, task, scope }: TaskLook): boolean => {
  if (event.task !== task || scope.see !== 'person') return event.task === task
  const request = world.requests[task]?.[event.request]
  return request !== undefined && isVisibleRequest(request, threadsOf(world, task, scope.person), scope.person)
}

const boundOf = (world: World, { task, agent }: InTask & OfAgent, step: StepId): StepId | null | undefined =>
  stepIn(world.steps[task]?.[agent], step)?.boundTo
/** The step itself, or one of the two is bound to the other. */
const isPairOf = (event: InTask & OfAgent, step: StepId, world: World, shown: StepId): boolean =>
  step === shown || boundOf(world, event, step) === shown || boundOf(world, event, shown) === step
const isStep = (event: OfStep, { world, step }: StepLook): boolean => isPairOf(event, event.step, world, step)
const isAddedStep = (event: StepSeed, { world, step }: StepLook): boolean =>
  event.step === step || event.boundTo === step || boundOf(world, event, step) === event.step

const bareSeed = <Seed extends StepSeed>(seed: Seed): Seed => ({
  ...seed,
  stage: null,
  thread: null,
  intention: '',
  executor: '',
  text: '',
  cause: { message: null, step: null },
  answers: null,
  boundTo: null,
  retryOf: null,
})
const NO_RESULT = { kind: 'none', text: '', body: null, made: null } as const
const unsaid = <Event extends { reason: string }>(event: Event): Event => ({ ...event, reason: '' })

/** Lines come of all threads. */
const isSharedLine = (event: InTask, look: TaskLook): boolean => isTask(event, look) && look.scope.see !== 'person'
const saysLine = (event: EndOfStep, look: TaskLook): boolean => event.line !== undefined && isSharedLine(event, look)

const OF_NO_LOG = { task: never, agent: null, step: never }
const OF_TASK = { task: isTask, agent: null, step: never }
const OF_MESSAGE = { task: isShownMessage, agent: null, step: never }
const OF_REQUEST = { task: isShownRequest, agent: null, step: never }
const OF_ATTEMPT = {
  ...OF_NO_LOG,
  task: ({ task, about }: InTask & { about: AttemptAbout }, look: TaskLook): boolean =>
    'request' in about
      ? isShownRequest({ task, request: about.request }, look)
      : isShownMessage({ task, message: about.message }, look),
}
const OF_AGENT = { task: isKnown, agent: { is: isAgent, bare: whole }, step: hasStep }
const OF_ADDED_STEP = { task: never, agent: { is: isAgent, bare: bareSeed }, step: isAddedStep }
/** Changes the agent's queue, and reveals nothing hidden. */
const OF_STEP = { task: never, agent: { is: isAgent, bare: whole }, step: isStep }
/** Records leave: a step that stays may lose the one it is bound to. */
const OF_LEAVING = {
  task: isTask,
  step: ({ task }: InTask, { world, step }: StepLook): boolean =>
    Object.values(world.steps[task] ?? {}).some((own) => stepIn(own, step) !== undefined),
}
const hadSteps = ({ task, agents }: InTask & { agents: AgentId[] }, { agent, scope }: AgentLook): boolean =>
  agents.includes(agent) && scopeSeesTask(scope)(task)
/** Changes only the step's record, never the queue. */
const OF_STEP_ALONE = { task: never, agent: { is: isSeenOfAgent, bare: whole }, step: isStep }

/** A name that is none of an event does not compile. */
type Named<Type extends EventType> = Type

/**
 * Events that change no log view. Budgets are for the server: stopped work is shown by its request. Other systems are shown in the
 * directory; what they say is a message. Notices are rows of `me`. Of the others the world has no records.
 */
type OfNoLog = Named<
  | ('node.started' | 'node.left' | 'sequencer.took' | 'setup.read' | 'setup.changed')
  | ('budget.warned' | 'budget.reached' | 'budget.extended' | 'budget.lifted')
  | ('peer.added' | 'peer.removed' | 'peer.seen' | 'conversation.opened' | 'conversation.named' | 'conversation.closed')
  | ('envelope.received' | 'envelope.answered' | 'envelope.queued' | 'envelope.started' | 'envelope.sent')
  | ('checkpoint.reported' | 'files.changed' | 'notice.given')
  | ('effect.started' | 'effect.finished' | 'effect.lateOutcome' | 'template.saved' | 'template.removed')
  | ('schedule.saved' | 'schedule.paused' | 'schedule.resumed' | 'schedule.removed' | 'schedule.asked')
  | ('operator.acted' | 'entry.erased')
>

/**
 * The law of each row (server/monitor/law.test.ts), for events that leave the class as it is:
 *   restrict(reduce(world, entry)) = restrict(reduce(restrict(world), cut(entry))) when it concerns, else unchanged.
 */
const CONCERNS: { [Type in Exclude<EventType, OfNoLog>]: Concern<EventOf<Type>, EventOf<Type>> } = {
  'config.applied': { task: always, agent: { is: always, bare: whole }, step: never },
  'human.accessChanged': OF_AGENT,

  'task.added': OF_TASK,
  'task.started': OF_TASK,
  'task.participantsAdded': OF_TASK,
  'task.participantsRemoved': OF_TASK,
  'task.managerChanged': OF_TASK,
  'task.toolRuled': OF_TASK,
  'task.renamed': OF_TASK,
  'task.paused': OF_TASK,
  'task.resumed': OF_TASK,
  'task.finished': OF_TASK,
  'task.rated': OF_TASK,
  'task.changeBegun': OF_TASK,
  'task.archived': { ...OF_LEAVING, agent: { is: hadSteps, bare: whole } },
  'task.erased': { ...OF_LEAVING, agent: { is: hadSteps, bare: whole } },
  'task.woken': {
    task: isTask,
    agent: { is: hadSteps, bare: whole },
    step: ({ piece }, { step }) => Object.values(piece.steps ?? {}).some((own) => Object.hasOwn(own, step)),
  },
  'thread.retired': { ...OF_LEAVING, agent: { is: hadSteps, bare: whole } },
  'records.evicted': {
    ...OF_LEAVING,
    agent: {
      is: (event, { agent, scope }) => Object.hasOwn(event.steps, agent) && scopeSeesTask(scope)(event.task),
      bare: whole,
    },
  },
  'info.shared': { ...OF_TASK, task: isSharedLine },

  'stage.added': OF_TASK,
  'stage.renamed': OF_TASK,
  'stage.started': OF_TASK,
  'stage.agentStateChanged': OF_TASK,
  'stage.completionSubmitted': OF_TASK,
  'stage.partHanded': OF_TASK,
  'stage.judging': OF_TASK,
  'stage.finished': OF_TASK,
  'stage.failed': OF_TASK,

  'agent.created': { ...OF_AGENT, task: (event, look) => event.config.kind === 'human' || isKnown(event, look) },
  'agent.changed': OF_AGENT,
  'agent.paused': OF_AGENT,
  'agent.resumed': OF_AGENT,
  'agent.removed': OF_AGENT,
  'memory.added': {
    task: never,
    agent: {
      is: ({ agent, note }, look) =>
        agent === look.agent &&
        (look.scope.see === 'all' || (note.task !== null && scopeSeesTask(look.scope)(note.task))),
      bare: whole,
    },
    step: never,
  },
  'memory.removed': { task: never, agent: { is: isAgent, bare: whole }, step: never },
  'lock.added': {
    task: never,
    agent: { is: isAgent, bare: (event) => ({ ...event, lock: bareLock(event.lock) }) },
    step: (event, { world, step }) => isPairOf(event, event.lock.step, world, step),
  },
  'lock.bypassed': OF_STEP_ALONE,
  'lock.released': {
    ...OF_STEP,
    agent: { is: isAgent, bare: (event) => ({ ...event, by: event.by === null ? null : SYSTEM_TASK }) },
  },

  'step.added': OF_ADDED_STEP,
  'step.inserted': OF_ADDED_STEP,
  'step.started': OF_STEP,
  'step.instructed': OF_STEP_ALONE,
  'step.held': OF_STEP,
  'step.approved': OF_STEP_ALONE,
  'step.finished': {
    ...OF_STEP,
    task: saysLine,
    agent: { is: isAgent, bare: (event) => ({ ...event, result: NO_RESULT, repairs: [] }) },
  },
  'step.failed': {
    ...OF_STEP,
    task: saysLine,
    agent: { is: isAgent, bare: (event) => ({ ...event, reason: '', result: null, repairs: [] }) },
  },
  'step.cancelled': { ...OF_STEP, agent: { is: isAgent, bare: unsaid } },
  'step.requeued': OF_STEP,
  'step.interrupted': { ...OF_STEP, agent: { is: isAgent, bare: unsaid } },
  'step.moved': OF_STEP_ALONE,
  'step.hurried': OF_STEP,
  'step.retired': {
    task: never,
    agent: { is: isAgent, bare: whole },
    step: (event, { world, step }) => event.steps.some((one) => isPairOf(event, one, world, step)),
  },
  'model.called': OF_STEP_ALONE,

  'message.sent': {
    ...OF_TASK,
    task: (event, { world, task, scope }) =>
      event.task === task &&
      (scope.see !== 'person' ||
        isVisibleMessage({ ...event, id: event.message }, threadsOf(world, task, scope.person))),
  },
  'message.held': OF_MESSAGE,
  'message.receipt': OF_MESSAGE,
  'message.reminded': OF_MESSAGE,
  'message.snoozed': OF_MESSAGE,
  'message.undone': OF_MESSAGE,
  'message.raised': OF_MESSAGE,
  'message.offered': OF_MESSAGE,
  'message.handed': OF_MESSAGE,
  'message.returned': OF_MESSAGE,
  'message.escalated': OF_MESSAGE,

  'request.opened': OF_REQUEST,
  'request.claimed': OF_REQUEST,
  'request.snoozed': OF_REQUEST,
  'request.offered': OF_REQUEST,
  'request.handed': OF_REQUEST,
  'request.raised': OF_REQUEST,
  'request.escalated': OF_REQUEST,
  'request.answered': OF_REQUEST,
  'request.released': OF_REQUEST,
  'request.expired': OF_REQUEST,
  'request.superseded': OF_REQUEST,

  'notice.attempted': OF_ATTEMPT,
  'notice.attemptEnded': OF_ATTEMPT,
}

/** Looked up by an event whose type is not known here, whose row fits it. */
const ROWS: Partial<Record<EventType, Concern<never, MasEvent>>> = CONCERNS
const rowOf = (event: MasEvent): Concern<never, MasEvent> => ROWS[event.type] ?? OF_NO_LOG

/** Does the view change by this event? in: the world after the decision, read only for what never changes. */
export function concerns(world: World, event: MasEvent, view: ParsedLogView, cls: string): boolean {
  const row = rowOf(event)
  switch (view.kind) {
    case 'task':
      return row.task(event as never, { world, task: view.task, scope: scopeOf(cls) })
    case 'agent':
      return row.agent?.is(event as never, { agent: view.agent, scope: scopeOf(cls) }) ?? false
    case 'step':
      return row.step(event as never, { world, step: view.step })
  }
}

/** The entry as this class may see it: events of a hidden task keep only what moves the agent's queue and locks. */
export function cut(whole: Entry, view: ParsedLogView, cls: string): Entry {
  const entry = withItsLine(bareErased(withoutAsked(whole)), view)
  if (view.kind === 'step') return { ...entry, cause: '' }
  if (view.kind !== 'agent') return entry
  const scope = scopeOf(cls)
  const { event } = entry
  if (scope.see === 'all' || !('task' in event) || event.task === null || scopeSeesTask(scope)(event.task)) return entry
  return { ...entry, by: '', cause: '', event: rowOf(event).agent?.bare(event as never) ?? event }
}

/** What else it changes is in no view, and its reason is for the list of acts. */
function bareErased(entry: Entry): Entry {
  const { event } = entry
  if (event.type !== 'task.erased') return entry
  return { ...entry, event: { ...event, reason: '', counters: [], without: null } }
}

/** A view of a task has the line and not the step that said it; any other has the step and not its line. */
function withItsLine(entry: Entry, view: ParsedLogView): Entry {
  const { event } = entry
  if ((event.type !== 'step.finished' && event.type !== 'step.failed') || event.line === undefined) return entry
  const { line, ...end } = event
  const { task, agent } = end
  return { ...entry, event: view.kind === 'task' ? eventOf('info.shared', { task, agent, line }) : end }
}

/** For those who may not read the thread of its request. */
export function addedWithoutAsked(event: EventOf<'task.added'>): EventOf<'task.added'> {
  const { start: _, ...rest } = event
  return { ...rest, requestedIn: null }
}

/** A created or restored task does not reveal the thread of its request. */
function withoutAsked(entry: Entry): Entry {
  const { event } = entry
  if (event.type === 'task.added') return { ...entry, event: addedWithoutAsked(event) }
  const task = event.type === 'task.woken' ? event.piece.tasks : undefined
  if (event.type !== 'task.woken' || task === undefined) return entry
  return { ...entry, event: { ...event, piece: { ...event.piece, tasks: withoutThread(task) } } }
}
