/** What the engine makes of each skill's outcome: rights, order, waits. One test a rule. */
import { describe, expect, it } from 'vitest'
import { stepIn, stepsIn } from '@/lib/mas/steps/ownSteps'
import { outcomeOf, planned, Story, send, TEAM } from '@/test/worldHistories'
import type { AgentId, TaskId } from '../ids'
import type { StageRecord, StepRecord, TaskRecord, World } from '../records'
import type { OutgoingMessage, PlannedStep, StepOutcome, SyncOutput } from './outcome'

const [MANAGER, READER, ANALYST, ANA, LEE] = [
  TEAM.manager.id,
  TEAM.reader.id,
  TEAM.analyst.id,
  TEAM.ana.id,
  TEAM.lee.id,
]

const sync = (keys: SyncOutput): StepOutcome => outcomeOf({ sync: keys })
const says = (receiver: string[], more: Partial<OutgoingMessage> = {}): StepOutcome =>
  sync({
    send_message: {
      receiver,
      message: 'Which?',
      stage_relative: 'no_relative',
      need_reply: true,
      waiting: true,
      ...more,
    },
  })
const adds = (...add: PlannedStep[]): StepOutcome => outcomeOf({ steps: { add, insert: [] } })
const inserts = (...insert: PlannedStep[]): StepOutcome => outcomeOf({ steps: { add: [], insert } })

function must<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('it is not there')
  return value
}
const workTask = (world: World): TaskRecord => must(Object.values(world.tasks).find((task) => !task.base))
const stepsOf = (world: World, agent: AgentId): StepRecord[] => stepsIn(world.steps[workTask(world).id]?.[agent])
const stepNow = (world: World, step: StepRecord): StepRecord =>
  must(stepIn(world.steps[step.task]?.[step.agent], step.id))
const todo = (world: World, agent: AgentId): string[] =>
  (world.work[agent]?.todo ?? []).map(({ task, step }) => stepIn(world.steps[task]?.[agent], step)?.executor ?? '?')
const stageOf = (world: World): StageRecord => {
  const task = workTask(world)
  return must(world.stages[task.id]?.[must(task.stageOrder[0])])
}

/** A task with Reader and Analyst in its one stage, running; both lists hold their planning. */
function stageOfTwo(): { story: Story; task: TaskId } {
  const story = new Story()
  story.ask()
  const members = [READER, ANALYST]
  story.run(MANAGER, () =>
    sync({ task_instruction: { action: 'add_task', task_name: 'Compare', task_intention: 'Compare', members } }),
  )
  const task = workTask(story.world).id
  story.ask('and plan it')
  const stage = { stage_intention: 'read', agent_allocation: { [READER]: 'read', [ANALYST]: 'compare' } }
  story.run(MANAGER, () => sync({ task_instruction: { action: 'add_stage', task_id: task, stages: [stage] } }))
  return { story, task }
}

describe('rights of a skill', () => {
  it('a planned step of a tool that the agent does not have is left out, and the result says so', () => {
    const { story } = stageOfTwo()
    const step = must(story.run(READER, () => adds(planned('nowhere', 'tool'), planned('reflection'))))
    expect(todo(story.world, READER)).toEqual(['reflection'])
    expect(stepNow(story.world, step).result?.text).toContain('nowhere')
  })

  it('a planned step of a skill that does not exist is left out, and the result says so', () => {
    const { story } = stageOfTwo()
    const step = must(story.run(READER, () => adds(planned('fly'), planned('reflection'))))
    expect(todo(story.world, READER)).toEqual(['reflection'])
    expect(stepNow(story.world, step).result?.text).toContain('fly')
  })

  it('a message to somebody outside of the group is refused, and nothing is sent', () => {
    const { story, task } = stageOfTwo()
    story.run(READER, () => adds(planned('send_message'), planned('reflection')))
    const before = Object.keys(story.world.messages[task] ?? {}).length
    const step = must(story.run(READER, () => says([LEE])))
    expect(stepNow(story.world, step)).toMatchObject({ state: 'failed' })
    expect(Object.keys(story.world.messages[task] ?? {})).toHaveLength(before)
    expect(story.world.work[READER]?.locks ?? []).toEqual([])
  })

  it('only its manager instructs a task', () => {
    const { story, task } = stageOfTwo()
    story.run(READER, () => adds(planned('task_manager'), planned('reflection')))
    const step = must(
      story.run(READER, () =>
        sync({ task_instruction: { action: 'finish_stage', task_id: task, stage_id: stageOf(story.world).id } }),
      ),
    )
    expect(stepNow(story.world, step).state).toBe('failed')
    expect(stageOf(story.world).state).toBe('running')
  })
})

