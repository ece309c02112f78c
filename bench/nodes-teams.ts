/**
 * A hundred teams on one PostgreSQL, simulated: `npm run bench -- nodes-teams [agents] [browsers] [s of a model's call]`, of each team.
 *
 * Two layouts: one Convene for all teams, on one node to four, and a process with a schema of its own for each. Where the costs come from
 * says bench/README.md, what is assumed beside them lib/teamsSimulation.ts. Nothing is started, and no clock is read.
 */
import { ms, table } from './lib/figures'
import { type Costs, type Layout, type Simulated, simulate } from './lib/teamsSimulation'

/** What was measured and what is taken from it says bench/README.md. */
const COSTS: Costs = {
  decide: 1.8,
  run: 2.4,
  reduce: 0.4,
  show: 0.02,
  append: 0.9,
  row: 0.7,
  flush: 1.5,
  process: 15,
  browser: 0.4,
}
const MIB = { process: 150, browser: 0.3 }
/** Of each process while it has something to do, beside the one with its lock. */
const SESSIONS = 11
/** Of PostgreSQL, unless its configuration says otherwise. */
const MOST_SESSIONS = 100
const TEAMS = [1, 10, 25, 50, 100, 200]
/** A machine for each node, and as many for processes of their own; PostgreSQL has one more. */
const CORES = { node: 2, own: 16, database: 8 }
const [agents = 10, browsers = 5, callS = 10] = process.argv.slice(2).map(Number)
const team = { agents, browsers, modelMs: callS * 1_000, messagesPerMinute: 1 }
/** A queue grows without end above it, where load comes in waves. */
const FULL = 0.8
const LATE_MS = 1_000

const layouts: { name: string; layout: Layout }[] = [
  ...[1, 2, 4].map((nodes) => ({
    name: `one Convene, ${nodes} nodes`,
    layout: { nodes, cores: nodes * CORES.node, databaseCores: CORES.database },
  })),
  { name: 'a process each', layout: { nodes: null, cores: CORES.own, databaseCores: CORES.database } },
]

const rows = layouts.flatMap(({ name, layout }) =>
  TEAMS.map((teams) => {
    const seen = simulate({ costs: COSTS, team, teams, layout, seconds: 30, seed: 1 })
    const processes = layout.nodes ?? teams
    const sessions = processes * SESSIONS
    const gib = (processes * MIB.process + teams * team.browsers * MIB.browser) / 1_024
    return [
      name,
      `${teams}`,
      `${seen.perSecond.made.toFixed(0)} of ${seen.perSecond.wanted.toFixed(0)}`,
      `${ms(seen.p50)} · ${ms(seen.p99)}`,
      ...[seen.decider, seen.follower, seen.cores, seen.database].map((part) => `${(part * 100).toFixed(0)} %`),
      `${gib.toFixed(1)} GiB`,
      `${sessions}`,
      breaks(seen, sessions) ?? 'carried',
    ]
  }),
)
const head = [
  ...['layout', 'teams', 'decisions/s', 'durable after', 'thread that decides', 'other thread'],
  ...['machines', 'PostgreSQL', 'memory', 'sessions', ''],
]
console.log(
  `\nTeams of ${agents} agents, whose models take ${callS} s, and ${browsers} browsers\n\n${table([head, ...rows])}\n`,
)

/** What has no room left, the fullest first; null: all of it has. */
function breaks({ decider, follower, cores, database, p99 }: Simulated, sessions: number): string | null {
  const full = [
    ['the thread that decides', decider],
    ['the thread of another node', follower],
    ['the processors of the machines', cores],
    ['the processors of PostgreSQL', database],
  ] as const
  const [first] = full.filter(([, part]) => part > FULL).toSorted(([, one], [, two]) => two - one)
  if (first) return first[0]
  if (p99 > LATE_MS) return 'people wait'
  return sessions > MOST_SESSIONS ? `max_connections is ${MOST_SESSIONS}` : null
}
