/** A data folder with something in every column: each sample event, bodies of every kind, outcomes, forgotten things. */
import type { Store, StoredEvent } from '@/server/store/interfaces'
import { openSqliteStore } from '@/server/store/sqlite/openSqliteStore'
import { SAMPLES } from '../samples'
import { batchItem, bodyOfBytes, noise, said, textBody } from '../storeContract/harness'

/** The one body that is a file. */
export const large = bodyOfBytes(noise(70_000, 3))

/** out: the open store of the folder */
export async function fillJournal(folder: string): Promise<Store> {
  const clock = { now: 1_800_000_000_000 }
  const store = await openSqliteStore(folder, { now: () => clock.now })
  const { epoch, seq } = await store.journal.take('north')
  let head = seq
  const append = async (batch: Parameters<Store['journal']['append']>[2]) => {
    const answer = await store.journal.append(epoch, head, batch)
    if (answer.r !== 'OK') throw new Error(answer.r)
    head = answer.last
  }
  const samples: StoredEvent[] = SAMPLES.map((event) => ({ ...event }))
  for (let n = 0; n < samples.length; n += 5)
    await append([
      batchItem(`samples ${n}`, samples.slice(n, n + 5), { bodies: n % 2 ? [] : [textBody(`body ${n} `.repeat(50))] }),
    ])
  await append([
    batchItem('bodies', [said('many '.repeat(300))], {
      bodies: [textBody('one'), bodyOfBytes(noise(20_000, 1)), large],
    }),
    batchItem('replied', [said('short')], { reply: { messages: ['m1'] }, until: clock.now + 60_000 }),
    batchItem('gone', [said('its outcome goes'), said('and this')], { until: clock.now + 60_000 }),
  ])
  await store.bodies.forget([textBody('one').sha], clock.now + 1)
  clock.now += 3 * 24 * 3_600_000
  await store.journal.forgetOutcomes(clock.now)
  const fault = { code: 'BAD_INPUT', data: { why: 'it is not' }, message: 'No.' }
  for (let n = 0; n < 5; n++)
    await append([
      batchItem(`refused ${n}`, [], { fault, until: clock.now + 60_000 }),
      batchItem(`nothing ${n}`, [], { reply: { n } }),
    ])
  await append([batchItem('last', [said('the last')], { reply: 1, until: clock.now + 60_000 })])
  return store
}
