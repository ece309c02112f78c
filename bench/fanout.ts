/**
 * What a change costs the server on its way to the browsers: `npm run bench -- fanout [seconds]`.
 *
 * 50 agents of one task make 200 journal entries a second; 2 and 100 clients on real sockets watch its tree, 100 its chat. CPU of the
 * server's process, for each entry and for each row that a client got. After each run a bare web socket server sends the same rows at
 * the same times to as many clients, each row as a message of its own: what sending costs who does not gather changes.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { io, type Socket } from 'socket.io-client'
import WebSocket from 'ws'
import { openPerson } from '@/e2e/fixtures/person'
import { startServer, type TestServer } from '@/e2e/fixtures/server'
import type { ViewFrame } from '@/lib/wire/views'
import { crowdEnvironment, crowdTeam, signInCrowd } from './lib/crowd'
import { table } from './lib/figures'
import { cpuMsOf } from './lib/processes'

const PEOPLE = 10
const AGENTS = 50
const PER_SECOND = 200
const ROUNDS = 3
/** Until V8 has compiled what runs often: its compiler would take as much CPU as the work. */
const WARM_MS = 20_000
/** For rows of the tree. Of the entries of a load only each fourth is a line of the chat, which so pays for four. */
const MOST_OF_RAW = 1.2
const KINDS: { view: 'tree' | 'task'; clients: number }[] = [
  { view: 'tree', clients: 2 },
  { view: 'tree', clients: 100 },
  { view: 'task', clients: 100 },
]

/** A text that one client got, ms after the run began. */
type Sent = [ms: number, text: string]
/** items: rows or entries that all clients got together */
type Run = { cpuMs: number; entries: number; items: number; texts: Sent[] }

const seconds = Number(process.argv[2] ?? 10)
const folder = mkdtempSync(join(tmpdir(), 'convene-fanout-'))
const server = await startServer({ withLoad: true, env: crowdEnvironment, config: crowdTeam(PEOPLE) })
const ana = await openPerson(server, 'ana')
try {
  const cookies = await signInCrowd([server], PEOPLE)
  const known = await taskIds()
  const load = {
    agents: AGENTS,
    tasks: 1,
    stepsPerAgent: 10_000,
    changesPerSecond: PER_SECOND,
    bytes: 200,
    seconds: 3_600,
    seed: 1,
  }
  await server.load(load)
  const task = (await taskIds()).find((id) => !known.includes(id))
  if (task === undefined) throw new Error('the load has no task')
  await sleep(WARM_MS)
  const rows = []
  for (const { view, clients } of KINDS) rows.push(await compare(`${view}:${task}`, clients, cookies))
  const head = ['view', 'clients', 'entries/s', 'per entry', 'per delivered row', 'bare server', 'ratio']
  console.log(table([head, ...rows]))
  console.log('CPU of the process; medians of the rounds. The agents, the journal and the search are part of it.')
} finally {
  ana.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function compare(view: string, clients: number, cookies: readonly string[]): Promise<string[]> {
  const rounds: { entryMs: number; itemUs: number; rawUs: number; pace: number }[] = []
  for (let n = 0; n < ROUNDS; n++) {
    const run = await watch(server, view, clients, cookies)
    const rawMs = await sendBare(run.texts, clients)
    const each = (ms: number): number => (ms * 1_000) / Math.max(1, run.items)
    rounds.push({
      entryMs: run.cpuMs / Math.max(1, run.entries),
      itemUs: each(run.cpuMs),
      rawUs: each(rawMs),
      pace: run.entries / seconds,
    })
  }
  const middle = (of: (round: (typeof rounds)[number]) => number): number =>
    rounds.map(of).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0
  const ratio = middle(({ itemUs, rawUs }) => itemUs / rawUs)
  const hasGoal = view.startsWith('tree') && clients > 2
  if (hasGoal && ratio > MOST_OF_RAW) process.exitCode = 1
  return [
    view.slice(0, 4),
    `${clients}`,
    middle(({ pace }) => pace).toFixed(0),
    `${middle(({ entryMs }) => entryMs).toFixed(2)} ms`,
    `${middle(({ itemUs }) => itemUs).toFixed(1)} µs`,
    `${middle(({ rawUs }) => rawUs).toFixed(1)} µs`,
    `${ratio.toFixed(2)} ×${hasGoal ? ` (goal ${MOST_OF_RAW} ×)` : ''}`,
  ]
}

/** Clients of the console's protocol on one view. */
async function watch(
  { url, pid }: TestServer,
  view: string,
  clients: number,
  cookies: readonly string[],
): Promise<Run> {
  const process = pid() ?? 0
  let [items, began] = [0, 0]
  const texts: Sent[] = []
  const open = async (n: number): Promise<Socket> => {
    const cookie = cookies[n % cookies.length] ?? ''
    const socket = io(url, { transports: ['websocket'], extraHeaders: { cookie }, forceNew: true })
    const isThere = new Promise<void>((resolve) => socket.once('reset', () => resolve()))
    socket.on('frame', (frame: ViewFrame) => {
      if (began === 0) return
      const rows = [...frame.set, ...frame.patch]
      items += rows.length
      const ms = performance.now() - began
      if (n === 0) for (const row of rows) texts.push([ms, JSON.stringify(row)])
    })
    await connected(socket)
    socket.emit('subscribe', { sub: 'p1', asked: 1, view })
    await isThere
    return socket
  }
  const sockets = await Promise.all(Array.from({ length: clients }, (_, n) => open(n)))
  await sleep(1_000)
  const [from, cpu] = [await head(), cpuMsOf(process)]
  began = performance.now()
  await sleep(seconds * 1_000)
  const run = { cpuMs: cpuMsOf(process) - cpu, entries: (await head()) - from, items, texts }
  began = 0
  for (const socket of sockets) socket.close()
  return run
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('connect', () => resolve()))
}

async function head(): Promise<number> {
  return ((await ana.get<{ seq: number }>('/api/health')) ?? { seq: 0 }).seq
}

async function taskIds(): Promise<string[]> {
  return Object.keys((await ana.get<Record<string, unknown>>('/api/states?type=task')) ?? {}).map((id) =>
    id.replace('TaskState_', ''),
  )
}

/** The same rows at the same times from a process that does nothing else. out: its CPU, ms */
async function sendBare(texts: readonly Sent[], clients: number): Promise<number> {
  const file = join(folder, 'texts.json')
  writeFileSync(file, JSON.stringify(texts))
  const child: ChildProcess = spawn(process.execPath, ['bench/lib/bareSockets.mjs', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout ?? process.stdin, 'data')
  const url = `ws://127.0.0.1:${Number(line)}`
  const sockets = await Promise.all(
    Array.from({ length: clients }, async () => {
      const socket = new WebSocket(url, { perMessageDeflate: false })
      // Parsed like the frames of the console, so that both sides have the same reader.
      socket.on('message', (data) => void JSON.parse(String(data)))
      await once(socket, 'open')
      return socket
    }),
  )
  await sleep(1_000)
  const cpu = cpuMsOf(child.pid ?? 0)
  sockets[0]?.send('start')
  await sleep(seconds * 1_000 + 200)
  const used = cpuMsOf(child.pid ?? 0) - cpu
  for (const socket of sockets) socket.terminate()
  child.kill('SIGKILL')
  await once(child, 'exit')
  return used
}
