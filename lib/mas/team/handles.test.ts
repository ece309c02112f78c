/** The short names that prompts give to agents, tasks and stages, and what a name in an answer means. */
import { describe, expect, it } from 'vitest'
import {
  ANA,
  ANALYST,
  addTask,
  goals,
  MANAGER,
  managerSays,
  must,
  READER,
  stageAt,
  stagesOf,
  storyOf,
} from '@/test/stories'
import type { Story } from '@/test/worldHistories'
import { type AgentId, asId, type PeerId, type StageId, type TaskId } from '../ids'
import type { AgentRecord, World } from '../records'
import { agentHandle, agentNamed, namesWithHandles, stageHandle, stageNamed, taskHandle, taskNamed } from './handles'

const agentOf = (world: World, id: AgentId): AgentRecord => must(world.agents[id], 'agent')
const stranger = (n: number): AgentId => asId<AgentId>(`${n}0000000-0000-4000-8000-000000000000`)

/** The world with these agents beside the team, each without a configured id unless it is told. */
function withAgents(world: World, ...more: (Partial<AgentRecord> & { id: AgentId; name: string })[]): World {
  const made = more.map((one) => ({ ...agentOf(world, READER), configId: null, ...one }))
  return { ...world, agents: { ...world.agents, ...Object.fromEntries(made.map((agent) => [agent.id, agent])) } }
}
const base = (): World => storyOf(goals('read', READER)).story.world

describe('the handle of an agent', () => {
  it('is its configured id', () => {
    const world = base()
    expect(agentHandle(world, agentOf(world, READER))).toBe('reader')
  })

  it('is its name where it was not configured, also one of several words', () => {
    const world = withAgents(base(), { id: stranger(7), name: 'Price Watch' })
    expect(agentHandle(world, agentOf(world, stranger(7)))).toBe('Price Watch')
  })

  it('has the beginning of the id behind the name that another agent has, or is configured as', () => {
    const twice = withAgents(base(), { id: stranger(7), name: 'Watch' }, { id: stranger(8), name: 'watch ' })
    const handles = [7, 8].map((n) => agentHandle(twice, agentOf(twice, stranger(n))))
    expect(handles).toEqual(['Watch-700000', 'watch -800000'])
    const asConfigured = withAgents(base(), { id: stranger(7), name: 'Ana' })
    expect(agentHandle(asConfigured, agentOf(asConfigured, stranger(7)))).toBe('Ana-700000')
  })

  it('[R185] is the URI of an agent of another system, also when another of that name turns up', () => {
    const uris = ['agent://north.example/planner', 'agent://south.example/planner']
    const outsiders = uris.map((uri, at) => ({
      id: stranger(7 + at),
      name: 'planner',
      kind: 'outside' as const,
      outside: { uri, peer: asId<PeerId>(stranger(6)) },
    }))
    for (const known of [outsiders.slice(0, 1), outsiders]) {
      const team = withAgents(base(), ...known)
      const found = known.map(({ id }) => agentOf(team, id))
      expect(found.map((agent) => agentHandle(team, agent))).toEqual(uris.slice(0, known.length))
      expect(found.map((agent) => agentNamed(team, agentHandle(team, agent))?.id)).toEqual(known.map(({ id }) => id))
    }
  })

  it('stands behind the name in a list, and alone where it is the name', () => {
    const world = withAgents(base(), { id: stranger(7), name: 'Watch' })
    const agents = [agentOf(world, READER), agentOf(world, stranger(7))]
    expect(namesWithHandles(world, agents)).toBe('Reader (reader), Watch')
    expect(namesWithHandles(world, [])).toBe('')
  })
})

