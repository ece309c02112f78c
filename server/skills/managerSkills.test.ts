/** task_manager and agent_manager: what they hand on, and what is shown back because it would be refused. */
import { describe, expect, it } from 'vitest'
import type { AgentConfig, StepRecord, World } from '@/lib/mas/records'
import type { TaskInstruction } from '@/lib/mas/steps/outcome'
import { TAG_SAMPLES } from '@/test/formatSamples'
import { answered, executors, tagged } from '@/test/skillAnswers'
import { ANA, BASE, MANAGER, makeMessage, READER, TASK, testWorld, withMessage } from '@/test/skillWorld'
import { TEAM } from '@/test/worldHistories'

describe('the manager skills', () => {
  const STAGES = [{ stage_intention: 'Read the lists', agent_allocation: { Reader: 'Read both.' } }]
  const ADD_STAGE: TaskInstruction = { action: 'add_stage', task_id: 'Compare prices', stages: STAGES }
  const INIT = { action: 'init_new_agent', config_id: 'translator' }
  const managed = (executor: string, tag: string, value: unknown, world: World = testWorld) =>
    answered(executor, tagged(tag, value), { agent: MANAGER, task: BASE, stage: null }, [], world)

  it('task_manager hands one instruction on, with names for ids', async () => {
    const { outcome, calls } = await managed('task_manager', 'task_instruction', ADD_STAGE)
    expect([outcome.state, calls]).toEqual(['finished', 1])
    expect(outcome.sync.task_instruction).toEqual(ADD_STAGE)
    expect(outcome.result.text).toBe('add_stage\nRead the lists\n- Reader: Read both.')
  })

  it('task_manager makes a task with its stages and the reply to the asker in one step', async () => {
    const task = { action: 'add_task', task_name: 'Count', task_intention: 'Count pears', members: ['Reader', 'Ana'] }
    const { outcome } = await managed('task_manager', 'task_instruction', { ...task, stages: STAGES, reply: 'Begun.' })
    expect(outcome.sync.task_instruction).toEqual({ ...task, stages: STAGES, reply: 'Begun.' })
    expect(outcome.result.text).toBe('add_task Count (Reader, Ana): Count pears\nRead the lists\n- Reader: Read both.')
  })

  it.each<[string, TaskInstruction, string]>([
    [
      'agent that is none',
      { ...ADD_STAGE, stages: [{ stage_intention: 'x', agent_allocation: { Analyst: 'Compare.' } }] },
      'There is no agent Analyst. There are: Reader (reader), Manager (manager), Ana (ana).',
    ],
    [
      'stage that is none',
      { action: 'finish_stage', task_id: 'Compare prices', stage_id: 'stage 7' },
      'There is no stage stage 7 in this task. Its stages: stage 1 running.',
    ],
    ['task that is none', { ...ADD_STAGE, task_id: 'Compare' }, 'There is no task Compare.'],
  ])('task_manager gets an instruction about an %s back, with what there is', async (_, instruction, reason) => {
    const { outcome } = await managed('task_manager', 'task_instruction', instruction)
    expect([outcome.state, outcome.sync.task_instruction]).toEqual(['failed', undefined])
    expect(outcome.repairs[0]).toContain(reason)
  })

  it('task_manager of an agent that does not manage the task is refused', async () => {
    const { outcome } = await answered('task_manager', tagged('task_instruction', ADD_STAGE))
    expect([outcome.state, outcome.repairs[0]]).toEqual(['failed', 'You do not manage this task.'])
  })

  describe('[R652] the reply to a request for new work', () => {
    const asked = makeMessage('m1', { task: BASE, sender: ANA, receivers: [MANAGER], text: 'Count the pears.' })
    const answers = { message: asked.id, to: ANA, waiting: null, stage: null }
    const world = withMessage(testWorld, asked)
    const add = { action: 'add_task', task_name: 'Count', task_intention: 'Count pears', members: ['Reader', 'Ana'] }
    const reply = (value: object, more: Partial<StepRecord> = {}) =>
      answered(
        'send_message',
        tagged('task_instruction', value),
        { agent: MANAGER, task: BASE, stage: null, answers, ...more },
        [],
        world,
      )

    it('may be the task that does it, with what the asker is told: one call', async () => {
      const { outcome, calls } = await reply({ ...add, stages: STAGES, reply: 'Begun.' })
      expect([outcome.state, calls]).toEqual(['finished', 1])
      expect(outcome.sync).toMatchObject({ task_instruction: { action: 'add_task', reply: 'Begun.' } })
      expect(outcome.sync.send_message).toBeUndefined()
    })

    it.each([
      ['without what the asker is told', { ...add, stages: STAGES }, 'reply is missing'],
      ['that ends a task', { action: 'finish_task', state: 'finished', task_summary: 'x' }, 'answered by add_task'],
    ])('is shown back %s', async (_, value, reason) => {
      const { outcome } = await reply(value)
      expect([outcome.state, outcome.repairs[0]]).toEqual(['failed', expect.stringContaining(reason)])
    })

    it('of another agent, or outside of the base task, is a message', async () => {
      for (const more of [{ agent: READER }, { task: TASK, answers: { ...answers } }]) {
        const { outcome } = await reply({ ...add, reply: 'Begun.' }, more)
        expect(outcome.repairs[0]).toContain('there is no <send_message>')
      }
    })
  })

  it('task_manager may look something up first', async () => {
    const { outcome } = await answered('task_manager', tagged('get_more_info', TAG_SAMPLES.get_more_info))
    expect(executors(outcome.steps.insert)).toEqual(['decision', 'task_manager'])
    expect(outcome.result.made).toEqual({ again: true })
  })

  it('agent_manager hands one instruction on', async () => {
    const startable: AgentConfig = { ...TEAM.reader, configId: 'translator' }
    const world = { ...testWorld, team: { ...testWorld.team, startable: [startable] } }
    const { outcome } = await managed('agent_manager', 'agent_instruction', INIT, world)
    expect(outcome.sync.agent_instruction).toEqual(INIT)
    const { outcome: other } = await managed('agent_manager', 'agent_instruction', { ...INIT, config_id: 'x' }, world)
    expect([other.state, other.repairs[0]]).toEqual([
      'failed',
      'There is no configuration x. Configurations: translator.',
    ])
  })
})
