/** A task as its branches: what the world holds, what is put in and taken out. */
import { describe, expect, it } from 'vitest'
import { sampleShapeOf } from '@/test/samples'
import { sampleWorld } from '@/test/sampleWorld'
import { asId, type TaskId } from '../ids'
import { pieceOf, selectTasksHeld, withoutTasks, withPieces } from './branches'

const { task } = sampleShapeOf('step.added')
const piece = pieceOf(sampleWorld, task)

describe('a piece of the world', () => {
  it('has each branch of the task as the world holds it', () => {
    const keys = Object.keys(piece) as (keyof typeof piece)[]
    expect(keys.every((key) => piece[key] === sampleWorld[key][task])).toBe(true)
    expect(Object.values(pieceOf(sampleWorld, asId<TaskId>('other'))).every((branch) => branch === undefined)).toBe(
      true,
    )
  })

  it('is put in as a whole, in place of what was held', () => {
    const without = withoutTasks(sampleWorld)
    expect([selectTasksHeld(sampleWorld), selectTasksHeld(without)]).toEqual([[task], []])
    const back = withPieces(without, new Map([[task, piece]]))
    expect(pieceOf(back, task)).toEqual(piece)
    const gone = withPieces(sampleWorld, new Map([[task, { ...piece, messages: undefined }]]))
    expect([Object.keys(gone.messages), Object.keys(gone.steps)]).toEqual([[], [task]])
    expect(gone.agents).toBe(sampleWorld.agents)
  })
})
