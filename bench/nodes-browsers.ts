/**
 * What one node, two and three on one PostgreSQL carry: `npm run bench -- nodes-browsers [--all] [nodes …]`.
 *
 * 1,000 agents and 500 browsers (sockets that look at what the console looks at, five for each of a hundred operators) at a growing pace of
 * entries; without --all 50 agents and 20 browsers for a few seconds. A pace is carried when the agents keep nine tenths of it, what is
 * decided is at the browsers within a second (99 %), people are answered within a second (99 %), and no browser is silent for 3 s.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPerson, type Person } from '@/e2e/fixtures/person'
import { startServer, type TestServer } from '@/e2e/fixtures/server'
import { newSchema, startServer as startPostgres } from '@/packages/cluster/test'
import { type Browsers, openBrowsers } from '@/test/faults/browsers'
import { baseTaskOf } from '@/test/faults/kills'
import { residentMib } from '@/test/faults/processFigures'
import { pause, randomOf, until } from '@/test/faults/scenario'
import { crowdEnvironment, crowdTeam, type Heard, listen, signInCrowd } from './lib/crowd'
import { ms, percentile, table } from './lib/figures'
import { cpuMsOf, cpuMsOfFamily, postmasterOf } from './lib/processes'

const SIZES = {
  short: { agents: 50, tasks: 5, browsers: 20, people: 4, paces: [50, 200], seconds: 4, restS: 2, counts: [1, 2] },
  all: {
    agents: 1_000,
    tasks: 50,
    browsers: 500,
    people: 100,
    paces: [250, 500, 1_000, 2_000],
    seconds: 15,
    restS: 12,
    counts: [1, 2, 3],
  },
}
/** Entries of a step of load, and agents of the load that says how fast all are (bench/load). */
const ENTRIES_PER_STEP = 4
const PACERS = 20
/** Time of a browser on one page, ms. */
const STAY = { least: 5_000, more: 25_000 }
const LEAST_PACE = 0.9
const MOST = { delayMs: 1_000, answerMs: 1_000, silenceMs: 3_000 }
const MESSAGE_EACH_MS = 250
const CONNECT_WITHIN_MS = 120_000
const MESSAGE = {
  receivers: ['olga'],
  text: 'A person writes beside it.',
  type: 'fyi',
  stage: null,
  answers: null,
  replyTo: null,
  mention: false,
}

type Quantiles = { p50: number; p99: number }
type Stage = {
  nodes: number
  pace: number
  entries: number
  delay: Quantiles
  answer: Quantiles
  silenceMs: number
  lost: number
  /** Of a processor: of each node, of PostgreSQL, of this process. */
  cores: { nodes: number[]; database: number; driver: number }
  mib: number[]
}
/** MiB of each node and cores of all, without a browser, and with all of them and no agent at work. */
type AtRest = { mib: number[]; cores: number }
type Rest = { nodes: number; browsers: number; before: AtRest; after: AtRest }
type Layout = { nodes: readonly TestServer[]; cookies: readonly string[]; people: readonly Person[]; database: number }

const words = process.argv.slice(2)
const size = SIZES[words.includes('--all') ? 'all' : 'short']
const given = words.filter((word) => /^\d$/.test(word)).map(Number)
const stages: Stage[] = []
const rests: Rest[] = []
for (const count of given.length > 0 ? given : size.counts) await measure(count)
report()

