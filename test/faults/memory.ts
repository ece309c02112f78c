/** Memory of the server before and after many browsers and agents. */
import { median } from '../../bench/lib/figures'
import { openPerson, type Person } from '../../e2e/fixtures/person'
import { startServer, type TestServer } from '../../e2e/fixtures/server'
import { openBrowsers, signInBrowsers } from './browsers'
import { residentMib } from './processFigures'
import { demand, pause, randomOf, type Scenario, until } from './scenario'

/** restS: from the end of the load and of the browsers until the memory is read. */
const SIZES = {
  short: { rounds: 1, browsers: 5, agents: 20, tasks: 2, warmUpS: 2, loadS: 5, restS: 1 },
  all: { rounds: 3, browsers: 50, agents: 200, tasks: 10, warmUpS: 20, loadS: 300, restS: 60 },
}
type SizeOf = (typeof SIZES)['all']

/** Entries that an agent makes in a second: a step. */
const ENTRIES_PER_AGENT = 5
const TEXT_BYTES = 400
/** Longer than any of these runs: the operator ends the tasks. */
const PLANNED = { stepsPerAgent: 10_000, seconds: 3_600 }
const SETTLE_WITHIN_MS = 30_000
/** Only the long form has a rest that is long enough to judge it. */
const MOST_GROWTH = 1.3

export const memory: Scenario = {
  name: 'memory',
  holds: `60 s after five minutes of 50 browsers and 200 agents the server has at most ${MOST_GROWTH} × the memory of before (judged in the long form).`,
  async run(size, seed) {
    const rounds: Round[] = []
    for (let round = 0; round < SIZES[size].rounds; round++) rounds.push(await runRound(SIZES[size], seed + round))
    const growth = median(rounds.map(({ warm, after }) => after / warm))
    const list = (of: (round: Round) => number): string => rounds.map(of).join(', ')
    const figures = {
      'MiB after the start': list(({ started }) => started),
      'MiB after the warm-up and a rest: before': list(({ warm }) => warm),
      'MiB at the end of the load': list(({ loaded }) => loaded),
      'MiB after the load and a rest: after': list(({ after }) => after),
      'after over before, median': growth.toFixed(2),
      'after over the start, median': median(rounds.map(({ started, after }) => after / started)).toFixed(2),
      'entries of the load': list(({ entries }) => entries),
      'connections of browsers': list(({ opened }) => opened),
      'frames and resets that came': list(({ views }) => views),
    }
    demand(
      size === 'short' || growth <= MOST_GROWTH,
      `memory grew ${growth.toFixed(2)} ×, seed ${seed}: ${JSON.stringify(figures)}`,
    )
    return figures
  },
}

type Round = {
  started: number
  warm: number
  loaded: number
  after: number
  entries: number
  opened: number
  views: number
}

async function runRound(size: SizeOf, seed: number): Promise<Round> {
  const random = randomOf(seed)
  // Load and pages without limits: all of them come from one address.
  const server = await startServer({ withLoad: true })
  try {
    const pid = server.pid()
    if (pid === null) throw new Error('no process')
    const started = residentMib(pid)
    const operator = await openPerson(server, 'ana')
    const cookies = await signInBrowsers(server, size.browsers)
    // The same work for a short time: code is compiled, caches and pools have what they need, the heap has its working size.
    await work(server, operator, cookies, size, size.warmUpS, random)
    await pause(size.restS * 1_000)
    const warm = residentMib(pid)
    const { entries, opened, views } = await work(server, operator, cookies, size, size.loadS, random)
    const loaded = residentMib(pid)
    await pause(size.restS * 1_000)
    const after = residentMib(pid)
    operator.close()
    return { started, warm, loaded, after, entries, opened, views }
  } finally {
    await server.stop()
  }
}

/** Browsers and agents at once for so long; then the operator ends the tasks, and the browsers leave. */
async function work(
  server: TestServer,
  operator: Person,
  cookies: readonly string[],
  { agents, tasks }: SizeOf,
  seconds: number,
  random: () => number,
): Promise<{ entries: number; opened: number; views: number }> {
  const known = await taskIds(operator)
  const changesPerSecond = agents * ENTRIES_PER_AGENT
  const load = { agents, tasks, changesPerSecond, bytes: TEXT_BYTES, ...PLANNED }
  await server.load(load)
  const from = await metric(server, 'convene_journal_head')
  const ids = (await taskIds(operator)).filter((task) => !known.includes(task))
  demand(ids.length === tasks, `${ids.length} tasks of load, not ${tasks}`)
  const browsers = openBrowsers(server, cookies, ids, random)
  await pause(seconds * 1_000)
  const entries = (await metric(server, 'convene_journal_head')) - from
  for (const id of ids) {
    const end = { state: 'finished', summary: 'The time is over.', reason: 'The time is over.' }
    const ended = await operator.post(`/api/tasks/${id}/finish`, end)
    demand(ended.status === 200, `a task was not ended: ${JSON.stringify(ended.body)}`)
  }
  await browsers.stop()
  demand(entries >= agents, `only ${entries} entries of ${agents} agents in ${seconds} s`)
  // The operator's own page stays.
  await until('the browsers are gone', async () => (await metric(server, 'convene_sockets')) === 1, SETTLE_WITHIN_MS)
  const views = (browsers.received.get('frame') ?? 0) + (browsers.received.get('reset') ?? 0)
  demand(views > cookies.length * 2, `only ${views} frames and resets came to ${cookies.length} browsers`)
  demand((browsers.received.get('signedOut') ?? 0) === 0, 'a browser was signed out')
  return { entries, opened: browsers.opened(), views }
}

const taskIds = async (operator: Person): Promise<string[]> =>
  Object.values(await operator.get<Record<string, { task_id: string }>>('/api/states?type=task')).map(
    ({ task_id }) => task_id,
  )

async function metric(server: TestServer, name: string): Promise<number> {
  const line = new RegExp(`^${name} (\\S+)$`, 'm').exec(await (await fetch(`${server.url}/metrics`)).text())
  return Number(line?.[1] ?? Number.NaN)
}
