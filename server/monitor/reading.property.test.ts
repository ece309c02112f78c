/**
 * Over random histories, in which participants also name whatever id there is: what somebody reads grows by what is said to
 * them, by what they make, and by the tasks that they are taken into, and by nothing else.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canReadMessage, canReadStep, canSeeRequest, taskAccessOf } from '@/lib/mas/access/access'
import type { Command } from '@/lib/mas/commands/command'
import type { MasEvent } from '@/lib/mas/events'
import { type AgentId, asId, type RequestId, type TaskId } from '@/lib/mas/ids'
import type { MessageRecord, RequestRecord, StepRecord, World } from '@/lib/mas/records'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { isRecordView, type ParsedRecordView, parseView } from '@/lib/wire/views'
import { freshRows } from '@/test/watching'
import { anyMoves, BASE_TASK, runTool, type Story, send, TEAM, walk } from '@/test/worldHistories'
import { scopeOfView } from './scopes'

const { ana, ben, lee, manager } = TEAM
const PARTICIPANTS = [ben.id, lee.id]
const isAll = process.env.CONVENE_ALL === '1'

const allOf = <Value>(map: Record<string, Record<string, Value>>): Value[] =>
  Object.values(map).flatMap((own) => Object.values(own))
const stepsOf = (world: World): StepRecord[] =>
  Object.values(world.steps).flatMap((byAgent) => Object.values(byAgent).flatMap((own) => stepsIn(own)))

/** The ids of the records and rows in a value. */
const idsIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) =>
    key === 'id' && typeof one === 'string' ? (one.match(/[0-9a-f-]{36}/g) ?? []) : idsIn(one),
  )
}

/** What was asked of a world is asked of it again: with each command for who sends, who is told and who must not be. */
const READ = new WeakMap<World, Map<AgentId, ReadonlySet<string>>>()

function readsOf(world: World, person: AgentId): ReadonlySet<string> {
  const ofWorld = READ.get(world) ?? new Map<AgentId, ReadonlySet<string>>()
  READ.set(world, ofWorld)
  const reads = ofWorld.get(person) ?? allReadBy(world, person)
  ofWorld.set(person, reads)
  return reads
}

/** The ids of all that the person reads: in views, and by HTTP. */
function allReadBy(world: World, person: AgentId): Set<string> {
  const record = world.agents[person]
  if (!record) return new Set()
  const views = [
    ...Object.keys(world.tasks).map((task) => `task:${task}`),
    ...Object.keys(world.agents).map((agent) => `agent:${agent}`),
    ...stepsOf(world).map(({ id }) => `step:${id}`),
  ].flatMap((text) => parseView(text) ?? []) as ParsedRecordView[]
  const shown = views.flatMap((view) => {
    const { scopeKey } = scopeOfView(world, person, view)
    if (scopeKey === null) return []
    return freshRows(world, view, scopeKey).flatMap((row) =>
      row.kind === 'record' && (row.of === 'message' || row.of === 'request' || row.of === 'step') ? [row.record] : [],
    )
  })
  const rows = [
    ...['me', 'overview', 'waits', 'direct', 'agents'],
    ...Object.keys(world.tasks).flatMap((task) => [`tree:${task}`, `timeline:${task}`]),
  ].flatMap((text) => {
    const view = parseView(text)
    const { scopeKey } = view === null ? { scopeKey: null } : scopeOfView(world, person, view)
    return view === null || isRecordView(view) || scopeKey === null ? [] : freshRows(world, view, scopeKey)
  })
  const served = [
    ...allOf<MessageRecord>(world.messages).filter((one) => canReadMessage(taskAccessOf(world, record, one.task), one)),
    ...allOf<RequestRecord>(world.requests).filter((one) => canSeeRequest(world, record, one)),
    ...stepsOf(world).filter((one) => canReadStep(taskAccessOf(world, record, one.task), one)),
  ]
  return new Set([...[...shown, ...served].map(({ id }) => id), ...idsIn(rows)])
}

/** thread: with its task; null: the record stands in no thread of the base task. */
type Place = { task: TaskId; thread: string | null }

function placesOf(world: World): Map<string, Place> {
  const messages = allOf<MessageRecord>(world.messages).map((one) => ({ ...one, thread: one.thread ?? one.id }))
  const all = [...messages, ...allOf<RequestRecord>(world.requests), ...stepsOf(world)]
  return new Map(all.map(({ id, task, thread }) => [id, { task, thread: task === BASE_TASK ? thread : null }]))
}

/** Every id of the world, whose ever it is. */
const idsOf = (world: World): string[] => [
  ...Object.keys(world.tasks),
  ...Object.values(world.stages).flatMap((own) => Object.keys(own)),
  ...placesOf(world).keys(),
  ...Object.values(world.work).flatMap(({ locks }) => locks.map(({ id }) => id)),
]

