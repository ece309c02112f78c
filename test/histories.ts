/**
 * Random histories: entries as they may stand in a journal, made from numbers so that a failing one can be shrunk.
 *
 * These events hold to the shapes and owners of lib/mas/events, not to every rule of what may happen: views must stay
 * true for all of them.
 */

import { selectAgentsOfErased, selectWithoutErased } from '@/lib/mas/archive/erasing'
import { type Entry, type EventType, event, type MasEvent } from '@/lib/mas/events'
import {
  type AgentId,
  type AttemptId,
  asId,
  type ConversationId,
  type HandOverId,
  type MessageId,
  type PeerId,
  type RequestId,
  type ScheduleId,
  type StageId,
  type StepId,
  SYSTEM_TASK,
  type TaskId,
  type TemplateId,
  type WaitingId,
} from '@/lib/mas/ids'
import { BUDGET_KEYS, BUDGET_KINDS } from '@/lib/mas/limits/budgets'
import {
  type Access,
  type AgentConfig,
  type BodyRef,
  type DeliveryState,
  emptyWorld,
  type LockOutcome,
  type MessageRecord,
  type MessageType,
  type PartState,
  type RequestKind,
  type RequestRecord,
  TOOL_RULES,
  type ToolRuled,
  type World,
} from '@/lib/mas/records'
import { reduceEntry } from '@/lib/mas/reduce'
import type { StepSeed } from '@/lib/mas/steps/events'
import { stepsIn } from '@/lib/mas/steps/ownSteps'

/** What to do, to whom, and a third choice; each taken modulo what there is. */
export type Action = readonly [kind: number, pick: number, other: number]

/** The n-th id; every run makes the same. */
export const idAt = <Id extends string>(n: number): Id =>
  asId<Id>(`00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`)

export const PEOPLE = { ana: idAt<AgentId>(1), ben: idAt<AgentId>(2), cyn: idAt<AgentId>(3) }
export const AGENTS = { manager: idAt<AgentId>(11), coder: idAt<AgentId>(12), tester: idAt<AgentId>(13) }
export const TASKS = { base: idAt<TaskId>(21), build: idAt<TaskId>(22), docs: idAt<TaskId>(23) }
const STAGES = { base: idAt<StageId>(31), build: idAt<StageId>(32) }
/** Ids of what a history makes begin here: the seq of the entry, times some, plus one of these. */
const MADE = 1_000

const config = (id: AgentId, kind: AgentConfig['kind'], name: string, access: Access): AgentConfig => ({
  id,
  configId: name.toLowerCase(),
  kind,
  name,
  role: `role of ${name}`,
  profile: '',
  groups: [],
  manager: name === 'Manager',
  mayWait: false,
  model: 'default',
  skills: [],
  tools: [],
  access,
})

const taskAdded = (task: TaskId, name: string, group: AgentId[], base: boolean): MasEvent =>
  event('task.added', {
    task,
    name,
    intention: `do ${name}`,
    manager: AGENTS.manager,
    group,
    base,
    requestedBy: base ? null : PEOPLE.ben,
    requestedIn: null,
  })

const stageAdded = (task: TaskId, stage: StageId, allocation: Record<AgentId, string>): MasEvent =>
  event('stage.added', { task, stage, intention: 'a goal', allocation, after: null, retryOf: null })

/** The first decision of every history: a team, three people, the base task and two others. */
export const BEGINNING: MasEvent[] = [
  event('agent.created', {
    agent: AGENTS.manager,
    config: config(AGENTS.manager, 'llm', 'Manager', 'none'),
    runtime: false,
  }),
  event('agent.created', { agent: AGENTS.coder, config: config(AGENTS.coder, 'llm', 'Coder', 'none'), runtime: false }),
  event('agent.created', {
    agent: AGENTS.tester,
    config: config(AGENTS.tester, 'llm', 'Tester', 'none'),
    runtime: true,
  }),
  event('agent.created', { agent: PEOPLE.ana, config: config(PEOPLE.ana, 'human', 'Ana', 'operator'), runtime: false }),
  event('agent.created', {
    agent: PEOPLE.ben,
    config: config(PEOPLE.ben, 'human', 'Ben', 'participant'),
    runtime: false,
  }),
  event('agent.created', {
    agent: PEOPLE.cyn,
    config: config(PEOPLE.cyn, 'human', 'Cyn', 'participant'),
    runtime: false,
  }),
  taskAdded(TASKS.base, 'base', [AGENTS.manager, PEOPLE.ana, PEOPLE.ben, PEOPLE.cyn], true),
  stageAdded(TASKS.base, STAGES.base, {}),
  event('stage.started', { task: TASKS.base, stage: STAGES.base }),
  taskAdded(TASKS.build, 'build', [AGENTS.manager, AGENTS.coder, PEOPLE.ben], false),
  stageAdded(TASKS.build, STAGES.build, { [AGENTS.coder]: 'code it', [PEOPLE.ben]: 'check it' }),
  taskAdded(TASKS.docs, 'docs', [AGENTS.manager, AGENTS.coder, PEOPLE.cyn], false),
]

/** A choice from what there is; undefined when there is nothing. */
const one = <Item>(items: readonly Item[], pick: number): Item | undefined => items[pick % Math.max(1, items.length)]
const body = (preview: string): BodyRef => ({ sha: 'a'.repeat(64), bytes: preview.length, preview, mime: 'text/plain' })

