/** Several engines on one memory store in one process, with real connections. They stop after each test. */
import { afterEach } from 'vitest'
import type { Nodes } from '@/server/nodes'
import type { SkillRun } from '@/server/skills/port'
import type { Store } from '@/server/store'
import { openTestNodes } from './connectedNodes'
import { type memoryData, memoryStore } from './memoryStore'
import { openTestEngine, type SkillScript, type TestEngine, type TestEngineOptions } from './testEngine'
import { outcomeOf } from './worldHistories'

export type TestNode = TestEngine & {
  nodes: Nodes
  stop(): Promise<void>
  /** It looks at the journal no more. out: it goes on */
  freeze(): () => void
}

const ends: (() => Promise<void>)[] = []

export async function stopTestNodes(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end()
}
afterEach(stopTestNodes)

export async function openTestNode(
  data: ReturnType<typeof memoryData>,
  node: string,
  { wrap = (store) => store, ...more }: TestEngineOptions & { wrap?: (store: Store) => Store } = {},
): Promise<TestNode> {
  const nodes = await openTestNodes(node)
  const { address, mark } = nodes
  const store = wrap(memoryStore({ data, self: { node, address, mark }, now: () => 1_700_000_000_000 }))
  let thawed = Promise.resolve()
  let thaw = (): void => {}
  const hold = store.lease?.hold
  if (!store.lease || !hold) throw new Error('a node without a lease')
  store.lease.hold = async (wants) => {
    await thawed
    return hold(wants)
  }
  const opened = await openTestEngine({ store, nodes, node, prefix: node, ...more })
  let isStopped = false
  const stop = async (): Promise<void> => {
    if (isStopped) return
    isStopped = true
    thaw()
    await opened.engine.stop()
    await nodes.close()
  }
  ends.push(stop)
  return {
    ...opened,
    nodes,
    stop,
    freeze() {
      thawed = new Promise((resolve) => {
        thaw = resolve
      })
      return thaw
    },
  }
}

/** A skill that says when it began, and ends when it is told, with that outcome, or aborted. */
export const untilTold =
  (begun: (run: SkillRun, end: (outcome?: Parameters<typeof outcomeOf>[0]) => void) => void): SkillScript =>
  (_, run) =>
    new Promise((resolve, reject) => {
      run.signal.addEventListener('abort', () => reject(new Error('aborted')))
      begun(run, (outcome = {}) => resolve(outcomeOf(outcome)))
    })
