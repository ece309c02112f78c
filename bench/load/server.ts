/** The server as it is, with a load in it that its parent process starts; its monitor says when entries were confirmed (docs/socket.md). */
import { randomUUID } from 'node:crypto'
import { runServer } from '@/server/runServer'
import { errorMessage } from '@/server/shared/errors'
import { sleep } from '@/server/timers'
import { createLoads, type LoadDriver } from '.'
import { loadOrder, loadWish } from './wish'

const load = createLoads({ newId: randomUUID, now: Date.now, sleep })

runServer({
  abilities: (configured) => ({
    ...configured,
    models: { get: (name) => (name === load.model.name ? load.model : configured.models.get(name)) },
    skills: load.runSkill(configured.skills),
    team: load.configured(configured.team),
  }),
  core(opened) {
    const driver = load.driver(opened.engine)
    process.on('message', (message) => void obey(driver, message))
    return { ...opened, monitor: load.timed(opened) }
  },
})

async function obey(driver: LoadDriver, message: unknown): Promise<void> {
  const order = loadOrder.parse(message)
  const { n } = order
  try {
    const answer =
      'start' in order ? await driver.start(loadWish.parse(order.start)) : { progress: driver.progress(order.progress) }
    process.send?.({ n, ...answer })
  } catch (error) {
    process.send?.({ n, error: errorMessage(error) })
  }
}