/** Everything an action may choose from, in the world as it is. */
class Choice {
  private made: number
  constructor(
    readonly world: World,
    readonly pick: number,
    readonly other: number,
  ) {
    this.made = MADE + world.seq * 16
  }
  id<Id extends string>(): Id {
    this.made += 1
    return idAt<Id>(this.made)
  }
  get task() {
    return one(Object.values(this.world.tasks), this.pick)
  }
  get person() {
    return one(Object.values(PEOPLE), this.other) ?? PEOPLE.ana
  }
  get agents() {
    return Object.values(this.world.agents)
  }
  get agent() {
    return one(
      this.agents.filter((agent) => agent.kind === 'llm'),
      this.other,
    )
  }
  get anyone() {
    return one(this.agents, this.other)
  }
  member(task: { group: AgentId[] }, offset = 0) {
    return one(task.group, this.other + offset) ?? AGENTS.manager
  }
  get step() {
    const all = Object.values(this.world.steps).flatMap((byAgent) =>
      Object.values(byAgent).flatMap((own) => stepsIn(own)),
    )
    return one(all, this.pick + this.other * 7)
  }
  get message() {
    return one(Object.values(this.world.messages).flatMap(Object.values), this.pick + this.other * 7)
  }
  get delivery() {
    const all = Object.values(this.world.deliveries).flatMap((byAgent) => Object.values(byAgent).flatMap(Object.values))
    return one(all, this.pick + this.other * 7)
  }
  get request() {
    return one(Object.values(this.world.requests).flatMap(Object.values), this.pick + this.other * 7)
  }
  get stage() {
    return one(Object.values(this.world.stages).flatMap(Object.values), this.pick + this.other * 7)
  }
}

type Maker = (choice: Choice) => MasEvent[]

function sent(c: Choice, shape: { type: MessageType; mention: boolean }): MasEvent[] {
  const { task } = c
  if (!task) return []
  const [sender, receiver] = [c.member(task), c.member(task, 1)]
  const message = c.id<MessageId>()
  const isPerson = c.world.agents[sender]?.kind === 'human'
  const known = one(Object.values(c.world.messages[task.id] ?? {}), c.pick)
  const goesOn = c.other % 3 !== 0 && known !== undefined
  const thread = task.base ? (goesOn ? (known.thread ?? known.id) : message) : null
  const waiting = shape.type === 'urgent' ? [c.id<WaitingId>()] : null
  const events: MasEvent[] = [
    event('message.sent', {
      task: task.id,
      message,
      sender: c.pick % 11 === 0 ? SYSTEM_TASK : sender,
      receivers: [receiver],
      text: `text ${c.pick}`,
      stage: null,
      kind: shape.type,
      waiting,
      audience: 'task',
      returnWaiting: null,
      instruction: null,
      dispatch: message,
      thread,
      answersRequest: null,
      replyTo: goesOn ? known.id : null,
      attachments: [],
      mention: shape.mention,
      fromStep: null,
    }),
  ]
  if (shape.type === 'fyi') return events
  const request = c.id<RequestId>()
  if (isPerson) {
    if (c.world.agents[receiver]?.kind === 'human')
      events.push(...askedBy(task.id, request, { sender, receiver, message, thread }))
    return events
  }
  events.push(
    ...opened(c, task.id, request, { kind: 'answer', asked: [receiver], message, lock: waiting?.[0] ?? null, thread }),
  )
  if (waiting?.[0]) {
    const lock = {
      id: waiting[0],
      kind: 'message' as const,
      stage: null,
      step: c.id<StepId>(),
      on: receiver,
      message,
      request,
    }
    events.push(event('lock.added', { agent: sender, task: task.id, lock }))
  }
  return events
}

type Asked = {
  kind: RequestKind
  asked: AgentId[]
  message: MessageId | null
  lock: WaitingId | null
  thread: MessageId | null
}
const opened = (c: Choice, task: TaskId, request: RequestId, asked: Asked): MasEvent[] => [
  event('request.opened', {
    task,
    request,
    seed: {
      number: (c.world.requestCounts[task] ?? 0) + 1,
      asker: AGENTS.manager,
      type: c.pick % 2 === 0 ? 'urgent' : 'action',
      step: null,
      stage: asked.kind === 'part' ? (c.world.tasks[task]?.stageOrder[0] ?? null) : null,
      question: `question ${c.pick}`,
      choices: [],
      call: null,
      fingerprint: '',
      ...asked,
    },
  }),
]

type Ask = Pick<MessageRecord, 'sender' | 'thread'> & { receiver: AgentId; message: MessageId }
/** What one person asks of another: the question is the text of the message. */
const askedBy = (task: TaskId, request: RequestId, { sender, receiver, message, thread }: Ask): MasEvent[] => [
  event('message.asked', { task, thread, asker: sender, asks: [{ request, person: receiver, message }] }),
]

const DELIVERIES: DeliveryState[] = ['queued', 'shown', 'acknowledged', 'done', 'answered', 'released', 'failed']
const PARTS: PartState[] = ['working', 'finished', 'failed']
const OUTCOMES: LockOutcome[] = ['answered', 'released', 'failed', 'ended']
const ACCESS: Access[] = ['participant', 'operator', 'developer', 'none', 'participant']

