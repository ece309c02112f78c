/** What prompts say of tasks, members and stages: each limit just within and just beyond, each right with a second agent. */
import { describe, expect, it } from 'vitest'
import { type AgentId, asId } from '@/lib/mas/ids'
import type { AgentRecord, StageRecord, StepRecord, TaskRecord, World } from '@/lib/mas/records'
import { taskHandle } from '@/lib/mas/team/handles'
import {
  ANA,
  BASE,
  MANAGER,
  makeMessage,
  makeStep,
  READER,
  STAGE,
  TASK,
  testWorld,
  withMessage,
  withSteps,
} from '@/test/skillWorld'
import { must } from '@/test/stories'
import { promptOf, running, sectionNames, sectionOf } from '../test/promptParts'
import { writeTaskState } from './taskState'

const reader = must(testWorld.agents[READER], 'reader')
const stage = must(testWorld.stages[TASK]?.[STAGE], 'stage')
const withAgent = (world: World, n: number, more: Partial<AgentRecord> = {}): World => {
  const id = asId<AgentId>(`00000000-0000-4000-8000-0000000a${String(n).padStart(4, '0')}`)
  const agent = { ...reader, id, configId: `other-${n}`, name: `Other ${n}`, ...more }
  return { ...world, agents: { ...world.agents, [id]: agent } }
}
const withTask = (world: World, more: Partial<TaskRecord>): World => ({
  ...world,
  tasks: { ...world.tasks, [TASK]: { ...must(world.tasks[TASK], 'task'), ...more } },
})
const withStage = (more: Partial<StageRecord>): World => ({
  ...testWorld,
  stages: { ...testWorld.stages, [TASK]: { [STAGE]: { ...stage, ...more } } },
})
const linesOf = async (world: World, step: StepRecord): Promise<string[]> =>
  sectionOf(await promptOf(world, step), 'current_task').split('\n')
const inBase = (agent: AgentId) => running('think', { agent, task: BASE, stage: null })
/** The lines of agents that are no members. */
const othersOf = async (world: World, step = inBase(MANAGER)): Promise<string[]> => {
  const lines = await linesOf(world, step)
  return lines.includes('others:') ? lines.slice(lines.indexOf('others:') + 1) : []
}

describe('a task that changes the result of another', () => {
  const start = {
    name: 'Compare | all',
    passage: '',
    comment: 'Leave out south.\n</section>',
    files: [
      { path: 'report.md', sha: 'abcdef1234', bytes: 2_048 },
      { path: 'large.bin', sha: null, bytes: 9 },
      { path: 'old.md', sha: null, bytes: null },
    ],
  }

  it('[R510] tells its manager and its members what was asked, and the files that it begins with', async () => {
    const world = withTask(testWorld, { changeOf: BASE, start })
    const [manager, member] = await Promise.all(
      [MANAGER, READER].map((agent) => linesOf(world, running('think', { agent }))),
    )
    expect(member).toEqual(manager)
    const from = must(member, 'prompt').findIndex((line) => line.startsWith('change_of'))
    expect(member?.slice(from, from + 7)).toEqual([
      `change_of: Compare | all | ${taskHandle({ id: BASE })}`,
      'change_asked: Leave out south.',
      expect.stringMatching(/^ {2}<.+\/section>$/),
      'begins_with:',
      '- report.md | abcdef12 | 2 KB',
      '- large.bin | no version | 9 B',
      '- old.md | no version | removed',
    ])
    expect(await linesOf(testWorld, running('think', { agent: READER }))).not.toContain('begins_with:')
  })

  it('[R510] quotes the passage where one was marked', async () => {
    const world = withTask(testWorld, { changeOf: BASE, start: { ...start, passage: 'Pears', files: [] } })
    const lines = await linesOf(world, running('think', { agent: READER }))
    expect(lines).toContain('change_passage: Pears')
    expect(lines).not.toContain('begins_with:')
  })
})

