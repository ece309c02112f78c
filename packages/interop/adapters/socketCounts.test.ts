/** How many web sockets other systems may hold, and how much may wait on one. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { KEY, quickClock, type System } from '../test/adapterSystem'
import { open as openEnvelope } from '../test/adapters/envelope'
import { agent, bearer, client, connectAs, open as openMap, rawClient, report } from '../test/adapters/map'

const MOST_SOCKETS = 200

/** Connect; out: the status of the refusal, or 101. */
function connect(url: string): Promise<{ status: number; socket: WebSocket }> {
  const socket = new WebSocket(url, { headers: bearer(KEY) })
  onTestFinished(() => socket.terminate())
  return new Promise((resolve) => {
    socket.once('open', () => resolve({ status: 101, socket }))
    socket.once('unexpected-response', (_request, { statusCode = 0 }) => resolve({ status: statusCode, socket }))
    socket.on('error', () => undefined)
  })
}

it.each([
  ['envelope', '/envelope/v1/ws', openEnvelope],
  ['map', '/map', openMap],
] as const)(
  '[R65] %s holds 200 sockets; one more is refused until one of them has ended',
  async (_name, path, open) => {
    const system: System = await open()
    const url = system.url.replace('http', 'ws') + path
    const held = await Promise.all(Array.from({ length: MOST_SOCKETS }, () => connect(url)))
    expect(new Set(held.map(({ status }) => status))).toEqual(new Set([101]))
    expect((await connect(url)).status).toBe(503)
    held[0]?.socket.close()
    await vi.waitFor(async () => expect((await connect(url)).status).toBe(101), { timeout: 10_000, interval: 20 })
    expect((await connect(url)).status).toBe(503)
  },
)

describe('a socket of MAP that shows no key', () => {
  /** Before a text of more than 64 KiB stand two bytes, eight of its length and four of its mask. */
  const FRAME_HEAD = 14

  it('[R65] is answered while it has sent 512 KiB, and ended by the next byte', async () => {
    const system = await openMap()
    const [stranger, known] = [await rawClient(system), await client(system)]
    const most = 'x'.repeat(512 * 1024 - FRAME_HEAD)
    expect((await stranger.send(most, null)).error?.code).toBe(-32700)
    expect(stranger.socket.readyState).toBe(stranger.socket.OPEN)
    stranger.socket.send('x')
    await vi.waitFor(() => expect(stranger.closed()).not.toBeNull())
    expect((await known.send(`${most}${'x'.repeat(2 * FRAME_HEAD)}`, null)).error?.code).toBe(-32700)
  })

  it('[R65] may send as much as others once it has shown its key', async () => {
    const system = await openMap()
    const raw = await rawClient(system)
    await connectAs(raw, 'client', { auth: { method: 'api-key', credential: KEY } })
    expect((await raw.send('x'.repeat(600_000), null)).error?.code).toBe(-32700)
    expect((await raw.call('trajectory/list')).result).toMatchObject({ checkpoints: [] })
  })
})

describe('a socket of MAP that is not read', () => {
  const ASKED = '{"jsonrpc":"2.0","id":"large","method":"trajectory/get","params":{"checkpointId":"a1b2c3d4e5f6"}}'

  /** Asks so often for a checkpoint of 1 MB, and reads none of the answers. */
  async function asksWithoutReading(count: number) {
    const system = await openMap({ now: quickClock() })
    const [raw, other] = [await agent(system), await client(system)]
    await report(raw, { metadata: { log: 'x'.repeat(1_000_000) } })
    let got = 0
    raw.socket.on('message', () => {
      got += 1
    })
    raw.socket.pause()
    for (let n = 0; n < count; n++) raw.socket.send(ASKED)
    return { raw, other, got: () => got }
  }

  it('[R65] gets all that waited when it is read again', async () => {
    const { raw, other, got } = await asksWithoutReading(10)
    expect((await other.call('trajectory/list')).result).toBeDefined()
    expect(got()).toBe(0)
    raw.socket.resume()
    await vi.waitFor(() => expect(got()).toBe(10), { timeout: 15_000 })
    expect(raw.closed()).toBeNull()
  })

  // Besides the 16 MiB the machine's own buffers hold some.
  it('[R65] is ended when more than 16 MiB wait, and no other is', async () => {
    const { raw, other } = await asksWithoutReading(60)
    const look = () => {
      raw.socket.ping()
      expect(raw.closed()).not.toBeNull()
    }
    await vi.waitFor(look, { timeout: 15_000, interval: 20 })
    expect((await other.call('trajectory/list')).result).toBeDefined()
  })
})
