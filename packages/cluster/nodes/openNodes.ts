/**
 * Connections between the nodes of a team: each follower has one connection to the deciding node. It carries commands, their answers
 * and notes, which the deciding node forwards to the others.
 */
import type { Envelope } from '@/lib/mas/commands/command'
import { isLoopback } from '@/server/net'
import type { ForwardedAnswer, NodeNote, Nodes, NodesParts } from '@/server/nodes'
import { type Listeners, openListeners } from '@/server/shared/listeners'
import { commandMessage, messageIn, toDecider, toFollower } from './messages'
import { type Connection, connectToNode, nodeKey, nodeServer } from './sockets'

/** Delay between connection attempts, ms. */
const AGAIN_MS = 100

/** Listens; faults: those of listening */
export async function openNodes(parts: NodesParts): Promise<Nodes> {
  const [host, wantedPort] = hostAndPort(parts.address)
  const { key, mark } = nodeKey(parts.secret)
  const notes = openListeners<[NodeNote, string]>(parts.onTrouble)
  const joins = openListeners<[]>(parts.onTrouble)
  const leaves = openListeners<[string | null]>(parts.onTrouble)
  const said = { notes, joins, leaves }
  const decider = openDeciderEnd(key, said, { ...parts, host, port: wantedPort })
  const follower = openFollowerEnd(key, said, parts)
  const port = await decider.listen()
  return {
    node: parts.node,
    address: `${host}:${port}`,
    mark,
    serve: decider.serve,
    connect: follower.connect,
    isConnected: follower.isOpen,
    isAlone: (): boolean => !follower.isOpen() && decider.isAlone(),
    forward: follower.forward,
    tell(note: NodeNote): void {
      follower.send({ is: 'note', note })
      decider.sendAll({ is: 'note', from: parts.node, note })
    },
    onNote: notes.on,
    onJoined: joins.on,
    onLeft: leaves.on,
    async close(): Promise<void> {
      follower.connect(null)
      await decider.close()
    },
  }
}

type Said = {
  notes: Listeners<[NodeNote, string]>
  joins: Listeners<[]>
  leaves: Listeners<[string | null]>
}

/** The side of the deciding node: the connections of all others. */
function openDeciderEnd(
  key: Buffer,
  said: Said,
  { host, port, onTrouble }: NodesParts & { host: string; port: number },
) {
  const followers = new Map<Connection, string>()
  let isClosed = false
  let decide: ((envelope: Envelope) => Promise<ForwardedAnswer>) | null = null

  const sendAll = (message: object, but?: Connection): void => {
    for (const follower of followers.keys()) if (follower !== but) follower.send(message)
  }

  function take(line: string, node: string, from: Connection): void {
    const message = messageIn(toDecider, line)
    if (message === null) return
    if (message.is === 'note') {
      said.notes.tell(message.note, node)
      sendAll({ is: 'note', from: node, note: message.note }, from)
      return
    }
    const { n, id, by, session, until, command, bodies } = message
    const asked = decide?.({ id, by, session, until, command, bodies }) ?? Promise.resolve(null)
    asked.then((answer) => from.send({ is: 'answer', n, answer })).catch(onTrouble)
  }

  const server = nodeServer(key, (node, connection) => {
    followers.set(connection, node)
    // It was connecting when this node closed.
    if (isClosed) connection.close()
    sendAll({ is: 'joined' }, connection)
    said.joins.tell()
    return {
      onLine: (line) => guarded(() => take(line, node, connection), connection, onTrouble),
      onClose() {
        followers.delete(connection)
        if ([...followers.values()].includes(node)) return
        sendAll({ is: 'left', node })
        said.leaves.tell(node)
      },
    }
  })

  return {
    sendAll,
    isAlone: () => followers.size === 0,
    serve(next: typeof decide): void {
      decide = next
      if (next === null) for (const follower of followers.keys()) follower.close()
    },
    listen: () =>
      new Promise<number>((resolve, reject) => {
        server.once('error', reject)
        // Other machines reach it by its name, so it listens on all of its addresses.
        server.listen(port, isLoopback(host) ? host : undefined, () => {
          const at = server.address()
          server.unref()
          if (at === null || typeof at === 'string') reject(new Error('no port'))
          else resolve(at.port)
        })
      }),
    async close(): Promise<void> {
      isClosed = true
      for (const follower of followers.keys()) follower.close()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** The side of a follower: its connection to the deciding node. */
function openFollowerEnd(key: Buffer, said: Said, { node, schedule, onTrouble }: NodesParts) {
  const waiting = new Map<number, (answer: ForwardedAnswer) => void>()
  let target: string | null = null
  let way: Connection | null = null
  let isOpen = false
  let count = 0
  let stopAgain = (): void => {}

  function take(line: string): void {
    const message = messageIn(toFollower, line)
    if (message === null) return
    switch (message.is) {
      case 'answer':
        waiting.get(message.n)?.(message.answer)
        waiting.delete(message.n)
        return
      case 'note':
        said.notes.tell(message.note, message.from)
        return
      case 'joined':
        said.joins.tell()
        return
      case 'left':
        said.leaves.tell(message.node)
        return
      default:
        message satisfies never
    }
  }

  function open(): void {
    if (target === null) return
    const [host, port] = hostAndPort(target)
    const mine = connectToNode(
      { host, port, node, key },
      () => {
        if (way !== mine) return
        isOpen = true
        said.joins.tell()
      },
      {
        onLine: (line) => guarded(() => take(line), mine, onTrouble),
        onClose() {
          if (way === mine) drop(true)
        },
      },
    )
    way = mine
  }

  /** The old connection will bring no more answers. */
  function drop(again: boolean): void {
    const wasOpen = isOpen
    way = null
    isOpen = false
    stopAgain()
    for (const [n, settle] of [...waiting]) {
      waiting.delete(n)
      settle(null)
    }
    if (wasOpen) said.leaves.tell(null)
    if (again) stopAgain = schedule(open, AGAIN_MS)
  }

  return {
    connect(address: string | null): void {
      if (address === target) return
      target = address
      const old = way
      drop(false)
      old?.close()
      open()
    },
    isOpen: () => isOpen,
    send: (message: object) => isOpen && way?.send(message) === true,
    forward: (envelope: Envelope) =>
      new Promise<ForwardedAnswer>((resolve) => {
        count += 1
        if (!isOpen || way?.send(commandMessage(count, envelope)) !== true) return resolve(null)
        waiting.set(count, resolve)
      }),
  }
}

/** A line that cannot be read ends the connection. */
function guarded(work: () => void, connection: Connection, onTrouble: (error: unknown) => void): void {
  try {
    work()
  } catch (error) {
    onTrouble(error)
    connection.close()
  }
}

/** in: `host:port`, an address of IPv6 in brackets */
export function hostAndPort(address: string): [host: string, port: number] {
  const colon = address.lastIndexOf(':')
  return [address.slice(0, colon).replace(/^\[|\]$/g, ''), Number(address.slice(colon + 1))]
}
