/** When a notice counts as settled: docs/rules R136. */
import { describe, expect, it } from 'vitest'
import { ANA, BEN, goals, MANAGER, must, plans, READER, says, stageAt, storyOf } from '@/test/stories'
import type { Story } from '@/test/worldHistories'
import { type AgentId, asId, type MessageId, type StageId } from '../ids'
import type { NoticeKind, NoticeRecord, RequestRecord, World } from '../records'
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

describe('[R136] a notice whose subject left the world or is of somebody else', () => {
  const { story, task } = storyOf(goals('check', BEN))
  const { world } = story
  const [notice] = world.notices[BEN] ?? []
  const of = (change: Partial<NoticeRecord>, from: World = world) =>
    isNoticeSettled(from, BEN, { ...must(notice, 'notice'), task, stage: null, message: null, ...change })

  it('is settled without its stage, its task or its delivery', () => {
    const stage = stageAt(world, 0).id
    expect([of({ kind: 'stage_started', stage }), of({ kind: 'stage_started' })]).toEqual([false, true])
    expect(of({ kind: 'stage_started', stage }, { ...world, stages: {} })).toBe(true)
    const other = asId<StageId>('other')
    expect(of({ kind: 'stage_started', stage: other })).toBe(true)
    for (const kind of ['stage_finished', 'stage_failed', 'task_started'] as const)
      expect([of({ kind }), of({ kind }, { ...world, tasks: {} })], kind).toEqual([false, true])
    for (const kind of ['task_finished', 'task_failed', 'setup_overruled', 'setup_stays_out'] as const)
      expect(of({ kind }, { ...world, tasks: {} }), kind).toBe(false)
    expect(of({ kind: 'reply_needed' })).toBe(true)
  })

  it('that somebody could not be reached is settled once the request of that message is over', () => {
    const request = must(story.openRequests()[0], 'request')
    const message = asId<MessageId>('asked')
    const asks = (change: Partial<RequestRecord>): World => ({
      ...world,
      requests: { [task]: { [request.id]: { ...request, message, ...change } } },
    })
    expect(of({ kind: 'not_reached', message }, asks({}))).toBe(false)
    expect(of({ kind: 'not_reached', message }, asks({ state: 'answered' }))).toBe(true)
    expect(of({ kind: 'not_reached', message }, asks({ message: asId<MessageId>('other') }))).toBe(true)
    expect(of({ kind: 'not_reached' }, asks({}))).toBe(false)
  })
})
