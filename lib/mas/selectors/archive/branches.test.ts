/** A task as its branches: what is the same, what the world holds, what is put in and taken out. */
import { describe, expect, it } from 'vitest'
import { sampleShapeOf } from '@/test/samples'
import { sampleWorld } from '@/test/sampleWorld'
import { asId, type TaskId } from '../../ids'
import { isSamePiece, pieceOf, selectTasksHeld, withoutTasks, withPieces } from './branches'

const { task } = sampleShapeOf('step.added')
const piece = pieceOf(sampleWorld, task)

describe('a piece of the world', () => {
  it('is the same while each of its branches is', () => {
    expect(isSamePiece(piece, pieceOf(sampleWorld, task))).toBe(true)
    expect(isSamePiece(piece, { ...piece, messages: { ...piece.messages } })).toBe(false)
    expect(isSamePiece(piece, { ...piece, receipts: { ...piece.receipts } })).toBe(false)
    expect(isSamePiece(piece, pieceOf(sampleWorld, asId<TaskId>('other')))).toBe(false)
  })

  it('is put in as a whole, in place of what was held', () => {
    const without = withoutTasks(sampleWorld)
    expect([selectTasksHeld(sampleWorld), selectTasksHeld(without)]).toEqual([[task], []])
    const back = withPieces(without, new Map([[task, piece]]))
    expect(isSamePiece(pieceOf(back, task), piece)).toBe(true)
    const gone = withPieces(sampleWorld, new Map([[task, { ...piece, messages: undefined }]]))
    expect([Object.keys(gone.messages), Object.keys(gone.steps)]).toEqual([[], [task]])
    expect(gone.agents).toBe(sampleWorld.agents)
  })
})
