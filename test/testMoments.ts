/** Moments without a clock, of one deciding node. */
import { openMoments } from '@/server/engine/moments/moments'
import { memoryStore } from './memoryStore'

type TestMoments = Pick<Parameters<typeof openMoments>[0], 'archive'> & Partial<Parameters<typeof openMoments>[0]>

export const openTestMoments = (parts: TestMoments) =>
  openMoments({
    snapshots: memoryStore({}).snapshots,
    clock: () => 0,
    turn: async () => {},
    leads: () => true,
    isErased: () => false,
    onTrouble: (error) => {
      throw error
    },
    ...parts,
  })
