/** A gateway for tests of what is found by words. */
import { expect, onTestFinished } from 'vitest'
import { openSearchIndexer } from '../../search'
import { openDouble } from './gatewayDouble'

/** A gateway whose index has read the whole journal. */
export async function openSearched() {
  const town = await openDouble()
  const filler = openSearchIndexer({
    store: town.store,
    world: () => town.engine.world(),
    onDecision: (listener) => town.engine.onDecision(listener),
    schedule: (run) => {
      const timer = setTimeout(run, 0)
      return () => clearTimeout(timer)
    },
    onTrouble: (error) => {
      throw error
    },
  })
  onTestFinished(() => filler.stop())
  const caughtUp = () => expect.poll(() => filler.upTo(), { timeout: 20_000 }).toBe(town.engine.world().seq)
  await caughtUp()
  return { ...town, caughtUp }
}
