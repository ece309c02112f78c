/** What is at rest and may leave the world: the last that happened, what holds it back, each limit from both sides. */
import { describe, expect, it } from 'vitest'
import { sampleShapeOf } from '@/test/samples'
import { apply, having, like, only, sampleWorld } from '@/test/sampleWorld'
import type { EventShape, MasEvent } from '../events'
import { asId, type MessageId, type RequestId, type StageId, type StepId, type TaskId } from '../ids'
import { emptyWorld, type TaskRecord, type World } from '../records'
import {
  archivableAt,
  EVICT_AT,
  isArchivable,
  isCrowded,
  selectArchivableThreads,
  selectEvictable,
  selectTaskArchivable,
  WINDOW,
} from './archivable'

const HOUR = 3_600_000
const { task, agent, step } = sampleShapeOf('step.added')
const { message } = sampleShapeOf('message.sent')
const person = only(sampleShapeOf('message.sent').receivers)
const { config } = sampleShapeOf('agent.created')
const recordOf = (world: World, id: TaskId = task): TaskRecord => {
  const record = world.tasks[id]
  if (!record) throw new Error('there is no task')
  return record
}
const restOf = (world: World) => selectTaskArchivable(world, recordOf(world))
const withPerson = having(
  sampleWorld,
  like('agent.created', { agent: person, config: { ...config, id: person, kind: 'human', access: 'participant' } }),
)
/** All of the sample is over: at 1,000 but for what is named. */
const ended = having(
  withPerson,
  like('step.finished'),
  like('request.ended', { state: 'superseded' }),
  like('message.delivery', { state: 'answered' }),
  like('task.finished'),
)

describe('the time at which something may leave', () => {
  it.each([
    ['task', false, 24 * HOUR],
    ['task', true, 7 * 24 * HOUR],
    ['thread', false, HOUR],
    ['thread', true, 24 * HOUR],
  ] as const)('of a %s, unseen: %s, is so long after the last that happened', (kind, unseen, ms) => {
    expect(archivableAt({ since: 5_000, unseen }, kind)).toBe(5_000 + ms)
  })
})

describe('a task rests', () => {
  it('since the last that happened in it, whatever that was', () => {
    expect(restOf(ended)).toEqual({ since: 1_000, unseen: false })
    const late = (...events: MasEvent[]) =>
      restOf(events.reduce((world, made) => apply(world, made, 9_000), withPerson))?.since
    const [done, over, answered, finished] = [
      like('step.finished'),
      like('request.ended', { state: 'superseded' }),
      like('message.delivery', { state: 'answered' }),
      like('task.finished'),
    ]
    expect(late(done, over, answered, finished)).toBe(9_000)
    for (const last of [done, over, answered, finished]) {
      const before = [done, over, answered, finished].filter((one) => one !== last)
      expect(restOf(apply(having(withPerson, ...before), last, 9_000))?.since, last.type).toBe(9_000)
    }
    const said = like('message.sent', { message: asId<MessageId>('late'), kind: 'fyi', receivers: [] })
    expect(restOf(apply(ended, said, 9_000))?.since).toBe(9_000)
  })

  it('not while it goes on, or is the base task', () => {
    const going = having(
      withPerson,
      like('step.finished'),
      like('request.ended', { state: 'superseded' }),
      like('message.delivery', { state: 'answered' }),
    )
    expect(restOf(going)).toBeNull()
    expect(isArchivable(ended, { ...recordOf(ended), base: true })).toBe(false)
    expect(isArchivable(ended, recordOf(ended))).toBe(true)
  })

  it('as a conversation while nothing goes on in it, though it is never over', () => {
    const talk = { ...recordOf(withPerson), conversation: true as const }
    expect(isArchivable(withPerson, talk)).toBe(true)
    expect(isArchivable(withPerson, { ...talk, paused: { by: person, reason: '', at: 1 } })).toBe(false)
    expect(isArchivable(having(withPerson, like('stage.started')), talk)).toBe(false)
    expect(isArchivable(having(withPerson, like('stage.started'), like('stage.finished')), talk)).toBe(true)
  })

  it.each([
    ['a step that is not over', like('step.added', { step: asId<StepId>('open') })],
    ['an open request', like('request.opened', { request: asId<RequestId>('open') })],
    ['a lock', like('lock.added')],
    ['a call under way', like('effect.started')],
  ])('not with %s', (_, made) => {
    expect(restOf(apply(ended, made))).toBeNull()
  })

  it('with locks and calls of another task', () => {
    const elsewhere = asId<TaskId>('elsewhere')
    expect(
      restOf(having(ended, like('lock.added', { task: elsewhere }), like('effect.started', { task: elsewhere }))),
    ).not.toBeNull()
  })
})