describe('an agent is meant by', () => {
  const world = withAgents(base(), { id: stranger(7), name: 'Price Watch' })
  it.each<[string, string, AgentId]>([
    ['its id', READER, READER],
    ['its id with the prefix of a StateID', `LLMAgent_${READER}`, READER],
    ['its configured id', 'reader', READER],
    ['its name', 'Reader', READER],
    ['its name in other letters', '  READER ', READER],
    ['its name as it is mentioned in a chat', '@Reader', READER],
    ['its name in full-width letters', 'Ｒｅａｄｅｒ', READER],
    ['a name of several words, spaced otherwise', 'price   watch', stranger(7)],
  ])('an agent is found by %s', (_, text, expected) => {
    expect(agentNamed(world, text)?.id).toBe(expected)
  })

  it.each(['', '@', 'Rea', 'nobody', 'constructor', 'toString', '__proto__'])('no text that nobody has: %j', (text) => {
    expect(agentNamed(world, text)).toBeNull()
  })

  it('its handle, whichever it is', () => {
    const twice = withAgents(base(), { id: stranger(7), name: 'Watch' }, { id: stranger(8), name: 'Watch' })
    for (const agent of Object.values(twice.agents)) {
      expect(agentNamed(twice, agentHandle(twice, agent))?.id, agent.name).toBe(agent.id)
    }
  })

  it('no name that several have, unless one of them alone is a member of the task', () => {
    const { story, task } = storyOf(goals('read', READER))
    const twice = withAgents(story.world, { id: stranger(7), name: 'Watch' }, { id: stranger(8), name: 'Watch' })
    expect(agentNamed(twice, 'Watch')).toBeNull()
    expect(agentNamed(twice, 'Watch', task)).toBeNull()
    const inTask = (...members: AgentId[]): World => {
      const record = must(twice.tasks[task], 'task')
      return { ...twice, tasks: { ...twice.tasks, [task]: { ...record, group: [...record.group, ...members] } } }
    }
    expect(agentNamed(inTask(stranger(8)), 'Watch', task)?.id).toBe(stranger(8))
    expect(agentNamed(inTask(stranger(7), stranger(8)), 'Watch', task)).toBeNull()
  })

  it('no name of one who left, which is free for one who is there', () => {
    const left = withAgents(base(), { id: stranger(7), name: 'Watch', removed: true })
    expect(agentNamed(left, 'Watch')).toBeNull()
    const replaced = withAgents(left, { id: stranger(8), name: 'Watch' })
    expect(agentNamed(replaced, 'Watch')?.id).toBe(stranger(8))
  })
})

describe('a task is meant by', () => {
  it('its id, its handle, and its name while it goes on', () => {
    const { story, task } = storyOf(goals('read', READER))
    const { world } = story
    const handle = taskHandle({ id: task })
    expect(handle).toBe(`task-${task.slice(0, 6)}`)
    for (const text of [task, `TaskState_${task}`, handle, handle.toUpperCase(), 'Compare', ' compare ']) {
      expect(taskNamed(world, text)?.id, text).toBe(task)
    }
    for (const text of ['', 'task-', 'Comp', 'constructor']) expect(taskNamed(world, text), text).toBeNull()
  })

  it('no name of several, and the name of the only one that goes on', () => {
    const { story, task } = storyOf(goals('read', READER))
    const other = addTask(story, [goals('count', READER)])
    story.put(ANA, { type: 'renameTask', task: other, name: 'Compare' })
    expect(taskNamed(story.world, 'Compare')).toBeNull()
    story.put(ANA, { type: 'finishTask', task, state: 'finished', summary: 'done', reason: 'done' })
    expect(taskNamed(story.world, 'Compare')?.id).toBe(other)
    expect(taskNamed(story.world, taskHandle({ id: task }))?.id).toBe(task)
  })

  it('no handle that two tasks have', () => {
    const { story, task } = storyOf(goals('read', READER))
    const twin = asId<TaskId>(`${task.slice(0, 6)}ff-0000-4000-8000-000000000000`)
    const world = {
      ...story.world,
      tasks: { ...story.world.tasks, [twin]: { ...must(story.world.tasks[task], 'task'), id: twin, name: 'Other' } },
    }
    expect(taskNamed(world, taskHandle({ id: task }))).toBeNull()
    expect(taskNamed(world, task)?.id).toBe(task)
  })
})

