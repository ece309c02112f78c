/** Work that an agent of another system asked for: whose it is, which of it goes on, and what a message says of it. */
import { describe, expect, it } from 'vitest'
import { sampleOf, sampleShapeOf } from '@/test/samples'
import { having, only } from '@/test/sampleWorld'
import { ANA, BASE, MANAGER, makeMessage, READER, recordOf, TASK, testWorld, withMessage } from '@/test/skillWorld'
import { type AgentId, asId, type MessageId, type TaskId } from '../ids'
import { type AgentRecord, emptyWorld, type MessageRecord, type TaskRecord, type World } from '../records'
import {
  findSaid,
  hasOpenWork,
  isOutsideRequester,
  selectConversationTask,
  selectVoice,
  selectWorkOf,
  selectWorkReport,
  takesRequests,
  waitsForOutside,
} from './outsideWork'

const OUTSIDER = asId<AgentId>('outsider')
const TALK = asId<TaskId>('talk')
const [wish, other] = [asId<MessageId>('wish'), asId<MessageId>('other')]
const plain = recordOf(testWorld.tasks[TASK])
const work: TaskRecord = { ...plain, requestedBy: OUTSIDER, requestedIn: { task: TALK, thread: wish } }
const agents: Record<AgentId, AgentRecord> = {
  ...testWorld.agents,
  [OUTSIDER]: { ...recordOf(testWorld.agents[READER]), id: OUTSIDER, kind: 'outside' },
}
const worldWith = (change: Partial<TaskRecord>): World => ({
  ...testWorld,
  agents,
  tasks: { ...testWorld.tasks, [TASK]: { ...work, ...change } },
})
const world = worldWith({})

describe('an agent of another system', () => {
  it('asked for a task when it is named as the one who did, and is no member', () => {
    expect(isOutsideRequester(world, work, OUTSIDER)).toBe(true)
    expect(isOutsideRequester(world, { ...work, group: [OUTSIDER] }, OUTSIDER)).toBe(false)
    expect(isOutsideRequester(world, { ...work, requestedBy: READER }, OUTSIDER)).toBe(false)
    expect(isOutsideRequester(world, { ...work, requestedBy: ANA }, ANA)).toBe(false)
  })

  it('is written to from its conversation by a task that it asked for, else from the task itself', () => {
    expect(selectConversationTask(world, TASK, OUTSIDER)).toBe(TALK)
    expect(selectConversationTask(world, TASK, READER)).toBe(TASK)
    expect(selectConversationTask(worldWith({ requestedIn: null }), TASK, OUTSIDER)).toBe(TASK)
    expect(selectConversationTask(world, other as string as TaskId, OUTSIDER)).toBe(other)
  })

  it('is waited for by an agent of ours that has a lock on it', () => {
    const { lock } = sampleShapeOf('lock.added')
    const locked = (on: AgentId): World => ({
      ...world,
      work: { [READER]: { todo: [], running: null, locks: [{ ...lock, on, task: TASK, at: 1 }] } },
    })
    expect(waitsForOutside(locked(OUTSIDER), READER, OUTSIDER)).toBe(true)
    expect(waitsForOutside(locked(MANAGER), READER, OUTSIDER)).toBe(false)
    expect(waitsForOutside(locked(MANAGER), READER, MANAGER)).toBe(false)
    expect(waitsForOutside(world, READER, OUTSIDER)).toBe(false)
  })
})

it('requests for work are taken in the base task, and in a conversation by the one who holds it', () => {
  const talk = { base: false, conversation: true, manager: MANAGER } as const
  expect(takesRequests({ ...talk, base: true, conversation: undefined }, READER)).toBe(true)
  expect(takesRequests(talk, MANAGER)).toBe(true)
  expect(takesRequests(talk, READER)).toBe(false)
  expect(takesRequests({ base: false, manager: MANAGER }, MANAGER)).toBe(false)
})

