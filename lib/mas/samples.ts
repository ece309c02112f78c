/**
 * One sample of every event. The decoder, the store's tests and the laws of the views all read it; a new event does not
 * compile before it has one.
 */

import { bodyOf } from './bodies'
import type { EventShape, EventType, MasEvent } from './events'
import { event } from './events'
import {
  type AgentId,
  asId,
  type HandOverId,
  type MessageId,
  type RequestId,
  type StageId,
  type StepId,
  type TaskId,
  type WaitingId,
} from './ids'
import { type AgentConfig, emptyWorld } from './records'

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const task = asId<TaskId>(uuid(1))
const stage = asId<StageId>(uuid(2))
const agent = asId<AgentId>(uuid(3))
const person = asId<AgentId>(uuid(4))
const step = asId<StepId>(uuid(5))
const message = asId<MessageId>(uuid(6))
const request = asId<RequestId>(uuid(7))
const waiting = asId<WaitingId>(uuid(8))
const body = bodyOf('{"path":"a.md"}', 'application/json').ref

const config: AgentConfig = {
  id: agent,
  configId: 'reader',
  kind: 'llm',
  name: 'Reader',
  role: 'reader',
  profile: 'Reads files.',
  groups: ['readers'],
  manager: false,
  mayWait: false,
  model: 'default',
  skills: ['all'],
  tools: ['files'],
  access: 'none',
}

const seed: EventShape<'step.added'> = {
  task,
  agent,
  step,
  stage,
  thread: null,
  intention: 'think',
  kind: 'skill',
  executor: 'think',
  text: 'think it over',
  cause: { message: null, step: null },
  answers: null,
  boundTo: null,
  retryOf: null,
  byHand: false,
  last: false,
}

const result = { kind: 'text', text: 'done', body: null, made: null } as const

