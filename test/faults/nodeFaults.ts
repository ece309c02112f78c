/** What happens to machines and to the database between them: a node is slow, far away or cut off, PostgreSQL cannot be written. */
import { type Cluster, decider, nodeOf, OVER_WITHIN_MS, otherThan } from './cluster'
import { failOver } from './failOver'
import { demand, pause, until } from './scenario'

/** in: answered: how many people were answered so far. out: what it took, ms */
type MachineFault = (cluster: Cluster, answered: () => number) => Promise<number>

/** A machine that is slow: of 100 ms it works so many. */
const SLOW = { forMs: 6_000, ofMs: 100, worksMs: 30 }
/** A round trip of 30 ms. */
const FAR = { forMs: 4_000, oneWayMs: 15 }
const CUT_MS = 7_000
/** A node that is cut off is given up, and says that it gets no requests, within so long. */
const NOT_READY_WITHIN_MS = 12_000
const READ_ONLY_MS = 3_000
/** Refused as where there is no room (53100), in what an append and a look whether it can be written need. */
const FULL = ['entry', 'probe']

/** By the name of the figure. */
export const MACHINE_FAULTS: Record<string, MachineFault> = {
  'an answer while the node that decides is slow': async (cluster, answered) =>
    slow(cluster, await decider(cluster), answered),
  'an answer while the node that follows is slow': async (cluster, answered) =>
    slow(cluster, otherThan(cluster, await decider(cluster)), answered),
  'an answer while the node that decides is 30 ms away': async (cluster, answered) =>
    far(cluster, await decider(cluster), answered),
  'an answer while the node that follows is 30 ms away': async (cluster, answered) =>
    far(cluster, otherThan(cluster, await decider(cluster)), answered),
  'taken from a node that is cut off from PostgreSQL': async (cluster) => {
    const name = await decider(cluster)
    return cutOff(cluster, name, [nodeLinks(cluster, name).database], (from) => cluster.takenFrom(name, from))
  },
  'noticed that the node that follows is cut off from PostgreSQL': async (cluster) => {
    const name = otherThan(cluster, await decider(cluster))
    return cutOff(cluster, name, [nodeLinks(cluster, name).database], async (from) => {
      await notReady(cluster, name)
      return performance.now() - from
    })
  },
  'noticed that the nodes are cut off from each other': async (cluster) => {
    const name = otherThan(cluster, await decider(cluster))
    return cutOff(
      cluster,
      name,
      Object.values(cluster.links).map(({ other }) => other),
      async (from) => {
        await notReady(cluster, name)
        return performance.now() - from
      },
    )
  },
  'without an answer at a failover of PostgreSQL': failOver,
  'answers after PostgreSQL was read only': (cluster, answered) =>
    refusing(cluster, answered, {
      from: 'alter system set default_transaction_read_only = on; select pg_reload_conf()',
      to: 'alter system reset default_transaction_read_only; select pg_reload_conf()',
    }),
  'answers after PostgreSQL was full': (cluster, answered) => {
    const { schema } = cluster
    const raise = `raise exception 'no space left on device' using errcode = '53100'`
    return refusing(cluster, answered, {
      from: [
        `create function ${schema}.full_disk() returns trigger language plpgsql as $$ begin ${raise}; end $$`,
        ...FULL.map(
          (name) =>
            `create trigger full_disk before insert on ${schema}.${name} execute function ${schema}.full_disk()`,
        ),
      ].join(';'),
      to: `drop function ${schema}.full_disk cascade`,
    })
  },
}

/** out: the longest time without an answer */
async function slow(cluster: Cluster, name: string, answered: () => number): Promise<number> {
  const pid = nodeOf(cluster, name).pid() ?? 0
  return longestWait(answered, SLOW.forMs, async () => {
    process.kill(pid, 'SIGSTOP')
    await pause(SLOW.ofMs - SLOW.worksMs)
    process.kill(pid, 'SIGCONT')
    await pause(SLOW.worksMs)
  })
}

/** out: the longest time without an answer */
async function far(cluster: Cluster, name: string, answered: () => number): Promise<number> {
  const links = nodeLinks(cluster, name)
  for (const link of [links.database, links.other]) link.slow(FAR.oneWayMs)
  const longest = await longestWait(answered, FAR.forMs, () => pause(20))
  for (const link of [links.database, links.other]) link.slow(0)
  return longest
}

async function longestWait(answered: () => number, forMs: number, go: () => Promise<void>): Promise<number> {
  const end = performance.now() + forMs
  let [longest, since, count] = [0, performance.now(), answered()]
  while (performance.now() < end) {
    await go()
    longest = Math.max(longest, performance.now() - since)
    if (answered() === count) continue
    since = performance.now()
    count = answered()
  }
  demand(longest < forMs, `nobody was answered for ${forMs} ms`)
  return longest
}

/** Stalls these links of a node, which gets no requests once it reports it, and resumes them afterwards. out: what `seen` gives */
async function cutOff(
  cluster: Cluster,
  name: string,
  links: { stall(): () => void }[],
  seen: (from: number) => Promise<number>,
): Promise<number> {
  const from = performance.now()
  const resume = links.map((link) => link.stall())
  try {
    const took = await seen(from)
    await notReady(cluster, name)
    cluster.leaveOut(name)
    await pause(Math.max(0, CUT_MS - (performance.now() - from)))
    return took
  } finally {
    for (const go of resume) go()
    await until(`${name} is ready again`, async () => (await readiness(cluster, name)) === 200, OVER_WITHIN_MS)
    cluster.leaveOut(null)
  }
}

/** PostgreSQL cannot be written for a while. out: until something was acknowledged after that, ms */
async function refusing(
  cluster: Cluster,
  answered: () => number,
  { from, to }: { from: string; to: string },
): Promise<number> {
  for (const sql of from.startsWith('alter') ? from.split('; ') : [from]) await cluster.postgres.ask(sql)
  try {
    for (const name of Object.keys(cluster.nodes)) await notReady(cluster, name)
    const before = answered()
    await pause(READ_ONLY_MS)
    demand(answered() === before, 'something was acknowledged that could not be written')
  } finally {
    for (const sql of to.split('; ')) await cluster.postgres.ask(sql)
  }
  const back = performance.now()
  const before = answered()
  await until('people are answered again', () => answered() > before + 4, OVER_WITHIN_MS)
  return performance.now() - back
}

const notReady = (cluster: Cluster, name: string): Promise<void> =>
  until(`${name} is not ready`, async () => (await readiness(cluster, name)) === 503, NOT_READY_WITHIN_MS)

const readiness = async (cluster: Cluster, name: string): Promise<number> =>
  (await fetch(`${nodeOf(cluster, name).url}/api/ready`)).status

function nodeLinks({ links }: Cluster, name: string): Cluster['links'][string] {
  const own = links[name]
  if (!own) throw new Error(`there is no node ${name}`)
  return own
}