it('a conversation stays while work that was asked for in it goes on', () => {
  const asked = asId<TaskId>('asked')
  const made = having(ended, like('task.added', { task: asked, requestedIn: { task, thread: message } }))
  const talk = { ...recordOf(ended), conversation: true as const }
  expect(selectTaskArchivable(made, talk)).toBeNull()
  expect(selectTaskArchivable(made, recordOf(ended))).not.toBeNull()
  expect(selectTaskArchivable(having(made, like('task.finished', { task: asked })), talk)).not.toBeNull()
})

describe('a message', () => {
  const said = (change: Partial<EventShape<'message.sent'>>, ...then: MasEvent[]) => {
    const id = asId<MessageId>('said')
    return restOf(having(ended, like('message.sent', { message: id, ...change }), ...then))
  }
  const got = (state: 'shown' | 'queued', who = person) =>
    like('message.delivery', { message: asId<MessageId>('said'), agent: who, state })
  const asks = like('message.asked', {
    asks: [{ request: asId<RequestId>('asked'), person, message: asId<MessageId>('said') }],
  })
  const asked = { task, request: asId<RequestId>('asked') }
  const done = like('request.answered', {
    ...asked,
    answer: { by: person, for: null, decision: 'done', text: '', arguments: null },
  })

  it('that asks holds its task until that is over', () => {
    expect(said({ kind: 'urgent' }, asks)).toBeNull()
    const acknowledged = like('request.claimed', { ...asked, agent: person, until: null })
    expect(said({ kind: 'urgent' }, asks, acknowledged)).toBeNull()
    expect(said({ kind: 'urgent' }, asks, done)).toMatchObject({ unseen: false })
    expect(said({ kind: 'action' }, asks, like('request.ended', { ...asked, state: 'superseded' }))).toMatchObject({
      unseen: true,
    })
  })

  it('that only tells something waits longer until it is seen', () => {
    expect(said({ kind: 'fyi', waiting: null })).toMatchObject({ unseen: true })
    expect(said({ kind: 'fyi', waiting: null }, got('shown'))).toMatchObject({ unseen: false })
  })

  it('whose delivery is gone holds nothing', () => {
    const sent = having(ended, like('message.sent', { message: asId<MessageId>('said'), waiting: null }))
    expect(restOf({ ...sent, deliveries: {} })).toEqual({ since: 1_000, unseen: false })
  })

  it('of agents holds nothing; one that is still in the queue does', () => {
    expect(said({ receivers: [agent] })).toMatchObject({ unseen: false })
    expect(said({ receivers: [agent] }, got('queued', agent))).toBeNull()
  })

  it('that asks holds a conversation, which is not over', () => {
    const world = having(
      withPerson,
      like('step.finished'),
      like('request.ended', { state: 'superseded' }),
      like('message.delivery', { state: 'answered' }),
      like('message.sent', { message: asId<MessageId>('said'), waiting: null }),
      asks,
    )
    expect(selectTaskArchivable(world, { ...recordOf(world), conversation: true })).toBeNull()
    expect(selectTaskArchivable(having(world, done), { ...recordOf(world), conversation: true })).not.toBeNull()
  })
})