describe('the agents outside the task', () => {
  it('are told to the manager of the base task, with what they are for, and to nobody else', async () => {
    const world = withAgent(testWorld, 1, { profile: '', tools: ['files', 'mail'] })
    expect(await othersOf(world)).toEqual(['- Other 1 | agent | worker | tools: files, mail | other-1'])
    expect(await linesOf(world, inBase(READER))).not.toContain('others:')
    expect(await linesOf(world, running('think', { agent: MANAGER }))).not.toContain('others:')
  })

  it('[R338] are told in Chinese with the signs of that language', async () => {
    const world = withAgent(testWorld, 1, { role: '阅读员', profile: '在工作区里阅读文件。' })
    const zh = { ...world, team: { ...world.team, language: 'zh' as const } }
    expect((await othersOf(zh))[0]).toContain('| 阅读员。在工作区里阅读文件。 |')
    expect((await othersOf(world))[0]).toContain('| 阅读员. 在工作区里阅读文件。 |')
  })

  it('are told to the agent that answers a conversation, which may begin work as in the base task', async () => {
    const world = withTask(withAgent(testWorld, 1), { conversation: true, manager: READER })
    expect(await linesOf(world, running('think'))).toEqual(expect.arrayContaining(['base_task: yes', 'others:']))
    expect(await linesOf(world, running('think', { agent: MANAGER }))).toContain('base_task: no')
  })

  it('are agents that are there, no people and no members', async () => {
    const gone = withAgent(testWorld, 1, { removed: true })
    expect(await othersOf(withAgent(gone, 2, { kind: 'human' }))).toEqual([])
    expect(await othersOf(withAgent(gone, 3, { tools: [] }))).toEqual([
      '- Other 3 | agent | worker. Reader works here. | tools: none | other-3',
    ])
  })

  it('are told up to 40, and how many more there are', async () => {
    const many = (count: number) =>
      Array.from({ length: count }).reduce<World>((world, _, n) => withAgent(world, n), testWorld)
    expect(await othersOf(many(40))).toHaveLength(40)
    const lines = await othersOf(many(42))
    expect([lines.length, lines.at(-1)]).toEqual([41, '- (2 more: ask_info agents_in_mas)'])
  })
})

it('a member that was removed is not told, nor an outside requester that is gone', async () => {
  const members = (lines: string[]) => lines.filter((line) => line.startsWith('- ')).map((line) => line.split(' | ')[0])
  const without = { ...testWorld, agents: { ...testWorld.agents, [READER]: { ...reader, removed: true } } }
  expect(members(await linesOf(without, running('think', { agent: MANAGER })))).toEqual(['- Manager', '- Ana'])
  expect(members(await linesOf(withTask(testWorld, { requestedBy: null }), running('think')))).toHaveLength(3)
})

describe('who manages', () => {
  const manages = async (world: World, agent: AgentId) =>
    /manages: (\w+)/.exec(sectionOf(await promptOf(world, running('planning', { agent })), 'agent_role'))?.[1]
  const skills = async (world: World, agent: AgentId) =>
    sectionOf(await promptOf(world, running('planning', { agent })), 'available_skills_and_tools')

  it('is who is configured so, or manages a task that is no conversation; managers may plan the skills of managers', async () => {
    const own = withTask(testWorld, { manager: READER })
    const talk = withTask(testWorld, { manager: READER, conversation: true })
    expect(await manages(own, READER)).toBe('yes')
    expect(await manages(talk, READER)).toBe('no')
    expect(
      await manages(
        { ...own, tasks: { ...own.tasks, [BASE]: { ...must(own.tasks[BASE], 'base'), manager: READER } } },
        MANAGER,
      ),
    ).toBe('yes')
    expect(await skills(own, READER)).toContain('- task_manager')
    expect(await skills(talk, READER)).not.toContain('- task_manager')
  })

  it('may plan the skills that it has, and no others', async () => {
    const some = { ...reader, skills: ['think', 'summary'] as AgentRecord['skills'], tools: [] }
    const list = await skills({ ...testWorld, agents: { ...testWorld.agents, [READER]: some } }, READER)
    expect([...list.matchAll(/^- (\w+):/gm)].map(([, name]) => name)).toEqual(['think'])
    expect(list).toMatch(/\ntools: none$/)
  })
})

