/** What an agent of ours adds to a milestone: up to 64 KiB of JSON. */
import { expect, it } from 'vitest'
import type { CheckpointRecord } from '@/lib/mas/outside/checkpointRecords'
import { must } from '@/test/stories'
import { outcomeOf, send, TEAM } from '@/test/worldHistories'
import { openSystem } from '../../test/adapterSystem'

const MOST = 64 * 1024
/** Metadata that takes so many bytes as JSON; each letter takes two. */
const ofBytes = (bytes: number) => {
  const { length } = JSON.stringify({ log: '' })
  return { log: 'ä'.repeat((bytes - length) / 2) }
}

it('004-14 metadata of 64 KiB is kept whole; of more nothing is kept, and the agent is told the limit', async () => {
  let step = ''
  const system = await openSystem({
    skill: (one) => {
      step = one.id
      return outcomeOf({})
    },
  })
  const task = must(system.world().baseTask, 'base task')
  await system.put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.manager.id], { text: 'Compare the lists', kind: 'action' }))
  await system.until(() => step !== '')
  const caller = { agent: TEAM.manager.id, task, stage: null, step }
  const report = (bytes: number) =>
    system.adapters.agents.report(caller, { label: 'Both lists are read', metadata: ofBytes(bytes) })
  const all = (): CheckpointRecord[] => Object.values(system.world().checkpoints).flat()

  expect(await report(MOST + 2)).toEqual({ ok: false, why: `metadata has at most ${MOST} bytes` })
  expect(all()).toEqual([])
  expect(await report(MOST)).toMatchObject({ ok: true })
  expect(all()).toMatchObject([{ label: 'Both lists are read', metadata: { bytes: expect.any(Number) } }])
})
