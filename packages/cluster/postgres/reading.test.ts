/** What PostgreSQL reads for a page of entries. */
import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { batchItem } from '@/test/storeContract/harness'
import { newSchema, testServer } from '../test'
import { JOINED } from './entries'
import { openPostgresStore } from './openPostgresStore'

vi.setConfig({ testTimeout: 60_000 })

it('[R271] a page of entries is read with its own decisions alone, however many the journal has', async () => {
  const { url, schema, drop } = await newSchema()
  const { url: server } = await testServer()
  const store = await openPostgresStore(url)
  let { epoch, seq } = await store.journal.take('north')
  for (let page = 0; page < 10; page++) {
    const batch = Array.from({ length: 200 }, (_, n) => batchItem(`command ${page} ${n}`))
    const answer = await store.journal.append(epoch, seq, batch)
    if (answer.r === 'OK') seq = answer.last
  }
  await store.close()
  const session = new pg.Client({ connectionString: server })
  await session.connect()
  await session.query(`set search_path = ${schema}; analyze entry; analyze decision`)
  const { rows } = await session.query<Record<string, string>>(
    `explain ${JOINED} where e.seq > ${seq - 500} and e.seq <= ${seq} order by e.seq limit 500`,
  )
  await session.end()
  await drop()
  const text = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(text).toContain('decision_pkey')
  expect(text).not.toContain('Seq Scan')
})
