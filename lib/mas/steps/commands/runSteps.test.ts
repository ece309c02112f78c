/** A chain of steps: what one outcome decides together with the beginning of the next step. */
import { describe, expect, it } from 'vitest'
import { outcomeOf, planned, Story, TEAM } from '@/test/worldHistories'
import { selectNextStep } from '../../members'

const types = (events: readonly { type: string }[] | undefined): string[] => (events ?? []).map(({ type }) => type)

/** The manager's first step is begun; its outcome will add two thoughts. */
function begun() {
  const story = new Story()
  story.ask()
  const step = story.start(TEAM.manager.id)
  if (!step) throw new Error('the manager has nothing to do')
  return { story, step, outcome: outcomeOf({ steps: { insert: [], add: [planned('think'), planned('think')] } }) }
}

describe('a chain of steps', () => {
  it('begins the next step in the decision of the outcome before it', () => {
    const { story, step, outcome } = begun()
    const decided = story.finish(step, outcome, true)
    expect(types(decided?.events).filter((type) => type.startsWith('step.'))).toEqual([
      'step.added',
      'step.added',
      'step.finished',
      'step.started',
    ])
    const { running, todo } = story.world.work[TEAM.manager.id] ?? {}
    expect(running?.step).not.toBe(step.id)
    expect(todo).toHaveLength(1)
  })

  it('begins nothing unless the one who ran it goes on', () => {
    const { story, step, outcome } = begun()
    expect(types(story.finish(step, outcome)?.events)).not.toContain('step.started')
    expect(selectNextStep(story.world, TEAM.manager.id)?.executor).toBe('think')
  })

  it('begins nothing behind an outcome that came too late', () => {
    const { story, step, outcome } = begun()
    story.finish(step, outcome)
    expect(types(story.finish(step, outcome, true)?.events)).toEqual(['effect.lateOutcome'])
  })
})
