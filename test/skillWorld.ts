/** A small world for tests of skills and prompts: one team, the base task, one task with a running stage. */
import { Fault } from '@/lib/faults'
import { bodyOf, wholeOf } from '@/lib/mas/bodies'
import type { NewBody } from '@/lib/mas/commands/command'
import {
  type AgentId,
  asId,
  type MessageId,
  type RequestId,
  type StageId,
  type StepId,
  type TaskId,
} from '@/lib/mas/ids'
import {
  type AgentRecord,
  type BodyRef,
  emptyWorld,
  type MessageRecord,
  type ModelCall,
  type RequestRecord,
  type StageRecord,
  type StepRecord,
  type TaskRecord,
  type World,
} from '@/lib/mas/records'
import type { StepDoing } from '@/lib/wire/views'
import type { Model } from '@/server/models/model'
import { recentMap } from '@/server/shared/recentMap'
import type { BodyCache, SkillRun } from '@/server/skills/port'

export const READER = asId<AgentId>('00000000-0000-4000-8000-00000000000a')
export const MANAGER = asId<AgentId>('00000000-0000-4000-8000-00000000000b')
export const ANA = asId<AgentId>('00000000-0000-4000-8000-00000000000c')
export const BASE = asId<TaskId>('00000000-0000-4000-8000-0000000000b0')
export const TASK = asId<TaskId>('00000000-0000-4000-8000-0000000000b1')
export const STAGE = asId<StageId>('00000000-0000-4000-8000-0000000000c1')
export const NOW = Date.parse('2026-11-21T10:21:09.123Z')

export const stepId = (n: number): StepId => asId<StepId>(`00000000-0000-4000-8000-${String(n).padStart(12, '0')}`)

const agent = (id: AgentId, name: string, kind: AgentRecord['kind'], more: Partial<AgentRecord> = {}): AgentRecord => ({
  id,
  configId: name.toLowerCase(),
  kind,
  name,
  role: kind === 'human' ? 'operator' : 'worker',
  profile: `${name} works here.`,
  groups: [],
  manager: false,
  mayWait: false,
  model: 'default',
  skills: ['all'],
  tools: kind === 'human' ? [] : ['files'],
  access: kind === 'human' ? 'operator' : 'none',
  paused: null,
  removed: false,
  createdAt: 0,
  changedAt: 0,
  ...more,
})

const task = (id: TaskId, name: string, more: Partial<TaskRecord> = {}): TaskRecord => ({
  id,
  name,
  intention: `The goal of ${name}`,
  manager: MANAGER,
  group: [MANAGER, READER, ANA],
  former: {},
  base: false,
  state: 'running',
  summary: null,
  stageOrder: [],
  requestedBy: ANA,
  requestedIn: null,
  paused: null,
  createdAt: 0,
  endedAt: null,
  changedAt: 0,
  ...more,
})

const stage: StageRecord = {
  id: STAGE,
  task: TASK,
  intention: 'Read the price lists',
  allocation: { [READER]: 'Read both lists in prices/.', [ANA]: 'Check what was read.' },
  state: 'running',
  parts: { [READER]: 'working', [ANA]: 'idle' },
  partReasons: {},
  summaries: {},
  retryOf: null,
  replacedBy: null,
  reason: null,
  judging: false,
  createdAt: 0,
  startedAt: 0,
  endedAt: null,
  changedAt: 0,
}

export const testWorld: World = {
  ...emptyWorld,
  team: { ...emptyWorld.team, toolGuides: { files: 'reads and writes files of the workspace' } },
  baseTask: BASE,
  agents: {
    [READER]: agent(READER, 'Reader', 'llm'),
    [MANAGER]: agent(MANAGER, 'Manager', 'llm', { manager: true }),
    [ANA]: agent(ANA, 'Ana', 'human'),
  },
  work: {},
  tasks: {
    [BASE]: task(BASE, 'MAS base task', { base: true, requestedBy: null }),
    [TASK]: task(TASK, 'Compare prices', { stageOrder: [STAGE] }),
  },
  stages: { [TASK]: { [STAGE]: stage } },
}

/** A step of the Reader in the stage, unless told otherwise. One that is over ran at seq = its number. */
export function makeStep(n: number, more: Partial<StepRecord> = {}): StepRecord {
  const state = more.state ?? 'init'
  const isOver = state === 'finished' || state === 'failed'
  return {
    id: stepId(n),
    number: n,
    task: TASK,
    stage: STAGE,
    agent: READER,
    thread: null,
    intention: `intention ${n}`,
    type: 'skill',
    executor: 'think',
    state,
    text: `text ${n}`,
    instruction: null,
    result: isOver ? { kind: 'text', text: `result ${n}`, body: null, made: null } : null,
    reason: state === 'failed' ? `reason ${n}` : null,
    cause: { message: null, step: null },
    answers: null,
    boundTo: null,
    retryOf: null,
    attempt: null,
    held: null,
    approvedBy: null,
    byHand: false,
    last: false,
    calls: [],
    repairs: [],
    retired: false,
    createdAt: 0,
    createdSeq: n,
    startedAt: isOver ? n : null,
    startedSeq: isOver ? n : null,
    endedAt: isOver ? n : null,
    endedSeq: isOver ? n : null,
    changedAt: 0,
    ...more,
  }
}

