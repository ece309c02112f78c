/** The built-in model's notes stay in the journal, in prompts and in responses: no other text that leaves holds them. */
import { afterEach, describe, expect, it } from 'vitest'
import { decodeEntry } from '@/lib/mas/decode'
import type { TaskRecord } from '@/lib/mas/records'
import { isRecordView, parseView } from '@/lib/wire/views'
import { exportTask } from '@/packages/interop/adapters/harmony/exportTask'
import { mediaAddress } from '@/packages/interop/adapters/harmony/media'
import { artifactsOf, readCheckpoint } from '@/packages/interop/adapters/map/checkpoints'
import { markdownOf } from '@/server/gateway/records/taskExport'
import { statesOf } from '@/server/gateway/states/states'
import { ANSWER_TEXT_BYTES } from '@/server/gateway/states/texts'
import { scopeOfView } from '@/server/monitor/scopes'
import { searchLineOf } from '@/server/search'
import { BASE, CREW, openRehearsal, type Rehearsal } from '@/test/rehearsalTeam'
import { freshRows } from '@/test/watching'
import { play, sample } from './test/play'

/** Escaped ones too. */
const NOTES = /<\u2060*\/?(job|job_result)>/g
const past = { task: async () => null }

/** Every text that leaves, under what it leaves as. */
async function* leaving(team: Rehearsal): AsyncGenerator<[string, string]> {
  const world = team.world()
  const { bodies } = team.store
  const ana = world.agents[CREW.ana.id]
  if (ana === undefined) throw new Error('Ana is not there')
  for (const type of ['task', 'stage', 'agent', 'step'] as const) {
    const source = { world, bodies, models: {}, budget: { left: ANSWER_TEXT_BYTES } }
    for await (const [key, state] of statesOf(source, ana, { type, task: null, after: null, limit: null }))
      yield [`state ${key}`, JSON.stringify(state)]
  }
  const tasks = Object.values<TaskRecord>(world.tasks)
  const views = ['overview', 'me', 'agents', 'waits', ...tasks.flatMap(({ id }) => [`tree:${id}`])]
  for (const name of views) {
    const view = parseView(name)
    if (view === null || isRecordView(view)) throw new Error(name)
    const { scopeKey } = scopeOfView(world, ana.id, view)
    if (scopeKey === null) throw new Error(`${name} is closed`)
    yield [`rows of ${name}`, JSON.stringify(freshRows(world, view, scopeKey))]
  }
  for (const { id } of tasks) {
    const sight = { message: () => true, step: () => true }
    const address = mediaAddress('https://convene.test', { conversation: null, task: id })
    for await (const one of exportTask({ world, task: id, sight, conversation: null }, bodies, address))
      yield ['Harmony', JSON.stringify(one)]
  }
  for (const checkpoint of Object.values(world.checkpoints).flatMap((own) => Object.values(own))) {
    const parts = { bodies, engine: team.engine, past }
    yield ['a checkpoint', JSON.stringify(await readCheckpoint(parts, checkpoint))]
    for (const [name, read] of artifactsOf(parts, checkpoint))
      yield [`${name} of a checkpoint`, JSON.stringify(await read())]
  }
  for (const task of tasks.filter(({ id }) => id !== BASE)) {
    const asked = { world, task, person: ana, upTo: Number.MAX_SAFE_INTEGER, isSeenFile: () => true, now: 0 }
    const pieces: string[] = []
    for await (const piece of markdownOf({ ...asked, store: team.store }, 'en')) pieces.push(piece)
    yield ['Markdown', pieces.join('')]
  }
  for (const line of (await team.store.journal.read(0, 100_000)).map((one) => searchLineOf(decodeEntry(one))))
    if (line !== null) yield ['a line of the search', line.text]
}

async function heldBy(team: Rehearsal): Promise<string[]> {
  const kinds = new Set<string>()
  const held: string[] = []
  for await (const [as, text] of leaving(team)) {
    kinds.add(as.split(' ').slice(0, 2).join(' '))
    const at = text.search(NOTES)
    if (at >= 0) held.push(`${as}: ${text.slice(Math.max(0, at - 60), at + 80)}`)
  }
  expect([...kinds]).toEqual(expect.arrayContaining(['Harmony', 'Markdown', 'a checkpoint', 'a line']))
  return held
}

describe('no text that leaves holds the notes of the built-in model', () => {
  let team: Rehearsal | null = null
  afterEach(() => team?.close())

  it('[R334] after the demo, with a stage that was tried again', async () => {
    team = await openRehearsal(sample())
    await play(team, 'Compare the price lists in prices and write a report', ['3.20'], { lacking: 'leave it out' })
    expect(await heldBy(team)).toEqual([])
  })

  it('[R334] after a request of its own, in Chinese', async () => {
    team = await openRehearsal({ 'notes/a.md': '# one\nhello\n', 'notes/b.md': 'two\n' }, { language: 'zh' })
    await play(team, '统计 notes 里有多少行', [], { writes: false })
    expect(await heldBy(team)).toEqual([])
  })
})
