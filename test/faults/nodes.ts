/** Two nodes on one PostgreSQL behind a proxy: nodes die, freeze, stop, are slow and cut off; PostgreSQL restarts, fails over, refuses. */
import { randomUUID } from 'node:crypto'
import type { TestServer as Postgres } from '@/packages/cluster/test'
import { fulfilRequest, openPerson, type Person } from '../../e2e/fixtures/person'
import type { PersonName, TestServer } from '../../e2e/fixtures/server'
import { back, type Cluster, decider, nodeOf, OVER_WITHIN_MS, otherThan, startCluster } from './cluster'
import { baseTaskOf, finishTask, LOAD, openAll } from './kills'
import { MACHINE_FAULTS } from './nodeFaults'
import { demand, pause, pick, randomOf, type Scenario, until } from './scenario'
import { compareWithJournal, startSenders } from './senders'

const SENDERS: readonly PersonName[] = ['olga', 'ben', 'dana', 'lee']
const KILLS = { short: 6, all: 100 }
const ROUNDS = { short: 1, all: 5 }
/** Agents that have work all the time, so that both nodes have. */
const LOAD_AGENTS = 6
const LOAD_STEPS = { short: 120, all: 400 }
const SHORTEST_LIFE_MS = 50
const LONGEST_LIFE_MS = 900
const FROZEN_MS = 6_000
/** How long a node that stands still keeps the lease, ms. */
const LEASE_MS = 3_000

type TaskState = { task_name?: string; execution_state?: string }

export const nodes: Scenario = {
  name: 'nodes',
  holds:
    'After each death, freeze, stop and cut of a node and each failure of PostgreSQL all that was acknowledged is there once, in order, and all nodes have one world, though their clocks are 5 s apart.',
  lacks: () =>
    ['nodes', '--all'].some((word) => process.argv.includes(word)) ? null : 'its name or --all: it takes some minutes',
  async run(size, seed) {
    const random = randomOf(seed)
    const cluster = await startCluster(random)
    try {
      const anyNode = { ...nodeOf(cluster, 'north'), url: cluster.proxy.url }
      const open = async (name: PersonName): Promise<Person> => patient(await openPerson(anyNode, name))
      const ana = await open('ana')
      const people = await openAll(SENDERS, open)
      await ana.post('/api/work/demo')
      await nodeOf(cluster, 'north').load({
        agents: LOAD_AGENTS,
        tasks: LOAD_AGENTS,
        stepsPerAgent: LOAD_STEPS[size],
        changesPerSecond: 60,
        seconds: 3_600,
      })
      const senders = startSenders(people, await baseTaskOf(ana), random)
      const killed: number[] = []
      for (let kill = 0; kill < KILLS[size]; kill++) {
        await work(ana, SHORTEST_LIFE_MS + random() * (LONGEST_LIFE_MS - SHORTEST_LIFE_MS), random)
        const took = await killOne(cluster, pick(random, Object.keys(cluster.nodes)))
        if (took !== null) killed.push(took)
      }
      const [frozen, stopped, restarted]: number[][] = [[], [], []]
      const took = new Map<string, number>()
      for (let round = 0; round < ROUNDS[size]; round++) {
        frozen?.push(await freeze(cluster))
        await freezeFollower(cluster)
        stopped?.push(await stopGently(cluster))
        restarted?.push(await restart(cluster.postgres, () => senders.sent.length))
        for (const [name, fault] of Object.entries(MACHINE_FAULTS)) {
          const longest = Math.max(took.get(name) ?? 0, await fault(cluster, () => senders.sent.length))
          took.set(name, Math.round(longest))
        }
      }
      await senders.stop()
      await until('the load is over', () => isLoadOver(ana), OVER_WITHIN_MS)
      await finishTask(ana, cluster, seed)
      const compared = await compareWorlds(cluster)
      const worked = await compareSteps(cluster)
      for (const person of [ana, ...Object.values(people)]) person.close()
      for (const node of Object.values(cluster.nodes)) await node.kill()
      const figures = await compareWithJournal({ databaseUrl: cluster.databaseUrl, dataFolder: '' }, senders.sent)
      demand(senders.refused.size === 0, `refused: ${JSON.stringify([...senders.refused])}, seed ${seed}`)
      demand(killed.length > 0, `no node that decides was killed, seed ${seed}`)
      const p95 = quantile(killed, 0.95)
      demand(p95 < LEASE_MS, `nobody saw the death of a process before its lease ran out: ${p95} ms, seed ${seed}`)
      if (size === 'all') demand(p95 < 500, `the lease was taken ${p95} ms after kill -9 (95 %), seed ${seed}`)
      return {
        kills: KILLS[size],
        'of the node that decides': killed.length,
        ...figures,
        'taken after kill -9, median ms': quantile(killed, 0.5),
        'taken after kill -9, 95 % ms': p95,
        'taken after a freeze, longest ms': quantile(frozen ?? [], 1),
        'without a node that decides at a stop, longest ms': quantile(stopped ?? [], 1),
        'answers after a restart of PostgreSQL, longest ms': quantile(restarted ?? [], 1),
        ...Object.fromEntries([...took].map(([name, ms]) => [`${name}, longest ms`, ms])),
        'states compared': compared,
        ...worked,
      }
    } finally {
      await cluster.close()
    }
  },
}

/** Repeats what a node could not take, under the same id, as a page does. */
function patient(person: Person): Person {
  return {
    ...person,
    async post(path, body) {
      const id = randomUUID()
      for (;;) {
        const answer = await person.post(path, { ...body, id })
        if (answer.status !== 503) return answer
        await pause(50)
      }
    },
  }
}

