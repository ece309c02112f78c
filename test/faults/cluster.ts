/** Two nodes on one PostgreSQL behind a proxy, each with links of its own to the database and to the other, and a clock of its own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, newSchema, type TestServer as Postgres, startServer as startPostgres } from '@/packages/cluster/test'
import { startNode } from '../../e2e/fixtures/nodes'
import type { TestServer } from '../../e2e/fixtures/server'
import { openTestLink, type TestLink } from '../testLink'
import { type AnyNode, openAnyNode } from './anyNode'
import { pause, until } from './scenario'

export const OVER_WITHIN_MS = 120_000
/** The clocks of the two are so far apart, ms. */
const CLOCK_AHEAD_MS = 5_000
const MACHINE = join(process.cwd(), 'test', 'faults', 'otherMachine.cjs')

/** The links of one node. */
type NodeLinks = { database: TestLink; other: TestLink }

export type Cluster = {
  /** The primary, and its address; the nodes reach it by their links. */
  postgres: Postgres
  databaseUrl: string
  schema: string
  nodes: Record<string, TestServer>
  links: Record<string, NodeLinks>
  workspace: string
  proxy: AnyNode
  /** New connections go to all nodes but this one, and those to it are cut; null: to all. */
  leaveOut(name: string | null): void
  /** The node with the lease; null: none has it. */
  decides(): Promise<string | null>
  /** Wait until another node than that one has the lease. out: ms since `from` */
  takenFrom(name: string, from: number): Promise<number>
  /** That server is the primary now: the links to the former one are cut, and lead to it. */
  putInPlace(server: Postgres): void
  close(): Promise<void>
}

export async function startCluster(random: () => number): Promise<Cluster> {
  const postgres = await startPostgres()
  const { url: databaseUrl, schema } = await newSchema(postgres)
  const workspace = mkdtempSync(join(tmpdir(), 'convene-nodes-'))
  const databasePort = Number(new URL(databaseUrl).port)
  const ports = { north: await freePort(), south: await freePort() }
  const linksTo = async (otherPort: number): Promise<NodeLinks> => ({
    database: await openTestLink(databasePort),
    other: await openTestLink(otherPort),
  })
  const links = { north: await linksTo(ports.south), south: await linksTo(ports.north) }
  const start = (name: 'north' | 'south', otherPort: number, aheadMs: number): Promise<TestServer> =>
    startNode(
      name,
      { databaseUrl, workspace },
      {
        NODE_OPTIONS: `--require ${JSON.stringify(MACHINE)}`,
        CONVENE_NODE_ADDRESS: `127.0.0.1:${ports[name]}`,
        CONVENE_CLOCK_AHEAD_MS: `${aheadMs}`,
        CONVENE_LINKS: JSON.stringify({
          [databasePort]: links[name].database.port,
          [otherPort]: links[name].other.port,
        }),
      },
      { withLoad: true },
    )
  const all: Record<string, TestServer> = {
    north: await start('north', ports.south, 0),
    south: await start('south', ports.north, CLOCK_AHEAD_MS),
  }
  const proxy = await openAnyNode(random)
  const leaveOut = (name: string | null): void =>
    proxy.use(Object.entries(all).flatMap(([each, { url }]) => (each === name ? [] : [url])))
  leaveOut(null)
  const decides = async (): Promise<string | null> => {
    const [row] = await cluster.postgres.ask(`select holder ->> 'node' as node from ${schema}.head`)
    return typeof row?.node === 'string' ? row.node : null
  }
  const cluster: Cluster = {
    postgres,
    databaseUrl,
    schema,
    links,
    nodes: all,
    workspace,
    proxy,
    leaveOut,
    decides,
    async takenFrom(name, from) {
      const end = from + OVER_WITHIN_MS
      for (;;) {
        const now = await decides()
        if (now !== null && now !== name) return performance.now() - from
        if (performance.now() > end) throw new Error(`nobody took the lease of ${name}`)
        await pause(5)
      }
    },
    putInPlace(server) {
      const { port } = new URL(server.url)
      cluster.postgres = server
      cluster.databaseUrl = databaseUrl.replace(`:${databasePort}/`, `:${port}/`)
      for (const { database } of Object.values(links)) database.pointAt(Number(port), 'cut')
    },
    async close() {
      for (const node of Object.values(all)) await node.stop()
      await proxy.close()
      for (const { database, other } of Object.values(links)) for (const link of [database, other]) await link.close()
      await cluster.postgres.remove()
      rmSync(workspace, { recursive: true, force: true })
    },
  }
  return cluster
}

/** A node that ended comes back. */
export async function back(cluster: Cluster, name: string): Promise<void> {
  cluster.leaveOut(name)
  await nodeOf(cluster, name).kill()
  await nodeOf(cluster, name).start()
  cluster.leaveOut(null)
}

export function nodeOf({ nodes: all }: Cluster, name: string): TestServer {
  const node = all[name]
  if (!node) throw new Error(`there is no node ${name}`)
  return node
}

export async function decider(cluster: Cluster): Promise<string> {
  await until('a node decides', async () => (await cluster.decides()) !== null, OVER_WITHIN_MS)
  return (await cluster.decides()) ?? ''
}

/** The other of the two. */
export const otherThan = ({ nodes: all }: Cluster, name: string): string =>
  Object.keys(all).find((each) => each !== name) ?? ''