describe('order of a skill', () => {
  it('what planning adds comes last, what decision inserts comes next', () => {
    const { story } = stageOfTwo()
    story.run(READER, () => adds(planned('decision'), planned('think'), planned('reflection')))
    story.run(READER, () => inserts(planned('quick_think'), planned('ask_info')))
    expect(todo(story.world, READER)).toEqual(['quick_think', 'ask_info', 'think', 'reflection'])
  })

  it('decision works free of a stage: its steps belong to where it stands', () => {
    const { story } = stageOfTwo()
    while (story.run(MANAGER, () => outcomeOf({})) !== null) {}
    story.ask('more')
    const asked = must(story.start(MANAGER))
    story.finish(asked, inserts(planned('quick_think')))
    const next = must(story.start(MANAGER))
    expect(next).toMatchObject({ executor: 'quick_think', stage: null, task: asked.task, thread: asked.thread })
  })

  it('a tool that ran is followed by its tool_decision before anything else, and going on by the call and its writer', () => {
    const { story } = stageOfTwo()
    story.run(READER, () => adds(planned('files', 'tool'), planned('think'), planned('reflection')))
    const tool = must(stepsOf(story.world, READER).find((step) => step.type === 'tool'))
    story.run(READER, () => outcomeOf({ instruct: { step: tool.id, instruction: { kind: 'get_description' } } }))
    story.run(READER, () => sync({ need_tool_decision: true }))
    expect(todo(story.world, READER)).toEqual(['tool_decision', 'think', 'reflection'])
    story.run(READER, () => inserts(planned('files', 'tool')))
    expect(todo(story.world, READER)).toEqual(['instruction_generation', 'files', 'think', 'reflection'])
  })

  it('only a tool step asks for a tool_decision', () => {
    const { story } = stageOfTwo()
    story.run(READER, () => adds(planned('think'), planned('reflection')))
    story.run(READER, () => outcomeOf({}))
    expect(todo(story.world, READER)).toEqual(['reflection'])
  })
})

describe('waits of a skill', () => {
  it('send_message that waits takes one id per receiver, in the order of the receivers', () => {
    const { story, task } = stageOfTwo()
    story.run(READER, () => adds(planned('send_message'), planned('reflection')))
    story.run(READER, () => says([ANALYST, ANA]))
    const message = must(Object.values(story.world.messages[task] ?? {}).at(-1))
    expect(message.receivers).toEqual([ANALYST, ANA])
    expect(message.waiting).toEqual(story.world.work[READER]?.locks.map((lock) => lock.id))
    expect(new Set(message.waiting).size).toBe(2)
  })

  it('waiting implies that a reply is needed', () => {
    const { story, task } = stageOfTwo()
    story.run(READER, () => adds(planned('send_message'), planned('reflection')))
    story.run(READER, () => says([ANALYST], { need_reply: false }))
    expect(Object.values(story.world.messages[task] ?? {}).at(-1)).toMatchObject({ type: 'urgent' })
    expect(todo(story.world, ANALYST)[0]).toBe('send_message')
  })

  it('a reply that gets more information first still hands the id back when it runs again', () => {
    const { story, task } = stageOfTwo()
    story.run(READER, () => adds(planned('send_message'), planned('reflection')))
    story.run(READER, () => says([ANALYST]))
    const reply = must(story.start(ANALYST))
    const again: PlannedStep = { ...planned('send_message'), step_intention: reply.intention, text_content: reply.text }
    const result = { kind: 'text' as const, text: 'Needs first', body: null, made: { again: true } }
    story.finish(reply, outcomeOf({ result, steps: { add: [], insert: [planned('decision'), again] } }))
    expect(todo(story.world, ANALYST).slice(0, 2)).toEqual(['decision', 'send_message'])
    expect(story.world.work[READER]?.locks).toHaveLength(1)
    story.run(ANALYST, () => outcomeOf({}))
    story.run(ANALYST, () => says([READER], { waiting: false, need_reply: false, message: 'The north one.' }))
    expect(story.world.work[READER]?.locks ?? []).toEqual([])
    expect(Object.values(story.world.messages[task] ?? {}).at(-1)).toMatchObject({ receivers: [READER] })
  })

  it('a reply that first asks somebody else is still the one reply: what it asks answers nobody', () => {
    const { story } = stageOfTwo()
    story.run(READER, () => adds(planned('send_message'), planned('reflection')))
    story.run(READER, () => says([ANALYST]))
    const reply = must(story.start(ANALYST))
    const again: PlannedStep = { ...planned('send_message'), step_intention: reply.intention, text_content: reply.text }
    const result = { kind: 'text' as const, text: 'Needs first', body: null, made: { again: true } }
    story.finish(reply, outcomeOf({ result, steps: { add: [], insert: [planned('send_message'), again] } }))
    const asks = must(story.start(ANALYST))
    expect(asks.answers).toBeNull()
    story.finish(asks, says([ANA], { waiting: false, need_reply: false }))
    expect(must(story.start(ANALYST)).answers).toEqual(reply.answers)
  })

  it('ask_info is answered in its own decision: the lock is taken and given back, the answer is its result', () => {
    const { story } = stageOfTwo()
    story.run(READER, () => adds(planned('ask_info'), planned('reflection')))
    const step = must(story.run(READER, () => sync({ ask_info: { type: 'my_tasks' } })))
    const events = story.entries.filter((entry) => entry.cause === story.entries.at(-1)?.cause)
    const types = events.map((entry) => entry.event.type)
    expect(types.filter((type) => type === 'lock.added' || type === 'lock.released')).toEqual([
      'lock.added',
      'lock.released',
    ])
    expect(stepNow(story.world, step).result?.text).toContain('Compare')
    expect(todo(story.world, READER)).toEqual(['reflection'])
  })

  it('a question of a person that waits goes before what was planned', () => {
    const { story, task } = stageOfTwo()
    story.run(READER, () => adds(planned('think'), planned('reflection')))
    story.put(ANA, send(ANA, [READER], { task, kind: 'urgent', text: 'Now?' }))
    expect(todo(story.world, READER)).toEqual(['send_message', 'think', 'reflection'])
    story.put(ANA, send(ANA, [READER], { task, kind: 'action', text: 'Later?' }))
    expect(todo(story.world, READER)).toEqual(['send_message', 'think', 'reflection', 'send_message'])
  })
})

