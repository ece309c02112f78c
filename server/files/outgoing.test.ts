/** Which files of the workspace go along with a message: by the rights of the step that names them. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { bodyOf } from '@/lib/mas/bodies'
import { MOST_SENT_BYTES, MOST_SENT_FILES } from '@/lib/mas/files/fileTypes'
import type { StepRecord, World } from '@/lib/mas/records'
import { memoryStore } from '@/test/memoryStore'
import { must } from '@/test/stories'
import { outcomeOf, type Story, send, TEAM, walk } from '@/test/worldHistories'
import { openOutgoingFiles } from './outgoing'

/** A workspace with these files, and Reader's step in a task; holds: its tools. */
async function open(files: Record<string, string>, holds: string[] = ['files']) {
  const root = await mkdtemp(join(tmpdir(), 'convene-outgoing-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(root, path, '..'), { recursive: true })
    await writeFile(join(root, path), text)
  }
  const story: Story = walk([])
  const step = must(
    story.run(TEAM.reader.id, () => outcomeOf({})),
    'step',
  )
  const { bodies } = memoryStore({})
  const sends = openOutgoingFiles({ root, servers: ['files'], bodies })
  const world = (): World => {
    const reader = must(story.world.agents[TEAM.reader.id], 'reader')
    return { ...story.world, agents: { ...story.world.agents, [reader.id]: { ...reader, tools: holds } } }
  }
  return { root, story, step, bodies, sent: (...paths: string[]) => sends(world(), step as StepRecord, paths) }
}

it('[R230] a file goes with its name, type, place and content, once', async () => {
  const { sent, bodies } = await open({ 'prices/north.csv': 'apple,3.20', 'a.bin': 'x' })
  const { files, left } = await sent('./prices/north.csv', 'prices/north.csv', 'a.bin')
  expect(left).toEqual([])
  expect(files).toMatchObject([
    { name: 'north.csv', savedAs: 'prices/north.csv', body: { mime: 'text/csv', bytes: 10, preview: 'apple,3.20' } },
    { name: 'a.bin', savedAs: 'a.bin', body: { mime: 'application/octet-stream', preview: '' } },
  ])
  expect(Buffer.from((await bodies.get(must(files[0], 'file').body.sha))?.bytes ?? []).toString()).toBe('apple,3.20')
})

it('[R230] nothing outside the workspace, hidden or behind a link is sent', async () => {
  const { root, sent } = await open({ '.env': 'KEY=1', 'a.txt': 'a' })
  await symlink('/etc/hostname', join(root, 'link.txt'))
  const paths = ['.env', '../a.txt', '/etc/hostname', 'link.txt', 'none.txt', '.', '']
  expect(await sent(...paths)).toEqual({ files: [], left: paths })
})

it('[R230] who holds no file tool sends none but what came with messages of its task', async () => {
  const { sent, story, step } = await open({ 'a.txt': 'a', 'inbox/1/own.txt': 'b', 'inbox/2/other.txt': 'c' }, [])
  const carries = (task: StepRecord['task'], savedAs: string): void => {
    const attachments = [{ name: 'own.txt', body: bodyOf('b').ref, savedAs }]
    story.put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.manager.id], { task, attachments }))
  }
  story.put(TEAM.ana.id, {
    type: 'changeParticipants',
    task: step.task,
    add: [TEAM.ana.id],
    remove: [],
    reason: 'to say it',
  })
  carries(step.task, 'inbox/1/own.txt')
  carries(must(story.world.baseTask, 'base task'), 'inbox/2/other.txt')
  const { files, left } = await sent('a.txt', 'inbox/1/own.txt', 'inbox/2/other.txt')
  expect([files.map(({ savedAs }) => savedAs), left]).toEqual([['inbox/1/own.txt'], ['a.txt', 'inbox/2/other.txt']])
})

it('[R230] 20 files of 6 MiB together are sent, and of others the names are said', async () => {
  const small = Object.fromEntries(Array.from({ length: MOST_SENT_FILES + 1 }, (_, n) => [`${n}.txt`, 'a']))
  const few = await (await open(small)).sent(...Object.keys(small))
  expect([few.files.length, few.left]).toEqual([MOST_SENT_FILES, [`${MOST_SENT_FILES}.txt`]])
  const half = 'a'.repeat(MOST_SENT_BYTES / 2)
  const large = await (await open({ 'a.txt': half, 'b.txt': `${half}a`, 'c.txt': half })).sent(
    'a.txt',
    'b.txt',
    'c.txt',
  )
  expect([large.files.map(({ name }) => name), large.left]).toEqual([['a.txt', 'c.txt'], ['b.txt']])
})
