/** The small team of the gateway's tests: two agents, four people, three tasks. */
import { bodyOf } from '@/lib/mas/bodies'
import type { Envelope } from '@/lib/mas/commands/command'
import { event, type MasEvent } from '@/lib/mas/events'
import {
  type AgentId,
  asId,
  type MessageId,
  type RequestId,
  type StageId,
  type StepId,
  type TaskId,
  type WaitingId,
} from '@/lib/mas/ids'
import { type AgentConfig, DEFAULT_LIMITS, type ModelCall } from '@/lib/mas/records'
import type { StepSeed } from '@/lib/mas/steps/events'

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const agent = (n: number) => asId<AgentId>(uuid(n))
export const ID = {
  manager: agent(1),
  reader: agent(2),
  ana: agent(11),
  ben: agent(12),
  dev: agent(13),
  gone: agent(14),
  base: asId<TaskId>(uuid(100)),
  prices: asId<TaskId>(uuid(101)),
  secret: asId<TaskId>(uuid(102)),
  stage: asId<StageId>(uuid(200)),
  step: asId<StepId>(uuid(301)),
  toolStep: asId<StepId>(uuid(302)),
  secretStep: asId<StepId>(uuid(303)),
  badStep: asId<StepId>(uuid(304)),
  question: asId<MessageId>(uuid(401)),
  start: asId<MessageId>(uuid(402)),
  ask: asId<RequestId>(uuid(501)),
  confirm: asId<RequestId>(uuid(502)),
} as const

const config = (id: AgentId, configId: string, more: Partial<AgentConfig>): AgentConfig => ({
  id,
  configId,
  kind: 'human',
  name: configId.charAt(0).toUpperCase() + configId.slice(1),
  role: 'tester',
  profile: '',
  groups: [],
  manager: false,
  mayWait: false,
  model: 'default',
  skills: ['all'],
  tools: [],
  access: 'participant',
  ...more,
})

/** What the configuration file says, as the command that applies it. */
export const configured: Envelope = {
  id: 'configure:1',
  by: 'system:config',
  command: {
    type: 'applyConfig',
    team: {
      name: 'Testers',
      language: 'en',
      limits: DEFAULT_LIMITS,
      startable: [],
      toolGuides: {},
      skillGuides: {},
      models: ['default'],
      rehearsal: true,
    },
    agents: [
      config(ID.manager, 'manager', { kind: 'llm', manager: true, access: 'none' }),
      config(ID.reader, 'reader', { kind: 'llm', access: 'none', tools: ['files'] }),
      config(ID.ana, 'ana', { access: 'operator' }),
      config(ID.ben, 'ben', {}),
      config(ID.dev, 'dev', { access: 'developer' }),
      config(ID.gone, 'gone', { access: 'none' }),
    ],
    baseTask: { id: ID.base, name: 'MAS base task', intention: 'Take requests' },
  },
}

export const seed = (step: StepId, task: TaskId, more: Partial<StepSeed>): StepSeed => ({
  task,
  agent: ID.reader,
  step,
  number: 1,
  stage: null,
  thread: null,
  intention: 'read the list',
  kind: 'skill',
  executor: 'think',
  text: 'read it',
  cause: { message: null, step: null },
  answers: null,
  boundTo: null,
  retryOf: null,
  byHand: false,
  last: false,
  ...more,
})

const task = (id: TaskId, name: string, group: AgentId[]): MasEvent[] => [
  event('task.added', {
    task: id,
    name,
    intention: `${name}, whole`,
    manager: ID.manager,
    group: [ID.manager, ID.reader, ...group],
    base: false,
    requestedBy: null,
    requestedIn: null,
  }),
  event('task.started', { task: id }),
]

export const promptBody = bodyOf('You are Reader.')
export const promptList = bodyOf(
  JSON.stringify([{ role: 'system', name: 'system', sha: promptBody.ref.sha, bytes: promptBody.ref.bytes }]),
)
export const answerBody = bodyOf('<think>north.csv has 7 lines</think>')
export const toolArguments = bodyOf('{"path":"prices/report.md","content":"total"}', 'application/json')
/** 300,000 characters: over every limit for whole texts. */
export const hugeResult = bodyOf(
  JSON.stringify({ mcp_server_result: { isError: false, content: [{ type: 'text', text: 'x'.repeat(300_000) }] } }),
)
export const bodies = [promptBody, promptList, answerBody, toolArguments, hugeResult]

export const call: ModelCall = {
  id: 'call-1',
  attempt: 1,
  model: 'default',
  modelVersion: 'rehearsal-1',
  prompt: { sha: promptList.ref.sha, bytes: promptList.ref.bytes },
  answer: answerBody.ref,
  outcome: 'taken',
  error: null,
  promptTokens: 10,
  completionTokens: 5,
  estimated: true,
  costUsd: 0,
  firstTokenMs: 1,
  totalMs: 2,
  at: 0,
}

