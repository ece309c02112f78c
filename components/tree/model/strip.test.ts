import { describe, expect, it } from 'vitest'
import { type AgentId, asId, type StageId } from '@/lib/mas/ids'
import type { TreeRow } from '@/lib/wire'
import { treeRow } from '../test/row'
import { lineAt, STRIP_PLACES, stripMarks, stripScale } from './strip'
import type { TreeLineModel } from './treeModel'

const lineOf = (change: Partial<TreeRow>, isOpen: boolean | null = null): TreeLineModel => ({
  node: treeRow({ id: 'line', kind: 'step', ...change }),
  level: 1,
  isOpen,
  place: 1,
  of: 1,
})
const within = (waiting: number, failed: number): TreeRow['counts'] => ({ waiting, failed, steps: 9 })
const marksOf = (lines: TreeLineModel[]) => stripMarks(lines, stripScale(lines), null)
/** Stands for so many steps. */
const gap = (steps: number): TreeLineModel =>
  lineOf({
    ...{ id: 's/a/earlier', kind: 'older', stage: asId<StageId>('s'), agent: asId<AgentId>('a') },
    counts: { waiting: 0, failed: 0, steps },
  })

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
    const at = (line: number): number => Math.floor((line * STRIP_PLACES) / lines.length)
    expect(marksOf(lines)).toEqual({ errors: [at(1), at(4)], waits: [at(3), at(5)] })
  })

  it('[R197] has one mark for many lines of one place, and an error there is not hidden by a wait', () => {
    const lines = Array.from({ length: STRIP_PLACES * 10 }, (_, at) =>
      lineOf(at === 11 ? { chip: 'failed', counts: within(0, 1) } : at < 20 ? { chip: 'waiting' } : {}),
    )
    expect(marksOf(lines)).toEqual({ errors: [1], waits: [0] })
  })

  it('[R548] gives steps that no line shows their room, and marks their failures there', () => {
    const lines = [lineOf({}), gap(1_998), lineOf({})]
    const ruler = { lanes: [{ stage: 's', agent: 'a', failed: 3, places: [0, 999, 1_998] }] }
    const scale = stripScale(lines)
    expect(scale).toEqual({ starts: [0, 1, 1_999], total: 2_000 })
    // The last is no longer missing.
    expect(stripMarks(lines, scale, ruler).errors).toEqual([0, 500])
  })

  it('[R548] a press finds the line at its height, and which of the steps that it stands for', () => {
    const scale = stripScale([lineOf({}), gap(1_998), lineOf({})])
    expect(lineAt(scale, 0)).toEqual({ line: 0, into: 0 })
    expect(lineAt(scale, 0.5)).toEqual({ line: 1, into: 999 })
    expect(lineAt(scale, 1)).toEqual({ line: 2, into: 0 })
  })
})
