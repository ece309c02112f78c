/** A new agent: what it takes from its configuration, what is its own, and what is refused before anything is made. */
import { describe, expect, it } from 'vitest'
import { goals, MANAGER, must, READER, stepNow, storyOf } from '@/test/stories'
import { outcomeOf, type Story, TEAM } from '@/test/worldHistories'
import { event } from '../../events'
import type { AgentRecord, StepRecord } from '../../records'
import type { NewAgent } from './makeAgent'

const wants = (more: Partial<NewAgent> = {}): NewAgent => ({ action: 'init_new_agent', config_id: 'spare', ...more })
/** The manager's step that makes an agent. */
function makes(story: Story, wanted: NewAgent): StepRecord {
  story.ask('make one')
  const step = story.run(MANAGER, () => outcomeOf({ sync: { agent_instruction: wanted } }))
  return stepNow(story.world, must(step, 'step'))
}
const agentsOf = (story: Story): AgentRecord[] => Object.values(story.world.agents)
const newest = (story: Story): AgentRecord | undefined => agentsOf(story).at(-1)
const prepared = () => storyOf(goals('read', READER)).story

describe('a new agent', () => {
  it('is what its configuration says where the instruction says nothing, and is called by its own name', () => {
    const story = prepared()
    const { result } = makes(story, wants())
    const [config] = story.world.team.startable
    expect(newest(story)).toMatchObject({
      name: 'Spare',
      role: config?.role,
      skills: config?.skills,
      tools: config?.tools,
      model: config?.model,
      configId: null,
    })
    expect(newest(story)?.id).not.toBe(config?.id)
    expect(result?.made).toMatchObject({ agent_id: 'Spare', name: 'Spare', role: 'Spare' })
    expect(JSON.stringify(result?.made)).not.toContain(newest(story)?.id)
  })

  it('has a name, role, profile, skills and tools of its own; its model and rights stay the configuration’s', () => {
    const story = prepared()
    const own = {
      name: ' Polish   Translator',
      role: 'translator',
      profile: 'Translates.',
      skills: ['think'],
      tools: [],
    }
    makes(story, wants(own))
    const [config] = story.world.team.startable
    expect(newest(story)).toMatchObject({ ...own, name: 'Polish Translator', model: config?.model, manager: false })
    makes(story, wants({ name: 'Reader of plans', tools: ['files'], skills: ['all'] }))
    expect(newest(story)).toMatchObject({ name: 'Reader of plans', tools: ['files'], skills: ['all'] })
  })

  it('without a name gets one that nobody has', () => {
    const story = prepared()
    for (let n = 0; n < 3; n += 1) makes(story, wants())
    expect(
      agentsOf(story)
        .map(({ name }) => name)
        .slice(-3),
    ).toEqual(['Spare', 'Spare 2', 'Spare 3'])
  })
})

describe('a new agent that cannot be', () => {
  it.each<[what: string, wanted: Partial<NewAgent>, why: RegExp]>([
    [
      'of a name that is taken',
      { name: 'reader' },
      /^The name reader is taken\. There are: .*Reader \(reader\).*\. reader 2 is free\.$/,
    ],
    ['of unknown skills', { skills: ['think', 'sing'] }, /^No skills: sing\. Skills: all, planning, .*\.$/],
    ['of unknown tools', { tools: ['mail', 'files'] }, /^No tools: mail\. Tools: files\.$/],
    [
      'of an unknown configuration',
      { config_id: 'none' },
      /^There is no configuration none\. Configurations: spare\.$/,
    ],
  ])('%s is refused with what would fit', (_, wanted, why) => {
    const story = prepared()
    const before = agentsOf(story).length
    const step = makes(story, wants(wanted))
    expect(step.state).toBe('failed')
    expect(step.reason).toMatch(why)
    expect(agentsOf(story)).toHaveLength(before)
  })

  it('is made by nobody who manages no task', () => {
    const story = prepared()
    const before = agentsOf(story).length
    const step = must(
      story.run(READER, () => outcomeOf({ sync: { agent_instruction: wants() } })),
      'step',
    )
    expect(stepNow(story.world, step)).toMatchObject({ state: 'failed', reason: expect.stringMatching(/./) })
    expect(agentsOf(story)).toHaveLength(before)
  })

  it('is refused with the names of those who are there, not of those who left', () => {
    const story = prepared()
    const named = makes(story, wants({ name: 'Reader' })).reason
    expect(named).toContain('Analyst')
    story.happens(event('agent.removed', { agent: TEAM.analyst.id }))
    expect(makes(story, wants({ name: 'Reader' })).reason).not.toContain('Analyst')
  })

  it('is refused with everything that does not fit at once', () => {
    const step = makes(prepared(), wants({ name: 'Reader', skills: ['sing'], tools: ['mail'] }))
    for (const part of ['The name Reader is taken', 'No skills: sing', 'No tools: mail'])
      expect(step.reason).toContain(part)
  })
})
