/** Fixed cases of what a view of records holds for a class of viewers: records of others are not in it. */
import { describe, expect, it } from 'vitest'
import type { AgentId, RequestId, TaskId } from '@/lib/mas/ids'
import { PLAIN_QUESTION } from '@/lib/mas/messages/commands/personSends'
import { emptyWorld, type InfoLine, type World } from '@/lib/mas/records'
import { RECORD_IDS } from '@/lib/mas/records/recordIds'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { withRecords } from '@/lib/wire/records'
import type { ParsedRecordView } from '@/lib/wire/views'
import {
  ANA,
  ANALYST,
  addTask,
  BEN,
  goals,
  LEE,
  MANAGER,
  must,
  plans,
  READER,
  says,
  stepsOf,
  storyOf,
  tell,
} from '@/test/stories'
import { BASE_TASK, outcomeOf, planned, Story, send } from '@/test/worldHistories'
import { scopeText, type ViewScope } from '../viewScope'
import { recordSource } from './changes'

/** The world that a page makes of the view. */
const held = (world: World, view: ParsedRecordView, scope: ViewScope): World =>
  withRecords(emptyWorld, recordSource(view, scopeText(scope)).all(world), [])
const ALL: ViewScope = { see: 'all' }
const tasks = (...seen: TaskId[]): ViewScope => ({ see: 'tasks', tasks: seen })
const person = (id: AgentId): ViewScope => ({ see: 'person', person: id })

/** Two tasks of Reader, in the first of which it waits for Ben; Ana and Lee each have a thread of the base task. */
function world() {
  const { story, task } = storyOf(goals('read', READER))
  const other = addTask(story, [goals('count', READER, ANALYST)], 'Other')
  plans(story, READER, 'send_message', 'think')
  story.put(LEE, send(LEE, [MANAGER], { text: 'of Lee', kind: 'action' }))
  story.put(LEE, send(LEE, [BEN], { text: 'to Ben' }))
  story.run(READER, () => outcomeOf({ memory: [{ add: 'of the first' }], steps: { insert: [], add: [] } }))
  while (story.world.work[READER]?.todo[0]?.task === other) story.run(READER, () => outcomeOf({}))
  return { story, task, other, world: story.world }
}

describe('the view of a task', () => {
  it('[R58] the view of a task holds that task only, without the thread in which it was requested, with all people and the agents that take part in it', () => {
    const { world: all, task, other } = world()
    const cut = held(all, { kind: 'task', task }, ALL)
    expect(Object.keys(cut.tasks)).toEqual([task])
    expect(Object.keys(cut.messages)).toEqual([task])
    expect(Object.keys(cut.stages)).toEqual([task])
    expect(cut.baseTask).toBeNull()
    expect(Object.keys(cut.steps)).toEqual([])
    expect(cut.agents[LEE]).toBeDefined()
    expect(cut.agents[READER]).toBeDefined()
    expect(cut.tasks[task]?.requestedIn).toBeNull()
    expect(must(all.tasks[task], 'task').requestedIn).not.toBeNull()
    const bare = held(all, { kind: 'task', task: 'none' as TaskId }, ALL)
    expect([bare.tasks, bare.messages, bare.stages]).toEqual([{}, {}, {}])
    expect(Object.values(bare.agents).every(({ kind }) => kind === 'human')).toBe(true)
    expect(held(all, { kind: 'task', task: other }, ALL).agents[ANALYST]).toBeDefined()
  })

  it('[R841] holds the agents of the team for those who read a plan, which may give a part to any of them, and for no others', () => {
    const story = new Story()
    const wish = { task: BASE_TASK, sender: BEN, receivers: [MANAGER], text: 'Compare', attachments: [] }
    const agentsOf = (reader: AgentId) =>
      Object.keys(held(story.world, { kind: 'task', task: BASE_TASK }, person(reader)).agents)
    story.put(BEN, { ...PLAIN_QUESTION, ...wish, reviewPlans: true })
    expect(agentsOf(BEN)).not.toContain(ANALYST)
    const instruction = {
      action: 'add_task' as const,
      task_name: 'Compare',
      task_intention: 'Compare',
      members: [READER],
    }
    story.run(MANAGER, () => tell({ ...instruction, stages: [goals('read', READER)], reply: 'Begun.' }))
    expect(agentsOf(BEN)).toEqual(expect.arrayContaining([ANALYST, READER]))
    expect(agentsOf(LEE)).not.toContain(ANALYST)
  })

  it('the view of the base task holds a participant’s own threads, with their deliveries and requests', () => {
    const { world: all } = world()
    const view = { kind: 'task', task: BASE_TASK } as const
    const textsOf = (cut: World) => Object.values(cut.messages[BASE_TASK] ?? {}).map(({ text }) => text)
    const everything = held(all, view, ALL)
    expect(everything.baseTask).toBe(BASE_TASK)
    expect(textsOf(everything)).toEqual(textsOf(all))
    const ofLee = held(all, view, person(LEE))
    expect(textsOf(ofLee)).toEqual(['of Lee', 'to Ben'])
    expect(textsOf(held(all, view, person(BEN)))).toEqual(['to Ben'])
    const deliveries = (cut: World) =>
      Object.entries(cut.deliveries[BASE_TASK] ?? {}).map(([who, own]) => [who, Object.keys(own).length])
    expect(deliveries(ofLee)).toEqual([
      [MANAGER, 1],
      [BEN, 1],
    ])
    expect(deliveries(held(all, view, person(BEN)))).toEqual([[BEN, 1]])
    const nobody = held(all, view, person('nobody' as AgentId))
    expect(nobody.messages).toEqual({})
    expect(nobody.deliveries).toEqual({})
    expect(nobody.tasks[BASE_TASK]).toBeDefined()
  })

  it('the view of the base task holds a request for the people who are asked and for readers of its thread', () => {
    const { story } = world()
    const root = must(
      Object.values(story.world.messages[BASE_TASK] ?? {}).find(({ text }) => text === 'of Lee'),
      'message',
    )
    const request = {
      id: 'request' as RequestId,
      task: BASE_TASK,
      thread: root.thread,
      asked: [BEN],
      openedSeq: 1,
      changedAt: 1,
    } as never
    const all = { ...story.world, requests: { [BASE_TASK]: { ['request' as RequestId]: request } } }
    const has = (scope: ViewScope) =>
      held(all, { kind: 'task', task: BASE_TASK }, scope).requests[BASE_TASK] !== undefined
    expect([has(person(BEN)), has(person(LEE)), has(person(ANA)), has(ALL)]).toEqual([true, true, false, true])
  })

  it('[R199] the view of a task holds the lines of its steps for readers of the whole task, and no step; other views hold no line', () => {
    const { world: all } = world()
    const line = { role: 'Reader', stage: null, content: 'The list is long', agent: READER, at: 1, seq: 1 } as never
    const told = { ...all, info: { [BASE_TASK]: [line] } }
    expect(held(told, { kind: 'task', task: BASE_TASK }, ALL).info[BASE_TASK]).toHaveLength(1)
    expect(held(told, { kind: 'task', task: BASE_TASK }, person(LEE)).info).toEqual({})
    expect(held(told, { kind: 'agent', agent: READER }, ALL).info).toEqual({})
    expect(held(told, { kind: 'task', task: BASE_TASK }, ALL).steps).toEqual({})
  })
})

