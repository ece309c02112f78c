/** Whole rows of a tree, of which a test says what matters to it. */
import type { TreeRow } from '@/lib/wire'
import { EMPTY_TREE_ROW } from '@/lib/wire/treeValues'

/** Idle, at the top, with nothing in it. */
export const treeRow = (change: Partial<TreeRow> & Pick<TreeRow, 'id' | 'kind'>): TreeRow => ({
  ...EMPTY_TREE_ROW,
  sort: change.id,
  parent: null,
  level: 1,
  name: change.id,
  state: 'init',
  chip: 'idle',
  counts: { waiting: 0, failed: 0, steps: 0 },
  ...change,
})