describe('a stage', () => {
  const better = { intention: 'better', allocation: { [READER]: 'again' } }
  const retries = (story: Story, stage: StageId): void => {
    expect(story.put(ANA, { type: 'retryStage', stage, better, reason: 'not all' })).not.toBeNull()
  }
  const handlesOf = (world: World): string[] => stagesOf(world).map((stage) => stageHandle(world, stage))

  it('is called by its place in the plan', () => {
    const { story } = storyOf(goals('read', READER), goals('compare', ANALYST), goals('write', MANAGER))
    expect(handlesOf(story.world)).toEqual(['stage 1', 'stage 2', 'stage 3'])
  })

  it('that is tried again is a try of its number, and those behind it keep theirs', () => {
    const { story } = storyOf(goals('read', READER), goals('compare', ANALYST))
    retries(story, stageAt(story.world, 0).id)
    expect(handlesOf(story.world)).toEqual(['stage 1', 'stage 1 try 2', 'stage 2'])
    retries(story, stageAt(story.world, 1).id)
    expect(handlesOf(story.world)).toEqual(['stage 1', 'stage 1 try 2', 'stage 1 try 3', 'stage 2'])
  })

  it('that is tried again by several has a handle for each of them', () => {
    const { story, task } = storyOf(goals('read', READER), goals('compare', ANALYST))
    const stage_id = stageAt(story.world, 0).id
    story.ask('do it in two')
    managerSays(story, {
      action: 'retry_stage',
      task_id: task,
      stage_id,
      stages: [goals('read half', READER), goals('read the rest', READER)],
    })
    expect(handlesOf(story.world)).toEqual(['stage 1', 'stage 1 try 2', 'stage 1 try 3', 'stage 2'])
  })

  it('is meant by its id, its handle, its number, and these in Chinese', () => {
    const { story, task } = storyOf(goals('read', READER), goals('compare', ANALYST))
    retries(story, stageAt(story.world, 0).id)
    const { world } = story
    const [first, again, second] = stagesOf(world).map(({ id }) => id)
    const meant = (text: string) => stageNamed(world, task, text)?.id
    for (const text of ['stage 1', '1', ' Stage  1 ', 'stage_1', 'stage-1', '阶段 1', '阶段1', '第1']) {
      expect(meant(text), text).toBe(first)
    }
    for (const text of ['stage 1 try 2', 'stage_1_try_2', '1 try 2', '阶段 1 try 2'])
      expect(meant(text), text).toBe(again)
    for (const text of ['stage 2', '2', '阶段 2', '２']) expect(meant(text), text).toBe(second)
    expect(meant(must(second, 'stage'))).toBe(second)
    expect(meant(`StageState_${second}`)).toBe(second)
    for (const text of ['', 'stage', 'stage 3', '0', '-1', 'compare', 'constructor', 'stage 2 try 2']) {
      expect(meant(text), text).toBeUndefined()
    }
  })

  it('of another task is not meant', () => {
    const { story, task } = storyOf(goals('read', READER))
    const other = addTask(story, [goals('count', READER), goals('write', READER)], 'Count')
    expect(stageNamed(story.world, task, 'stage 2')).toBeNull()
    expect(stageNamed(story.world, task, stageAt(story.world, 0, other).id)).toBeNull()
    expect(stageNamed(story.world, other, 'stage 2')?.id).toBe(stageAt(story.world, 1, other).id)
  })
})

describe('[R342] a name that differs in case, spaces, hyphens or underscores', () => {
  it('means the one agent that it can mean, and none where it fits two', () => {
    const world = withAgents(base(), { id: stranger(7), name: 'French Writer' })
    for (const text of ['french_writer', 'French-Writer', 'frenchwriter', '@FRENCH WRITER'])
      expect([text, agentNamed(world, text)?.id]).toEqual([text, stranger(7)])
    const two = withAgents(world, { id: stranger(8), name: 'french-writer' })
    expect(agentNamed(two, 'French Writer')?.id).toBe(stranger(7))
    expect(agentNamed(two, 'french-writer')?.id).toBe(stranger(8))
    expect(agentNamed(two, 'french_writer')).toBeNull()
    for (const text of ['', '-', '_ _']) expect(agentNamed(world, text)).toBeNull()
  })

  it('means a task by its handle or name, and a stage by its handle or its unique name', () => {
    const { story, task } = storyOf({ ...goals('read', READER), stage_name: 'Read lists' }, goals('write', ANALYST))
    const record = must(story.world.tasks[task], 'task')
    for (const text of [taskHandle(record).replace('-', '_'), record.name.toUpperCase().replaceAll(' ', '_')])
      expect(taskNamed(story.world, text)?.id).toBe(task)
    const [first] = stagesOf(story.world)
    for (const text of ['stage1', 'Stage_1', 'read-lists'])
      expect(stageNamed(story.world, task, text)?.id).toBe(first?.id)
  })
})
