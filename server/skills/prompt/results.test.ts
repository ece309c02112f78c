/** What was decided is known: the results of parts stand in the prompts of those that follow (docs/rules R344). */
import { describe, expect, it } from 'vitest'
import type { AgentId } from '@/lib/mas/ids'
import { loadPrompts } from '@/server/skills'
import { buildPrompt } from '@/server/skills/prompt'
import { scriptedModel } from '@/test/scriptedModel'
import { testRun } from '@/test/skillWorld'
import { ANA, ANALYST, BEN, goals, judges, must, READER, stageAt, storyOf, submits } from '@/test/stories'
import type { Story } from '@/test/worldHistories'

const prompts = loadPrompts('prompts').en
const CHAIR = 'Chair: take C-15. C-12 is discontinued.'

/** The prompt of the next step of this agent. */
async function promptOf(story: Story, agent: AgentId, contextTokens = 32_000): Promise<string> {
  const step = must(story.start(agent), 'a step')
  const run = testRun(story.world, step, scriptedModel([], contextTokens))
  const { turns } = await buildPrompt(run, 'planning', prompts)
  return turns.map(({ content }) => content).join('\n')
}
const stagesIn = (prompt: string): string => /<section name="stages">[\s\S]*?<\/section>/.exec(prompt)?.[0] ?? ''

/** A person decides in stage 2, on which the part of Analyst waits; Reader checks in stage 3. */
function jobC(decision = CHAIR): { story: Story; task: string } {
  const { story, task } = storyOf(
    goals('collect the offers', READER),
    {
      stage_intention: 'choose and write the list',
      agent_allocation: { [ANA]: 'Choose C-12 or C-15.', [ANALYST]: 'Write the list with the chosen chair.' },
      needs: { [ANALYST]: [ANA] },
    },
    goals('check the list', READER),
  )
  submits(story, READER, 'Two chairs: C-12 at 80, C-15 at 95.')
  judges(story, stageAt(story.world, 0))
  const part = must(
    story.openRequests().find(({ kind }) => kind === 'part'),
    'the part of Ana',
  )
  const answer = {
    type: 'answerRequest',
    request: part.id,
    decision: 'done',
    text: decision,
    arguments: null,
    digest: null,
  } as const
  expect(story.put(ANA, answer)).not.toBeNull()
  return { story, task }
}

describe('[R344] the result of a part', () => {
  it('that another part needs is in the prompt of that part, with the results of earlier stages', async () => {
    const { story } = jobC()
    const stages = stagesIn(await promptOf(story, ANALYST))
    expect(stages).toContain(CHAIR)
    expect(stages).toContain('<goal>Choose C-12 or C-15.</goal>')
    expect(stages).toContain('<stage id="stage 1" state="finished">')
    expect(stages).toContain('Two chairs: C-12 at 80, C-15 at 95.')
    // The result of its own part is not there yet.
    expect(stages.match(/<part /g)).toHaveLength(2)
  })

  it('of an earlier stage is in the prompts of all that follow, also of a person and in a later stage', async () => {
    const { story } = jobC()
    submits(story, ANALYST, 'The list has C-15.')
    judges(story, stageAt(story.world, 1))
    const stages = stagesIn(await promptOf(story, READER))
    for (const text of [CHAIR, 'The list has C-15.', 'Two chairs: C-12 at 80, C-15 at 95.'])
      expect(stages).toContain(text)
  })

  it('of an agent beside it is not there, and before any result there is no section', async () => {
    const { story } = storyOf(goals('read', READER, ANALYST))
    submits(story, READER, 'SECRET')
    expect(await promptOf(story, ANALYST)).not.toContain('SECRET')
  })

  it('that is long is shown in part, with how to see it whole; that of a person is shown much longer', async () => {
    const said = (name: string): string => `${name} ${'and so on '.repeat(300)}`
    const { story } = storyOf(goals('one', READER, BEN), goals('two', ANALYST))
    submits(story, READER, said('READER'))
    const part = must(
      story.openRequests().find(({ kind }) => kind === 'part'),
      'the part of Ben',
    )
    story.put(BEN, {
      type: 'answerRequest',
      request: part.id,
      decision: 'done',
      text: said('BEN'),
      arguments: null,
      digest: null,
    })
    judges(story, stageAt(story.world, 0))
    const stages = stagesIn(await promptOf(story, ANALYST))
    expect(stages).toContain(said('BEN').trim())
    expect(stages).not.toContain(said('READER').trim())
    expect(stages).toMatch(/READER and so on .* … \[\d+ characters\]/)
    expect(stages).toContain('ask_info of type stage')
  })

  it('of a person is kept before those of agents where a small model has no room for all', async () => {
    const { story, task } = storyOf(
      goals('one', BEN),
      ...Array.from({ length: 8 }, (_, n) => goals(`stage ${n}`, READER)),
      goals('last', ANALYST),
    )
    const part = must(
      story.openRequests().find(({ kind }) => kind === 'part'),
      'the part of Ben',
    )
    story.put(BEN, {
      type: 'answerRequest',
      request: part.id,
      decision: 'done',
      text: CHAIR,
      arguments: null,
      digest: null,
    })
    judges(story, stageAt(story.world, 0))
    for (let n = 1; n <= 8; n += 1) {
      submits(story, READER, `${n} ${'and so on '.repeat(100)}`)
      judges(story, stageAt(story.world, n))
    }
    expect(task).not.toBe('')
    const stages = stagesIn(await promptOf(story, ANALYST, 4_000))
    expect(stages).toContain(CHAIR)
    expect(stages.length).toBeLessThan(6_000)
  })
})