const SHAPES: { [Type in EventType]: EventShape<Type> } = {
  'node.started': { node: 'n1', epoch: 1 },
  'node.left': { node: 'n1' },
  'sequencer.took': { epoch: 1, node: 'n1' },
  'config.applied': { team: emptyWorld.team },
  'human.accessChanged': { agent: person, access: 'operator' },
  'task.added': {
    task,
    name: 'Compare',
    intention: 'Compare the lists',
    manager: agent,
    group: [agent, person],
    base: false,
    requestedBy: person,
    requestedIn: null,
    load: false,
  },
  'task.started': { task },
  'task.participantsAdded': { task, agents: [person] },
  'task.participantsRemoved': { task, agents: [person] },
  'task.managerChanged': { task, agent },
  'task.paused': { task, by: person, reason: 'lunch' },
  'task.resumed': { task, by: person },
  'task.finished': { task, state: 'finished', summary: 'All compared.' },
  'task.archived': { task, agents: [agent] },
  'thread.retired': { task, thread: message, agents: [agent] },
  'records.evicted': { task, steps: { [agent]: [step] }, messages: [message], requests: [request] },
  'info.shared': { task, agent, line: { role: 'reader', stage, content: 'read a.md' } },
  'stage.added': { task, stage, intention: 'read', allocation: { [agent]: 'read a.md' }, after: null, retryOf: null },
  'stage.started': { task, stage },
  'stage.agentStateChanged': { task, stage, agent, state: 'working', reason: null },
  'stage.completionSubmitted': { task, stage, agent, summary: 'read' },
  'stage.judging': { task, stage },
  'stage.finished': { task, stage },
  'stage.failed': { task, stage, reason: 'not reached', replacedBy: null },
  'agent.created': { agent, config, runtime: false },
  'agent.changed': { agent, config: { ...config, role: 'librarian' } },
  'agent.paused': { agent, by: person, reason: 'look first' },
  'agent.resumed': { agent, by: person },
  'agent.removed': { agent },
  'memory.added': { agent, note: { key: '20261121T102109', text: '### a\nb', task } },
  'memory.removed': { agent, key: '20261121T102109' },
  'lock.added': { agent, task, lock: { id: waiting, kind: 'message', stage, step, on: person, message, request } },
  'lock.bypassed': { agent, task, step, waiting },
  'lock.released': { agent, task, waiting, outcome: 'answered', by: person },
  'step.added': seed,
  'step.inserted': { ...seed, position: 0 },
  'step.started': { task, agent, step, node: 'n1', epoch: 1, attempt: 1 },
  'step.instructed': {
    task,
    agent,
    step,
    instruction: { kind: 'call', target: 'tool', name: 'read', arguments: body },
  },
  'step.held': { task, agent, step, request },
  'step.approved': { task, agent, step, by: person, edited: true, digest: body.sha, arguments: body },
  'step.finished': { task, agent, step, result, repairs: [] },
  'step.failed': { task, agent, step, reason: 'no such file', result: null, repairs: [] },
  'step.cancelled': { task, agent, step, by: person, reason: 'not needed' },
  'step.requeued': { task, agent, step },
  'step.interrupted': { task, agent, step, reason: 'the program stopped' },
  'step.moved': { task, agent, step, stage: null },
  'step.retired': { task, agent, steps: [step] },
  'message.sent': {
    task,
    message,
    sender: agent,
    receivers: [person],
    text: 'Which one?',
    stage,
    needReply: true,
    waiting: [waiting],
    returnWaiting: null,
    instruction: null,
    dispatch: message,
    thread: null,
    answersRequest: null,
    replyTo: null,
    attachments: [],
    mention: false,
    fromStep: step,
  },
  'message.held': { task, message, agent: person },
  'message.receipt': { task, message, agent: person, state: 'shown', note: null },
  'message.reminded': { task, message, agent: person, by: person },
  'message.snoozed': { task, message, agent: person, until: 900_000 },
  'message.undone': { task, message, agent: person },
  'request.opened': {
    task,
    request,
    seed: {
      number: 1,
      kind: 'answer',
      asked: [person],
      asker: agent,
      urgent: true,
      message,
      step,
      stage,
      lock: waiting,
      thread: null,
      question: 'Which one?',
      choices: ['this', 'that'],
      call: null,
      fingerprint: 'running',
    },
  },
  'request.claimed': { task, request, agent: person, until: 600_000 },
  'request.snoozed': { task, request, agent: person, until: 900_000 },
  'request.offered': {
    task,
    request,
    handOver: asId<HandOverId>(uuid(11)),
    from: person,
    to: asId<AgentId>(uuid(12)),
    sentence: 'I am away until Monday.',
  },
  'request.handed': { task, request, handOver: asId<HandOverId>(uuid(11)), accepted: true },
  'request.answered': {
    task,
    request,
    answer: { by: person, for: null, decision: 'answer', text: 'this', arguments: null },
  },
  'request.released': { task, request, by: person, reason: 'no time' },
  'request.expired': { task, request },
  'request.superseded': { task, request, reason: 'the stage ended' },
  'notice.given': {
    task,
    agent: person,
    notice: { id: uuid(9), kind: 'reply_needed', stage, message, words: { task: 'Compare', who: 'Reader' } },
  },
  'budget.warned': { task, limit: 'taskCost@2' },
  'budget.reached': { task, key: `${agent}/${stage}`, of: agent, limit: 'steps', height: 60, request },
  'budget.extended': { task, key: `${agent}/${stage}`, of: agent, limit: 'steps', more: 60 },
  'budget.lifted': { task, key: `${agent}/${stage}`, of: agent },
  'effect.started': { task, agent, step, key: `${step}:1`, node: 'n1' },
  'effect.finished': { task, agent, step, key: `${step}:1` },
  'effect.lateOutcome': { task, agent, step, attempt: 1, what: 'finished' },
  'model.called': {
    task,
    agent,
    step,
    call: {
      id: uuid(10),
      attempt: 1,
      model: 'default',
      modelVersion: 'rehearsal-1',
      prompt: { sections: [] },
      answer: body,
      outcome: 'taken',
      error: null,
      promptTokens: 10,
      completionTokens: 2,
      estimated: true,
      costUsd: 0,
      firstTokenMs: 3,
      totalMs: 9,
      at: 1_000,
    },
  },
  'operator.acted': { task, agent: person, act: 'releaseWait', on: waiting, reason: 'it is late' },
}

const TYPES = Object.keys(SHAPES) as EventType[]

/** The sample of one event. */
export const sampleOf = <Type extends EventType>(type: Type): MasEvent => event(type, SHAPES[type])

/** One sample of each, by type. */
export const SAMPLES: readonly MasEvent[] = TYPES.map((type) => sampleOf(type))
