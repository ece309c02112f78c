import type { TreeRow } from './rows'

/**
 * A line of the tree without any value, to be copied with other values. It has every key: V8 takes 15 µs for a copy to which a
 * dozen keys are added, and 0.1 µs for one whose values are replaced.
 */
export const EMPTY_TREE_ROW: TreeRow = {
  id: '',
  sort: '',
  kind: 'step',
  parent: null,
  level: 0,
  name: '',
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
}
