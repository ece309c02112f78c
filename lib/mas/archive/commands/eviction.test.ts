/** What leaves the world does so at its time and not before, and what wakes is what was asleep. */
import { describe, expect, it } from 'vitest'
import { ANA, BEN, goals, LEE, MANAGER, must, READER, storyOf } from '@/test/stories'
import { BASE_TASK, outcomeOf, Story, send } from '@/test/worldHistories'
import { decide } from '../../commands'
import type { Command } from '../../commands/command'
import type { TaskId, ThreadId } from '../../ids'
import {
  archivableAt,
  selectArchivableThreads,
  selectTaskArchivable,
  TASK_ARCHIVE_AFTER_MS,
  THREAD_RETIRE_AFTER_MS,
} from '../archivable'
import { pieceOf } from '../branches'

const refusal = (story: Story, command: Command, at: number): string | null => {
  const decided = decide(story.world, { id: 'a-try', by: 'system:timer', command }, at)
  return decided.ok ? null : decided.fault.code
}
const seesAll = (story: Story): void => {
  for (const person of [ANA, BEN, LEE]) {
    const messages = Object.values(story.world.messages).flatMap((all) => Object.values(all))
    story.put(person, { type: 'markShown', messages: messages.map(({ id }) => id) })
  }
}

describe('a task', () => {
  it('that is over leaves when it has rested for a day, at the very moment', () => {
    const { story, task } = storyOf(goals('read', READER))
    const archives: Command = { type: 'archiveTask', task }
    expect(refusal(story, archives, story.world.at + 100 * TASK_ARCHIVE_AFTER_MS)).toBe('NOT_AT_REST')
    story.put(ANA, { type: 'finishTask', task, state: 'finished', summary: 'done', reason: 'done' })
    seesAll(story)
    const rest = must(selectTaskArchivable(story.world, must(story.world.tasks[task], 'task')), 'rest')
    const leaves = archivableAt(rest, 'task')
    expect(refusal(story, archives, leaves - 1)).toBe('NOT_AT_REST')
    expect(refusal(story, archives, leaves)).toBeNull()
    expect(refusal(story, { type: 'archiveTask', task: 'none' as TaskId }, leaves)).toBe('NOT_AT_REST')
    expect(refusal(story, { type: 'archiveTask', task: BASE_TASK }, leaves)).toBe('NOT_AT_REST')
  })

  it('wakes when it is asleep, is a conversation that goes on, and the piece is its own', () => {
    const { story, task } = storyOf(goals('read', READER))
    const piece = pieceOf(story.world, task)
    const wakes = (id: TaskId): Command => ({ type: 'wakeTask', task: id, piece })
    expect(refusal(story, wakes(task), story.world.at)).toBe('ALREADY_SO')
    expect(refusal(story, wakes('asleep' as TaskId), story.world.at)).toBe('NOT_FOUND')
    const talk = {
      id: 'c' as never,
      peer: 'p' as never,
      protocol: 'mamp' as const,
      agent: READER,
      ours: ANA,
      shared: null,
      openedBy: 'us' as const,
      openedAt: 1,
      callback: null,
      closedAt: null,
      endReason: null,
    }
    const { [task]: _, ...others } = story.world.tasks
    const asleep = (closedAt: number | null, of: TaskId) => {
      const conversation = { ...talk, closedAt, task: of } as never
      const world = {
        ...story.world,
        tasks: others,
        conversations: { ['p' as never]: { ['c' as never]: conversation } },
      }
      const decided = decide(world, { id: 'a-try', by: 'system:adapter', command: wakes(of) }, story.world.at)
      return decided.ok ? null : decided.fault.code
    }
    expect(asleep(null, task)).toBeNull()
    expect(asleep(1, task)).toBe('NOT_FOUND')
    expect(asleep(null, 'other' as TaskId)).toBe('NOT_FOUND')
  })
})

describe('a thread of the base task', () => {
  it('leaves when it has rested for an hour, at the very moment, with the steps of its own', () => {
    const story = new Story()
    story.put(LEE, send(LEE, [MANAGER], { text: 'one' }))
    story.put(LEE, send(LEE, [MANAGER], { text: 'two' }))
    story.put(BEN, send(BEN, [ANA], { text: 'of Ben' }))
    const [one, two] = Object.values(story.world.messages[BASE_TASK] ?? {}).map(({ thread }) => thread)
    const retires = (thread = must(one, 'thread')): Command => ({ type: 'retireThread', thread })
    expect(refusal(story, retires(), story.world.at + 100 * THREAD_RETIRE_AFTER_MS)).toBe('NOT_AT_REST')
    story.run(MANAGER, () => outcomeOf({}))
    seesAll(story)
    const rest = must(selectArchivableThreads(story.world).get(must(one, 'thread')), 'rest')
    const leaves = archivableAt(rest, 'thread')
    expect(refusal(story, retires(), leaves - 1)).toBe('NOT_AT_REST')
    expect(refusal(story, retires('none' as ThreadId), leaves)).toBe('NOT_AT_REST')
    expect(refusal(story, retires(must(two, 'thread')), leaves)).toBe('NOT_AT_REST')
    const decided = decide(story.world, { id: 'a-try', by: 'system:timer', command: retires() }, leaves)
    expect(decided).toMatchObject({ ok: true, events: [{ type: 'thread.retired', agents: [MANAGER, LEE] }] })
  })
})

it('old records leave a task only when there are too many of them', () => {
  const { story, task } = storyOf(goals('read', READER))
  expect(story.put('system:timer', { type: 'evictRecords', task })?.events).toEqual([])
})
