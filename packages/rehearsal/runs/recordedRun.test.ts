/** A whole run that was recorded plays again without the model that gave its answers: other ids, other times, the same end. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { Provider } from '@/lib/mas/setup/providers'
import { openModels } from '@/server/models'
import { openRehearsal, type Rehearsal } from '@/test/rehearsalTeam'

const open: Rehearsal[] = []
let folder = ''
afterEach(async () => {
  for (const team of open.splice(0)) await team.close()
  rmSync(folder, { recursive: true, force: true })
})

const FILES = { 'n/a.txt': 'one\ntwo\n', 'n/b.txt': 'three\n' }

async function run(
  config: { provider: Provider; record?: string; play?: string },
  firstId: number,
): Promise<Rehearsal> {
  const models = openModels({ models: { default: config } })
  const team = await openRehearsal(FILES, { models: { default: models.get('default') }, firstId, patienceMs: 30_000 })
  open.push(team)
  await team.ask('Count the lines of every file in n and write a report')
  await team.answer(await team.request((one) => one.kind === 'confirm', 'the report is to be confirmed'), 'approve')
  await team.answer(await team.request((one) => one.kind === 'part', 'Ana has a part'), 'done', 'Good.')
  expect((await team.finished()).state).toBe('finished')
  return team
}

it('a recorded run plays again with other ids and times, and ends as it did', async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'recorded-run-'))
  const first = await run({ provider: 'rehearsal', record: folder }, 1_000)
  const again = await run({ provider: 'recording', play: folder }, 700_000)
  const summaryOf = (team: Rehearsal) =>
    Object.values(team.world().tasks)
      .filter((task) => !task.base)
      .map(({ summary }) => summary)
  expect(summaryOf(again)).toEqual(summaryOf(first))
  const reportOf = (team: Rehearsal): string =>
    team
      .messages()
      .map(({ text }) => /\S+\.md/.exec(text)?.[0])
      .find((name) => name !== undefined) ?? ''
  expect(readFileSync(path.join(again.folder, reportOf(again)), 'utf8')).toBe(
    readFileSync(path.join(first.folder, reportOf(first)), 'utf8'),
  )
  const versions = again.steps().flatMap((step) => step.calls.map(({ modelVersion }) => modelVersion))
  expect(new Set(versions)).toEqual(new Set(['rehearsal-1 (recorded)']))
  const ids = (team: Rehearsal) => new Set(team.steps().map(({ id }) => id))
  expect([...ids(again)].filter((id) => ids(first).has(id))).toEqual([])
}, 60_000)
