/** The processes of `bench/nodes.ts`: a node whose steps each take so much work, and a bare process that does that work alone. */
import * as z from 'zod'
import '@/server/packages'
import { NODES } from '@/server/nodes'
import { later } from '@/server/shared/later'
import { openStore } from '@/server/store'
import { openBenchEngine } from './benchEngine'
import { busy } from './busy'

/** Messages to a process: work, rest, create agents, report progress, end. */
export const Order = z.discriminatedUnion('do', [
  z.object({ do: z.literal('work') }),
  z.object({ do: z.literal('rest') }),
  z.object({ do: z.literal('load'), agents: z.number() }),
  z.object({ do: z.literal('count') }),
  z.object({ do: z.literal('end') }),
])
export type Order = z.infer<typeof Order>

/** done: pieces of work since its start; a node: steps whose outcome is in its world. cpuMs: of this process */
export const Said = z.object({ done: z.number(), cpuMs: z.number() })
export type Said = z.infer<typeof Said>

export const Part = z.union([
  z.object({ is: z.literal('bare'), blocks: z.number() }),
  z.object({ is: z.literal('node'), blocks: z.number(), node: z.string(), databaseUrl: z.string() }),
])
export type Part = z.infer<typeof Part>

type Worker = { work(): void; rest(): void; load(agents: number): Promise<void>; done(): number; end(): Promise<void> }

/** Runs in the child until it is told to end. */
export async function runBusyProcess(part: Part): Promise<void> {
  const worker = part.is === 'bare' ? bareWorker(part.blocks) : await nodeWorker(part)
  const say = (): void => {
    const { user, system } = process.cpuUsage()
    process.send?.({ done: worker.done(), cpuMs: (user + system) / 1_000 } satisfies Said)
  }
  process.on('message', (message) => {
    const order = Order.parse(message)
    switch (order.do) {
      case 'work':
        worker.work()
        return say()
      case 'rest':
        worker.rest()
        return say()
      case 'load':
        return void worker.load(order.agents).then(say)
      case 'count':
        return say()
      case 'end':
        return void worker.end().then(() => process.exit(0))
      default:
        order satisfies never
    }
  })
  say()
}

function bareWorker(blocks: number): Worker {
  let [done, works] = [0, false]
  const turn = (): void => {
    if (!works) return
    busy(blocks)
    done += 1
    setImmediate(turn)
  }
  return {
    work() {
      works = true
      turn()
    },
    rest() {
      works = false
    },
    load: async () => {},
    done: () => done,
    end: async () => {},
  }
}

const fail = (what: string, error: unknown): never => {
  process.stderr.write(`${what}: ${error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(1)
}

async function nodeWorker({ blocks, node, databaseUrl }: Extract<Part, { is: 'node' }>): Promise<Worker> {
  const nodes = await NODES.get('this measurement')({
    node,
    secret: 'of all nodes of this measurement',
    address: '127.0.0.1:0',
    schedule: later,
    onTrouble: (error) => fail('between nodes', error),
  })
  const { address, mark } = nodes
  const store = await openStore({ databaseUrl, dataFolder: '' }, { self: { node, address, mark } })
  let begin = (): void => {}
  let mayWork = Promise.resolve()
  let done = 0
  const { engine, load, stop } = await openBenchEngine({
    store,
    nodes,
    node,
    modelOf: (load) => ({
      ...load,
      async *call(turns, options) {
        await mayWork
        busy(blocks)
        yield* load.call(turns, options)
      },
    }),
    onMistake: (what) => fail('at this node', what),
  })
  engine.onDecision((entries) => {
    for (const { event } of entries) if (event.type === 'step.finished') done += 1
  })
  return {
    work: () => begin(),
    rest() {
      mayWork = new Promise((resolve) => {
        begin = resolve
      })
    },
    async load(agents) {
      await load({ agents, tasks: agents, stepsPerAgent: 100_000 })
    },
    done: () => done,
    async end() {
      begin()
      await stop()
      await nodes.close()
      await store.close()
    },
  }
}
