/** Nodes that speak to each other over real connections. */
import { connect as connectPlain } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Envelope } from '@/lib/mas/commands/command'
import { asId } from '@/lib/mas/ids'
import type { NodeNote, Nodes } from '@/server/nodes'
import { connect, openTestNodes as open } from '@/test/connectedNodes'
import { openTestLink } from '@/test/testLink'
import { hostAndPort } from './openNodes'
import { type Connection, connectToNode, nodeKey } from './sockets'

const joined = (nodes: Nodes): Promise<void> =>
  new Promise((resolve) => {
    const leave = nodes.onJoined(() => {
      leave()
      resolve()
    })
  })

const envelope: Envelope = {
  id: 'c1',
  by: 'ana',
  session: 's1',
  until: 5,
  command: { type: 'startNode', node: 'x', epoch: 1 },
  bodies: [{ sha: 's', mime: 'text/plain', bytes: new Uint8Array([0, 255, 10]) }],
}

it('[R249] [R521] a command arrives at the node that decides as it was, and its answer comes back', async () => {
  const north = await open('north')
  const south = await open('south')
  const seen: Envelope[] = []
  north.serve(async (one) => {
    seen.push(one)
    return { ok: true, seq: 7, reply: { a: 'ä\n' } }
  })
  await connect(north, south)
  expect(await south.forward(envelope)).toEqual({ ok: true, seq: 7, reply: { a: 'ä\n' } })
  expect(seen.map(({ bodies = [], ...one }) => ({ ...one, bytes: bodies.map(({ bytes }) => [...bytes]) }))).toEqual([
    { id: 'c1', by: 'ana', session: 's1', until: 5, command: envelope.command, bytes: [[0, 255, 10]] },
  ])
})

it('[R220] a command with files goes to the deciding node a third larger than they are, and no more', async () => {
  const north = await open('north')
  const south = await open('south')
  const arrived: number[] = []
  north.serve(async ({ bodies = [] }) => {
    for (const { bytes } of bodies) arrived.push(bytes.length)
    return { ok: true, seq: 1, reply: null }
  })
  await connect(north, south)
  const bodies = [{ sha: 's', mime: 'image/png', bytes: new Uint8Array(12 << 20).fill(200) }]
  expect(await south.forward({ ...envelope, bodies })).toEqual({ ok: true, seq: 1, reply: null })
  expect(arrived).toEqual([12 << 20])
})

it('[R249] who does not decide says so, and when a way breaks, nobody knows what became of a command', async () => {
  const north = await open('north')
  const south = await open('south')
  expect(await south.forward(envelope)).toBeNull()
  await connect(north, south)
  expect(await south.forward(envelope)).toBeNull()
  let asked = 0
  north.serve(() => {
    asked += 1
    return new Promise(() => {})
  })
  const lost = south.forward(envelope)
  await vi.waitFor(() => expect(asked).toBe(1))
  const left: (string | null)[] = []
  south.onLeft((node) => left.push(node))
  const again = joined(south)
  north.serve(null)
  expect(await lost).toBeNull()
  expect(left).toEqual([null])
  // It connects again by itself.
  await again
})

it('[R250] a note of one node reaches all others once, and who leaves or comes is known', async () => {
  const [north, south, west] = [await open('north'), await open('south'), await open('west')]
  const heard: [string, string, string][] = []
  const note: NodeNote = { is: 'person', person: asId('ana') }
  for (const [name, nodes] of Object.entries({ north, south, west }))
    nodes.onNote(({ is }, from) => heard.push([name, is, from]))
  await connect(north, south, west)
  south.tell(note)
  north.tell({ is: 'secrets' })
  await vi.waitFor(() =>
    expect(heard.toSorted()).toEqual([
      ['north', 'person', 'south'],
      ['south', 'secrets', 'north'],
      ['west', 'person', 'south'],
      ['west', 'secrets', 'north'],
    ]),
  )
  const left: (string | null)[] = []
  west.onLeft((node) => left.push(node))
  south.connect(null)
  await vi.waitFor(() => expect(left).toEqual(['south']))
})

it('[R253] a node with another key gets no way', async () => {
  const north = await open('north')
  const stranger = await open('stranger', { secret: 'another secret' })
  let joins = 0
  north.onJoined(() => {
    joins += 1
  })
  expect(north.mark).not.toBe(stranger.mark)
  stranger.connect(north.address)
  const south = await open('south')
  await connect(north, south)
  expect([joins, stranger.isConnected()]).toEqual([1, false])
})

/** Connections that say nothing. out: how many of them are still open */
async function silentConnections(address: string, count: number): Promise<() => number> {
  const [host, port] = hostAndPort(address)
  const sockets = Array.from({ length: count }, () => connectPlain({ host, port }))
  const open = new Set(sockets)
  for (const socket of sockets) {
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
  }
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))))
  return () => open.size
}

it('[R452] connections that say nothing are closed, of more than 64 at once, and a node connects afterwards', async () => {
  const north = await open('north')
  const openNow = await silentConnections(north.address, 70)
  await vi.waitUntil(() => openNow() <= 64, { timeout: 20_000 })
  await vi.waitUntil(() => openNow() === 0, { timeout: 20_000 })
  const south = await open('south')
  await connect(north, south)
  expect(south.isConnected()).toBe(true)
}, 60_000)

it('an address of IPv6 stands in brackets', () => {
  expect(hostAndPort('[::1]:3000')).toEqual(['::1', 3000])
  expect(hostAndPort('node-a:3000')).toEqual(['node-a', 3000])
})

it('[R261] a silent connection is closed although neither end closed it, and opened again when the link works', async () => {
  const north = await open('north')
  const south = await open('south')
  north.serve(() => new Promise(() => {}))
  const link = await openTestLink(hostAndPort(north.address)[1])
  const up = joined(south)
  south.connect(`127.0.0.1:${link.port}`)
  await up
  const gone: string[] = []
  south.onLeft((node) => gone.push(`south lost ${node}`))
  north.onLeft((node) => gone.push(`north lost ${node}`))
  const lost = south.forward(envelope)
  const resume = link.stall()
  expect(await lost).toBeNull()
  await vi.waitFor(() => expect(gone.toSorted()).toEqual(['north lost south', 'south lost null']), 8_000)
  expect(south.isConnected()).toBe(false)
  const again = joined(south)
  resume()
  await again
  await link.close()
}, 30_000)

it('[R263] unknown messages of a newer version are ignored: the connection stays, and known ones are handled', async () => {
  const troubles: unknown[] = []
  const north = await open('north', { onTrouble: (error) => troubles.push(error) })
  north.serve(async () => ({ ok: true, seq: 1, reply: null }))
  const [host, port] = hostAndPort(north.address)
  const { key } = nodeKey('a secret of all nodes')
  const lines: string[] = []
  let isClosed = false
  const newer = await new Promise<Connection>((resolve) => {
    const mine: Connection = connectToNode({ host, port, node: 'newer', key }, () => resolve(mine), {
      onLine: (line) => lines.push(line),
      onClose: () => {
        isClosed = true
      },
    })
  })
  newer.send({ is: 'song', words: 'la' })
  newer.send({ is: 'note', note: { is: 'mood', value: 3 } })
  newer.send({ is: 'command', n: 7, id: 'c1', by: 'ana', command: envelope.command, more: true })
  await vi.waitFor(() => expect(lines.some((line) => line.includes('"answer"'))).toBe(true))
  expect([isClosed, troubles]).toEqual([false, []])
  // A line that is no message at all ends it.
  newer.send([])
  await vi.waitFor(() => expect(isClosed).toBe(true))
  expect(troubles).toHaveLength(1)
})