function seed(c: Choice, bound: StepId | null = null): StepSeed | null {
  const { task, agent } = c
  if (!task || !agent) return null
  const threads = Object.values(c.world.messages[task.id] ?? {}).map((message) => message.thread ?? message.id)
  return {
    task: task.id,
    agent: agent.id,
    step: c.id<StepId>(),
    number: (c.world.stepCounts[task.id] ?? 0) + 1,
    stage: c.other % 2 === 0 ? (task.stageOrder[0] ?? null) : null,
    thread: task.base ? (one(threads, c.pick) ?? null) : null,
    intention: `step ${c.pick}`,
    kind: bound === null ? 'skill' : 'tool',
    executor: bound === null ? 'think' : 'files',
    text: 'what to do',
    cause: { message: null, step: null },
    answers: null,
    boundTo: bound,
    retryOf: null,
    byHand: false,
    last: false,
  }
}

const owned = (c: Choice) => {
  const { step } = c
  return step ? { task: step.task, agent: step.agent, step: step.id } : null
}
const onStep =
  (make: (owned: { task: TaskId; agent: AgentId; step: StepId }, c: Choice) => MasEvent[]): Maker =>
  (c) => {
    const step = owned(c)
    return step ? make(step, c) : []
  }

const PEER = idAt<PeerId>(41)
const CONVERSATION = idAt<ConversationId>(42)
const ofRequest = ({ task, id }: RequestRecord) => ({ task, request: id })

const finished = (text: string) => ({ kind: 'text' as const, text, body: null, made: null })

/** One maker per kind of action, by name so that each event type can be seen to be made. */
/** A rule for a tool that is set, or ends: by a person, or by the program. */
const ruledBy = (pick: number): ToolRuled => {
  const tool = { server: 'files', tool: 'write' }
  if (pick % 5 === 4) return { ...tool, rule: null, by: pick % 2 === 0 ? PEOPLE.ana : null }
  const rule = TOOL_RULES[pick % 4] ?? 'ask'
  return { ...tool, rule, by: PEOPLE.ana, ...(pick % 3 === 0 ? { endsAt: pick } : {}) }
}

