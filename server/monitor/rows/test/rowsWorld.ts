/** Worlds for the tests of rows: the beginning of histories, what happens in it, and the rows that somebody sees of it. */

import { event, type MasEvent } from '@/lib/mas/events'
import type { AgentId, MessageId, RequestId, StageId, StepId, TaskId, WaitingId } from '@/lib/mas/ids'
import { typeOfNeeds } from '@/lib/mas/messages/records'
import type { AgentRecord, DeliveryState, NumberedRequest, StageRecord, TaskRecord, World } from '@/lib/mas/records'
import type { StepSeed } from '@/lib/mas/steps/events'
import type { AnyRow, MeRow, MeTotals } from '@/lib/wire/rows'
import { isRecordView, parseView } from '@/lib/wire/views'
import { AGENTS, apply, beginning, entriesOf, idAt, PEOPLE, TASKS } from '@/test/histories'
import { freshRows } from '@/test/watching'
import { scopeOfView } from '../../scopes'

let ids = 100
export const newId = <Id extends string>(): Id => idAt<Id>(++ids)
type Eight<Id> = [Id, Id, Id, Id, Id, Id, Id, Id]
export const eight = <Id extends string>(): Eight<Id> => [
  newId(),
  newId(),
  newId(),
  newId(),
  newId(),
  newId(),
  newId(),
  newId(),
]
/** The stage of the task `build`. */
export const STAGE = idAt<StageId>(32)

export const play = (...decisions: MasEvent[][]): World => playOn(beginning().world, ...decisions)
export const playOn = (world: World, ...decisions: MasEvent[][]): World =>
  decisions.reduce((now, events) => apply(now, entriesOf(now, events.flatMap(withAsk))), world)

const PERSONS: readonly string[] = Object.values(PEOPLE)
/** The request of a person's message: it is told apart by the id of that. */
const askOf = (of: MessageId): RequestId => `a${of.slice(1)}` as RequestId

/** What one person asks of another is a request, as the engine decides it. */
function withAsk(fact: MasEvent): MasEvent[] {
  if (fact.type !== 'message.sent' || fact.kind === 'fyi' || !PERSONS.includes(fact.sender)) return [fact]
  const { task, message, sender, receivers, thread } = fact
  const asks = receivers
    .filter((one) => PERSONS.includes(one))
    .map((person) => ({ request: askOf(message), person, message }))
  return [fact, ...(asks.length === 0 ? [] : [event('message.asked', { task, thread, asker: sender, asks })])]
}

/** In their order. */
export function rowsOf(world: World, person: AgentId, view: string): AnyRow[] {
  const parsed = parseView(view)
  if (parsed === null || isRecordView(parsed)) throw new Error(view)
  const { scopeKey, closed } = scopeOfView(world, person, parsed)
  if (scopeKey === null) throw new Error(`${view} is closed: ${closed}`)
  return freshRows(world, parsed, scopeKey).sort((a, b) => (a.sort < b.sort ? -1 : a.sort > b.sort ? 1 : 0))
}
export const meOf = (world: World, person: AgentId): MeRow[] => rowsOf(world, person, 'me') as MeRow[]
export const totalsOf = (rows: MeRow[]): MeTotals => rows.find((row) => row.kind === 'totals') as MeTotals
export const itemsOf = (rows: MeRow[]) =>
  rows.filter((row) => row.kind !== 'totals').map((row) => [row.kind === 'waiting' ? 'waiting' : row.group, row.id])

export const taskWith = (world: World, id: TaskId, more: Partial<TaskRecord>): World => ({
  ...world,
  tasks: { ...world.tasks, [id]: Object.assign({}, world.tasks[id], more) },
})
export const agentWith = (world: World, id: AgentId, more: Partial<AgentRecord>): World => ({
  ...world,
  agents: { ...world.agents, [id]: Object.assign({}, world.agents[id], more) },
})
/** The stage of the task `build`, changed. */
export const stageWith = (world: World, more: Partial<StageRecord>): World => ({
  ...world,
  stages: {
    ...world.stages,
    [TASKS.build]: { [STAGE]: Object.assign({}, world.stages[TASKS.build]?.[STAGE], more) },
  },
})

