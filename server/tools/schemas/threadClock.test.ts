/** What a limit in CPU time of a thread counts. */
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { threadClock } from './schemaChecks'

const WORKER = `
const { parentPort } = require('node:worker_threads')
parentPort.postMessage(require('node:fs').readlinkSync('/proc/thread-self'))
parentPort.on('message', () => {
  const from = process.hrtime.bigint()
  while (process.hrtime.bigint() - from < 200_000_000n);
  parentPort.postMessage('done')
})
`

test.skipIf(process.platform !== 'linux')('[R73] what another thread does counts for no check', async () => {
  const worker = new Worker(WORKER, { eval: true, execArgv: [] })
  onTestFinished(() => void worker.terminate())
  const next = (): Promise<string> => new Promise((resolve) => worker.once('message', resolve))
  const used = threadClock(await next())
  const before = process.cpuUsage()
  while (process.cpuUsage(before).user < 200_000);
  expect(used()).toBeLessThan(100)
  const done = next()
  worker.postMessage('work')
  await done
  // It need not get the whole core for its 200 ms.
  expect(used()).toBeGreaterThan(5)
})

test('[R73] where the system does not say it, the whole process counts', () => {
  const used = threadClock(null)
  const before = process.cpuUsage()
  while (process.cpuUsage(before).user < 50_000);
  expect(used()).toBeGreaterThanOrEqual(50)
})
