/** Encrypted connections between holders of one key (TLS with a pre-shared key), as lines of JSON. */
import { hkdfSync } from 'node:crypto'
import { connect, createServer, type Server, type TLSSocket } from 'node:tls'

const CIPHER = { ciphers: 'ECDHE-PSK-CHACHA20-POLY1305', minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' } as const
/** ms */
const CONNECT_MS = 2_000
const ALIVE_MS = 5_000
/** Interval of heartbeats, ms. */
const BEAT_MS = 1_000
/** An end that is silent for so many beats is unreachable. If this process itself hung, that counts as one beat. */
const SILENT_BEATS = 3
const BEAT = JSON.stringify({ is: 'beat' })
/** A line may contain the files of a command. */
const LONGEST_LINE = 64 * 1024 * 1024
/** Unsent bytes for a node that does not read; beyond this the connection is closed. */
const MOST_WAITING = 64 * 1024 * 1024

/** The shared key, and a name of it that reveals nothing. in: CONVENE_SECRET_KEY */
export function nodeKey(secret: string): { key: Buffer; mark: string } {
  const derived = (what: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `convene: ${what}`, bytes))
  return { key: derived('nodes', 32), mark: derived('mark of the key of nodes', 8).toString('hex') }
}

export type Connection = {
  /** false: the other end does not read, or is closed. */
  send(message: object): boolean
  close(): void
}

/** More than this many nodes are no team of ours; who connects beyond it is closed. */
const MOST_CONNECTIONS = 64

type Listening = { onLine: (line: string) => void; onClose: () => void }

/** in: onNode: a node connected. out: the server, which does not listen yet */
export function nodeServer(key: Buffer, onNode: (node: string, connection: Connection) => Listening): Server {
  const names = new WeakMap<object, string>()
  const server = createServer(
    {
      ...CIPHER,
      handshakeTimeout: CONNECT_MS,
      pskCallback: (socket, identity) => {
        names.set(socket, identity)
        return key
      },
    },
    (socket) => {
      const node = names.get(socket)
      if (node === undefined) return void socket.destroy()
      const connection = connectionOf(socket)
      listen(socket, onNode(node, connection))
    },
  )
  // Not a node, or one with another key, or one that says nothing: Node leaves its socket to this listener.
  server.on('tlsClientError', (_, socket) => void socket.destroy())
  server.maxConnections = MOST_CONNECTIONS
  return server
}

/** in: onOpen: the other end has the key too */
export function connectToNode(
  { host, port, node, key }: { host: string; port: number; node: string; key: Buffer },
  onOpen: () => void,
  listening: Listening,
): Connection {
  const socket = connect({
    ...CIPHER,
    host,
    port,
    pskCallback: () => ({ psk: key, identity: node }),
    // There are no certificates: the key identifies a node.
    checkServerIdentity: () => undefined,
  })
  const timer = setTimeout(() => socket.destroy(), CONNECT_MS)
  socket.once('secureConnect', () => {
    clearTimeout(timer)
    onOpen()
  })
  socket.once('close', () => clearTimeout(timer))
  listen(socket, listening)
  return connectionOf(socket)
}

function connectionOf(socket: TLSSocket): Connection {
  return {
    send(message) {
      if (socket.destroyed) return false
      if (socket.writableLength > MOST_WAITING) socket.destroy()
      else socket.write(`${JSON.stringify(message)}\n`)
      return !socket.destroyed
    },
    close: () => socket.destroy(),
  }
}

function listen(socket: TLSSocket, { onLine, onClose }: Listening): void {
  let parts: string[] = []
  let length = 0
  /** Beats since the last message of the other end. */
  let silent = 0
  const beats = setInterval(() => {
    silent += 1
    if (silent > SILENT_BEATS) socket.destroy()
    else socket.write(`${BEAT}\n`)
  }, BEAT_MS)
  beats.unref()
  socket.once('close', () => clearInterval(beats))
  socket.setNoDelay(true)
  socket.setKeepAlive(true, ALIVE_MS)
  socket.setEncoding('utf8')
  socket.on('error', () => {})
  socket.once('close', onClose)
  socket.on('data', (text: string) => {
    silent = 0
    const lines = text.split('\n')
    const rest = lines.pop() ?? ''
    for (const line of lines) {
      const whole = [...parts, line].join('')
      parts = []
      length = 0
      if (socket.destroyed) return
      if (whole !== BEAT) onLine(whole)
    }
    parts.push(rest)
    length += rest.length
    if (length > LONGEST_LINE) socket.destroy()
  })
}
