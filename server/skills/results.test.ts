/** Which steps an agent may plan, and how long a text may be. */
import { describe, expect, it } from 'vitest'
import type { AgentRecord } from '@/lib/mas/records'
import type { PlannedStep } from '@/lib/mas/steps/outcome'
import { scriptedModel } from '@/test/scriptedModel'
import { makeStep, READER, testRun, testWorld } from '@/test/skillWorld'
import { must } from '@/test/stories'
import { doubtSteps, ofPart, refuseLarger, refuseNoSteps, withoutForbidden } from './results'

const step = (type: PlannedStep['type'], executor: string): PlannedStep => ({
  step_intention: 'do it',
  type,
  executor,
  text_content: '',
})
const reader = must(testWorld.agents[READER], 'reader')
const runOf = (more: Partial<AgentRecord> = {}) =>
  testRun(
    { ...testWorld, agents: { ...testWorld.agents, [READER]: { ...reader, ...more } } },
    makeStep(1),
    scriptedModel([]),
  )

describe('planned steps', () => {
  const few = { skills: ['think', 'ask_info'] as AgentRecord['skills'] }

  it('are not doubted where the agent has the skill or the tool, or the runtime adds it', () => {
    const own = [step('skill', 'think'), step('tool', 'files'), step('skill', 'summary'), step('skill', 'planning')]
    expect(doubtSteps(own, runOf(few))).toBeNull()
  })

  it.each<[PlannedStep, string]>([
    [step('skill', 'send_message'), 'send_message is no skill of yours'],
    [step('skill', 'files'), 'files is no skill of yours'],
    [step('tool', 'mail'), 'mail is no tool of yours'],
    [step('tool', 'think'), 'think is a skill, not a tool'],
  ])('that the agent cannot run are told to the model once, with what it has', (wrong, why) => {
    expect(doubtSteps([wrong, step('skill', 'think'), wrong], runOf(few))).toBe(
      `${why}. Your skills: think, ask_info. Your tools: files`,
    )
  })

  it('of an agent without tools say so', () => {
    expect(doubtSteps([step('tool', 'files')], runOf({ ...few, tools: [] }))).toMatch(/Your tools: none$/)
  })

  it('leave out skills that only the runtime adds, and no tool of such a name', () => {
    const steps = [step('skill', 'think'), step('skill', 'process_message'), step('tool', 'process_message')]
    expect(withoutForbidden(steps)).toEqual({ kept: [steps[0], steps[2]], dropped: [steps[1]] })
    expect(withoutForbidden(steps, ['think']).kept).toEqual([steps[2]])
    expect(refuseNoSteps([step('skill', 'planning')])).toContain('no step that gets what is missing')
    expect(refuseNoSteps(steps)).toBeNull()
  })
})

it('a part of a stage must be ended, work outside one need not', () => {
  const model = scriptedModel([])
  expect(ofPart(testRun(testWorld, makeStep(1), model))).toContain('write its summary')
  expect(ofPart(testRun(testWorld, makeStep(1, { stage: null }), model))).toBeNull()
})

it('a text is refused by its bytes, not its characters, from one beyond the limit', () => {
  expect(refuseLarger('é'.repeat(5), 10, 'it')).toBeNull()
  expect(refuseLarger('é'.repeat(5), 9, 'it')).toBe('it has 10 bytes; the limit is 9')
})