export const MAKERS = {
  fyi: (c) => sent(c, { type: 'fyi', mention: c.other % 2 === 0 }),
  action: (c) => sent(c, { type: 'action', mention: false }),
  urgent: (c) => sent(c, { type: 'urgent', mention: false }),
  asked: (c) => {
    if (!c.message) return []
    const { task, sender, id: message, thread } = c.message
    return askedBy(task, c.id(), { sender, receiver: c.person, message, thread })
  },
  delivery: (c) => {
    const { delivery } = c
    if (!delivery) return []
    const state = one(DELIVERIES, c.other) ?? 'shown'
    return [
      event('message.delivery', {
        task: delivery.task,
        message: delivery.message,
        agent: delivery.receiver,
        state,
        note: null,
      }),
    ]
  },
  later: (c) =>
    c.delivery
      ? [
          event('reminder.set', {
            task: c.delivery.task,
            message: c.delivery.message,
            agent: c.delivery.receiver,
            until: c.pick % 3 === 0 ? null : c.pick,
          }),
        ]
      : [],
  reminded: (c) =>
    c.request ? [event('request.reminded', { ...ofRequest(c.request), by: c.person, agents: c.request.asked })] : [],
  undo: ({ request }) => (request ? [event('request.reopened', { ...ofRequest(request), because: 'undone' })] : []),
  attempted: (c) => {
    const attempt = {
      id: c.id<AttemptId>(),
      person: c.person,
      channel: 'push' as const,
      because: 'rings' as const,
      rung: c.pick % 7,
      outcome: 'began' as const,
      note: null,
      until: null,
      node: 'n1',
    }
    return c.request ? [event('notice.attempted', { ...ofRequest(c.request), attempt })] : []
  },
  attemptEnded: (c) => {
    const attempt = one([...(c.request?.attempts ?? [])], c.pick)
    if (!c.request || !attempt) return []
    return [event('notice.attemptEnded', { ...ofRequest(c.request), attempt: attempt.id, outcome: 'sent', note: null })]
  },
  requestRaised: ({ request }) =>
    request ? [event('request.reopened', { ...ofRequest(request), because: 'raised' })] : [],
  requestUrged: ({ request, person, pick }) =>
    request
      ? [
          event('request.reopened', {
            ...ofRequest(request),
            because: 'urgent',
            ...(pick % 2 === 0 ? { by: person } : {}),
          }),
        ]
      : [],
  escalated: (c) =>
    c.request
      ? [
          event('request.escalated', {
            task: c.request.task,
            request: c.request.id,
            from: c.request.asked[0] ?? PEOPLE.ana,
            to: c.person,
          }),
        ]
      : [],
  part: (c) =>
    c.task
      ? opened(c, c.task.id, c.id(), { kind: 'part', asked: [c.person], message: null, lock: null, thread: null })
      : [],
  judge: (c) =>
    c.task
      ? opened(c, c.task.id, c.id(), { kind: 'judge', asked: [PEOPLE.ana], message: null, lock: null, thread: null })
      : [],
  claim: (c) =>
    c.request
      ? [event('request.claimed', { task: c.request.task, request: c.request.id, agent: c.person, until: 9 })]
      : [],
  snoozed: (c) =>
    c.request
      ? [
          event('reminder.set', {
            task: c.request.task,
            request: c.request.id,
            agent: c.person,
            until: c.pick % 3 === 0 ? null : c.pick,
          }),
        ]
      : [],
  offered: (c) =>
    c.request
      ? [
          event('request.transferOffered', {
            task: c.request.task,
            request: c.request.id,
            handOver: c.id<HandOverId>(),
            from: c.request.asked[0] ?? PEOPLE.ana,
            to: c.person,
            sentence: 'take it',
          }),
        ]
      : [],
  handed: ({ world, pick, other }) => {
    const offered = Object.values(world.requests)
      .flatMap((requests) => Object.values(requests))
      .filter((request) => (request.transfer ?? null) !== null)
    const request = one(offered, pick)
    if (!request?.transfer) return []
    const { task, id, transfer } = request
    return [event('request.transferSettled', { task, request: id, handOver: transfer.id, accepted: other % 2 === 0 })]
  },
  answer: (c) => {
    const { request } = c
    if (!request) return []
    const answer = { by: c.person, for: null, decision: 'answer' as const, text: `answer ${c.pick}`, arguments: null }
    return [event('request.answered', { task: request.task, request: request.id, answer })]
  },
  endRequest: ({ request, pick }) => {
    const state = one(['released', 'expired', 'superseded'] as const, pick) ?? 'expired'
    const by = state === 'released' ? PEOPLE.ana : null
    return request ? [event('request.ended', { ...ofRequest(request), state, by, reason: 'over' })] : []
  },
  notice: (c) =>
    c.task
      ? [
          event('notice.given', {
            task: c.task.id,
            agent: c.person,
            notice: { id: c.id<MessageId>(), kind: 'task_started', stage: null, message: null, words: {} },
          }),
        ]
      : [],
  stepAdded: (c) => {
    const step = seed(c)
    return step ? [event('step.added', step)] : []
  },
  stepInserted: (c) => {
    const step = seed(c)
    return step ? [event('step.added', { ...step, position: c.other % 3 })] : []
  },
  stepPair: (c) => {
    const first = seed(c)
    const tool = first ? seed(c, first.step) : null
    if (!first || !tool) return []
    const writes = { ...first, executor: 'instruction_generation', boundTo: tool.step }
    return [event('step.added', writes), event('step.added', { ...tool, stage: first.stage, thread: first.thread })]
  },
  stepStarted: onStep((step) => [event('step.started', { ...step, node: 'n1', epoch: 1, attempt: 1 })]),
  stepInstructed: onStep((step) => [
    event('step.instructed', {
      ...step,
      instruction: { kind: 'call', target: 'tool', name: 'read', arguments: body('{}') },
    }),
  ]),
  stepHeld: onStep((step, c) => {
    const request = c.id<RequestId>()
    const lock = {
      id: c.id<WaitingId>(),
      kind: 'confirm' as const,
      stage: null,
      step: step.step,
      on: null,
      message: null,
      request,
    }
    return [
      ...opened(c, step.task, request, {
        kind: 'confirm',
        asked: [c.person],
        message: null,
        lock: lock.id,
        thread: null,
      }),
      event('step.held', { ...step, request }),
      event('lock.added', { agent: step.agent, task: step.task, lock }),
    ]
  }),
  stepApproved: onStep((step) => [
    event('step.approved', { ...step, by: PEOPLE.ana, edited: true, digest: 'd', arguments: body('{"a":1}') }),
  ]),
  stepFinished: onStep((step, c) => [
    event('step.finished', {
      ...step,
      result: finished(`r ${c.pick}`),
      repairs: [],
      ...(c.pick % 2 === 0 ? {} : { line: { role: 'r', stage: null, content: `line ${c.pick}` } }),
    }),
  ]),
  stepFailed: onStep((step) => [event('step.failed', { ...step, reason: 'broke', result: null, repairs: ['once'] })]),
  stepCancelled: onStep((step) => [event('step.cancelled', { ...step, by: PEOPLE.ana, reason: 'no need' })]),
  stepRequeued: onStep((step) => [event('step.requeued', step)]),
  stepInterrupted: onStep((step) => [event('step.interrupted', { ...step, reason: 'node gone' })]),
  stepMoved: onStep((step) => [event('step.moved', { ...step, stage: null })]),
  stepPrioritized: onStep((step) => [event('step.prioritized', step)]),
  stepsRetired: onStep(({ task, agent }, c) => {
    const steps = stepsIn(c.world.steps[task]?.[agent])
      .slice(0, 1 + (c.other % 4))
      .map(({ id }) => id)
    return [event('step.retired', { task, agent, steps })]
  }),
  modelCalled: onStep((step, c) => [
    event('model.called', {
      ...step,
      call: {
        id: c.id<MessageId>(),
        attempt: 1,
        model: 'm',
        modelVersion: null,
        prompt: { sha: '', bytes: 0 },
        answer: null,
        outcome: 'taken',
        error: null,
        promptTokens: c.pick % 100,
        completionTokens: null,
        estimated: false,
        costUsd: null,
        firstTokenMs: null,
        totalMs: 5,
        at: 1,
      },
    }),
  ]),
  stageAdded: (c) =>
    c.task
      ? [stageAdded(c.task.id, c.id<StageId>(), { [c.member(c.task)]: 'own goal', [c.member(c.task, 1)]: 'another' })]
      : [],
  stageStarted: ({ stage }) => (stage ? [event('stage.started', { task: stage.task, stage: stage.id })] : []),
  stagePart: (c) => {
    const { stage } = c
    const agent = one(Object.keys(stage?.allocation ?? {}) as AgentId[], c.other)
    const state = one(PARTS, c.pick) ?? 'working'
    return stage && agent
      ? [
          event('stage.agentStateChanged', {
            task: stage.task,
            stage: stage.id,
            agent,
            state,
            reason: state === 'failed' ? 'why' : null,
          }),
        ]
      : []
  },
  stageSubmitted: (c) => {
    const { stage } = c
    const agent = one(Object.keys(stage?.allocation ?? {}) as AgentId[], c.other)
    return stage && agent
      ? [event('stage.completionSubmitted', { task: stage.task, stage: stage.id, agent, summary: 's' })]
      : []
  },
  partHanded: ({ stage, person, pick }) => {
    const agent = one(Object.keys(stage?.parts ?? {}) as AgentId[], pick)
    return stage && agent ? [event('stage.partHanded', { task: stage.task, stage: stage.id, agent, to: person })] : []
  },
  stageJudging: ({ stage }) => (stage ? [event('stage.judging', { task: stage.task, stage: stage.id })] : []),
  stageFinished: ({ stage, pick }) => {
    if (!stage) return []
    const end =
      pick % 2 === 0 ? { state: 'finished' as const, reason: null } : { state: 'failed' as const, reason: 'judged' }
    return [event('stage.finished', { task: stage.task, stage: stage.id, replacedBy: null, ...end })]
  },
  taskAdded: (c) => [taskAdded(c.id<TaskId>(), `task ${c.pick}`, [AGENTS.manager, c.person], false)],
  taskStarted: ({ task }) => (task ? [event('task.started', { task: task.id })] : []),
  taskPaused: ({ task }) => (task ? [event('task.paused', { task: task.id, by: PEOPLE.ana, reason: 'wait' })] : []),
  taskResumed: ({ task }) => (task ? [event('task.resumed', { task: task.id, by: PEOPLE.ana })] : []),
  taskFinished: ({ task }) =>
    task && !task.base ? [event('task.finished', { task: task.id, state: 'finished', summary: 'done' })] : [],
  taskRated: ({ task, person, pick }) =>
    task && !task.base
      ? [
          event('task.rated', {
            task: task.id,
            agent: person,
            rating: pick % 2 === 0 ? 'up' : 'down',
            sentence: pick % 3 === 0 ? '' : `said ${pick}`,
          }),
        ]
      : [],
  changeBegun: (c) =>
    c.task && !c.task.base ? [event('task.changeBegun', { task: c.task.id, by: c.id<TaskId>() })] : [],
  taskArchived: ({ task, world, pick }) =>
    // Seldom, and the two that everybody looks at hardly ever: what is gone has no more histories.
    task && !task.base && pick % (task.id === TASKS.build || task.id === TASKS.docs ? 29 : 3) === 0
      ? [
          event('task.archived', {
            task: task.id,
            agents: Object.keys(world.steps[task.id] ?? {}) as AgentId[],
          }),
        ]
      : [],
  taskErased: ({ task, world, pick }) =>
    task &&
    !task.base &&
    pick % (task.id === TASKS.build || task.id === TASKS.docs ? 29 : 5) === 0 &&
    // It is at rest.
    !JSON.stringify(world.work).includes(task.id)
      ? [
          event('task.erased', {
            ...{ task: task.id, by: PEOPLE.ana, from: 1, to: world.seq, rows: 1, reason: 'asked for', counters: [] },
            agents: selectAgentsOfErased(world, task.id),
            without: selectWithoutErased(world, task.id),
          }),
        ]
      : [],
  entryErased: ({ world }) => [event('entry.erased', { by: world.seq })],
  woken: (c) => {
    const { task } = c
    if (!task || c.other % 5 !== 0) return []
    const id = c.id<TaskId>()
    return [
      event('task.woken', {
        task: id,
        agents: [],
        piece: {
          tasks: { ...task, id, base: false, name: `woken ${c.pick}` },
          messages: {},
          deliveries: {},
          steps: {},
        },
      }),
    ]
  },
  threadRetired: (c) => {
    const { message } = c
    if (!message || c.other % 4 !== 0) return []
    const thread = message.thread ?? message.id
    const agents = (Object.keys(c.world.steps[message.task] ?? {}) as AgentId[]).filter((agent) =>
      stepsIn(c.world.steps[message.task]?.[agent]).some((step) => step.thread === thread),
    )
    return [event('thread.retired', { task: message.task, thread, agents })]
  },
  evicted: (c) => {
    const { step, message, request } = c
    const task = (step ?? message ?? request)?.task
    if (!task || c.other % 3 !== 0) return []
    return [
      event('records.evicted', {
        task,
        steps: step ? { [step.agent]: [step.id] } : {},
        messages: message?.task === task ? [message.id] : [],
        requests: request?.task === task ? [request.id] : [],
      }),
    ]
  },
  joined: (c) =>
    c.task && c.anyone
      ? [event('task.participantsChanged', { task: c.task.id, added: [c.anyone.id], removed: [] })]
      : [],
  left: (c) =>
    c.task ? [event('task.participantsChanged', { task: c.task.id, added: [], removed: [c.member(c.task)] })] : [],
  toolRuled: ({ task, pick }) => (task ? [event('task.toolRuled', { task: task.id, ...ruledBy(pick) })] : []),
  agentToolRuled: ({ agent, pick }) => (agent ? [event('agent.toolRuled', { agent: agent.id, ...ruledBy(pick) })] : []),
  manager: (c) => (c.task && c.agent ? [event('task.managerChanged', { task: c.task.id, agent: c.agent.id })] : []),
  renamed: ({ task, pick }) => (task ? [event('task.renamed', { task: task.id, name: `renamed ${pick}` })] : []),
  stageRenamed: ({ stage, pick }) =>
    stage ? [event('stage.renamed', { task: stage.task, stage: stage.id, intention: `goal ${pick}` })] : [],
  access: (c) => [event('human.accessChanged', { agent: c.person, access: one(ACCESS, c.pick) ?? 'none' })],
  shared: (c) =>
    c.task
      ? [
          event('step.finished', {
            task: c.task.id,
            agent: c.member(c.task),
            step: c.id<StepId>(),
            result: { kind: 'none', text: '', body: null, made: null },
            repairs: [],
            line: { role: 'r', stage: null, content: `${c.pick}` },
          }),
        ]
      : [],
  created: (c) => {
    const id = c.id<AgentId>()
    const kind = c.pick % 4 === 0 ? 'human' : 'llm'
    return [
      event('agent.created', {
        agent: id,
        config: config(id, kind, `New ${c.pick}`, kind === 'human' ? 'participant' : 'none'),
        runtime: true,
      }),
    ]
  },
  changed: (c) =>
    c.anyone
      ? [
          event('agent.changed', {
            agent: c.anyone.id,
            config: {
              ...config(c.anyone.id, 'llm', `Named ${c.pick}`, c.anyone.access),
              kind: c.anyone.kind === 'human' ? 'human' : 'llm',
            },
          }),
        ]
      : [],
  paused: (c) => (c.agent ? [event('agent.paused', { agent: c.agent.id, by: PEOPLE.ana, reason: 'hold' })] : []),
  resumed: (c) => (c.agent ? [event('agent.resumed', { agent: c.agent.id, by: PEOPLE.ana })] : []),
  removed: (c) => (c.agent && c.pick % 3 === 0 ? [event('agent.removed', { agent: c.agent.id })] : []),
  remembered: (c) =>
    c.agent
      ? [
          event('memory.added', {
            agent: c.agent.id,
            note: { key: `k${c.pick}`, text: 't', task: c.pick % 2 ? (c.task?.id ?? null) : null },
          }),
        ]
      : [],
  forgot: (c) => {
    const note = c.agent ? one(c.world.memory[c.agent.id] ?? [], c.pick) : undefined
    return c.agent && note ? [event('memory.removed', { agent: c.agent.id, key: note.key })] : []
  },
  bypassed: onStep(({ task, agent, step }, c) => [
    event('lock.bypassed', { task, agent, step, waiting: c.id<WaitingId>() }),
  ]),
  released: (c) => {
    const lock = c.agent ? one(c.world.work[c.agent.id]?.locks ?? [], c.pick) : undefined
    const outcome = one(OUTCOMES, c.pick) ?? 'answered'
    return c.agent && lock
      ? [
          event('lock.released', {
            agent: c.agent.id,
            task: lock.task,
            step: lock.step,
            waiting: lock.id,
            outcome,
            by: c.person,
            on: lock.on,
            since: lock.at,
          }),
        ]
      : []
  },
  warned: ({ task, pick, other }) =>
    task ? [event('budget.warned', { task: task.id, limit: `${one(BUDGET_KINDS, other)}@${pick % 3}` })] : [],
  reached: (c) =>
    c.task
      ? [
          event('budget.reached', {
            task: c.task.id,
            key: `k${c.pick % 3}`,
            of: c.agent?.id ?? null,
            limit: one(BUDGET_KINDS, c.other) ?? 'steps',
            height: 60,
            request: c.id<RequestId>(),
          }),
        ]
      : [],
  lifted: ({ task, pick, other }) => {
    const limit = one(['talk', 'steps', ...BUDGET_KINDS] as const, other) ?? 'talk'
    const allowed = other % 3 === 0 ? null : { limit, more: pick }
    return task ? [event('budget.lifted', { task: task.id, key: `k${pick % 3}`, of: null, allowed })] : []
  },
  effect: onStep((step) => [event('effect.started', { ...step, key: `${step.step}:0`, node: 'n1' })]),
  effectOver: onStep((step) => [event('effect.finished', { ...step, key: `${step.step}:0` })]),
  late: onStep((step) => [event('effect.lateOutcome', { ...step, attempt: 1, what: 'late' })]),
  acted: (c) => [
    event('operator.acted', { task: c.task?.id ?? null, agent: PEOPLE.ana, act: 'release', on: 'x', reason: 'r' }),
  ],
  peer: (c) => [
    event('peer.added', {
      peer: PEER,
      config: {
        id: PEER,
        uri: 'agent://other.example/*',
        baseUrl: null,
        may: ['mamp'],
        actions: [],
        agents: c.agent ? [c.agent.id] : [],
        allowPrivate: c.pick % 2 === 0,
      },
    }),
  ],
  peerGone: () => [event('peer.removed', { peer: PEER })],
  peerSeen: () => [event('peer.seen', { peer: PEER })],
  conversation: (c) =>
    c.task && c.anyone
      ? [
          event('conversation.opened', {
            conversation: CONVERSATION,
            peer: PEER,
            protocol: 'mamp',
            task: c.task.id,
            agent: c.anyone.id,
            ours: c.member(c.task),
            shared: null,
            openedBy: 'us',
            callback: null,
          }),
        ]
      : [],
  named: (c) => [event('conversation.named', { conversation: CONVERSATION, peer: PEER, shared: `conv-${c.pick}` })],
  closed: () => [event('conversation.closed', { conversation: CONVERSATION, peer: PEER, reason: 'over' })],
  taken: (c) =>
    c.message
      ? [
          event('envelope.taken', {
            peer: PEER,
            protocol: 'mamp',
            conversation: CONVERSATION,
            task: c.message.task,
            message: c.message.id,
            theirs: 'msg-1',
            outsider: null,
            ours: null,
            callback: null,
          }),
        ]
      : [],
  queued: (c) =>
    c.delivery
      ? [
          event('envelope.queued', {
            task: c.delivery.task,
            message: c.delivery.message,
            agent: c.delivery.receiver,
            peer: PEER,
            conversation: CONVERSATION,
            ours: AGENTS.manager,
          }),
        ]
      : [],
  trying: (c) =>
    c.delivery
      ? [
          event('envelope.started', {
            task: c.delivery.task,
            message: c.delivery.message,
            agent: c.delivery.receiver,
            attempt: 1 + (c.pick % 3),
            node: 'n1',
          }),
        ]
      : [],
  tried: (c) =>
    c.delivery
      ? [
          event('envelope.sent', {
            task: c.delivery.task,
            message: c.delivery.message,
            agent: c.delivery.receiver,
            verdict: c.pick % 2 === 0 ? 'retry' : 'delivered',
            next: c.pick % 2 === 0 ? c.pick : null,
          }),
        ]
      : [],
  checkpoint: (c) =>
    c.anyone
      ? [
          event('checkpoint.reported', {
            agent: c.anyone.id,
            agentName: c.anyone.configId ?? c.anyone.id,
            checkpoint: `ck-${c.pick % 4}`,
            peer: null,
            task: null,
            stage: null,
            label: `reached ${c.pick}`,
            session: null,
            timestamp: c.pick % 2 === 0 ? c.pick : null,
            metadata: null,
          }),
        ]
      : [],
  files: (c) =>
    c.step
      ? [
          event('files.changed', {
            task: c.step.task,
            agent: c.step.agent,
            step: c.step.id,
            thread: c.step.thread,
            changes: [
              {
                path: `prices/${c.pick % 4}.md`,
                change: 'changed',
                before: null,
                now: { sha: 'd'.repeat(64), bytes: c.pick, kept: false },
                shared: c.pick % 2 === 0,
              },
            ],
            more: 0,
            complete: true,
            keep: 1 + (c.pick % 3),
          }),
        ]
      : [],
  template: (c) => [
    event('template.saved', {
      template: one(Object.keys(c.world.templates) as TemplateId[], c.other) ?? c.id<TemplateId>(),
      agent: c.person,
      name: `template ${c.pick}`,
      text: 'for {Month}',
      fields: [{ name: 'Month', kind: 'text', choices: [], required: true }],
    }),
  ],
  templateGone: ({ world, pick }) => {
    const template = one(Object.keys(world.templates) as TemplateId[], pick)
    return template ? [event('template.removed', { template })] : []
  },
  schedule: (c) => [
    event('schedule.saved', {
      schedule: one(Object.keys(c.world.schedules) as ScheduleId[], c.other) ?? c.id<ScheduleId>(),
      agent: c.person,
      name: `schedule ${c.pick}`,
      text: 'again',
      attachments: [],
      template: null,
      cron: '0 9 * * *',
      timeZone: 'UTC',
      next: c.pick,
    }),
  ],
  schedulePaused: ({ world, pick, person }) => {
    const schedule = one(Object.keys(world.schedules) as ScheduleId[], pick)
    return schedule ? [event('schedule.paused', { schedule, by: person, reason: 'why' })] : []
  },
  scheduleResumed: ({ world, pick }) => {
    const schedule = one(Object.keys(world.schedules) as ScheduleId[], pick)
    return schedule ? [event('schedule.resumed', { schedule, next: pick })] : []
  },
  scheduleGone: ({ world, pick, other }) => {
    const schedule = one(Object.keys(world.schedules) as ScheduleId[], pick)
    return schedule && other % 3 === 0 ? [event('schedule.removed', { schedule })] : []
  },
  scheduleAsked: ({ world, pick, message }) => {
    const schedule = one(Object.keys(world.schedules) as ScheduleId[], pick)
    return schedule && message
      ? [event('schedule.asked', { schedule, due: pick, message: message.id, next: pick + 1 })]
      : []
  },
  node: (c) => [event('node.started', { node: `n${c.pick % 3}`, epoch: 1 })],
  nodeLeft: (c) => [event('node.left', { node: `n${c.pick % 3}` })],
  took: (c) => [event('sequencer.took', { epoch: c.pick % 9, node: 'n1' })],
  setupRead: (c) => [
    event('setup.read', {
      entry: { kind: 'team', id: 'team', value: c.pick % 2 === 0 ? null : { model: `m${c.pick}` } },
      verdict: c.other % 2 === 0 ? 'file' : 'overruled',
    }),
  ],
  setupChanged: (c) => [
    event('setup.changed', {
      entry:
        c.other % 2 === 0
          ? { kind: 'team', id: 'team', value: c.pick % 3 === 0 ? null : { model: `m${c.pick}` } }
          : { kind: 'budget', id: one(BUDGET_KEYS, c.pick) ?? '', value: { limit: c.pick % 3 === 0 ? null : c.pick } },
      by: PEOPLE.ana,
    }),
  ],
  config: (c) => [event('config.applied', { team: { ...c.world.team, name: `team ${c.pick}` } })],
} satisfies Record<string, Maker>
export const MAKER_NAMES = Object.keys(MAKERS)

