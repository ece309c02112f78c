/** When a notice counts as settled: docs/rules.md R136. */
import { describe, expect, it } from 'vitest'
import { ANA, BEN, goals, MANAGER, must, plans, READER, says, stageAt, storyOf } from '@/test/stories'
import type { Story } from '@/test/worldHistories'
import type { AgentId } from '../ids'
import type { NoticeKind } from '../records'
import { isNoticeSettled } from './notices'

const settled = ({ world }: Story, person: AgentId, kind: NoticeKind): boolean[] =>
  (world.notices[person] ?? []).flatMap((notice) =>
    notice.kind === kind ? [isNoticeSettled(world, person, notice)] : [],
  )
const answer = (story: Story, by: AgentId, decision: 'answer' | 'done'): void => {
  const request = must(story.openRequests()[0], 'request')
  story.put(by, { type: 'answerRequest', request: request.id, decision, text: 'so', arguments: null, digest: null })
}

describe('[R136] a notice', () => {
  it('that a reply is needed is settled by the reply', () => {
    const { story } = storyOf(goals('read', READER))
    plans(story, READER, 'send_message')
    story.run(READER, () => says([BEN]))
    expect(settled(story, BEN, 'reply_needed')).toEqual([false])
    answer(story, BEN, 'answer')
    expect(settled(story, BEN, 'reply_needed')).toEqual([true])
  })

  it('of a stage is settled when the part is done, of a task when the task ends; its end is news', () => {
    const { story, task } = storyOf(goals('check', BEN), goals('look', READER))
    expect([settled(story, BEN, 'stage_started'), settled(story, BEN, 'task_started')]).toEqual([[false], [false]])
    answer(story, BEN, 'done')
    expect(settled(story, BEN, 'stage_started')).toEqual([true])
    story.put(ANA, { type: 'finishStage', stage: stageAt(story.world, 0).id, reason: 'it is there' })
    expect(settled(story, BEN, 'stage_finished')).toEqual([false])
    story.put(ANA, { type: 'finishTask', task, state: 'finished', summary: 'all', reason: 'done' })
    const kinds = ['task_started', 'stage_finished', 'task_finished'] as const
    expect(kinds.map((kind) => settled(story, BEN, kind))).toEqual([[true], [true], [false]])
    expect(settled(story, MANAGER, 'task_started')).toEqual([])
  })
})