/** The world with these steps; those not over stand in their agents' lists, in this order. */
export function withSteps(world: World, steps: StepRecord[]): World {
  const next: World = { ...world, steps: { ...world.steps }, work: { ...world.work } }
  for (const step of steps) {
    next.steps[step.task] = {
      ...next.steps[step.task],
      [step.agent]: { ...next.steps[step.task]?.[step.agent], [step.id]: step },
    }
    const work = next.work[step.agent] ?? { todo: [], running: null, locks: [] }
    const isOver = step.state === 'finished' || step.state === 'failed'
    next.work[step.agent] = isOver ? work : { ...work, todo: [...work.todo, { task: step.task, step: step.id }] }
  }
  return next
}

export function makeMessage(id: string, more: Partial<MessageRecord> = {}): MessageRecord {
  return {
    id: asId<MessageId>(id),
    task: TASK,
    sender: ANA,
    receivers: [READER],
    text: 'hello',
    stage: null,
    type: 'fyi',
    waiting: null,
    audience: 'task',
    returnWaiting: null,
    instruction: null,
    dispatch: id,
    thread: null,
    answersRequest: null,
    replyTo: null,
    attachments: [],
    mention: false,
    fromStep: null,
    at: 0,
    seq: 1,
    ...more,
  }
}

export const withMessage = (world: World, message: MessageRecord): World => ({
  ...world,
  messages: { ...world.messages, [message.task]: { ...world.messages[message.task], [message.id]: message } },
})

/** An open question of the Reader to Ana, outside of stages, threads and steps. */
export const makeRequest = (id: string, more: Partial<RequestRecord> = {}): RequestRecord => ({
  id: asId<RequestId>(id),
  task: TASK,
  number: 1,
  kind: 'answer',
  asked: [ANA],
  asker: READER,
  type: 'action',
  message: null,
  step: null,
  stage: null,
  lock: null,
  thread: null,
  question: 'Which one?',
  choices: [],
  call: null,
  fingerprint: '',
  state: 'open',
  claimed: null,
  answer: null,
  endReason: null,
  openedAt: 9,
  openedSeq: 1,
  endedAt: null,
  changedAt: 0,
  ...more,
})

export const withRequest = (world: World, request: RequestRecord): World => ({
  ...world,
  requests: { ...world.requests, [request.task]: { ...world.requests[request.task], [request.id]: request } },
})

/** A record that is there; else the test is wrong. */
export const recordOf = <Of>(value: Of | undefined): Of => {
  if (value === undefined) throw new Error('there is no record')
  return value
}

export const withTask = (world: World, change: Partial<TaskRecord>): World => ({
  ...world,
  tasks: { ...world.tasks, [TASK]: { ...recordOf(world.tasks[TASK]), ...change } },
})

export const withAgent = (world: World, id: AgentId, change: Partial<AgentRecord>): World => ({
  ...world,
  agents: { ...world.agents, [id]: { ...recordOf(world.agents[id]), ...change } },
})

/** Bodies in memory. `made` holds what was made since they were opened; `shelf` is what a store would keep. */
export function testBodyCache(
  shelf: Map<string, string> = new Map(),
): BodyCache & { shelf: Map<string, string>; made: NewBody[] } {
  const made: NewBody[] = []
  return {
    shelf,
    made,
    async text(ref: BodyRef) {
      const text = wholeOf(ref) ?? shelf.get(ref.sha)
      if (text === undefined) throw new Fault('NOT_KEPT')
      return text
    },
    async bytes(ref: BodyRef) {
      return new TextEncoder().encode(await this.text(ref))
    },
    make(text: string, mime: string) {
      const { body, ref } = bodyOf(text, mime)
      if (!made.some((one) => one.sha === body.sha)) made.push(body)
      shelf.set(ref.sha, text)
      return ref
    },
    has: (sha) => shelf.has(sha),
    items: new WeakMap(),
    prompts: recentMap(1_000),
  }
}

/** did: what the step did, one after the other. */
export type TestRun = SkillRun & { calls: ModelCall[]; streamed: string[]; did: StepDoing[] }

export function testRun(world: World, step: StepRecord, model: Model, more: Partial<SkillRun> = {}): TestRun {
  const calls: ModelCall[] = []
  const streamed: string[] = []
  const did: StepDoing[] = []
  let ids = 0
  let ticks = 0
  return {
    world,
    step,
    now: NOW,
    attempt: 1,
    model,
    bodies: testBodyCache(),
    toolsOf: async () => [],
    doubtCall: async () => null,
    abilities: async (server) => `read_text_file(path: string): Read a file of ${server}`,
    signal: new AbortController().signal,
    onText: (text) => streamed.push(text),
    onDoing: (doing) => did.push(doing),
    onCall: async (call) => {
      calls.push(call)
    },
    newId: () => `call-${++ids}`,
    clock: () => ++ticks,
    calls,
    streamed,
    did,
    ...more,
  }
}