/** Answer now and then what the demo asks. */
async function work(ana: Person, ms: number, random: () => number): Promise<void> {
  const end = Date.now() + ms
  while (Date.now() < end) {
    const [open] = ana.requests().filter(({ request }) => request.kind !== 'judge' && request.kind !== 'limit')
    if (open && random() < 0.02) await fulfilRequest(ana, open)
    await pause(20)
  }
}

/** out: how long nobody decided, ms; null: it was not the one */
async function killOne(cluster: Cluster, name: string): Promise<number | null> {
  const didDecide = (await cluster.decides()) === name
  const from = performance.now()
  const gone = nodeOf(cluster, name).kill()
  const took = didDecide ? await cluster.takenFrom(name, from) : null
  await gone
  await back(cluster, name)
  return took
}

/** The node that decides stands still and goes on. out: until another one decided, ms */
async function freeze(cluster: Cluster): Promise<number> {
  const name = await decider(cluster)
  const pid = nodeOf(cluster, name).pid() ?? 0
  cluster.leaveOut(name)
  process.kill(pid, 'SIGSTOP')
  const from = performance.now()
  const took = await cluster.takenFrom(name, from)
  await pause(Math.max(0, FROZEN_MS - took))
  process.kill(pid, 'SIGCONT')
  cluster.leaveOut(null)
  return took
}

/** A node that follows stands still, with the steps that it ran, and goes on. */
async function freezeFollower(cluster: Cluster): Promise<void> {
  const deciding = await decider(cluster)
  const name = otherThan(cluster, deciding)
  const pid = nodeOf(cluster, name).pid() ?? 0
  cluster.leaveOut(name)
  process.kill(pid, 'SIGSTOP')
  await pause(FROZEN_MS)
  process.kill(pid, 'SIGCONT')
  cluster.leaveOut(null)
}

/** out: how long nobody decided while the node that did was stopped, ms */
async function stopGently(cluster: Cluster): Promise<number> {
  const name = await decider(cluster)
  const node = nodeOf(cluster, name)
  const pid = node.pid() ?? 0
  process.kill(pid, 'SIGTERM')
  let seen = performance.now()
  while ((await cluster.decides()) === name) seen = performance.now()
  const gap = await cluster.takenFrom(name, seen)
  await until(`${name} stopped`, () => node.exitCode() !== null, OVER_WITHIN_MS)
  demand(node.exitCode() === 0, `${name} stopped with ${node.exitCode()}`)
  await back(cluster, name)
  return gap
}

/** out: until something was acknowledged after PostgreSQL was back, ms */
async function restart(postgres: Postgres, count: () => number): Promise<number> {
  await postgres.stop('stop')
  await postgres.start()
  const from = performance.now()
  const before = count()
  await until('people are answered again', () => count() > before + SENDERS.length, OVER_WITHIN_MS)
  return performance.now() - from
}

/** What a person reads at each node, with the session of one. out: how many states */
async function compareWorlds({ nodes: all }: Cluster): Promise<number> {
  const [first, ...others] = Object.values(all)
  const cookie = (await first?.signIn('ana')) ?? ''
  const read = async <Body>({ url }: TestServer, path: string): Promise<Body> => {
    const answer = await fetch(`${url}${path}`, { headers: { cookie } })
    demand(answer.status === 200, `${path} was answered ${answer.status}`)
    const body: Body = await answer.json()
    return body
  }
  if (!first) return 0
  const seqOf = async (node: TestServer): Promise<number> => (await read<{ seq: number }>(node, '/api/health')).seq
  let count = 0
  for (const other of others) {
    await until('both are as far', async () => (await seqOf(first)) === (await seqOf(other)), OVER_WITHIN_MS)
    for (const type of ['task', 'stage', 'agent', 'step']) {
      const [one, two] = [await read(first, `/api/states?type=${type}`), await read(other, `/api/states?type=${type}`)]
      const [a, b] = [JSON.stringify(one), JSON.stringify(two)]
      demand(a === b, `the states of ${type} differ between nodes`)
      count += Object.keys(Object(one)).length
    }
  }
  return count
}

async function isLoadOver(ana: Person): Promise<boolean> {
  const states = Object.values(await ana.get<Record<string, TaskState>>('/api/states?type=task'))
  const load = states.filter(({ task_name }) => task_name?.startsWith(LOAD))
  return load.length === LOAD_AGENTS && load.every(({ execution_state }) => execution_state === 'finished')
}

/** Steps ran at all nodes, and each has one end, which is that of its newest try. out: how many began at each node */
async function compareSteps({ postgres, schema }: Cluster): Promise<Record<string, number>> {
  const begun = await postgres.ask(
    `select json ->> 'node' as node, count(*)::int as n from ${schema}.entry
      where json ->> 'type' = 'step.started' group by 1 order by 1`,
  )
  const twice = await postgres.ask(
    `select json ->> 'step' as step from ${schema}.entry
      where json ->> 'type' in ('step.finished', 'step.failed', 'step.interrupted') group by 1 having count(*) > 1`,
  )
  demand(begun.length > 1, `only one node ran steps: ${JSON.stringify(begun)}`)
  demand(twice.length === 0, `outcomes were taken twice: ${JSON.stringify(twice.slice(0, 5))}`)
  return Object.fromEntries(begun.map(({ node, n }) => [`steps begun at ${String(node)}`, Number(n)]))
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0)
}