describe('the view of an agent', () => {
  const view = { kind: 'agent', agent: READER } as const

  it('the view of an agent holds what it does in the tasks that the reader sees', () => {
    const { world: all, task, other } = world()
    const seen = (scope: ViewScope) => Object.keys(held(all, view, scope).steps)
    expect(seen(ALL)).toEqual([task, other])
    expect(seen(tasks(task))).toEqual([task])
    expect(seen(tasks(other))).toEqual([other])
    expect(seen(tasks())).toEqual([])
    expect(seen(person(LEE))).toEqual([])
    const cut = held(all, view, ALL)
    expect(Object.keys(cut.agents)).toEqual([READER])
    expect(Object.keys(cut.work)).toEqual([READER])
    expect(Object.keys(cut.steps[other] ?? {})).toEqual([READER])
    const none = held(all, { kind: 'agent', agent: 'nobody' as AgentId }, ALL)
    expect([none.agents, none.work, none.steps]).toEqual([{}, {}, {}])
  })

  it('the view of an agent holds no steps of other agents in the same task, and no task without a step', () => {
    const { world: all, other } = world()
    const alone = { ...all, steps: { [other]: must(all.steps[other], 'steps') } }
    expect(Object.keys(alone.steps[other] ?? {})).toContain(ANALYST)
    expect(Object.keys(held(alone, view, ALL).steps[other] ?? {})).toEqual([READER])
    const empty = { ...all, steps: { [other]: { [READER]: {} } } }
    expect(held(empty, view, ALL).steps).toEqual({})
  })

  it('the view of an agent keeps a wait of a visible task beside one of a hidden task', () => {
    const { story, task } = storyOf(goals('read', READER))
    plans(story, READER, 'send_message', 'think')
    story.run(READER, () => says([BEN]))
    const lock = must(story.world.work[READER]?.locks[0], 'lock')
    const work = { ...must(story.world.work[READER], 'work'), locks: [lock, { ...lock, task: BASE_TASK }] }
    const [one, two] = held({ ...story.world, work: { [READER]: work } }, view, tasks(task)).work[READER]?.locks ?? []
    expect(one).toEqual(lock)
    expect(two).toMatchObject({ on: null, message: null, request: null, stage: null })
  })

  it('[R60] the view of an agent shows that it waits, and for whom only to readers of the task', () => {
    const { story, task } = storyOf(goals('read', READER))
    plans(story, READER, 'send_message', 'think')
    story.run(READER, () => says([BEN]))
    const lock = must(story.world.work[READER]?.locks[0], 'lock')
    const lockFor = (scope: ViewScope) => held(story.world, view, scope).work[READER]?.locks[0]
    expect(lockFor(ALL)).toBe(lock)
    expect(lockFor(tasks(task))).toBe(lock)
    for (const scope of [tasks(BASE_TASK), tasks(), person(BEN)])
      expect(lockFor(scope)).toEqual({ ...lock, on: null, message: null, request: null, stage: null })
  })

  it('[R630] each change of a step is sent without its goal, its cause and what else stays as it was', () => {
    const { story } = storyOf(goals('read', READER))
    plans(story, READER, 'think')
    const source = recordSource(view, 'all')
    /** The names of the fields that are sent of each record that changed. */
    const sent = (before: World): string[][] =>
      source.changes(before, story.world).patch.map(({ fields }) => Object.keys(fields).sort())
    const before = story.world
    const step = must(story.start(READER), 'step')
    expect(sent(before)).toEqual([
      ['running', 'todo'],
      ['attempt', 'changedAt', 'startedAt', 'startedSeq', 'state'],
    ])
    const started = story.world
    story.finish(step, outcomeOf({}))
    expect(sent(started)).toEqual([
      ['running', 'todo'],
      ['changedAt', 'endedAt', 'endedSeq', 'result', 'state'],
    ])
  })

  it.each(['on', 'message', 'request', 'stage'] as const)(
    'the view of an agent keeps no lock that has its %s only',
    (name) => {
      const { story } = storyOf(goals('read', READER))
      plans(story, READER, 'send_message', 'think')
      story.run(READER, () => says([BEN]))
      const lock = must(story.world.work[READER]?.locks[0], 'lock')
      const bare = { on: null, message: null, request: null, stage: null, [name]: lock[name] }
      const work = { ...must(story.world.work[READER], 'work'), locks: [{ ...lock, ...bare }] }
      const cut = held({ ...story.world, work: { [READER]: work } }, view, tasks())
      expect(cut.work[READER]?.locks[0]?.[name]).toBeNull()
    },
  )

  it('the view of an agent holds its notes of visible tasks; notes of no task are for readers of everything', () => {
    const { world: all, task, other } = world()
    const note = (key: string, of: TaskId | null, seq: number) => ({ key, text: key, task: of, at: 0, seq })
    const told = { ...all, memory: { [READER]: [note('one', task, 1), note('two', other, 2), note('three', null, 3)] } }
    const keys = (scope: ViewScope) => (held(told, view, scope).memory[READER] ?? []).map(({ key }) => key)
    expect(keys(ALL)).toEqual(['one', 'two', 'three'])
    expect(keys(tasks(task))).toEqual(['one'])
    expect(keys(tasks(task, other))).toEqual(['one', 'two'])
    expect(keys(tasks())).toEqual([])
  })
})