/** Two tasks: Ben is in `prices`, and not in `secret`. */
export const facts: MasEvent[] = [
  ...task(ID.prices, 'Prices', [ID.ben, ID.ana]),
  ...task(ID.secret, 'Secret', [ID.ana]),
  event('stage.added', {
    task: ID.prices,
    stage: ID.stage,
    intention: 'read the lists',
    allocation: { [ID.reader]: 'read' },
    after: null,
    retryOf: null,
  }),
  event('stage.started', { task: ID.prices, stage: ID.stage }),
  event('message.sent', {
    task: ID.prices,
    message: ID.start,
    sender: 'system:task',
    receivers: [ID.reader],
    text: 'The stage has begun',
    stage: ID.stage,
    kind: 'fyi',
    waiting: null,
    audience: 'task',
    returnWaiting: null,
    instruction: { type: 'start_stage', stage: ID.stage },
    dispatch: 'd1',
    thread: null,
    answersRequest: null,
    replyTo: null,
    attachments: [],
    mention: false,
    fromStep: null,
  }),
  event('step.added', seed(ID.step, ID.prices, { stage: ID.stage })),
  event('step.started', { task: ID.prices, agent: ID.reader, step: ID.step, node: 'test', epoch: 1, attempt: 1 }),
  event('model.called', { task: ID.prices, agent: ID.reader, step: ID.step, call }),
  event('step.finished', {
    task: ID.prices,
    agent: ID.reader,
    step: ID.step,
    result: { kind: 'text', text: 'north.csv has 7 lines', body: null, made: null },
    repairs: [],
  }),
  event('step.added', seed(ID.toolStep, ID.prices, { stage: ID.stage, kind: 'tool', executor: 'files' })),
  event('step.instructed', {
    task: ID.prices,
    agent: ID.reader,
    step: ID.toolStep,
    instruction: { kind: 'call', target: 'tool', name: 'write_file', arguments: toolArguments.ref },
  }),
  event('step.finished', {
    task: ID.prices,
    agent: ID.reader,
    step: ID.toolStep,
    result: { kind: 'tool', text: hugeResult.ref.preview, body: hugeResult.ref, made: null },
    repairs: [],
  }),
  event('step.added', seed(ID.secretStep, ID.secret, { text: 'the secret' })),
  event('step.added', seed(ID.badStep, ID.secret, { kind: 'tool', executor: 'files' })),
  event('step.failed', {
    task: ID.secret,
    agent: ID.reader,
    step: ID.badStep,
    reason: 'ENOENT',
    result: {
      kind: 'tool',
      text: '{"mcp_server_result":{"isError":true,"content":[{"type":"text","text":"ENOENT"}]}}',
      body: null,
      made: null,
    },
    repairs: [],
  }),
  event('memory.added', {
    agent: ID.reader,
    note: { key: '20261121T102109', text: '### secret note', task: ID.secret },
  }),
  event('memory.added', { agent: ID.reader, note: { key: '20261121T102110', text: '### open note', task: ID.prices } }),
  event('message.sent', {
    task: ID.prices,
    message: ID.question,
    sender: ID.reader,
    receivers: [ID.ben],
    text: 'Which holds?',
    stage: ID.stage,
    kind: 'action',
    waiting: [asId<WaitingId>('w-1')],
    audience: 'task',
    returnWaiting: null,
    instruction: null,
    dispatch: 'd2',
    thread: null,
    answersRequest: null,
    replyTo: null,
    attachments: [],
    mention: false,
    fromStep: ID.step,
  }),
  event('request.opened', {
    task: ID.prices,
    request: ID.ask,
    seed: {
      kind: 'answer',
      asked: [ID.ben],
      asker: ID.reader,
      type: 'urgent',
      message: ID.question,
      step: null,
      stage: ID.stage,
      lock: null,
      thread: null,
      number: 1,
      question: 'Which holds?',
      choices: ['3.20', '3.50'],
      call: null,
      fingerprint: 'f',
    },
  }),
  event('request.opened', {
    task: ID.secret,
    request: ID.confirm,
    seed: {
      kind: 'confirm',
      asked: [ID.ana],
      asker: ID.reader,
      type: 'urgent',
      message: null,
      step: ID.secretStep,
      stage: null,
      lock: null,
      thread: null,
      number: 1,
      question: 'Allow write_file?',
      choices: [],
      call: {
        server: 'files',
        tool: 'write_file',
        arguments: toolArguments.ref,
        digest: 'digest-1',
        changes: 'writes a file',
      },
      fingerprint: 'f',
    },
  }),
]
