/** Who may see which view, and as what; each right with a second person who has it not. */
import { describe, expect, it } from 'vitest'
import { type AgentId, asId, type StepId, type TaskId } from '@/lib/mas/ids'
import type { AgentRecord, StepRecord, World } from '@/lib/mas/records'
import type { ParsedView } from '@/lib/wire/views'
import { BASE_TASK, send, TEAM, walk } from '@/test/worldHistories'
import { accessLevelOf, requestFor, scopeOfView } from './scopes'

const { ana, ben, lee, reader, analyst, manager } = TEAM
/** Ben is in the task, Lee is not; Ana is an operator. */
const story = walk([])
const { world } = story
const TASK = Object.values(world.tasks).find((one) => !one.base)?.id ?? BASE_TASK
const NO_TASK = asId<TaskId>('no such task')

const agentIn = (base: World, id: AgentId, more: Partial<AgentRecord>): World => {
  const record = base.agents[id]
  if (!record) throw new Error('nobody')
  return { ...base, agents: { ...base.agents, [id]: { ...record, ...more } } }
}
const ALLOWED = null
const sees = (view: ParsedView, person: AgentId, now: World = world) => scopeOfView(now, person, view).closed
const classIn = (view: ParsedView, person: AgentId, now: World = world) => scopeOfView(now, person, view).scopeKey

describe('what you reach', () => {
  it('[R58] is all as operator or developer, your own as participant, and nothing without access', () => {
    const reach = (more: Partial<AgentRecord>) => accessLevelOf(agentIn(world, ben.id, more), ben.id)
    expect(reach({ access: 'operator' })).toBe('all')
    expect(reach({ access: 'developer' })).toBe('all')
    expect(reach({ access: 'participant' })).toBe('own')
    expect(reach({ access: 'none' })).toBeNull()
    expect(reach({ access: 'operator', removed: true })).toBeNull()
    expect(reach({ access: 'operator', kind: 'llm' })).toBeNull()
    expect(accessLevelOf(world, 'nobody' as AgentId)).toBeNull()
  })

  it('[R58] is no view at all without access', () => {
    const out = agentIn(world, ben.id, { access: 'none' })
    for (const kind of ['me', 'overview', 'waits', 'direct', 'agents'] as const)
      expect([kind, sees({ kind }, ben.id, out)]).toEqual([kind, 'not-allowed'])
    for (const kind of ['task', 'tree', 'timeline'] as const)
      expect(sees({ kind, task: TASK, older: null }, ben.id, out)).toBe('not-allowed')
  })
})

describe('your own pages', () => {
  it('[R58] are of your own class, and those of another person of another', () => {
    for (const kind of ['me', 'overview', 'waits', 'direct'] as const) {
      expect(classIn({ kind }, ben.id)).toBe(`own:${ben.id}`)
      expect(classIn({ kind }, lee.id)).toBe(`own:${lee.id}`)
      expect(classIn({ kind }, ana.id)).toBe(`all:${ana.id}`)
    }
  })

  it('[R58] show what the whole team does to those who see all tasks, and to nobody else', () => {
    expect(sees({ kind: 'agents' }, ana.id)).toBe(ALLOWED)
    expect(sees({ kind: 'agents' }, ben.id)).toBe('not-allowed')
  })
})

describe('a task', () => {
  it('[R58] is shown to its members and to those who see all; what is not there is not found', () => {
    for (const view of [
      { kind: 'task', task: TASK },
      { kind: 'tree', task: TASK, older: null },
      { kind: 'timeline', task: TASK, older: null },
    ] as const) {
      expect(sees(view, ben.id)).toBe(ALLOWED)
      expect(sees(view, ana.id)).toBe(ALLOWED)
      expect(sees(view, lee.id)).toBe('not-allowed')
      expect(sees({ ...view, task: NO_TASK }, ana.id)).toBe('not-found')
    }
  })

  it('[R58] is shown whole to its members; of the base task a participant sees their own threads', () => {
    expect(classIn({ kind: 'tree', task: TASK, older: null }, ben.id)).toBe('all')
    expect(classIn({ kind: 'tree', task: BASE_TASK, older: null }, ben.id)).toBe(`person:${ben.id}`)
    expect(classIn({ kind: 'tree', task: BASE_TASK, older: null }, ana.id)).toBe('all')
    expect(classIn({ kind: 'task', task: TASK }, ben.id)).toBe('all')
    expect(classIn({ kind: 'task', task: BASE_TASK }, ana.id)).toBe('all')
    expect(classIn({ kind: 'task', task: BASE_TASK }, ben.id)).toBe(`person:${ben.id}`)
  })
})

