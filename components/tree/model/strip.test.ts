import { describe, expect, it } from 'vitest'
import type { TreeRow } from '@/lib/wire'
import { treeRow } from '../test/row'
import { STRIP_PLACES, stripMarks } from './strip'
import type { TreeLineModel } from './treeModel'

const lineOf = (change: Partial<TreeRow>, isOpen: boolean | null = null): TreeLineModel => ({
  node: treeRow({ id: 'line', kind: 'step', ...change }),
  level: 1,
  isOpen,
  place: 1,
  of: 1,
})
const within = (waiting: number, failed: number): TreeRow['counts'] => ({ waiting, failed, steps: 9 })

describe('the strip beside the tree', () => {
  it('[R197] marks the failures and waits of all lines at their height, a closed line for what is in it', () => {
    const lines = [
      lineOf({ kind: 'stage', chip: 'waiting', counts: within(1, 2) }, true),
      lineOf({ chip: 'failed', counts: within(0, 1) }),
      // It was tried again: no error any more.
      lineOf({ chip: 'failed' }),
      lineOf({ kind: 'agent', chip: 'waiting' }),
      lineOf({ kind: 'agent', counts: within(0, 1) }, false),
      lineOf({ kind: 'stage', counts: within(3, 0) }, false),
    ]
    const at = (line: number): number => (line * STRIP_PLACES) / lines.length
    expect(stripMarks(lines)).toEqual({ errors: [at(1), at(4)], waits: [at(3), at(5)] })
  })

  it('[R197] has one mark for many lines of one place, and an error there is not hidden by a wait', () => {
    const lines = Array.from({ length: STRIP_PLACES * 10 }, (_, at) =>
      lineOf(at === 11 ? { chip: 'failed', counts: within(0, 1) } : at < 20 ? { chip: 'waiting' } : {}),
    )
    expect(stripMarks(lines)).toEqual({ errors: [1], waits: [0] })
  })
})
