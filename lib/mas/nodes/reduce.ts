/** The nodes that serve the journal, and which of them orders it. */
import { withKey, withoutKeys } from '../reduce/branch'
import type { Reducers } from '../reduce/reducer'

export const nodeReducers = {
  'node.started': (world, { node, epoch }, { at }) => ({
    ...world,
    nodes: withKey(world.nodes, node, { startedAt: at, epoch }),
  }),
  'node.left': (world, { node }) => ({ ...world, nodes: withoutKeys(world.nodes, [node]) }),
  'sequencer.took': (world, { epoch }) => ({ ...world, epoch }),
} satisfies Reducers
