/** Kill -9 in the middle: what was acknowledged is there, what waited still waits, every message is there once. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { openPerson, settle } from '../fixtures/person'
import { startServer } from '../fixtures/server'

type Task = {
  task_name: string
  execution_state: string
  shared_conversation_pool: {
    message_id: string
    message: string
    sender_id: string
    receiver: string[]
    dispatch_id: string
  }[]
}
type Step = { step_id: string; execution_state: string; execute_result: unknown }

const KILLS = 20

/** A small generator with a seed, so that a failing run can be repeated. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

test(`[R13] a task ends right although the engine is killed ${KILLS} times on the way`, async ({
  browserName: _,
}, info) => {
  test.skip(info.project.name !== 'desktop', 'there is no page in this test')
  test.setTimeout(400_000)
  // The same road in each short run, a new one in the long ones.
  const seed = Number(
    process.env.CONVENE_SEED ?? (process.env.CONVENE_ALL === '1' ? Date.now() % 1_000_000 : 20_261_121),
  )
  info.annotations.push({ type: 'seed', description: String(seed) })
  const random = randomOf(seed)
  const server = await startServer({ delayMs: 3 })
  try {
    const ana = await openPerson(server, 'ana')
    expect((await ana.post('/api/work/demo')).status).toBe(200)
    const tasks = async () => Object.values(await ana.get<Record<string, Task>>('/api/states?type=task'))
    const isOver = async () =>
      (await tasks()).some((task) => task.execution_state === 'finished' || task.execution_state === 'failed')

    for (let kill = 0; kill < KILLS; kill++) {
      // Somewhere in the life of this process: at once, in a model call, in a tool call, while a person answers.
      const until = Date.now() + 30 + random() * 500
      while (Date.now() < until) {
        const open = ana.requests()
        const next = open[Math.floor(random() * open.length)]
        if (next && random() < 0.1) await settle(ana, next)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      const before = ana.requests().map((row) => row.request.id)
      await server.kill()
      await server.start()
      // Open waits are still open: each request that was open is there, answered or not, and none is lost.
      for (const id of before) {
        const request = await ana.get<{ request?: { state: string }; state?: string }>(`/api/requests/${id}`)
        expect(request.request?.state ?? request.state, `request ${id}, seed ${seed}`).toMatch(/open|claimed|answered/)
      }
    }
    await expect
      .poll(
        async () => {
          for (const row of ana.requests()) await settle(ana, row)
          return isOver()
        },
        { timeout: 90_000, intervals: [200] },
      )
      .toBe(true)

    const work = (await tasks()).find((task) => task.task_name !== 'MAS base task')
    expect(work?.execution_state, `seed ${seed}`).toBe('finished')
    const sent = (await tasks()).flatMap((task) => task.shared_conversation_pool)
    // The system may say the same of two stages; nobody else says anything twice.
    const said = sent.filter(({ sender_id }) => sender_id !== 'system:task')
    const asOne = said.map(({ sender_id, receiver, message }) => `${sender_id} ${receiver.join()} ${message}`)
    expect(
      asOne.filter((text, at) => asOne.indexOf(text) !== at),
      `doubled messages, seed ${seed}`,
    ).toEqual([])
    expect(new Set(sent.map((message) => message.message_id)).size).toBe(sent.length)
    const steps = Object.values(await ana.get<Record<string, Step>>('/api/states?type=step'))
    expect(steps.filter((step) => step.execution_state === 'running' || step.execution_state === 'pending')).toEqual([])
    const report = join(server.workspace, 'prices', 'report.md')
    expect(existsSync(report)).toBe(true)
    expect(readFileSync(report, 'utf8')).toContain('apple')
    ana.close()
  } finally {
    await server.stop()
  }
})
