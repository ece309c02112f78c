import type { TreeRow } from './rows'

/** The values of a line of the tree that has none of them; what has some adds its own. */
export const NO_TREE_VALUES = {
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
  stage: null,
  agent: null,
  step: null,
  byHand: false,
  attempt: 1,
  seq: 0,
  more: null,
} satisfies Partial<TreeRow>
