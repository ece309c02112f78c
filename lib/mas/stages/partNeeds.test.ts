/** Parts that need the results of others: docs/rules R137. */
import { describe, expect, it } from 'vitest'
import {
  ANA,
  ANALYST,
  BEN,
  MANAGER,
  messagesOf,
  must,
  READER,
  stageAt,
  storyOf,
  submits,
  tell,
  workTask,
} from '@/test/stories'
import { outcomeOf, type Story } from '@/test/worldHistories'
import type { PlannedStage } from '../steps/outcome'
import { selectPartProgress, selectStageProgress } from '../waits/progress'

const check: PlannedStage = {
  stage_intention: 'write and check',
  agent_allocation: { [ANALYST]: 'Write the report.', [ANA]: 'Check the report.' },
  needs: { [ANA]: [ANALYST] },
}
const partsOf = (story: Story) => story.openRequests().filter(({ kind }) => kind === 'part')

describe('[R137] a part that needs another one', () => {
  it('is put to its person when that one is finished, once', () => {
    const { story } = storyOf(check)
    expect(partsOf(story)).toEqual([])
    expect(selectPartProgress(story.world, stageAt(story.world, 0), ANA)).toEqual({ state: 'idle' })
    expect(selectStageProgress(story.world, stageAt(story.world, 0))).toEqual({ state: 'running' })
    submits(story, ANALYST)
    expect(partsOf(story)).toMatchObject([{ asked: [ANA], question: 'Check the report.' }])
    // The stage itself was told of when it began.
    const begun = messagesOf(story.world).filter(({ instruction }) => instruction?.type === 'start_stage')
    expect(begun.map(({ text }) => text.split(':')[0])).toEqual([
      'Stage 1 of 1 started',
      'Your part of stage 1 can start',
    ])
    expect(selectStageProgress(story.world, stageAt(story.world, 0))).toMatchObject({ state: 'waiting', on: [ANA] })
    expect(stageAt(story.world, 0).judging).toBe(false)
  })

  it('does not begin when that one failed: the stage is judged without it', () => {
    const { story } = storyOf(check)
    while (story.run(ANALYST, () => outcomeOf({}))) {}
    expect(stageAt(story.world, 0).parts[ANALYST]).toBe('failed')
    expect(partsOf(story)).toEqual([])
    expect(stageAt(story.world, 0).judging).toBe(true)
  })

  it('of an agent begins with an order of its own, when all that it needs is there', () => {
    const { story, task } = storyOf({
      stage_intention: 'read twice, then compare',
      agent_allocation: { [READER]: 'Read.', [BEN]: 'Read too.', [ANALYST]: 'Compare.' },
      needs: { [ANALYST]: [READER, BEN] },
    })
    const ordered = (): boolean =>
      messagesOf(story.world).some(
        ({ instruction, receivers }) => instruction?.type === 'start_stage' && receivers.includes(ANALYST),
      )
    submits(story, READER)
    expect([ordered(), story.start(ANALYST)]).toEqual([false, null])
    const mine = must(partsOf(story)[0], 'part of Ben')
    story.put(BEN, {
      type: 'answerRequest',
      request: mine.id,
      decision: 'done',
      text: 'read',
      arguments: null,
      digest: null,
    })
    expect(ordered()).toBe(true)
    expect(stageAt(story.world, 0, task).parts[ANALYST]).not.toBe('finished')
  })

  it('may only need parts of its stage, and no circle: else the plan is refused in words', () => {
    const { story } = storyOf(check)
    const before = story.world.tasks[workTask(story.world).id]?.stageOrder.length
    for (const [needs, why] of [
      [{ [ANA]: [READER] }, 'needs may only name'],
      [{ [ANA]: [ANALYST], [ANALYST]: [ANA] }, 'goes in a circle'],
      [{ [ANA]: ['nobody at all'] }, 'nobody at all'],
    ] as const) {
      story.ask('and plan more')
      const stages = [{ ...check, needs: needs as unknown as Record<string, string[]> }]
      const step = story.run(MANAGER, () => tell({ action: 'add_stage', task_id: workTask(story.world).id, stages }))
      const told = JSON.stringify(story.entries.slice(-12).map(({ event }) => event))
      expect([step === null, told.includes(why)], told).toEqual([false, true])
    }
    expect(story.world.tasks[workTask(story.world).id]?.stageOrder.length).toBe(before)
  })
})

it('[R137] a part whose needed parts do not all end can still come as long as one of them can', () => {
  const { story } = storyOf({
    stage_intention: 'read twice, then compare',
    agent_allocation: { [READER]: 'Read.', [BEN]: 'Read too.', [ANALYST]: 'Compare.' },
    needs: { [ANALYST]: [READER, BEN] },
  })
  while (story.run(READER, () => outcomeOf({}))) {}
  // Reader's part failed; Ben can still do his, so the stage is not judged yet.
  expect([stageAt(story.world, 0).parts[READER], stageAt(story.world, 0).judging]).toEqual(['failed', false])
})
