/** Who may erase which task, and what stays of it. */
import { describe, expect, it } from 'vitest'
import { ANA, BEN, goals, must, READER, storyOf } from '@/test/stories'
import { BASE_TASK, type Story } from '@/test/worldHistories'
import { decide } from '../../commands'
import type { CommandOf } from '../../commands/command'

const found = { from: 3, rows: 7, counters: [] }
const tried = (
  story: Story,
  by: string,
  more: Partial<CommandOf<'eraseTask'>> & Pick<CommandOf<'eraseTask'>, 'task'>,
) =>
  decide(
    story.world,
    { id: 'a-try', by, command: { type: 'eraseTask', reason: 'they asked', found, ...more } },
    story.world.at + 1,
  )
const refusal = (...of: Parameters<typeof tried>): string | null => {
  const decided = tried(...of)
  return decided.ok ? null : decided.fault.code
}
const ended = () => {
  const { story, task } = storyOf(goals('read', READER))
  story.put(ANA, { type: 'finishTask', task, state: 'finished', summary: 'done', reason: 'done' })
  return { story, task }
}

describe('[R566] an operator erases a task that is at rest', () => {
  it('is refused to others, while it goes on, of the base task, and without a reason', () => {
    const open = storyOf(goals('read', READER))
    expect(refusal(open.story, ANA, { task: open.task })).toBe('NOT_AT_REST')
    const { story, task } = ended()
    expect(refusal(story, BEN, { task })).toBe('NOT_ALLOWED')
    expect(refusal(story, ANA, { task: BASE_TASK })).toBe('BASE_TASK_STAYS')
    expect(refusal(story, ANA, { task, reason: ' ' })).toBe('REASON_MISSING')
    expect(refusal(story, ANA, { task })).toBeNull()
  })

  it('leaves by whom and when, and nothing can be done with it any more', () => {
    const { story, task } = ended()
    const before = story.world
    story.put(ANA, { type: 'eraseTask', task, reason: 'they asked', found })
    const { world } = story
    const record = must(world.erased[task], 'record')
    expect(record).toEqual({ by: ANA, at: world.at, seq: world.seq, from: 3, to: before.seq })
    expect(must(story.entries.at(-1), 'entry').event).toMatchObject({
      type: 'task.erased',
      rows: 7,
      reason: 'they asked',
    })
    for (const branch of ['tasks', 'stages', 'steps', 'messages', 'requests', 'budgets'] as const)
      expect(Object.keys(world[branch]), branch).not.toContain(task)
    expect(JSON.stringify(Object.values(world.notices))).not.toContain(task)
    expect(refusal(story, ANA, { task })).toBe('TASK_ERASED')
  })

  it('may be archived before', () => {
    const { story, task } = ended()
    const world = { ...story.world, tasks: {} }
    const command = { type: 'eraseTask', task, reason: 'they asked', found } as const
    expect(decide(world, { id: 'a-try', by: ANA, command }, world.at + 1).ok).toBe(true)
  })
})
