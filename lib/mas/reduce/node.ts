/** Nodes, the sequencer, and the configuration of the team. */
import { withKey, withoutKeys } from './branch'
import type { Reducers } from './reducer'

export const nodeReducers = {
  'node.started': (world, { node, epoch }, { at }) => ({
    ...world,
    nodes: withKey(world.nodes, node, { startedAt: at, epoch }),
  }),
  'node.left': (world, { node }) => ({ ...world, nodes: withoutKeys(world.nodes, [node]) }),
  'journal.damaged': (world) => world,
  'sequencer.took': (world, { epoch }) => ({ ...world, epoch }),
  'config.applied': (world, { team }) => ({ ...world, team }),
} satisfies Reducers
