/** Nodes as the store sees them: each holds the database with a name of its own. */
import type { Lease, NodeSelf, Store } from '@/server/store/interfaces'
import { openPostgresStore, type PostgresOptions } from '../postgres/openPostgresStore'

export type StoreNode = Store & { lease: Lease }

const opened: Store[] = []

export const selfOf = (node: string, more: Partial<NodeSelf> = {}): NodeSelf => ({
  node,
  address: `${node}:1`,
  mark: 'same',
  ...more,
})

export async function openNode(url: string, self: NodeSelf, more: PostgresOptions = {}): Promise<StoreNode> {
  const store = await openPostgresStore(url, { self, ...more })
  opened.push(store)
  if (!store.lease) throw new Error('a node without a lease')
  return { ...store, lease: store.lease }
}

export async function closeNodes(): Promise<void> {
  for (const store of opened.splice(0)) await store.close()
}
