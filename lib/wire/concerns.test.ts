/** Fixed cases of what is left of an entry whose task is hidden from the viewer. */
import { describe, expect, it } from 'vitest'
import { SAMPLES, sampleOf, sampleShapeOf } from '@/test/samples'
import { type Entry, event, type MasEvent } from '../mas/events'
import { type AgentId, asId, type MessageId, type StepId, SYSTEM_TASK, type TaskId, type WaitingId } from '../mas/ids'
import { NO_STEPS, withNewStep } from '../mas/ownSteps'
import { emptyWorld, type World } from '../mas/records'
import { concerns, cut } from './concerns'
import { scopeText } from './viewScope'
import type { ParsedLogView } from './views'

const [agent, ana] = [asId<AgentId>('agent'), asId<AgentId>('ana')]
const [hidden, seen] = [asId<TaskId>('hidden'), asId<TaskId>('seen')]
const view = { kind: 'agent', agent } as const
const cls = scopeText({ see: 'tasks', tasks: [seen] }, '')
const entryOf = (fact: MasEvent): Entry => ({ seq: 1, at: 5, by: ana, cause: 'command', event: fact })
const released = (task: TaskId): Entry =>
  entryOf(
    event('lock.released', {
      agent,
      task,
      step: asId<StepId>('s'),
      waiting: asId<WaitingId>('w'),
      outcome: 'released',
      by: ana,
      on: ana,
      since: 1,
    }),
  )

it('[R60] the person who ended a wait in a hidden task is named by neither the event nor its entry, but the end of the wait is shown', () => {
  expect(concerns(emptyWorld, released(hidden).event, view, cls)).toBe(true)
  expect(cut(released(hidden), view, cls)).toMatchObject({
    by: '',
    cause: '',
    event: { type: 'lock.released', waiting: 'w', by: SYSTEM_TASK },
  })
  expect(cut(released(seen), view, cls)).toEqual(released(seen))
})

it('[R60] an entry of a hidden task names nothing that it is about', () => {
  const about = { on: ana, message: asId<MessageId>('m'), request: null, stage: null, step: asId<StepId>('s') }
  const lock = { id: asId<WaitingId>('w'), kind: 'message', ...about } as const
  const added = cut(entryOf(event('lock.added', { agent, task: hidden, lock })), view, cls)
  expect(added.event).toMatchObject({ lock: { on: null, message: null, request: null, stage: null } })
})

it('[R58] no entry of any view holds the thread in which a task was requested', () => {
  const members = { manager: agent, group: [agent, ana], requestedBy: ana }
  const requestedIn = { task: seen, thread: asId<MessageId>('root') }
  const task = {
    task: hidden,
    name: 'Compare',
    intention: 'compare',
    base: false,
    ...members,
    requestedIn,
  }
  for (const [shown, all] of [
    [{ kind: 'task', task: task.task } as const, scopeText({ see: 'all' }, '')],
    [view, scopeText({ see: 'all' }, '')],
  ] as const)
    expect(JSON.stringify(cut(entryOf(event('task.added', task)), shown, all))).not.toContain('root')
})

