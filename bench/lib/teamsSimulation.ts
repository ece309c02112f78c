/**
 * Many teams on one PostgreSQL as queues: how long decisions wait, and how busy each thread and machine is. The same seed gives the same
 * figures.
 *
 * Assumed: agents are at work all the time; their models take an exponential time and no processor of ours; people write at random
 * moments. A machine gives its cores to jobs in the order they came, a thread has one job at a time. Disks, networks and collecting
 * garbage are as they were where the costs were measured, however much there is to do.
 */
import { randomOf } from '@/test/faults/scenario'
import { createCores, createThread, createTime, type Thread } from './queues'

/** ms of a processor, except `flush`. */
export type Costs = {
  /** A decision at the node that decides: deciding, making rows, reducing. */
  decide: number
  /** A step at the node that runs it: prompt, answer. */
  run: number
  /** A decision at each other node. */
  reduce: number
  /** A decision for each browser of its team. */
  show: number
  /** An append at PostgreSQL, and each decision in it. */
  append: number
  row: number
  /** Time from PostgreSQL's work to its answer. */
  flush: number
  /** A process and a browser, each second, when nothing happens. */
  process: number
  browser: number
}
export type Team = { agents: number; browsers: number; modelMs: number; messagesPerMinute: number }
/**
 * nodes: of one Convene for all teams; null: a process and a schema for each team
 * cores, databaseCores: of all machines of Convene together, and of that of PostgreSQL
 */
export type Layout = { nodes: number | null; cores: number; databaseCores: number }
export type SimulationInput = { costs: Costs; team: Team; teams: number; layout: Layout; seconds: number; seed: number }

/** perSecond: decisions. p50, p99: ms until one is durable. The rest: parts of the time, of the busiest thread or of all cores */
export type Simulated = {
  perSecond: { wanted: number; made: number }
  p50: number
  p99: number
  decider: number
  follower: number
  cores: number
  database: number
}

/** An append takes no more than that. */
const MOST_AT_ONCE = 200
/** Nothing is counted before the queues have their length. */
const WARM_MS = 10_000

export function simulate({ costs, team, teams, layout, seconds, seed }: SimulationInput): Simulated {
  const random = randomOf(seed)
  const time = createTime()
  const [cores, database] = [createCores(time, layout.cores), createCores(time, layout.databaseCores)]
  const later = (mean: number): number => -Math.log(1 - random()) * mean
  const waits: number[] = []
  let wanted = 0

  /** One Convene: a thread that decides, and those of the other nodes. */
  function open(threads: readonly [Thread, ...Thread[]], own: number): void {
    const [decider, ...others] = threads
    let queue: { since: number; done: () => void }[] = []
    let isAppending = false
    let turn = 0
    const append = (): void => {
      if (isAppending || queue.length === 0) return
      isAppending = true
      const batch = queue.slice(0, MOST_AT_ONCE)
      queue = queue.slice(batch.length)
      const durable = (): void => {
        isAppending = false
        for (const { since, done } of batch) {
          if (since >= WARM_MS) waits.push(time.now() - since)
          done()
        }
        for (const other of others) other.run(batch.length * costs.reduce, () => {})
        // Browsers are spread over all nodes.
        for (const thread of threads) thread.run((batch.length * costs.show * team.browsers) / threads.length, () => {})
        append()
      }
      decider.run(batch.length * costs.decide, () =>
        database.run(costs.append + batch.length * costs.row, () => time.after(costs.flush, durable)),
      )
    }
    const decide = (done: () => void): void => {
      if (time.now() >= WARM_MS) wanted += 1
      queue.push({ since: time.now(), done })
      append()
    }
    const run = (done: () => void): void => {
      turn += 1
      threads[turn % threads.length]?.run(costs.run, done)
    }
    const step = (): void => decide(() => run(() => time.after(later(team.modelMs), () => decide(step))))
    for (let n = 0; n < own * team.agents; n++) time.after(later(team.modelMs), step)
    const messages = (own * team.browsers * team.messagesPerMinute) / 60_000
    const write = (): void => {
      decide(() => {})
      time.after(later(1 / messages), write)
    }
    if (messages > 0) time.after(later(1 / messages), write)
    // What runs by itself, ten times a second.
    const idle = (costs.process + (own * team.browsers * costs.browser) / threads.length) / 10
    const beat = (thread: Thread): void => {
      thread.run(idle, () => {})
      time.after(100, () => beat(thread))
    }
    for (const thread of threads) time.after(random() * 100, () => beat(thread))
  }

  const thread = (): Thread => createThread(cores)
  const systems = Array.from({ length: layout.nodes === null ? teams : 1 }, (): [Thread, ...Thread[]] => [
    thread(),
    ...Array.from({ length: (layout.nodes ?? 1) - 1 }, thread),
  ])
  for (const threads of systems) open(threads, layout.nodes === null ? 1 : teams)
  const used = (): { decider: number[]; follower: number[]; cores: number; database: number } => ({
    decider: systems.map(([first]) => first.used()),
    follower: systems.flatMap(([, ...others]) => others.map((other) => other.used())),
    cores: cores.used() / layout.cores,
    database: database.used() / layout.databaseCores,
  })
  time.until(WARM_MS)
  const before = used()
  time.until(WARM_MS + seconds * 1_000)
  const after = used()
  const part = (ms: number): number => ms / (seconds * 1_000)
  const most = (of: 'decider' | 'follower'): number =>
    Math.max(0, ...after[of].map((ms, n) => part(ms - (before[of][n] ?? 0))))
  const sorted = waits.toSorted((one, two) => one - two)
  const at = (quantile: number): number => sorted[Math.floor(quantile * sorted.length)] ?? Number.NaN
  return {
    perSecond: { wanted: wanted / seconds, made: sorted.length / seconds },
    p50: at(0.5),
    p99: at(0.99),
    decider: most('decider'),
    follower: most('follower'),
    cores: part(after.cores - before.cores),
    database: part(after.database - before.database),
  }
}