async function measure(count: number): Promise<void> {
  const postgres = await startPostgres()
  const workspace = mkdtempSync(join(tmpdir(), 'convene-browsers-'))
  const nodes: TestServer[] = []
  try {
    const { url } = await newSchema(postgres)
    for (let n = 1; n <= count; n++) {
      const env = {
        DATABASE_URL: url,
        CONVENE_SECRET_KEY: 'of all nodes of this measurement',
        CONVENE_NODE: `node-${n}`,
        CONVENE_WORKSPACE: workspace,
        ...crowdEnvironment,
      }
      nodes.push(await startServer({ withLoad: true, env, config: crowdTeam(size.people) }))
    }
    const sessions = await signInCrowd(nodes, size.people)
    const cookies = Array.from({ length: size.browsers }, (_, n) => sessions[n % sessions.length] ?? '')
    const people: Person[] = []
    for (const node of nodes) people.push(await openPerson(node, 'ana'))
    const layout = { nodes, cookies, people, database: await postmasterOf(postgres) }
    const heard = listen((browser) => browser % nodes.length)
    // Browsers stay: their pages are of these tasks, and of those of the load when there are any.
    const tasks = await Promise.all(people.slice(0, 1).map(baseTaskOf))
    const browsers = await rest(layout, tasks, heard)
    await work(layout, tasks, browsers, heard)
    for (const one of browsers) await one.stop()
    for (const one of people) one.close()
  } finally {
    for (const node of nodes) await node.kill()
    for (const node of nodes) await node.stop()
    await postgres.remove()
    rmSync(workspace, { recursive: true, force: true })
  }
}

/** All browsers, and no agent at work. */
async function rest({ nodes, cookies }: Layout, tasks: readonly string[], heard: Heard): Promise<Browsers[]> {
  const pids = nodes.map((node) => node.pid() ?? 0)
  const used = (): number => pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0)
  const look = async (): Promise<AtRest> => {
    // What came before is over.
    await pause((size.restS * 1_000) / 2)
    const [from, cpu] = [performance.now(), used()]
    await pause((size.restS * 1_000) / 2)
    return { mib: pids.map(residentMib), cores: (used() - cpu) / (performance.now() - from) }
  }
  const before = await look()
  const browsers = await openAll(nodes, cookies, tasks, heard.onMessage)
  rests.push({ nodes: nodes.length, browsers: cookies.length, before, after: await look() })
  return browsers
}

/** Agents and browsers at one pace after the other. */
async function work(layout: Layout, shownTasks: string[], browsers: readonly Browsers[], heard: Heard): Promise<void> {
  const { nodes, people } = layout
  const [[first], [ana]] = [nodes, people]
  if (!first || !ana) return
  const { agents, tasks, paces } = size
  const known = await taskIds(ana)
  await load(first, { agents, tasks, stepsPerAgent: 10_000, changesPerSecond: paces[0] ?? 1 })
  shownTasks.splice(0, shownTasks.length, ...(await taskIds(ana)).filter((id) => !known.includes(id)))
  let before = paces[0] ?? 1
  for (const pace of paces) {
    // How long a step takes is said to each node.
    for (const node of nodes)
      await load(node, { agents: PACERS, tasks: 1, stepsPerAgent: 1, changesPerSecond: (pace * PACERS) / agents })
    // Steps at the pace before are still on their way.
    await pause((agents * ENTRIES_PER_STEP * 1_000) / before)
    before = pace
    stages.push(await stage(layout, pace, browsers, heard))
    process.stdout.write(`${shown(stages.slice(-1))}\n`)
  }
}

async function stage(
  { nodes, people, database }: Layout,
  pace: number,
  browsers: readonly Browsers[],
  heard: Heard,
): Promise<Stage> {
  const pids = nodes.map((node) => node.pid() ?? 0)
  const lost = (): number => browsers.reduce((sum, one) => sum + one.lost(), 0)
  const used = (): number[] => [...pids.map(cpuMsOf), cpuMsOfFamily(database), cpuMsOf(process.pid)]
  const head = async (): Promise<number> => ((await people[0]?.get<{ seq: number }>('/api/health')) ?? { seq: 0 }).seq
  heard.take()
  const [from, seq, cpu, gone] = [performance.now(), await head(), used(), lost()]
  const answers = await messages(people, from + size.seconds * 1_000)
  const [entries, seconds] = [(await head()) - seq, (performance.now() - from) / 1_000]
  const cores = used().map((each, n) => (each - (cpu[n] ?? 0)) / 1_000 / seconds)
  const { delaysMs, silenceMs } = heard.take()
  return {
    nodes: nodes.length,
    pace,
    entries: entries / seconds,
    delay: quantiles(delaysMs),
    answer: quantiles(answers),
    silenceMs,
    lost: lost() - gone,
    mib: pids.map(residentMib),
    cores: { nodes: cores.slice(0, pids.length), database: cores.at(-2) ?? 0, driver: cores.at(-1) ?? 0 },
  }
}