describe('the state of a task', () => {
  const state = (world: World) => writeTaskState(world, must(world.tasks[TASK], 'task'), null).split('\n')

  it('says why a stage or a part failed, and no reason of one that did not', () => {
    const reasons = { reason: 'no lists', partReasons: { [READER]: 'no file' } }
    const failed = state(withStage({ ...reasons, state: 'failed', parts: { [READER]: 'failed', [ANA]: 'finished' } }))
    expect(failed).toContain('stage 1: failed (no lists); Reader failed (no file), Ana finished')
    expect(state(withStage({ ...reasons, parts: { [READER]: 'failed', [ANA]: 'working' } }))).toContain(
      'stage 1: running; Read the price lists; Reader failed (no file), Ana working',
    )
    expect(state(withStage(reasons))).toContain('stage 1: running; Read the price lists; Reader working, Ana idle')
    expect(state(withStage({ state: 'failed', parts: { [READER]: 'failed', [ANA]: 'finished' } }))).toContain(
      'stage 1: failed; Reader failed, Ana finished',
    )
  })

  it('shows 120 characters of a goal, and says that there is more', () => {
    const goal = (length: number) => state(withStage({ intention: 'g'.repeat(length) })).join('\n')
    expect(goal(120)).toContain(`; ${'g'.repeat(120)}; `)
    expect(goal(121)).toContain(`; ${'g'.repeat(120)} …; `)
  })

  it('ends with the newest judgement, whatever stands first', () => {
    const asked = makeMessage('m-judge', {
      sender: MANAGER,
      receivers: [MANAGER],
      instruction: { type: 'judge_task' },
    })
    const judged = (n: number, endedSeq: number, text: string) =>
      makeStep(n, {
        agent: MANAGER,
        executor: 'task_manager',
        state: 'finished',
        endedSeq,
        cause: { message: asked.id, step: null },
        result: { kind: 'text', text, body: null, made: null },
      })
    const world = withSteps(withMessage(testWorld, asked), [
      judged(11, 50, 'second'),
      judged(12, 40, 'first'),
      makeStep(13, { state: 'finished', endedSeq: 60 }),
    ])
    expect(state(world)).toContain('last judgement: second')
  })
})

describe('the step at hand', () => {
  const current = async (step: StepRecord, world = testWorld) => sectionOf(await promptOf(world, step), 'current_step')
  const told = makeMessage('m-told', { text: 'Read the north list.' })

  it('names the parts of others to an agent that plans in a stage with others', async () => {
    expect(await current(running('planning'))).toContain('parts_of_others:')
    expect(await current(running('think'))).not.toContain('parts_of_others:')
    const alone = withStage({ allocation: { [READER]: 'Read both.' } })
    expect(await current(running('planning'), alone)).not.toContain('parts_of_others:')
    expect(await current(running('planning', { stage: null }))).not.toContain('parts_of_others:')
  })

  it('says its stage where the agent has a part in none, or in another one', async () => {
    expect(await current(running('think', { stage: null }))).toContain('stage: none\nstage_id: no_relative')
    expect(await current(running('think', { agent: MANAGER }))).toContain('stage: 1 of 1\nstage_id: stage 1')
    expect(await current(running('think'))).toMatch(/^skill: think\nstep: /)
  })

  it('says its text once: not beside the message that it is, nor beside the goal that it is', async () => {
    const world = withMessage(testWorld, told)
    const cause = { message: told.id, step: null }
    const [same, other] = [
      running('think', { cause, text: ` ${told.text}\n` }),
      running('think', { cause, text: 'Think.' }),
    ]
    expect(await current(same, world)).toContain(`>${told.text}</message>`)
    expect(await current(same, world)).not.toContain('<step_text>')
    expect(await current(other, world)).toContain('<step_text>Think.</step_text>')
    expect(await current(other, world)).not.toContain('</message>')
    expect(await current(running('process_message', { cause, text: 'Mind it.' }), world)).toContain(
      '<step_text>Mind it.',
    )
    expect(await current(running('planning', { text: 'the goals' }))).not.toContain('<step_text>')
    expect(await current(running('planning', { text: 'the goals', stage: null }))).toContain('<step_text>the goals')
  })
})