describe('an agent', () => {
  const view = (agent: AgentId): ParsedView => ({ kind: 'agent', agent })
  const apart: World = { ...world, tasks: { [TASK]: Object.assign({}, world.tasks[TASK], { former: {} }) } }

  it('[R60] is shown to you with the tasks that you share, the base task aside, and whole to those who see all', () => {
    expect(classIn(view(reader.id), ana.id)).toBe('all')
    expect(classIn(view(reader.id), ben.id)).toBe(`tasks:${TASK}`)
    // They share the base task only.
    expect(classIn(view(manager.id), lee.id)).toBe('tasks:')
  })

  it('[R60] of no task of yours is not shown, but you yourself are', () => {
    expect(sees(view(reader.id), lee.id, apart)).toBe('not-allowed')
    expect(classIn(view(lee.id), lee.id, apart)).toBe('tasks:')
    expect(sees(view(lee.id), ben.id, apart)).toBe('not-allowed')
    expect(sees(view('nobody' as AgentId), ana.id)).toBe('not-found')
  })

  it('[R60] that left a task of yours is shown with it; a task that you left is yours no more', () => {
    const task = world.tasks[TASK]
    const tasksWith = (group: AgentId[], former: object): World => ({
      ...world,
      tasks: { [TASK]: Object.assign({}, task, { group, former }) },
    })
    expect(classIn(view(analyst.id), ben.id, tasksWith([ben.id], { [analyst.id]: 1 }))).toBe(`tasks:${TASK}`)
    expect(sees(view(analyst.id), ben.id, tasksWith([ben.id], {}))).toBe('not-allowed')
    expect(sees(view(analyst.id), ben.id, tasksWith([analyst.id], { [ben.id]: 1 }))).toBe('not-allowed')
  })
})

describe('a step', () => {
  const made = walk([])
  made.put(ben.id, send(ben.id, [manager.id], { text: 'for Ben', kind: 'action' }))
  const started = made.start(manager.id)
  if (!started) throw new Error('no step')
  /** The world with one step, in that task, of that agent. */
  const withStep = (more: Partial<StepRecord>): World => {
    const step = { ...started, ...more }
    return {
      ...made.world,
      steps: { [step.task]: { [step.agent]: { [step.id]: step } } },
    }
  }
  const view: ParsedView = { kind: 'step', step: started.id }

  it('[R58] of a task is shown to its members and to those who see all', () => {
    const now = withStep({ task: TASK, agent: reader.id })
    expect(sees(view, ben.id, now)).toBe(ALLOWED)
    expect(sees(view, ana.id, now)).toBe(ALLOWED)
    expect(sees(view, lee.id, now)).toBe('not-allowed')
    expect(sees({ kind: 'step', step: 'none' as StepId }, ana.id, now)).toBe('not-found')
  })

  it('[R58] of the base task is shown to you in a thread of yours, or when it is your own, and to nobody else', () => {
    const [thread = null] = Object.values(made.world.messages[BASE_TASK] ?? {})
      .filter((message) => message.sender === ben.id)
      .map((message) => message.thread ?? asId<NonNullable<StepRecord['thread']>>(message.id))
    const now = withStep({ task: BASE_TASK, agent: manager.id, thread })
    expect(sees(view, ben.id, now)).toBe(ALLOWED)
    expect(sees(view, lee.id, now)).toBe('not-allowed')
    expect(sees(view, ana.id, now)).toBe(ALLOWED)
    const none = withStep({ task: BASE_TASK, agent: manager.id, thread: null })
    expect(sees(view, ben.id, none)).toBe('not-allowed')
    const own = withStep({ task: BASE_TASK, agent: lee.id, thread: null })
    expect([sees(view, lee.id, own), sees(view, ben.id, own)]).toEqual([ALLOWED, 'not-allowed'])
  })

  it('is not found where none has the id', () => {
    for (const id of ['none', 'constructor', '__proto__'])
      expect(sees({ kind: 'step', step: id as StepId }, ana.id, withStep({ task: TASK, agent: reader.id }))).toBe(
        'not-found',
      )
  })
})

describe('a request', () => {
  // Only what is read of a request is made here.
  const now: World = {
    ...world,
    requests: { [TASK]: Object.assign({}, { r1: { id: 'r1', asked: [ben.id] }, r2: { id: 'r2', asked: [lee.id] } }) },
  }
  it('[R58] is known to those who are asked and to those who see all', () => {
    expect(requestFor(now, ben.id, 'r1')).toEqual({ asked: [ben.id] })
    expect(requestFor(now, ana.id, 'r2')).toEqual({ asked: [lee.id] })
    expect(requestFor(now, ben.id, 'r2')).toBeNull()
    expect(requestFor(now, ana.id, 'r3')).toBeNull()
    expect(requestFor(agentIn(now, ben.id, { access: 'none' }), ben.id, 'r1')).toBeNull()
  })
})