/** A person at each node in turn writes now and then. out: ms until each was acknowledged */
async function messages(people: readonly Person[], end: number): Promise<number[]> {
  const times: number[] = []
  const [ana] = people
  const task = ana ? await baseTaskOf(ana) : ''
  const sent: Promise<void>[] = []
  for (let n = 0; performance.now() < end; n++) {
    const person = people[n % people.length]
    const from = performance.now()
    const answer = person?.post('/api/messages', { ...MESSAGE, task }).then(({ status }) => {
      if (status !== 200) throw new Error(`a message was answered ${status}`)
      times.push(performance.now() - from)
    })
    if (answer) sent.push(answer)
    await pause(MESSAGE_EACH_MS)
  }
  await Promise.all(sent)
  return times
}

async function openAll(
  nodes: readonly TestServer[],
  cookies: readonly string[],
  tasks: readonly string[],
  onMessage: (browser: number, event: string, message: unknown) => void,
): Promise<Browsers[]> {
  const random = randomOf(1)
  const browsers = cookies.map((cookie, n) =>
    openBrowsers(nodes[n % nodes.length] ?? { url: '' }, [cookie], tasks, random, {
      stay: STAY,
      onMessage: (event, message) => onMessage(n, event, message),
    }),
  )
  const all = (): boolean => browsers.every((one) => one.opened() > 0)
  await until('all browsers are connected', all, CONNECT_WITHIN_MS)
  return browsers
}

type Wish = { agents: number; tasks: number; stepsPerAgent: number; changesPerSecond: number }

const load = (node: TestServer, wish: Wish): Promise<string> => node.load({ ...wish, seconds: 3_600, bytes: 400 })

async function taskIds(operator: Person): Promise<string[]> {
  const tasks = await operator.get<Record<string, { task_id: string }>>('/api/states?type=task')
  return Object.values(tasks).map(({ task_id }) => task_id)
}

function quantiles(times: readonly number[]): Quantiles {
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
}

/** The first part that is too slow, as text; null: the load is handled. */
function breaks({ entries, pace, delay, answer, silenceMs, lost }: Stage): string | null {
  if (lost > 0) return `${lost} connections lost`
  if (silenceMs > MOST.silenceMs) return 'browsers hear nothing'
  if (answer.p99 > MOST.answerMs) return 'people wait'
  if (delay.p99 > MOST.delayMs) return 'browsers are late'
  return entries < pace * LEAST_PACE ? 'agents wait' : null
}

function shown(those: readonly Stage[]): string {
  const two = (value: number): string => value.toFixed(2)
  const times = ({ p50, p99 }: Quantiles): string => `${ms(p50)} · ${ms(p99)}`
  const head = [
    ...[
      'nodes',
      'wanted',
      'entries/s',
      'at the browsers',
      'answered',
      'silent',
      'cores: nodes',
      'PostgreSQL',
      'driver',
    ],
    ...['MiB', ''],
  ]
  const rows = those.map((one) => [
    `${one.nodes}`,
    `${one.pace}`,
    one.entries.toFixed(0),
    times(one.delay),
    times(one.answer),
    ms(one.silenceMs),
    one.cores.nodes.map(two).join(' + '),
    two(one.cores.database),
    two(one.cores.driver),
    one.mib.join(' + '),
    breaks(one) ?? 'carried',
  ])
  return table([head, ...rows])
}

function report(): void {
  console.log(
    `\n${size.agents} agents, ${size.browsers} browsers, ${size.seconds} s at each pace\n\n${shown(stages)}\n`,
  )
  for (const { nodes, browsers, before, after } of rests) {
    const sum = (all: readonly number[]): number => all.reduce((one, two) => one + two, 0)
    const each = ((sum(after.mib) - sum(before.mib)) * 1_024) / browsers
    const shown = ({ mib, cores }: AtRest): string => `${mib.join(' + ')} MiB and ${cores.toFixed(3)} cores`
    console.log(
      `${nodes} nodes at rest: ${shown(before)}, with browsers ${shown(after)}: ${each.toFixed(0)} KiB a browser`,
    )
  }
}