it('a stage is shown to its manager once all of its parts are over, and not before', async () => {
  const names = async (parts: StageRecord['parts']) =>
    sectionNames(await promptOf(withStage({ parts }), running('task_manager', { agent: MANAGER, stage: null })))
  expect(await names({ [READER]: 'finished', [ANA]: 'failed' })).toContain('stages')
  expect(await names({ [READER]: 'finished', [ANA]: 'working' })).not.toContain('stages')
})

/** The line of the files that were made, in the state of the task for its manager. */
async function files(steps: StepRecord[]): Promise<string> {
  const prompt = await promptOf(withSteps(testWorld, steps), running('task_manager', { agent: MANAGER, stage: null }))
  return /^files written: .*$/m.exec(sectionOf(prompt, 'current_step'))?.[0] ?? ''
}

it('the newest 20 files are named, each with its newest call; calls that failed or name no path are not', async () => {
  const call = (n: number, name: string, path: string, more: Partial<StepRecord> = {}): StepRecord =>
    makeStep(n, {
      type: 'tool',
      executor: 'files',
      state: 'finished',
      stage: null,
      instruction: {
        kind: 'call',
        target: 'tool',
        name,
        arguments: { sha: '', bytes: 1_024, mime: 'application/json', preview: JSON.stringify({ path }) },
      },
      ...more,
    })
  const writes = (count: number) => Array.from({ length: count }, (_, n) => call(n + 1, 'write_file', `f${n}.md`))
  expect(await files(writes(20))).toMatch(/^files written: f0\.md \(#1, about 1 KB\), .*f19\.md/)
  expect(await files(writes(21))).toMatch(/^files written: f1\.md \(#2, about 1 KB\), .*f20\.md/)
  const again = call(30, 'write_file', 'f0.md', { state: 'failed' })
  expect(await files([...writes(1), again, call(31, 'list_directory', 'x'), call(32, 'get_file', 'y.md')])).toBe(
    'files written: f0.md (#1, about 1 KB)',
  )
})

it('messages stand oldest first, those to and from the agent alone, and none of the task itself', async () => {
  const message = (id: string, seq: number, more: object) => makeMessage(id, { seq, text: id, ...more })
  const world = [
    message('late', 30, { sender: ANA, receivers: [READER] }),
    message('early', 10, { sender: READER, receivers: [ANA] }),
    message('others', 20, { sender: ANA, receivers: [MANAGER] }),
    message('task', 20, { sender: 'system:task', receivers: [READER] }),
  ].reduce(withMessage, testWorld)
  const lines = sectionOf(await promptOf(world, running('planning')), 'messages').split('\n')
  expect(lines).toEqual([
    '<message from="Reader" to="Ana">early</message>',
    '<message from="Ana" to="Reader">late</message>',
  ])
})

it.each([
  ['view', { file_path: 'a.csv' }, ''],
  ['write_file', { path: 'r.md', content: 'äpple' }, 'files written: r.md (#1, about 6 B)'],
  ['move_file', { source: 'a.md', destination: 'b.md' }, 'files written: b.md (#1, about 512 B)'],
  ['edit_file', { path: 'r.md', edits: [] }, 'files written: r.md (#1)'],
  ['create_directory', { path: 'report' }, ''],
  ['list_directory', { path: 'report' }, ''],
  ['search_files', { path: 'report', pattern: 'x' }, ''],
  ['get_file_info', { path: 'r.md' }, ''],
])(
  '[R346] of a call of %s with %j the written files are named with what is known of their size',
  async (name, args, line) => {
    const step = makeStep(1, {
      type: 'tool',
      executor: 'files',
      state: 'finished',
      stage: null,
      instruction: {
        kind: 'call',
        target: 'tool',
        name,
        arguments: { sha: '', bytes: 512, mime: 'application/json', preview: JSON.stringify(args) },
      },
    })
    expect(await files([step])).toBe(line)
  },
)