describe('the scope of an event', () => {
  const of = sampleShapeOf('step.added')
  const other = asId<StepId>('another')
  const lee = asId<AgentId>('lee')
  const all = scopeText({ see: 'all' }, '')
  const types = (view: ParsedLogView, cls: string): string[] =>
    SAMPLES.filter((fact) => concerns(emptyWorld, fact, view, cls)).map(({ type }) => type)
  const startsWith = (...names: string[]): string[] =>
    SAMPLES.map(({ type }) => type).filter((type) => names.some((name) => type === name || type.startsWith(`${name}.`)))
  const WHOLE_TASK = ['config.applied', 'task', 'thread.retired', 'records.evicted', 'stage'] as const
  const SPOKEN = ['info.shared', 'message', 'request', 'notice.attempted', 'notice.attemptEnded'] as const

  it('an event of a task concerns the view of that task, and of no other task', () => {
    expect(types({ kind: 'task', task: of.task }, all).sort()).toEqual(
      startsWith(...WHOLE_TASK, ...SPOKEN, 'step.finished').sort(),
    )
    expect(types({ kind: 'task', task: seen }, all)).toEqual(['config.applied'])
  })

  it('[R58] an event in a thread does not concern people who have no part in that thread', () => {
    const ofLee = scopeText({ see: 'person', person: lee }, '')
    expect(types({ kind: 'task', task: of.task }, ofLee).sort()).toEqual(startsWith(...WHOLE_TASK).sort())
    const { sender, receivers } = sampleShapeOf('message.sent')
    for (const person of [sender, ...receivers] as AgentId[]) {
      const { type: _, v: __, message, ...said } = { ...sampleOf('message.sent'), ...sampleShapeOf('message.sent') }
      const record = { ...said, id: message, at: 1, seq: 1 }
      const world: World = { ...emptyWorld, messages: { [of.task]: { [message]: record } } }
      const cls = scopeText({ see: 'person', person }, '')
      const view = { kind: 'task', task: of.task } as const
      expect(
        SAMPLES.filter(({ type }) => type.startsWith('message.')).every((fact) => concerns(world, fact, view, cls)),
      ).toBe(true)
    }
  })

  it('an event of a request concerns the people who are asked, and the readers of its thread', () => {
    const { request, seed } = sampleShapeOf('request.opened')
    const record = { ...seed, id: request, task: of.task, state: 'open' } as never
    const world: World = { ...emptyWorld, requests: { [of.task]: { [request]: record } } }
    const told = (person: AgentId) => {
      const facts = SAMPLES.filter(({ type }) => type.startsWith('request.'))
      const view = { kind: 'task', task: of.task } as const
      return facts.filter((fact) => concerns(world, fact, view, scopeText({ see: 'person', person }, ''))).length
    }
    expect(told(lee)).toBe(0)
    expect(seed.asked.map(told)).toEqual([SAMPLES.filter(({ type }) => type.startsWith('request.')).length])
  })

  it('an event of an agent concerns the view of that agent, and of no other', () => {
    expect(types({ kind: 'agent', agent: of.agent }, all).sort()).toEqual(
      startsWith(
        ...['config.applied', 'agent', 'memory', 'lock', 'step', 'model.called'],
        ...['task.archived', 'task.erased', 'task.woken', 'thread.retired', 'records.evicted'],
      ).sort(),
    )
    expect(types({ kind: 'agent', agent: lee }, all)).toEqual(['config.applied'])
  })

  it('an event of an agent in a hidden task concerns the agent’s view only where it changes its queue or its waits', () => {
    const moves = startsWith('config.applied', 'agent', 'memory.removed', 'lock', 'step').filter(
      (type) => !['lock.bypassed', 'step.instructed', 'step.approved', 'step.moved'].includes(type),
    )
    expect(types({ kind: 'agent', agent: of.agent }, cls).sort()).toEqual(moves.sort())
  })

  it('an event of a step concerns the view of that step, and of no other', () => {
    expect(types({ kind: 'step', step: of.step }, all).sort()).toEqual(
      startsWith('step', 'model.called', 'lock').sort(),
    )
    expect(types({ kind: 'step', step: other }, all)).toEqual([])
  })

  it('an event of a step concerns the view of the step that it is bound to', () => {
    const added = event('step.added', { ...of, boundTo: other })
    expect(concerns(emptyWorld, added, { kind: 'step', step: other }, all)).toBe(true)
    for (const [step, boundTo] of [
      [other, of.step],
      [of.step, other],
    ] as const) {
      const record = { ...of, id: step, boundTo, type: of.kind } as never
      const world: World = { ...emptyWorld, steps: { [of.task]: { [of.agent]: withNewStep(NO_STEPS, record) } } }
      const view = { kind: 'step', step: other } as const
      expect(concerns(world, sampleOf('step.started'), view, all)).toBe(true)
      expect(concerns(world, sampleOf('step.retired'), view, all)).toBe(true)
      expect(concerns(world, event('step.added', of), view, all)).toBe(step === other)
    }
  })

  it('an event of a member concerns the views of the tasks that they take part in; an event of a person concerns all tasks', () => {
    const view = { kind: 'task', task: of.task } as const
    const record = { ...sampleShapeOf('agent.created').config, paused: null, removed: false, createdAt: 1 }
    const named = ['agent.created', 'agent.changed', 'agent.paused', 'agent.resumed', 'agent.removed'] as const
    const told = (world: World) => named.filter((type) => concerns(world, sampleOf(type), view, all))
    const person = { ...record, kind: 'human' as const }
    expect(told(emptyWorld)).toEqual([])
    expect(told({ ...emptyWorld, agents: { [of.agent]: record } })).toEqual([])
    expect(told({ ...emptyWorld, agents: { [of.agent]: person } })).toEqual([...named])
    const created = event('agent.created', { agent: of.agent, config: { ...record, kind: 'human' }, runtime: false })
    expect(concerns(emptyWorld, created, view, all)).toBe(true)
    const { former, ...piece } = { former: {}, ...sampleShapeOf('task.added') }
    const task = {
      ...piece,
      id: of.task,
      former,
      stageOrder: [],
      state: 'running',
      summary: null,
      paused: null,
    } as never
    expect(told({ ...emptyWorld, tasks: { [of.task]: task } })).toEqual([...named])
  })

  it('an event of an agent’s notes concerns the readers of the task that the notes belong to', () => {
    const noteOf = (task: TaskId | null) =>
      event('memory.added', { agent: of.agent, note: { key: 'k', text: 'a', task } })
    const concernsClass = (task: TaskId | null, cls: string) =>
      concerns(emptyWorld, noteOf(task), { kind: 'agent', agent: of.agent }, cls)
    expect([concernsClass(seen, cls), concernsClass(hidden, cls), concernsClass(null, cls)]).toEqual([
      true,
      false,
      false,
    ])
    expect([concernsClass(hidden, all), concernsClass(null, all)]).toEqual([true, true])
    expect(concerns(emptyWorld, noteOf(seen), { kind: 'agent', agent: lee }, all)).toBe(false)
  })
})

