import type { CheckpointRecord } from '../checkpointRecords'
import { changedOr } from './branch'
import type { Reducers } from './reducer'

/** Number of checkpoints of an agent in the world; older ones are in the journal. */
export const CHECKPOINTS_KEPT = 1_000

export const checkpointReducers = {
  'checkpoint.reported': (world, { type: _, v: __, timestamp, checkpoint: id, ...said }, { at, seq }) => ({
    ...world,
    checkpoints: changedOr(world.checkpoints, said.agent, [], (known) => {
      const others = known.filter((one) => one.id !== id)
      const reported: CheckpointRecord = { ...said, id, at: timestamp ?? at, seq }
      return [...others.slice(1 - CHECKPOINTS_KEPT), reported]
    }),
  }),
} satisfies Reducers