describe('the view of a step', () => {
  it('the view of a step holds it with its agent, or with the step that it is bound to', () => {
    const { story, task } = storyOf(goals('read', READER, ANALYST))
    story.run(READER, () => outcomeOf({ steps: { insert: [], add: [planned('files', 'tool'), planned('think')] } }))
    const steps = stepsOf(story.world, READER)
    const seen = (name: string) => {
      const { id } = must(
        steps.find(({ executor }) => executor === name),
        'step',
      )
      const cut = held(story.world, { kind: 'step', step: id }, ALL)
      expect(Object.keys(cut.agents)).toEqual([READER])
      expect(Object.keys(cut.steps)).toEqual([task])
      return stepsIn(cut.steps[task]?.[READER]).map(({ executor }) => executor)
    }
    expect(seen('think')).toEqual(['think'])
    expect(seen('files')).toEqual(['instruction_generation', 'files'])
    expect(seen('instruction_generation')).toEqual(['instruction_generation', 'files'])
    const none = held(story.world, { kind: 'step', step: 'none' as never }, ALL)
    expect([none.steps, none.agents]).toEqual([{}, {}])
  })
})

it('shared lines come and go as the oldest leave: of each change only those that differ are sent', () => {
  const { world: base, task } = world()
  const line = (seq: number): InfoLine => ({
    role: 'reader',
    stage: null,
    content: `line ${seq}`,
    agent: READER,
    at: seq,
    seq,
  })
  const withLines = (...seqs: number[]): World => ({ ...base, info: { ...base.info, [task]: seqs.map(line) } })
  const source = recordSource({ kind: 'task', task }, scopeText(ALL))
  const changed = (before: World, after: World) => {
    const { set, patch, del } = source.changes(before, after)
    expect(patch).toEqual([])
    return [set.map(({ id }) => id), del]
  }
  const id = (seq: number) => RECORD_IDS.line(task, seq)
  expect(changed(withLines(1, 2), withLines(1, 2, 5))).toEqual([[id(5)], []])
  expect(changed(withLines(1, 2, 5), withLines(5, 7))).toEqual([[id(7)], [id(1), id(2)]])
  expect(changed(withLines(1, 2), base)).toEqual([[], [id(1), id(2)]])
  const since = source.since(withLines(1, 2, 5), 1)?.set.map((row) => row.id) ?? []
  expect([1, 2, 5].filter((seq) => since.includes(id(seq)))).toEqual([2, 5])
})
