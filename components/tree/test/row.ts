/** Whole rows of a tree, of which a test says what matters to it. */
import type { TreeRow } from '@/lib/wire'

/** Idle, at the top, with nothing in it. */
export const treeRow = (change: Partial<TreeRow> & Pick<TreeRow, 'id' | 'kind'>): TreeRow => ({
  sort: change.id,
  parent: null,
  level: 1,
  name: change.id,
  state: 'init',
  chip: 'idle',
  who: null,
  executor: null,
  stepType: null,
  waitsFor: [],
  waitingSince: null,
  reason: null,
  startedAt: null,
  endedAt: null,
  tokens: null,
  costUsd: null,
  counts: { waiting: 0, failed: 0, steps: 0 },
  stage: null,
  agent: null,
  step: null,
  byHand: false,
  attempt: 1,
  seq: 0,
  more: null,
  ...change,
})
