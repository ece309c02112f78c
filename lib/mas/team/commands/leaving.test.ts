/** What becomes of what a person was asked when they leave a task. */
import { describe, expect, it } from 'vitest'
import {
  ANA,
  BEN,
  goals,
  LEE,
  linesOf,
  locksOf,
  must,
  plans,
  READER,
  requestOf,
  says,
  stageAt,
  storyOf,
} from '@/test/stories'
import { type Story, send } from '@/test/worldHistories'
import { decide } from '../../commands'
import type { Command } from '../../commands/command'
import type { AgentId, TaskId } from '../../ids'

const leaves = (task: TaskId, who: AgentId, handTo: AgentId | null): Command => ({
  type: 'changeParticipants',
  task,
  add: [],
  remove: [who],
  handTo,
  reason: 'he moves on',
})
const refusal = (story: Story, task: TaskId, who: AgentId, handTo: AgentId): string => {
  const decided = decide(story.world, { id: 'refused', by: ANA, command: leaves(task, who, handTo) }, story.world.at)
  return decided.ok ? 'done' : decided.fault.code
}

/** Reader waits for an answer of Ben, who also has a part and a message that asks for something. */
function asked(): { story: Story; task: TaskId } {
  const { story, task } = storyOf(goals('read', READER, BEN))
  plans(story, READER, 'send_message', 'think')
  story.run(READER, () => says([BEN]))
  story.put(ANA, send(ANA, [BEN], { task, kind: 'action', text: 'Check the totals' }))
  return { story, task }
}

describe('[R126] what only a person was asked when they leave a task', () => {
  it('is the other person’s at once: requests, their part, messages; nobody who waits notices', () => {
    const { story, task } = asked()
    const request = must(requestOf(story, 'answer'), 'request')
    const locks = locksOf(story.world, READER)
    story.put(ANA, leaves(task, BEN, LEE))
    expect(story.world.requests[task]?.[request.id]).toMatchObject({
      state: 'open',
      asked: [LEE],
      transferredBy: [BEN],
    })
    expect(locksOf(story.world, READER)).toEqual(locks)
    expect(stageAt(story.world, 0).parts).toMatchObject({ [LEE]: 'idle' })
    expect(Object.keys(stageAt(story.world, 0).parts)).not.toContain(BEN)
    const open = story
      .openRequests()
      .filter(({ asked, transferredBy }) => asked.includes(LEE) && transferredBy?.includes(BEN))
    expect(open.map(({ question }) => question)).toContain('Check the totals')
    expect(story.world.tasks[task]?.group).toContain(LEE)
    expect(story.world.tasks[task]?.group).not.toContain(BEN)
    expect(linesOf(story.world).at(-1)).toMatch(/^Lee took over from Ben: request \d+, \d+, a message$/)
  })

  it('ends when nobody takes it: the part fails with the reason, and the agent that waits continues', () => {
    const { story, task } = asked()
    story.put(ANA, leaves(task, BEN, null))
    expect(stageAt(story.world, 0).parts[BEN]).toBe('failed')
    expect(stageAt(story.world, 0).partReasons[BEN]).toContain('he moves on')
    expect(locksOf(story.world, READER)).toEqual([])
    expect(Object.values(story.world.requests[task] ?? {}).filter(({ asked }) => asked.includes(BEN))).toSatisfy(
      (requests: { state: string }[]) => requests.every(({ state }) => state === 'superseded'),
    )
  })

  it('goes to a person only, who stays', () => {
    const { story, task } = asked()
    expect(refusal(story, task, BEN, READER)).toBe('HANDOVER_UNFIT')
    expect(refusal(story, task, BEN, BEN)).toBe('RECEIVER_GONE')
    expect(refusal(story, task, BEN, ANA)).toBe('done')
  })

  it('is refused where the other has a part of the same stage', () => {
    const { story, task } = storyOf(goals('read', BEN, LEE))
    expect(refusal(story, task, BEN, LEE)).toBe('HANDOVER_UNFIT')
    expect(refusal(story, task, BEN, ANA)).toBe('done')
  })

  it('was offered to somebody else and not taken: it goes to the one who was chosen', () => {
    const { story, task } = asked()
    const request = must(requestOf(story, 'answer'), 'request')
    story.put(BEN, { type: 'handOver', to: ANA, requests: [request.id], sentence: 'please' })
    story.put(ANA, leaves(task, BEN, LEE))
    expect(story.world.requests[task]?.[request.id]).toMatchObject({ state: 'open', asked: [LEE], transfer: null })
  })
})

it('[R126] what a person was asked elsewhere stays theirs when they leave a task', () => {
  const { story, task } = asked()
  story.put(ANA, send(ANA, [BEN], { kind: 'action', text: 'Elsewhere' }))
  const base = must(story.world.baseTask, 'base task')
  story.put(ANA, leaves(task, BEN, LEE))
  const elsewhere = story.openRequests().filter(({ question }) => question === 'Elsewhere')
  expect(elsewhere).toMatchObject([{ task: base, asked: [BEN] }])
  expect(elsewhere[0]).not.toHaveProperty('transferredBy')
})

it('[R126] a stage that is over, and one that has not begun, stay as they are when a member leaves', () => {
  const { story, task } = storyOf(goals('read', BEN), goals('look', BEN), goals('compare', BEN))
  const done = must(
    story.openRequests().find(({ kind }) => kind === 'part'),
    'part',
  )
  const answer = { type: 'answerRequest', decision: 'done', text: 'read', arguments: null, digest: null } as const
  story.put(BEN, { ...answer, request: done.id })
  story.put(ANA, { type: 'finishStage', stage: stageAt(story.world, 0).id, reason: 'it will do' })
  story.put(ANA, leaves(task, BEN, null))
  expect([0, 1, 2].map((n) => stageAt(story.world, n).parts[BEN])).toEqual(['finished', 'failed', 'idle'])
})