/** A maker of each event: a new event does not compile before it has one, and the law (server/monitor) tries each. */
export const MADE_BY: Record<EventType, keyof typeof MAKERS> = {
  'peer.added': 'peer',
  'peer.removed': 'peerGone',
  'peer.seen': 'peerSeen',
  'conversation.opened': 'conversation',
  'conversation.named': 'named',
  'conversation.closed': 'closed',
  'envelope.taken': 'taken',
  'envelope.queued': 'queued',
  'envelope.started': 'trying',
  'envelope.sent': 'tried',
  'checkpoint.reported': 'checkpoint',
  'files.changed': 'files',
  'node.started': 'node',
  'node.left': 'nodeLeft',
  'sequencer.took': 'took',
  'config.applied': 'config',
  'human.accessChanged': 'access',
  'task.added': 'taskAdded',
  'task.started': 'taskStarted',
  'task.participantsChanged': 'joined',
  'task.managerChanged': 'manager',
  'task.toolRuled': 'toolRuled',
  'agent.toolRuled': 'agentToolRuled',
  'task.renamed': 'renamed',
  'task.paused': 'taskPaused',
  'task.resumed': 'taskResumed',
  'task.finished': 'taskFinished',
  'task.rated': 'taskRated',
  'task.changeBegun': 'changeBegun',
  'task.archived': 'taskArchived',
  'task.erased': 'taskErased',
  'entry.erased': 'entryErased',
  'task.woken': 'woken',
  'thread.retired': 'threadRetired',
  'records.evicted': 'evicted',
  'stage.added': 'stageAdded',
  'stage.renamed': 'stageRenamed',
  'stage.started': 'stageStarted',
  'stage.agentStateChanged': 'stagePart',
  'stage.completionSubmitted': 'stageSubmitted',
  'stage.partHanded': 'partHanded',
  'stage.judging': 'stageJudging',
  'stage.finished': 'stageFinished',
  'agent.created': 'created',
  'agent.changed': 'changed',
  'agent.paused': 'paused',
  'agent.resumed': 'resumed',
  'agent.removed': 'removed',
  'memory.added': 'remembered',
  'memory.removed': 'forgot',
  'lock.added': 'urgent',
  'lock.bypassed': 'bypassed',
  'lock.released': 'released',
  'step.added': 'stepAdded',
  'step.started': 'stepStarted',
  'step.instructed': 'stepInstructed',
  'step.held': 'stepHeld',
  'step.approved': 'stepApproved',
  'step.finished': 'stepFinished',
  'step.failed': 'stepFailed',
  'step.cancelled': 'stepCancelled',
  'step.requeued': 'stepRequeued',
  'step.interrupted': 'stepInterrupted',
  'step.moved': 'stepMoved',
  'step.prioritized': 'stepPrioritized',
  'step.retired': 'stepsRetired',
  'message.sent': 'fyi',
  'message.asked': 'asked',
  'message.delivery': 'delivery',
  'reminder.set': 'later',
  'request.opened': 'part',
  'request.claimed': 'claim',
  'request.reminded': 'reminded',
  'request.reopened': 'undo',
  'request.transferOffered': 'offered',
  'request.transferSettled': 'handed',
  'request.escalated': 'escalated',
  'request.answered': 'answer',
  'request.ended': 'endRequest',
  'notice.attempted': 'attempted',
  'notice.attemptEnded': 'attemptEnded',
  'notice.given': 'notice',
  'budget.warned': 'warned',
  'budget.reached': 'reached',
  'budget.lifted': 'lifted',
  'effect.started': 'effect',
  'effect.finished': 'effectOver',
  'effect.lateOutcome': 'late',
  'model.called': 'modelCalled',
  'template.saved': 'template',
  'template.removed': 'templateGone',
  'schedule.saved': 'schedule',
  'schedule.paused': 'schedulePaused',
  'schedule.resumed': 'scheduleResumed',
  'schedule.removed': 'scheduleGone',
  'schedule.asked': 'scheduleAsked',
  'operator.acted': 'acted',
  'setup.read': 'setupRead',
  'setup.changed': 'setupChanged',
}

/** The events of one decision; none when the action does not fit the world. */
export function eventsOf(world: World, [kind, pick, other]: Action): MasEvent[] {
  const name = MAKER_NAMES[kind % MAKER_NAMES.length] ?? 'node'
  const makers: Record<string, Maker> = MAKERS
  return makers[name]?.(new Choice(world, pick, other)) ?? []
}

/** Number the events of a decision as the journal does. */
export const entriesOf = (world: World, events: readonly MasEvent[]): Entry[] =>
  events.map((one, index) => ({
    seq: world.seq + index + 1,
    at: world.seq + index + 1,
    by: 'test',
    cause: 'test',
    event: one,
  }))

export const apply = (world: World, entries: readonly Entry[]): World => entries.reduce(reduceEntry, world)

/** The world after the beginning. */
export const beginning = (): { world: World; entries: Entry[] } => {
  const entries = entriesOf(emptyWorld, BEGINNING)
  return { world: apply(emptyWorld, entries), entries }
}
