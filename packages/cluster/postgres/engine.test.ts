/** The engine on a real PostgreSQL that crashes, restarts and cuts sessions while people write. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { decodeEntry } from '@/lib/mas/decode'
import { emptyWorld } from '@/lib/mas/reduce'
import { reduceAll } from '@/lib/mas/reduce/reduceAll'
import { openStore, StoreUnansweredError } from '@/server/store'
import { openTestEngine } from '@/test/testEngine'
import { BASE_TASK, send, TEAM } from '@/test/worldHistories'
import { newSchema, startServer, type TestServer } from '../test'
import { proxyTo } from '../test/proxy'

const SENDERS = 4
const EACH = 25
const LET_BE = 15

let server: TestServer
beforeAll(async () => {
  server = await startServer()
}, 90_000)
afterAll(() => server.remove())

const CUT =
  'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null'

it('[R242] commands that people repeat through crashes, restarts and cut sessions are done once, where their answer says', {
  timeout: 120_000,
}, async () => {
  const { url, schema } = await newSchema(server)
  const proxy = await proxyTo(url)
  const headSeq = async () => Number((await server.ask(`select seq from ${schema}.head`))[0]?.seq)
  const loseAnAnswer = () =>
    proxy.loseAnswers(async () => {
      // What is under way is done by then: nobody sends more before its answer.
      for (let before = -1, seq = await headSeq(); seq !== before; seq = await headSeq()) {
        before = seq
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    })
  const troubles = [
    loseAnAnswer,
    () => server.stop('crash').then(server.start),
    loseAnAnswer,
    () => server.ask(CUT),
    () => server.stop('stop').then(server.start),
    loseAnAnswer,
  ]
  const store = await openStore({ databaseUrl: proxy.url, dataFolder: '' })
  const broke: unknown[] = []
  let [unanswered, known] = [0, 0]
  const { append } = store.journal
  store.journal.append = async (...wish) => {
    const answer = await append(...wish).catch((error: unknown) => {
      if (error instanceof StoreUnansweredError) unanswered += 1
      throw error
    })
    if (answer.r === 'SORT') known += 1
    return answer
  }
  const { engine, put } = await openTestEngine({ store, onBroken: (error) => broke.push(error) })
  const answered = new Map<string, number>()
  let refused = 0

  async function sender(name: number): Promise<void> {
    for (let n = 0; n < EACH; n++) {
      const id = `sender-${name}-${n}`
      for (;;) {
        const answer = await put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.ben.id], { text: id }), { id })
        if (answer.ok) {
          answered.set(id, answer.seq)
          break
        }
        refused += 1
        await new Promise((resolve) => setTimeout(resolve, LET_BE))
      }
    }
  }

  async function troubleMaker(): Promise<void> {
    for (const [n, trouble] of troubles.entries()) {
      while (answered.size < (n + 1) * 12) await new Promise((resolve) => setTimeout(resolve, 1))
      await trouble()
    }
  }

  await Promise.all([...Array.from({ length: SENDERS }, (_, name) => sender(name)), troubleMaker()])
  expect(broke).toEqual([])
  expect(refused).toBeGreaterThan(0)
  expect(unanswered).toBeGreaterThan(0)
  // Some of what nobody heard of had been done.
  expect(known).toBeGreaterThan(0)
  const texts = Object.values(engine.world().messages[BASE_TASK] ?? {}).map(({ text }) => text)
  expect(texts.length).toBe(SENDERS * EACH)
  expect(new Set(texts)).toEqual(new Set(answered.keys()))
  const entries = (await store.journal.read(0, 10_000)).map(decodeEntry)
  for (const [id, seq] of answered) expect(entries.findLast(({ cause }) => cause === id)?.seq).toBe(seq)
  expect(reduceAll(emptyWorld, entries)).toEqual(engine.world())
  expect((await store.verify()).damage).toEqual([])
  await engine.stop()
  await store.close()
  await proxy.close()
})
