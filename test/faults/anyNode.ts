/** A proxy without sticky sessions: each connection goes to one of the nodes that can be reached, by chance. */
import { connect, createServer, type Socket } from 'node:net'

export type AnyNode = {
  /** Where all nodes are reached. */
  readonly url: string
  /** From now on connections go to these; those to others are cut. */
  use(urls: readonly string[]): void
  close(): Promise<void>
}

/** in: random: chooses the node of each connection */
export async function openAnyNode(random: () => number): Promise<AnyNode> {
  let targets: readonly string[] = []
  const open = new Map<Socket, string>()
  const proxy = createServer((client) => {
    const target = targets[Math.floor(random() * targets.length)]
    client.on('error', () => {})
    if (target === undefined) return void client.destroy()
    const { hostname, port } = new URL(target)
    const node = connect(Number(port), hostname)
    open.set(client, target)
    node.on('error', () => {})
    client.once('close', () => {
      open.delete(client)
      node.destroy()
    })
    node.once('close', () => client.destroy())
    client.pipe(node).pipe(client)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    use(urls) {
      targets = urls
      for (const [client, target] of open) if (!urls.includes(target)) client.destroy()
    },
    async close() {
      for (const client of open.keys()) client.destroy()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}
