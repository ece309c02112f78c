import { describe, expect, it } from 'vitest'
import { sampleShapeOf } from '@/test/samples'
import { having, like, sampleWorld } from '@/test/sampleWorld'
import { asId, type StageId } from '../ids'
import { selectPlan, selectStagePlace } from './plan'

const { task } = sampleShapeOf('stage.added')
const [first, better, last] = ['first', 'better', 'last'].map((id) => asId<StageId>(id)) as [StageId, StageId, StageId]

describe('the place of a stage in the plan', () => {
  const planned = having(
    sampleWorld,
    like('stage.added', { stage: first, after: null }),
    like('stage.added', { stage: last, after: first }),
    like('stage.added', { stage: better, after: first, retryOf: first }),
  )
  const own = [first, better, last]
  const before = selectPlan(planned, task).length - own.length
  const places = (world: typeof planned) =>
    own.map((stage) => {
      const { number, of } = selectStagePlace(world, task, stage)
      return [number - before, of - before]
    })

  it('[R309] is shared by a stage and the one that replaced it, and both count once', () => {
    expect(places(planned)).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ])
    const replaced = having(
      planned,
      like('stage.finished', { state: 'failed', stage: first, reason: 'no', replacedBy: better }),
    )
    expect(places(replaced)).toEqual([
      [1, 2],
      [1, 2],
      [2, 2],
    ])
  })

  it('is none of a stage that is in no plan', () => {
    expect(selectStagePlace(planned, task, asId<StageId>('another')).number).toBe(0)
    expect(selectStagePlace(planned, task, null).number).toBe(0)
  })
})