describe('the work of a conversation', () => {
  it('is the tasks that were asked for in it', () => {
    expect(selectWorkOf(world, TALK).map(({ id }) => id)).toEqual([TASK])
    expect(selectWorkOf(world, BASE)).toEqual([])
    expect(selectWorkOf(worldWith({ requestedIn: { task: BASE, thread: wish } }), TALK)).toEqual([])
  })

  it('is looked for once for all conversations while no task changes: a peer may have thousands of both', () => {
    let passes = 0
    const tasks = new Proxy(world.tasks, {
      ownKeys(all) {
        passes += 1
        return Reflect.ownKeys(all)
      },
    })
    for (const conversation of [TALK, BASE, TALK]) selectWorkOf({ tasks }, conversation)
    expect(passes).toBe(1)
  })

  it('goes on until its task is over, for the message that asked for it and no other', () => {
    expect([hasOpenWork(world, TALK), hasOpenWork(world, TALK, wish), hasOpenWork(world, TALK, other)]).toEqual([
      true,
      true,
      false,
    ])
    const ended = worldWith({ state: 'finished' })
    expect([hasOpenWork(ended, TALK), hasOpenWork(ended, TALK, wish)]).toEqual([false, false])
  })
})

describe('what was said in a conversation', () => {
  const conversation = {
    ...only(only(having(emptyWorld, sampleOf('conversation.opened')).conversations)),
    task: TALK,
    agent: OUTSIDER,
    ours: MANAGER,
  }

  it('is found in it, and in its work where it was said to the partner', () => {
    const own = makeMessage('own', { task: TALK })
    const [told, inside] = [makeMessage('told', { receivers: [OUTSIDER] }), makeMessage('inside')]
    const all = [own, told, inside].reduce(withMessage, world)
    expect(findSaid(all, conversation, own.id)).toBe(own)
    expect(findSaid(all, conversation, told.id)).toBe(told)
    expect(findSaid(all, conversation, inside.id)).toBeNull()
    expect(findSaid(all, conversation, other)).toBeNull()
  })

  it('comes from its sender in the conversation itself, and from the known partner for its work', () => {
    expect(selectVoice(makeMessage('a', { task: TALK, sender: READER }), conversation)).toBe(READER)
    expect(selectVoice(makeMessage('a', { sender: READER }), conversation)).toBe(MANAGER)
  })
})

describe('what a message says of work', () => {
  const report = (change: Partial<MessageRecord>, of: World = world) =>
    selectWorkReport(of, makeMessage('said', { sender: READER, at: 50, ...change }), OUTSIDER)
  const talks = { task: TALK, replyTo: wish } as const

  it('in the task itself is that it goes on, or that an answer is needed', () => {
    expect(report({})).toEqual({ state: 'working', request: wish })
    expect(report({ type: 'action' })).toEqual({ state: 'input_required', request: wish })
    expect(report({}, worldWith({ requestedIn: null }))).toBeNull()
    expect(report({}, worldWith({ requestedBy: ANA }))).toBeNull()
  })

  it('in its conversation is nothing when it answers no message, or one that asked for no work', () => {
    expect(report({ task: TALK })).toBeNull()
    expect(report({ task: TALK, said: { say: 'workBegun', with: {} } as MessageRecord['said'] })).toBeNull()
    expect(report({ ...talks, replyTo: other })).toBeNull()
  })

  it('is that it goes on from its beginning to its end', () => {
    const lived = (createdAt: number, endedAt: number | null) =>
      report(talks, worldWith({ createdAt, endedAt, state: endedAt === null ? 'running' : 'finished' }))?.state ?? null
    expect([lived(50, null), lived(51, null)]).toEqual(['working', null])
    expect([lived(0, 50), lived(0, 49), lived(0, 51)]).toEqual(['working', null, 'working'])
    expect(report({ ...talks, type: 'action' })).toEqual({ state: 'input_required', request: wish })
  })

  it('is what the program says of it', () => {
    const says = (say: string, more: object = {}, withWords: object = {}) =>
      report({ ...talks, said: { say, with: withWords } as MessageRecord['said'], ...more })
    for (const say of ['workBegun', 'stageEnded', 'stageRetried', 'workResumed'])
      expect(says(say)?.state, say).toBe('working')
    expect([says('workPaused')?.state, says('workStopped')?.state]).toEqual(['paused', 'stopped'])
    expect(says('taskEnded')?.state).toBe('finished')
    expect(says('taskEnded', {}, { failed: true })?.state).toBe('failed')
    // An end asks for nothing, whatever is asked beside it.
    expect(says('taskEnded', { type: 'action' })).toEqual({ state: 'finished', request: wish })
    expect(says('workBegun', { type: 'action' })?.state).toBe('input_required')
  })
})