/** A command of a participant that names the id, whatever it is of. */
function pryWith(person: AgentId, text: string, other: string, kind: number, world: World): Command {
  const id = <Id extends string>(): Id => asId<Id>(text)
  const task = asId<TaskId>(other)
  const reason = 'I want to know'
  const answer = { decision: 'answer', text: 'so', arguments: null, digest: null } as const
  const to = person === ben.id ? lee.id : ben.id
  const commands: Command[] = [
    send(person, [manager.id], { replyTo: id() }),
    send(person, [ana.id], { replyTo: id(), task }),
    send(person, [manager.id], { answers: id() }),
    send(person, [manager.id, ana.id], { task: id() }),
    { type: 'answerRequest', request: id(), ...answer },
    { type: 'askBack', request: id(), text: 'why?' },
    { type: 'claimRequest', request: id(), reason },
    { type: 'handOver', to, requests: [id<RequestId>()], sentence: 'please' },
    { type: 'handOver', to, requests: [], messages: [id()], sentence: 'please' },
    { type: 'settleHandOver', handOver: id(), accept: true },
    { type: 'releaseWait', agent: manager.id, waiting: id(), reason },
    { type: 'remind', message: id() },
    { type: 'remindMe', about: { message: id() }, minutes: 3 },
    { type: 'remindMe', about: { request: id() }, minutes: 3 },
    { type: 'markDone', message: id() },
    { type: 'changeParticipants', task: id(), add: [person], remove: [], reason },
    { type: 'changeManager', task: id(), agent: person, reason },
    { type: 'retryStep', step: id(), reason },
    { type: 'cancelStep', step: id(), reason },
    { ...runTool(world, BASE_TASK), task: id() },
  ]
  return commands[kind % commands.length] ?? commands[0] ?? { type: 'markShown', messages: [] }
}

/** The request that this event offers to the person, and who offers it. */
function offeredTo(event: MasEvent, person: AgentId): { id: string; from: AgentId } | null {
  if (event.type === 'request.transferOffered' && event.to === person) return { id: event.request, from: event.from }
  return null
}

/** What the person reads since, was there before, and was given to them by nobody. */
function unexplained(before: World, story: Story, person: AgentId, from: number): string[] {
  const after = story.world
  const had = readsOf(before, person)
  const old = placesOf(before)
  const events = story.entries.slice(from).map(({ event }) => event)
  /** Threads in which something was said to them, or by them, by somebody who read there or was asked there. */
  const threads = new Set<string>()
  const tasks = new Set<TaskId>()
  for (const event of events) {
    if (
      event.type === 'message.sent' &&
      event.task === BASE_TASK &&
      [...event.receivers, event.sender].includes(person)
    ) {
      const { sender } = event
      const thread = event.thread ?? event.message
      const isAgent = sender === 'system:task' || after.agents[sender]?.kind !== 'human'
      const inThread = [...old].filter(([, place]) => place.thread === thread)
      const readThere = isAgent ? inThread : inThread.filter(([id]) => readsOf(before, sender).has(id))
      if (readThere.length > 0 || sender === ana.id) threads.add(thread)
    }
    // Who hands something over shows it, with its thread, to the one who is to take it.
    const offered = offeredTo(event, person)
    const thread = offered === null ? null : (old.get(offered.id)?.thread ?? null)
    if (offered !== null && thread !== null && readsOf(before, offered.from).has(offered.id)) threads.add(thread)
    if ((event.type === 'task.added' || event.type === 'task.participantsChanged') && 'task' in event) {
      const joins = event.type === 'task.added' ? [...event.group, event.requestedBy] : event.added
      if (joins.includes(person)) tasks.add(event.task)
    }
  }
  return [...readsOf(after, person)].filter((id) => {
    const place = old.get(id)
    if (place === undefined || had.has(id)) return false
    const isAsked = after.requests[place.task]?.[asId<RequestId>(id)]?.asked.includes(person) === true
    return !tasks.has(place.task) && !(place.thread !== null && threads.has(place.thread)) && !isAsked
  })
}

describe('what somebody reads', () => {
  it('[R58] grows by no command but by what is said to them, what they make, and the tasks that they are taken into', () => {
    const tried = { pried: 0, done: 0, grew: 0 }
    fc.assert(
      fc.property(anyMoves(40), fc.array(fc.nat(9_999), { minLength: 60, maxLength: 60 }), (moves, numbers) => {
        let world: World | null = null
        let from = 0
        let turn = 0
        const next = (): number => numbers[turn++ % numbers.length] ?? 0
        const check = (story: Story): void => {
          if (world !== null) {
            for (const person of PARTICIPANTS) {
              expect(unexplained(world, story, person, from)).toEqual([])
              tried.grew += readsOf(story.world, person).size > readsOf(world, person).size ? 1 : 0
            }
          }
          world = story.world
          from = story.entries.length
        }
        walk(moves, (story) => {
          check(story)
          for (const person of PARTICIPANTS) {
            const ids = idsOf(story.world)
            const [one, other] = [ids[next() % ids.length] ?? '', Object.keys(story.world.tasks)[next() % 2] ?? '']
            const done = story.put(person, pryWith(person, one, other, next(), story.world))
            tried.pried += 1
            tried.done += done === null ? 0 : 1
            check(story)
          }
        })
      }),
      { numRuns: isAll ? 300 : 30, ...(isAll ? {} : { seed: 58 }) },
    )
    // Of what was tried something must have been done, and something must have been given: else the law says nothing.
    expect(tried.done).toBeGreaterThan(20)
    expect(tried.grew).toBeGreaterThan(50)
  }, 120_000)
})
