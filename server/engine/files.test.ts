/** A whole run: a call that writes leaves its files in the journal, with the step and the agent. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { selectFilesOfTask } from '@/lib/mas/files/files'
import { ask, openPart } from '@/test/enginePart'
import { memoryStore } from '@/test/memoryStore'
import { planned, TEAM } from '@/test/worldHistories'
import { openFileWatch } from '../files'

it('[R111] a file that an agent writes is a fact of its step and task, and its content is in the store', async () => {
  const root = await mkdtemp(join(tmpdir(), 'convene-engine-files-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const store = memoryStore({})
  const files = openFileWatch({ root, namedIn: () => [], bodies: store.bodies, keep: 20, onTrouble: () => {} })
  const test = await openPart([planned('files', 'tool')], {
    store,
    files,
    tools: {
      count: {
        info: { readOnly: false },
        async call() {
          await writeFile(join(root, 'report.md'), 'seven')
          return { ok: true, result: { isError: false, content: [{ type: 'text', text: 'written' }] } }
        },
      },
    },
  })
  await ask(test)
  const world = await test.until(({ files: known }) => Object.hasOwn(known, 'report.md'))
  const task = Object.values(world.tasks).find(({ base }) => !base)
  const [left] = task ? selectFilesOfTask(world, task.id) : []
  expect(left).toMatchObject({ path: 'report.md', change: 'made', agent: TEAM.reader.id, shared: false })
  const kept = await store.bodies.get(left?.now?.sha ?? '')
  expect(kept && Buffer.from(kept.bytes).toString('utf8')).toBe('seven')
  await test.engine.stop()
})