describe('threads of the base task', () => {
  const base = having(
    withPerson,
    like('task.added', { base: true }),
    like('step.finished'),
    like('request.ended', { state: 'superseded' }),
    like('message.delivery', { state: 'answered' }),
  )
  const [first, second] = [asId<MessageId>('first'), asId<MessageId>('second')]
  const plain = { kind: 'fyi' as const, waiting: null, receivers: [] }
  const two = having(
    base,
    like('message.sent', { message: first, ...plain }),
    like('message.sent', { message: second, ...plain }),
    like('message.sent', { message: asId<MessageId>('reply'), thread: first, ...plain }),
  )
  const resting = (world: World) => [...selectArchivableThreads(world).keys()].filter((id) => id !== message)

  it('rest each by itself', () => {
    expect(resting(two)).toEqual([first, second])
    const { seed } = sampleShapeOf('request.opened')
    for (const [name, made] of [
      ['step', like('step.added', { step: asId<StepId>('open'), thread: first })],
      ['request', like('request.opened', { request: asId<RequestId>('open'), seed: { ...seed, thread: first } })],
    ] as const)
      expect(resting(apply(two, made)), name).toEqual([second])
  })

  it('are held by a lock on their message or of their step, and by a call of their step', () => {
    const own = asId<StepId>('own')
    const withStep = having(two, like('step.added', { step: own, thread: first }), like('step.finished', { step: own }))
    const { lock } = sampleShapeOf('lock.added')
    expect(resting(withStep)).toEqual([first, second])
    expect(resting(apply(withStep, like('lock.added', { lock: { ...lock, step: own, message: null } })))).toEqual([
      second,
    ])
    expect(resting(apply(withStep, like('lock.added', { lock: { ...lock, step, message: first } })))).toEqual([second])
    expect(resting(apply(withStep, like('lock.added', { lock: { ...lock, step, message: null } })))).toEqual([
      first,
      second,
    ])
    expect(resting(apply(withStep, like('effect.started', { step: own })))).toEqual([second])
    expect(resting(apply(withStep, like('effect.started')))).toEqual([first, second])
  })

  it('stay for a task that was asked for in them, until it is over', () => {
    const asked = asId<TaskId>('asked')
    const made = having(two, like('task.added', { task: asked, requestedIn: { task, thread: first } }))
    expect(resting({ ...made, baseTask: task })).toEqual([second])
    expect(resting({ ...having(made, like('task.finished', { task: asked })), baseTask: task })).toEqual([
      first,
      second,
    ])
  })

  it('are none without a base task', () => {
    expect(selectArchivableThreads(emptyWorld).size).toBe(0)
  })
})

