/** Whether a task has somebody who judges it: each reason alone, and what still may come back to the judge. */

import { describe, expect, it } from 'vitest'
import type { MessageType } from '@/lib/mas/records'
import { ANA, ANALYST, failed, goals, MANAGER, must, READER, storyOf, submits, workTask } from '@/test/stories'
import type { AgentRecord, TaskRecord, World } from '../records'
import { isJudgementDue, selectOperators, selectUnjudged } from './judge'

const paused = { by: ANA, reason: 'look', at: 1 }
/** A task whose only stage is over but for its judgement. */
const due = () => {
  const { story, task } = storyOf(goals('read', READER), goals('compare', ANALYST))
  submits(story, READER)
  return { story, task, world: story.world, owner: workTask(story.world) }
}
const withManager = (world: World, change: Partial<AgentRecord>): World => ({
  ...world,
  agents: { ...world.agents, [MANAGER]: { ...must(world.agents[MANAGER], 'manager'), ...change } },
})
const cause = (world: World, owner: TaskRecord) => selectUnjudged(world, owner)?.cause ?? null

describe('a judgement is due', () => {
  it('when the stage that runs waits for it, or no stage is left', () => {
    const { world, owner, task } = due()
    expect(isJudgementDue(world, owner)).toBe(true)
    for (const change of [{ base: true }, { paused }, { state: 'finished' as const }])
      expect(isJudgementDue(world, { ...owner, ...change }), JSON.stringify(change)).toBe(false)
    const stages = must(world.stages[task], 'stages')
    const [first, second] = owner.stageOrder.map((id) => must(stages[id], 'stage'))
    if (!first || !second) throw new Error('there are two stages')
    const of = (...all: (typeof first)[]) =>
      isJudgementDue({ ...world, stages: { [task]: Object.fromEntries(all.map((stage) => [stage.id, stage])) } }, owner)
    expect(of({ ...first, judging: false }, second)).toBe(false)
    expect(of({ ...first, state: 'finished' }, second)).toBe(false)
    expect(of({ ...first, state: 'finished' }, { ...second, state: 'failed' })).toBe(true)
    expect(of({ ...first, state: 'finished' }, { ...second, state: 'running', judging: false })).toBe(false)
    expect(of({ ...first, state: 'finished' }, { ...second, state: 'running', judging: true })).toBe(true)
    expect(of()).toBe(true)
  })
})

describe('nobody judges a task', () => {
  it('whose manager is gone or paused, has no model, or stopped without a word', () => {
    const { story, world, owner } = due()
    expect(cause(world, owner)).toBeNull()
    expect(cause(withManager(world, { removed: true }), owner)).toBe('gone')
    expect(cause({ ...world, agents: {} }, owner)).toBe('gone')
    expect(cause(withManager(world, { paused }), owner)).toBe('paused')
    expect(cause({ ...world, team: { ...world.team, models: ['other'] } }, owner)).toBe('noModel')
    expect(cause({ ...world, team: { ...world.team, models: ['default'] } }, owner)).toBeNull()
    story.run(MANAGER, () => failed('no words'))
    expect(selectUnjudged(story.world, owner)).toMatchObject({ cause: 'failed', who: MANAGER, why: 'no words' })
  })

  it('of a person who may not sign in any more; one who may is let be', () => {
    const { world, owner } = due()
    expect(cause(withManager(world, { kind: 'human', access: 'none' }), owner)).toBe('gone')
    expect(cause(withManager(world, { kind: 'human', access: 'participant', paused }), owner)).toBeNull()
    expect(
      cause(
        withManager({ ...world, team: { ...world.team, models: [] } }, { kind: 'human', access: 'operator' }),
        owner,
      ),
    ).toBeNull()
  })

  it('is no question of the base task or of what is over', () => {
    const { world, owner } = due()
    const gone = withManager(world, { removed: true })
    for (const change of [{ base: true }, { state: 'failed' as const }])
      expect(cause(gone, { ...owner, ...change }), JSON.stringify(change)).toBeNull()
  })

  it('that is paused while nothing is to be judged is no question either', () => {
    const { story } = storyOf(goals('read', READER))
    expect(cause(withManager(story.world, { paused }), workTask(story.world))).toBeNull()
  })

  it('while something that the manager asked may still be answered, by an agent or through its queue', () => {
    const { story, task, owner } = due()
    story.run(MANAGER, () => failed('no words'))
    const { world } = story
    const [message] = Object.values(world.messages[task] ?? {})
    if (!message) throw new Error('there is a message')
    const said = (
      sender: typeof message.sender,
      type: MessageType,
      receiver: typeof ANA,
      state: 'delivered' | 'done' | 'queued',
    ): World => {
      const id = 'said' as typeof message.id
      const delivery = {
        ...must(Object.values(world.deliveries[task]?.[READER] ?? {})[0], 'delivery'),
        message: id,
        receiver,
        state,
      }
      return {
        ...world,
        messages: {
          ...world.messages,
          [task]: { ...world.messages[task], [id]: { ...message, id, sender, type } },
        },
        deliveries: { ...world.deliveries, [task]: { ...world.deliveries[task], [receiver]: { [id]: delivery } } },
      }
    }
    expect(cause(said(MANAGER, 'action', READER, 'delivered'), owner)).toBeNull()
    expect(cause(said(MANAGER, 'fyi', READER, 'delivered'), owner)).toBe('failed')
    expect(cause(said(MANAGER, 'action', READER, 'done'), owner)).toBe('failed')
    expect(cause(said(MANAGER, 'action', ANA, 'delivered'), owner)).toBe('failed')
    expect(cause(said(ANALYST, 'action', READER, 'delivered'), owner)).toBe('failed')
    expect(cause(said(READER, 'fyi', MANAGER, 'queued'), owner)).toBeNull()
    expect(cause(said(READER, 'fyi', ANALYST, 'queued'), owner)).toBe('failed')
  })
})

describe('operators', () => {
  it('are people with that right who are there', () => {
    const { world } = due()
    expect(selectOperators(world)).toEqual([ANA])
    expect(selectOperators(withManager(world, { access: 'operator' }))).toEqual([ANA])
    const ana = must(world.agents[ANA], 'Ana')
    expect(selectOperators({ ...world, agents: { ...world.agents, [ANA]: { ...ana, removed: true } } })).toEqual([])
  })
})
