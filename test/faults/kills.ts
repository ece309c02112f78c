/** kill -9 at random moments while people and agents work. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fulfilRequest, openPerson, type Person } from '../../e2e/fixtures/person'
import { type PersonName, startServer, type TestServer } from '../../e2e/fixtures/server'
import { demand, pause, randomOf, type Scenario, until } from './scenario'
import { compareWithJournal, startSenders } from './senders'

const SENDERS: readonly PersonName[] = ['olga', 'ben', 'dana', 'lee']
const BASE_TASK = 'MAS base task'
/** What tasks of a load are called. */
export const LOAD = 'load '
const KILLS = { short: 8, all: 100 }
const OVER_WITHIN_MS = 120_000
const SHORTEST_LIFE_MS = 50
const LONGEST_LIFE_MS = 900

export const kills: Scenario = {
  name: 'kills',
  holds:
    'After each kill -9 all that was acknowledged is there once, in order, what waited still waits, and the task of the agents ends right.',
  async run(size, seed) {
    const random = randomOf(seed)
    const server = await startServer({ delayMs: 3 })
    const startMs: number[] = []
    try {
      const ana = await openPerson(server, 'ana')
      const people = await openAll(SENDERS, (name) => openPerson(server, name))
      await ana.post('/api/work/demo')
      const senders = startSenders(people, await baseTaskOf(ana), random)
      let waitsSeen = 0
      for (let kill = 0; kill < KILLS[size]; kill++) {
        // Nobody answers before the second half, which begins while a question is open.
        const mayAnswer = kill >= KILLS[size] / 2
        if (mayAnswer && waitsSeen === 0) await until('the demo asks', () => ana.requests().length > 0, OVER_WITHIN_MS)
        const end = Date.now() + SHORTEST_LIFE_MS + random() * (LONGEST_LIFE_MS - SHORTEST_LIFE_MS)
        while (Date.now() < end) {
          const [open] = ana.requests().filter(({ request }) => request.kind !== 'judge' && request.kind !== 'limit')
          if (mayAnswer && open && random() < 0.02) await fulfilRequest(ana, open)
          await pause(20)
        }
        const waiting = ana.requests().map(({ request }) => request.id)
        await server.kill()
        const from = performance.now()
        await server.start()
        startMs.push(performance.now() - from)
        for (const id of waiting) {
          const found = await ana.get<{ request?: { state: string }; state?: string }>(`/api/requests/${id}`)
          const state = found.request?.state ?? found.state ?? 'gone'
          demand(/^(open|claimed|answered)$/.test(state), `request ${id} is ${state} after kill ${kill}, seed ${seed}`)
          waitsSeen += 1
        }
      }
      await senders.stop()
      await finishTask(ana, server, seed)
      for (const person of [ana, ...Object.values(people)]) person.close()
      await server.kill()
      const figures = await compareWithJournal({ databaseUrl: null, dataFolder: server.dataFolder }, senders.sent)
      demand(waitsSeen > 0, 'no wait was open at a kill')
      demand(senders.refused.size === 0, `refused: ${JSON.stringify([...senders.refused])}`)
      demand(figures.acknowledged > KILLS[size], `only ${figures.acknowledged} messages were acknowledged`)
      startMs.sort((a, b) => a - b)
      return {
        kills: KILLS[size],
        ...figures,
        'waits looked at after a kill': waitsSeen,
        'start, median ms': Math.round(startMs[startMs.length >> 1] ?? 0),
        'start, longest ms': Math.round(startMs.at(-1) ?? 0),
      }
    } finally {
      await server.stop()
    }
  },
}

type Task = {
  task_name: string
  execution_state: string
  shared_conversation_pool: { message_id: string; message: string; sender_id: string; receiver: string[] }[]
}
type Step = { execution_state: string }

/** Answer what the demo asks until it is over; nothing in it may be there twice or be left behind. */
export async function finishTask(ana: Person, server: Pick<TestServer, 'workspace'>, seed: number): Promise<void> {
  const tasks = async (): Promise<Task[]> =>
    Object.values(await ana.get<Record<string, Task>>('/api/states?type=task')).filter(
      ({ task_name }) => task_name !== BASE_TASK && !task_name.startsWith(LOAD),
    )
  await until(
    'the task is over',
    async () => {
      for (const row of ana.requests()) await fulfilRequest(ana, row)
      return (await tasks()).some(({ execution_state }) => /^(finished|failed)$/.test(execution_state))
    },
    OVER_WITHIN_MS,
  )
  const [work] = await tasks()
  demand(work?.execution_state === 'finished', `the task ${work?.execution_state}, seed ${seed}`)
  // The system may say the same of two stages; nobody else says anything twice.
  const said = (work?.shared_conversation_pool ?? [])
    .filter(({ sender_id }) => sender_id !== 'system:task')
    .map(({ sender_id, receiver, message }) => `${sender_id} ${receiver.join()} ${message}`)
  const twice = said.filter((text, at) => said.indexOf(text) !== at)
  demand(twice.length === 0, `said twice, seed ${seed}: ${twice[0]}`)
  const steps = Object.values(await ana.get<Record<string, Step>>('/api/states?type=step'))
  const open = steps.filter(({ execution_state }) => /^(running|pending)$/.test(execution_state))
  demand(open.length === 0, `${open.length} steps are left behind, seed ${seed}`)
  const report = join(server.workspace, 'prices', 'report.md')
  demand(existsSync(report) && readFileSync(report, 'utf8').includes('apple'), `no report, seed ${seed}`)
}

/** The id of the task in which people ask for work. */
export async function baseTaskOf(person: Person): Promise<string> {
  const tasks = await person.get<Record<string, { task_name: string; task_id: string }>>('/api/states?type=task')
  const base = Object.values(tasks).find(({ task_name }) => task_name === BASE_TASK)
  if (!base) throw new Error('there is no base task')
  return base.task_id
}

export async function openAll(
  names: readonly PersonName[],
  open: (name: PersonName) => Promise<Person>,
): Promise<Record<string, Person>> {
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await open(name)] as const)))
}
