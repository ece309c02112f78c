/**
 * What a second node gains where work is bound by the processor: `npm run bench -- nodes [ms of a step] [agents] [rounds] [seconds]`.
 *
 * Agents whose steps each take so much work run at one node and then at two on one PostgreSQL; before and after, the same work is
 * done by one and by two bare processes. Goal: two nodes gain at least 0.85 of what two bare processes gain over one.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { newSchema, startServer } from '@/packages/cluster/test'
import { blocksFor } from './lib/busy'
import { type Order, Part, runBusyProcess, Said } from './lib/busyProcess'
import { median, table } from './lib/figures'

const GOAL = 0.85
/** A process that has just started still compiles. */
const WARM_MS = 4_000

type Child = { tell(order: Order): Promise<Said>; end(): Promise<void> }

async function start(part: Part): Promise<Child> {
  const child = fork(process.argv[1] ?? '', ['process', JSON.stringify(part)], { stdio: 'inherit' })
  await said(child)
  return {
    async tell(order) {
      const answer = said(child)
      child.send(order)
      return answer
    },
    async end() {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.send({ do: 'end' } satisfies Order)
      await gone
    },
  }
}

const said = (child: ChildProcess): Promise<Said> =>
  new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`a process ended with ${code}`))
    child.once('exit', onExit)
    child.once('message', (message) => {
      child.off('exit', onExit)
      resolve(Said.parse(message))
    })
  })

/** perSecond: pieces of work of all together, as the first counts them or each its own. cpu: cores that they used */
type Figures = { perSecond: number; cpu: number }

/** in: children that work. counts: those whose counts are added */
async function watch(seconds: number, children: readonly Child[], counts = children): Promise<Figures> {
  const all = () => Promise.all(children.map((child) => child.tell({ do: 'count' })))
  const from = performance.now()
  const before = await all()
  await pause(seconds * 1_000)
  const after = await all()
  const ms = performance.now() - from
  const grown = (of: keyof Said, those: readonly Child[]): number =>
    those.reduce((sum, child) => {
      const at = children.indexOf(child)
      return sum + (after[at]?.[of] ?? 0) - (before[at]?.[of] ?? 0)
    }, 0)
  return { perSecond: (grown('done', counts) * 1_000) / ms, cpu: grown('cpuMs', children) / ms }
}

async function measure(stepMs = 25, agents = 16, rounds = 3, seconds = 6): Promise<void> {
  const blocks = blocksFor(stepMs)
  const postgres = await startServer()
  try {
    const { url: databaseUrl } = await newSchema(postgres)
    const bare = [await start({ is: 'bare', blocks }), await start({ is: 'bare', blocks })]
    const first = await start({ is: 'node', blocks, node: 'north', databaseUrl })
    await first.tell({ do: 'load', agents })
    await pause(WARM_MS)
    const seen: Record<'bare1' | 'bare2' | 'node1' | 'node2', Figures[]> = {
      bare1: [],
      bare2: [],
      node1: [],
      node2: [],
    }
    const bareFor = async (count: number): Promise<Figures> => {
      const those = bare.slice(0, count)
      for (const one of those) await one.tell({ do: 'work' })
      const figures = await watch(seconds, those)
      for (const one of those) await one.tell({ do: 'rest' })
      return figures
    }
    for (let round = 0; round < rounds; round++) {
      await first.tell({ do: 'rest' })
      await pause(1_000)
      seen.bare1.push(await bareFor(1))
      seen.bare2.push(await bareFor(2))
      await first.tell({ do: 'work' })
      await pause(1_000)
      seen.node1.push(await watch(seconds, [first]))
      const second = await start({ is: 'node', blocks, node: 'south', databaseUrl })
      await pause(WARM_MS)
      // What is in the world of one is of both.
      seen.node2.push(await watch(seconds, [first, second], [first]))
      await second.end()
    }
    await first.end()
    for (const one of bare) await one.end()
    report(seen, stepMs, agents)
  } finally {
    await postgres.remove()
  }
}

function report(seen: Record<'bare1' | 'bare2' | 'node1' | 'node2', Figures[]>, stepMs: number, agents: number): void {
  const middle = (what: keyof typeof seen, of: keyof Figures): number => median(seen[what].map((one) => one[of]))
  const row = (what: string, one: keyof typeof seen, two: keyof typeof seen): string[] => [
    what,
    ...[one, two].map((each) => `${middle(each, 'perSecond').toFixed(1)}/s, ${middle(each, 'cpu').toFixed(2)} cores`),
    `${(middle(two, 'perSecond') / middle(one, 'perSecond')).toFixed(2)} ×`,
  ]
  const ratios = seen.node1.map(({ perSecond }, round) => {
    const of = (what: keyof typeof seen): number => seen[what][round]?.perSecond ?? Number.NaN
    return of('node2') / perSecond / (of('bare2') / of('bare1'))
  })
  const ratio = median(ratios)
  const each = ratios.map((one) => one.toFixed(2)).join(', ')
  console.log(`\n${agents} agents, ${stepMs} ms of work a step, ${ratios.length} rounds\n`)
  console.log(
    table([['', 'one', 'two', 'gain'], row('bare processes', 'bare1', 'bare2'), row('nodes, steps', 'node1', 'node2')]),
  )
  console.log(
    `\nGain of two nodes over that of two bare processes: ${ratio.toFixed(2)} (rounds ${each}); wanted at least ${GOAL}: `,
  )
  console.log(ratio >= GOAL ? 'holds' : 'MISSED')
  if (!(ratio >= GOAL)) process.exitCode = 1
}

if (process.argv[2] === 'process') await runBusyProcess(Part.parse(JSON.parse(process.argv[3] ?? '')))
else await measure(...process.argv.slice(2).map(Number))
