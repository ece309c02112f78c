/** Operators set the budgets of the team in the page: who set what, from which value, and from then on it counts. */
import { describe, expect, it } from 'vitest'
import { paying, withLimits } from '@/test/spending'
import { ANA, BEN, goals, must, plans, READER, requestOf, storyOf } from '@/test/stories'
import { Story, TEAM, teamConfig } from '@/test/worldHistories'
import { decide } from '../../commands'
import type { Command } from '../../commands/command'
import { BUDGET_KEYS, BUDGET_KINDS, BUDGETS } from '../../limits/budgets'
import { effectiveOf } from '../setupRecords'

const seenOf = (story: Story, id: string): number => story.world.setup.budget[id]?.changes.at(-1)?.seq ?? 0
const set = (story: Story, id: string, limit: number | null, seen = seenOf(story, id)): Command => ({
  type: 'changeSetup',
  changes: [{ kind: 'budget', id, value: { limit }, seen }],
})
const refusal = (story: Story, command: Command, by: string = ANA) => {
  const decided = decide(story.world, { id: 'a-try', by, command }, story.world.at + 1)
  return decided.ok ? null : decided.fault
}

describe('[R534] a budget that an operator sets', () => {
  it.each(BUDGET_KINDS)('%s: counts at once, and its record keeps who set it, and what it was', (kind) => {
    const { key, set: name } = BUDGETS[kind]
    const story = new Story()
    expect(effectiveOf(must(story.world.setup.budget[key], key))).toEqual({ limit: null })
    story.put(ANA, set(story, key, 7))
    story.put(ANA, set(story, key, 9))
    expect(story.world.team.limits[name]).toBe(9)
    const { changes } = must(story.world.setup.budget[key], key)
    expect(changes.map(({ by, before }) => [by, before])).toEqual([
      [ANA, { limit: null }],
      [ANA, { limit: 7 }],
    ])
    story.put(ANA, { type: 'undoSetup', kind: 'budget', id: key, change: must(changes[1], 'change').seq })
    expect(story.world.team.limits[name]).toBe(7)
    story.put(ANA, set(story, key, null))
    expect(story.world.team.limits[name]).toBeNull()
  })

  it('stays over a restart, until the file says something else; then the file counts, and operators are told', () => {
    const story = new Story()
    story.put(ANA, set(story, 'cost_per_day', 7))
    story.put('system:start', teamConfig())
    expect(story.world.team.limits.costPerDay).toBe(7)
    withLimits(story, { costPerDay: 20 })
    expect(story.world.team.limits.costPerDay).toBe(20)
    const notices = story.entries.flatMap(({ event }) => (event.type === 'notice.given' ? [event] : []))
    expect(notices.map(({ agent, notice }) => [agent, notice.kind, notice.words])).toContainEqual([
      ANA,
      'setup_overruled',
      { who: 'cost_per_day', task: 'MAS base task' },
    ])
  })

  it('lets the work continue that it had stopped, in the same decision', () => {
    const { story } = storyOf(goals('read', READER))
    story.put(ANA, set(story, 'cost_per_agent_per_day', 2))
    plans(story, READER, 'think', 'think')
    story.run(READER, () => paying(2))
    expect(requestOf(story, 'limit')?.question).toContain('$2')
    expect(story.start(READER)).toBeNull()
    const decided = must(story.put(ANA, set(story, 'cost_per_agent_per_day', 3)), 'decision')
    expect(decided.events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['setup.changed', 'config.applied', 'budget.lifted', 'request.ended']),
    )
    expect(requestOf(story, 'limit')).toBeNull()
    expect(story.start(READER)).not.toBeNull()
  })

  it('is refused to all others, and to who has not seen the newest change', () => {
    const story = new Story()
    for (const by of [BEN, TEAM.lee.id, READER, TEAM.manager.id])
      expect(refusal(story, set(story, 'cost_per_day', 5), by)?.code).toBe('NOT_ALLOWED')
    story.put(ANA, set(story, 'cost_per_day', 5))
    expect(refusal(story, set(story, 'cost_per_day', 6, 0))?.code).toBe('SETUP_CHANGED')
    expect(refusal(story, set(story, 'cost_per_task', 6, 0))).toBeNull()
  })

  it.each([
    ['cost_per_day', 0, 'A limit must be a number greater than 0. For no limit, leave it empty.'],
    ['cost_per_day', -1, 'A limit must be a number greater than 0. For no limit, leave it empty.'],
    ['cost_per_day', Number.NaN, 'A limit must be a number greater than 0. For no limit, leave it empty.'],
    ['cost_per_day', 1_000_000_000, 'A limit can have at most 9 digits. For no limit, leave it empty.'],
    ['tokens_per_task', Number.POSITIVE_INFINITY, 'A limit can have at most 9 digits. For no limit, leave it empty.'],
    ['tokens_per_task', 2.5, 'A limit of tokens must be a whole number.'],
  ])('%s is not %d', (id, limit, words) => {
    expect(refusal(new Story(), set(new Story(), id, limit))).toMatchObject({ code: 'BUDGET_UNFIT', message: words })
  })

  it.each(BUDGET_KEYS)('%s may be the highest, and a whole one; costs may have cents', (id) => {
    const story = new Story()
    expect(refusal(story, set(story, id, 999_999_999))).toBeNull()
    expect(refusal(story, set(story, id, 1))).toBeNull()
    expect(refusal(story, set(story, id, 0.01))?.code ?? null).toBe(id === 'tokens_per_task' ? 'BUDGET_UNFIT' : null)
  })

  it('is one of those there are: no other is made, and none is removed', () => {
    const story = new Story()
    const removed: Command = {
      type: 'changeSetup',
      changes: [{ kind: 'budget', id: 'cost_per_day', value: null, seen: 0 }],
    }
    expect(refusal(story, removed)?.code).toBe('BAD_INPUT')
    const made: Command = {
      type: 'changeSetup',
      changes: [{ kind: 'budget', id: 'cost_per_week', value: { limit: 1 }, seen: null }],
    }
    expect(refusal(story, made)?.code).toBe('NOT_FOUND')
  })
})