export const message = (
  sender: AgentId,
  receiver: AgentId,
  needs: { reply?: boolean; waits?: boolean; mention?: boolean } = {},
  id: MessageId = newId(),
  task: TaskId = TASKS.build,
  text = 'text',
) =>
  event('message.sent', {
    task,
    message: id,
    sender,
    receivers: [receiver],
    text,
    stage: null,
    kind: typeOfNeeds({ needReply: needs.reply === true, waiting: needs.waits === true }),
    waiting: needs.waits ? [newId<WaitingId>()] : null,
    audience: 'task',
    returnWaiting: null,
    instruction: null,
    dispatch: id,
    thread: task === TASKS.base ? id : null,
    answersRequest: null,
    replyTo: null,
    attachments: [],
    mention: needs.mention ?? false,
    fromStep: null,
  })
/** What a receiver makes of a message: of a person's it is told by the request. */
export function delivery(of: MessageId, agent: AgentId, state: DeliveryState): MasEvent {
  const place = { task: TASKS.build, request: askOf(of) }
  if (PERSONS.includes(agent)) {
    if (state === 'acknowledged') return event('request.claimed', { ...place, agent, until: null })
    if (state === 'expired') return event('request.ended', { ...place, state, by: null, reason: null })
    if (state === 'done' || state === 'answered') {
      const decision = state === 'done' ? ('done' as const) : ('answer' as const)
      return event('request.answered', {
        ...place,
        answer: { by: agent, for: null, decision, text: '', arguments: null },
      })
    }
  }
  return event('message.delivery', { task: TASKS.build, message: of, agent, state, note: null })
}
export const request = (change: Partial<NumberedRequest> & { id: RequestId }, task: TaskId = TASKS.build): MasEvent => {
  const { id, ...rest } = change
  return event('request.opened', {
    task,
    request: id,
    seed: {
      number: 1,
      kind: 'answer',
      asked: [PEOPLE.ben],
      asker: AGENTS.coder,
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
      ...rest,
    },
  })
}
export const locked = (
  agent: AgentId,
  task: TaskId,
  on: AgentId,
  more: { id?: WaitingId; step?: StepId; stage?: StageId; request?: RequestId; message?: MessageId; due?: number } = {},
): MasEvent => {
  const { id = newId<WaitingId>(), step = newId<StepId>(), stage = null, request: asked = null, ...rest } = more
  const { message: of = null, due } = rest
  const lock = { id, kind: 'message' as const, stage, step, on, message: of, request: asked }
  return event('lock.added', { agent, task, lock: due === undefined ? lock : { ...lock, due } })
}

/** A step of Coder's in the stage of `build`. */
export const step = (id: StepId, more: Partial<StepSeed> = {}): StepSeed => ({
  task: TASKS.build,
  agent: AGENTS.coder,
  step: id,
  number: 1,
  stage: STAGE,
  thread: null,
  intention: `do ${id.slice(-4)}`,
  kind: 'skill',
  executor: 'think',
  text: '',
  cause: { message: null, step: null },
  answers: null,
  boundTo: null,
  retryOf: null,
  byHand: false,
  last: false,
  ...more,
})
export const added = (...seeds: StepSeed[]): MasEvent[] => seeds.map((seed) => event('step.added', seed))
export const begun = (seed: StepSeed): MasEvent => event('step.started', { ...seed, node: 'n', epoch: 1, attempt: 1 })
export const over = (seed: StepSeed): MasEvent =>
  event('step.finished', { ...seed, result: { kind: 'text', text: '', body: null, made: null }, repairs: [] })
export const fails = (seed: StepSeed): MasEvent =>
  event('step.failed', { ...seed, reason: 'ENOENT', result: null, repairs: [] })

/** Coder has something to do. */
export const stepAdded = (id: StepId, task: TaskId = TASKS.build, stage: StageId | null = null): MasEvent =>
  event('step.added', step(id, { task, stage, intention: 'look' }))