describe('old records of a task that goes on', () => {
  const many = (n: number, made: (n: number) => MasEvent[]): World =>
    having(withPerson, ...Array.from({ length: n }, (_, index) => made(index)).flat())
  const steps = (n: number) =>
    many(n, (index) => {
      const id = asId<StepId>(`step ${index}`)
      return [like('step.added', { step: id, stage: null }), like('step.finished', { step: id })]
    })

  it('leave beyond the window, the oldest first', () => {
    // One step of the sample is there already, and open.
    expect(selectEvictable(steps(WINDOW - 1), task)).toBeNull()
    const found = selectEvictable(steps(WINDOW + 2), task)
    expect(found?.steps[agent]).toEqual(['step 0', 'step 1'])
    expect([found?.messages, found?.requests]).toEqual([[], []])
  })

  it('stay when something open names them', () => {
    const full = steps(WINDOW + 2)
    const { lock } = sampleShapeOf('lock.added')
    const keeps = (made: MasEvent) => selectEvictable(apply(full, made), task)?.steps[agent]
    const zero = asId<StepId>('step 0')
    expect(keeps(like('lock.added', { lock: { ...lock, step: zero } }))).not.toContain(zero)
    expect(keeps(like('effect.started', { step: zero }))).not.toContain(zero)
    expect(keeps(like('lock.added', { task: asId<TaskId>('elsewhere'), lock: { ...lock, step: zero } }))).toContain(
      zero,
    )
    const later = (change: object) => like('step.added', { step: asId<StepId>('later'), stage: null, ...change })
    for (const change of [{ cause: { message: null, step: zero } }, { boundTo: zero }, { retryOf: zero }])
      expect(keeps(later(change)), JSON.stringify(change)).not.toContain(zero)
    expect(keeps(later({}))).toContain(zero)
  })

  it('leave by their age, in whatever order they are kept', () => {
    const world = steps(WINDOW + 2)
    const own = world.steps[task]?.[agent]
    if (!own) throw new Error('there are no steps')
    const turned = Object.fromEntries(Object.entries(own).reverse())
    const found = selectEvictable({ ...world, steps: { [task]: { [agent]: turned } } }, task)
    expect(found?.steps[agent]).toEqual(['step 0', 'step 1'])
  })

  it('are not kept by what is over', () => {
    const zero = asId<StepId>('step 0')
    const last = asId<StepId>('last')
    const { seed } = sampleShapeOf('request.opened')
    const asked = like('request.opened', {
      request: asId<RequestId>('q'),
      seed: { ...seed, message: null, step: zero },
    })
    const caused = like('step.added', { step: last, stage: null, cause: { message: null, step: zero } })
    const full = steps(WINDOW + 2)
    const leaves = (...made: MasEvent[]) => selectEvictable(having(full, ...made), task)?.steps[agent]
    expect(leaves(asked)).not.toContain(zero)
    expect(leaves(asked, like('request.ended', { state: 'superseded', request: asId<RequestId>('q') }))).toContain(zero)
    expect(leaves(caused)).not.toContain(zero)
    expect(leaves(caused, like('step.finished', { step: last }))).toContain(zero)
  })

  it('stay in a stage that runs, as many as its prompts show', () => {
    const { stage } = sampleShapeOf('stage.added')
    const inStage = (state: 'running' | 'finished') => {
      const world = many(WINDOW + 2, (index) => {
        const id = asId<StepId>(`step ${index}`)
        return [like('step.added', { step: id, stage }), like('step.finished', { step: id })]
      })
      const begun = having(world, like('step.finished'), like('stage.started'))
      return state === 'running' ? begun : having(begun, like('stage.finished'))
    }
    expect(selectEvictable(inStage('finished'), task)?.steps[agent]).toHaveLength(2)
    expect(selectEvictable(inStage('running'), task)?.steps[agent]).toHaveLength(2)
    const two = having(
      inStage('running'),
      like('stage.added', { stage: asId<StageId>('two') }),
      like('stage.started', { stage: asId<StageId>('two') }),
    )
    const moved = having(two, like('step.moved', { step: asId<StepId>('step 0'), stage: asId<StageId>('two') }))
    expect(selectEvictable(moved, task)?.steps[agent]).not.toContain('step 0')
  })

  it('that are messages leave when nobody has to see them any more', () => {
    const said = (n: number, change: Partial<EventShape<'message.sent'>>) =>
      many(n, (index) => [
        like('message.sent', { message: asId<MessageId>(`m${index}`), kind: 'fyi', waiting: null, ...change }),
      ])
    expect(selectEvictable(said(WINDOW - 1, { receivers: [] }), task)).toBeNull()
    expect(selectEvictable(said(WINDOW + 2, { receivers: [agent] }), task)?.messages).toEqual(['m0', 'm1'])
    const unseen = said(WINDOW + 2, { receivers: [person] })
    expect(selectEvictable(unseen, task)).toBeNull()
    const dayLater = (ms: number) => ({ ...unseen, at: 1_000 + ms })
    expect(selectEvictable(dayLater(24 * HOUR), task)).toBeNull()
    expect(selectEvictable(dayLater(24 * HOUR + 1), task)?.messages).toEqual(['m0', 'm1'])
  })

  it('[R575] that asked something leave with what became of them, and not before it is over', () => {
    const asks = (isOver: boolean) =>
      many(WINDOW + 2, (index) => {
        const [id, ask] = [asId<MessageId>(`m${index}`), asId<RequestId>(`ask${index}`)]
        const events = [
          like('message.sent', { message: id, kind: 'action', waiting: null, receivers: [person] }),
          like('message.asked', { asks: [{ request: ask, person, message: id }] }),
        ]
        return isOver ? [...events, like('request.answered', { request: ask })] : events
      })
    expect(selectEvictable({ ...asks(false), at: 1_000 + 48 * HOUR }, task)).toBeNull()
    expect(selectEvictable(asks(true), task)).toMatchObject({ messages: ['m0', 'm1'], requests: ['ask0', 'ask1'] })
  })

  it('that are requests leave when they are over', () => {
    const asked = (n: number, isOver: boolean) =>
      many(n, (index) => {
        const id = asId<RequestId>(`r${index}`)
        const opened = like('request.opened', { request: id })
        return isOver ? [opened, like('request.ended', { state: 'superseded', request: id })] : [opened]
      })
    expect(selectEvictable(asked(WINDOW + 2, false), task)).toBeNull()
    expect(selectEvictable(asked(WINDOW + 2, true), task)?.requests).toEqual(['r0', 'r1'])
    expect(selectEvictable(asked(WINDOW - 1, true), task)).toBeNull()
  })

  it('are too many from a number on, of each kind', () => {
    expect([isCrowded(steps(EVICT_AT - 2), task), isCrowded(steps(EVICT_AT - 1), task)]).toEqual([false, true])
    const of = (branch: 'messages' | 'requests', n: number): World => ({
      ...withPerson,
      [branch]: { [task]: Object.fromEntries(Array.from({ length: n }, (_, index) => [index, {}])) },
    })
    for (const branch of ['messages', 'requests'] as const)
      expect([isCrowded(of(branch, EVICT_AT - 1), task), isCrowded(of(branch, EVICT_AT), task)]).toEqual([false, true])
  })
})