describe('the end of a part', () => {
  it('only summary sets a part to finished; every other skill leaves it working', () => {
    const { story } = stageOfTwo()
    story.run(READER, () => adds(planned('think'), planned('reflection')))
    story.run(READER, () => sync({ update_stage_agent_state: { state: 'working' } }))
    expect(stageOf(story.world).parts[READER]).toBe('working')
    story.run(READER, () => adds(planned('summary')))
    expect(stageOf(story.world).parts[READER]).toBe('working')
    story.run(READER, () => sync({ update_stage_agent_completion: { summary: 'read' } }))
    expect(stageOf(story.world).parts[READER]).toBe('finished')
  })

  it.each<[string, StepOutcome['sync'], string]>([
    ['says that it does', { update_stage_agent_state: { state: 'failed', reason: 'no list' } }, 'failed'],
    ['says that it goes on', { update_stage_agent_state: { state: 'working' } }, 'working'],
    ['does not say, and is no skill that the part stands on', {}, 'working'],
  ])('a step that failed ends its part where its outcome %s', (_, sync, state) => {
    const { story } = stageOfTwo()
    story.run(READER, () => adds(planned('think'), planned('think'), planned('reflection')))
    story.run(READER, () => outcomeOf({ state: 'failed', reason: 'no file', sync }))
    expect(stageOf(story.world).parts[READER]).toBe(state)
    const reason = stageOf(story.world).partReasons[READER] ?? ''
    expect(reason.includes('no list')).toBe(state === 'failed')
  })

  it('deleting a note that is not there has no effect and says so', () => {
    const { story } = stageOfTwo()
    story.run(READER, () => adds(planned('think'), planned('reflection')))
    const step = must(story.run(READER, () => outcomeOf({ memory: [{ add: 'a' }, { delete: '20200101T000000' }] })))
    expect(story.world.memory[READER]?.map((note) => note.text)).toEqual(['a'])
    expect(stepNow(story.world, step).result?.text).toContain('20200101T000000')
  })

  it('two notes of one second both stay, under keys of their own', () => {
    const { story } = stageOfTwo()
    story.run(READER, () =>
      outcomeOf({ memory: [{ add: 'a' }, { add: 'b' }], steps: { add: [planned('reflection')], insert: [] } }),
    )
    const [first, second] = (story.world.memory[READER] ?? []).map((note) => note.key)
    expect(first).toMatch(/^\d{8}T\d{6}$/)
    expect(second).toBe(`${first}_2`)
  })
})
