/** Nodes with real connections to each other. They close after each test. */
import { afterEach, expect, vi } from 'vitest'
import { openNodes } from '@/packages/cluster/nodes/openNodes'
import type { Nodes } from '@/server/nodes'
import { schedule } from '@/server/timers'

const opened: Nodes[] = []
afterEach(async () => {
  for (const nodes of opened.splice(0)) await nodes.close()
})

/** in: onTrouble: default: an error fails the test */
export async function openTestNodes(
  node: string,
  {
    secret = 'a secret of all nodes',
    onTrouble = (error) => expect.fail(String(error)),
  }: { secret?: string; onTrouble?: (error: unknown) => void } = {},
): Promise<Nodes> {
  const nodes = await openNodes({ node, secret, address: '127.0.0.1:0', schedule, onTrouble })
  opened.push(nodes)
  return nodes
}

/** Connects each of the others to the first. */
export async function connect(first: Nodes, ...others: Nodes[]): Promise<void> {
  for (const nodes of others) nodes.connect(first.address)
  await vi.waitUntil(() => others.every((nodes) => nodes.isConnected()) && (others.length === 0 || !first.isAlone()))
}