describe('the filtered entry', () => {
  const of = sampleShapeOf('step.added')
  const SECRETS = ['think it over', 'no such file', 'not needed', 'the program stopped', 'done', 'a.md', 'human', ana]

  it('[R60] an entry of a hidden task is stripped of everything that it is about', () => {
    const asSeen = { kind: 'agent', agent: of.agent } as const
    const concerned = SAMPLES.filter((fact) => 'task' in fact && concerns(emptyWorld, fact, asSeen, cls))
    expect(concerned.length).toBeGreaterThan(10)
    for (const fact of concerned) {
      const left = cut(entryOf(fact), asSeen, cls)
      expect([left.by, left.cause], fact.type).toEqual(['', ''])
      for (const secret of SECRETS) expect(JSON.stringify(left.event), fact.type).not.toContain(`"${secret}"`)
    }
  })

  it('an entry is whole for readers of its task; an entry of a step comes without the command behind it', () => {
    const fact = sampleOf('step.failed')
    const asSeen = { kind: 'agent', agent: of.agent } as const
    expect(cut(entryOf(fact), asSeen, scopeText({ see: 'all' }, ''))).toEqual(entryOf(fact))
    expect(cut(entryOf(fact), asSeen, scopeText({ see: 'tasks', tasks: [of.task] }, ''))).toEqual(entryOf(fact))
    expect(cut(entryOf(fact), { kind: 'task', task: of.task }, cls)).toEqual(entryOf(fact))
    const step = cut(entryOf(fact), { kind: 'step', step: of.step }, cls)
    expect(step).toEqual({ ...entryOf(fact), cause: '' })
    // What belongs to no task is hidden from nobody who sees the agent.
    const paused = entryOf(sampleOf('agent.paused'))
    expect(cut(paused, asSeen, cls)).toEqual(paused)
  })

  it('[R199] the line that the end of a step says to its task is all that a view of the task has of it, and no other view has it', () => {
    const { line, ...end } = sampleShapeOf('step.finished')
    if (line === undefined) throw new Error('the sample says no line')
    const whole = entryOf(sampleOf('step.finished'))
    const all = scopeText({ see: 'all' }, '')
    const inTask = cut(whole, { kind: 'task', task: of.task }, all)
    expect(inTask.event).toEqual(event('info.shared', { task: of.task, agent: of.agent, line }))
    for (const view of [{ kind: 'agent', agent: of.agent } as const, { kind: 'step', step: of.step } as const])
      for (const seenAs of [all, cls]) expect(JSON.stringify(cut(whole, view, seenAs))).not.toContain(line.content)
    const silent = event('step.finished', end)
    expect(concerns(emptyWorld, silent, { kind: 'task', task: of.task }, all)).toBe(false)
  })

  it('[R58] an entry of a restored task does not say in which thread the task was requested', () => {
    const woken = sampleShapeOf('task.woken')
    const tasks = { ...woken.piece.tasks, requestedIn: { task: seen, thread: asId<MessageId>('root') } } as never
    const whole = entryOf(event('task.woken', { ...woken, piece: { ...woken.piece, tasks } }))
    const left = cut(whole, { kind: 'task', task: woken.task }, scopeText({ see: 'all' }, ''))
    expect(JSON.stringify(left)).not.toContain('root')
    const bare = entryOf(event('task.woken', { ...woken, piece: {} }))
    expect(cut(bare, { kind: 'task', task: woken.task }, scopeText({ see: 'all' }, ''))).toEqual(bare)
  })
})
