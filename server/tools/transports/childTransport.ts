/** Replaces the SDK's stdio transport, which ends all calls for one oversized answer, leaves grandchildren alive and drops stderr. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio'
import { errorMessage } from '@/server/shared/errors'
import { BoundedLines, type LineExcess } from './boundedLines'
import { brokenAnswer, droppedForSize, readMessages } from './messages'

type ChildOptions = {
  command: string
  args: string[]
  /** Added to the few variables that the SDK passes on; servers never get our environment. */
  env: Record<string, string>
  onWords: (line: string) => void
}

/** How long the child may take to exit by itself, then after SIGTERM. */
const GRACE_MS = 1_000
/** How long pipes are read after the process has ended: a grandchild may keep them open. */
const DRAIN_MS = 200

export class ChildTransport implements Transport {
  onclose?: Transport['onclose']
  onerror?: Transport['onerror']
  onmessage?: Transport['onmessage']
  private child: ChildProcess | null = null
  private isOver = false
  private readonly output = new LastOutput()
  private readonly lines = new BoundedLines({ onTooLarge: (id, why) => this.answerTooLarge(id, why) })
  private readonly ended: Promise<void>
  private markEnded: () => void = () => {}

  constructor(private readonly options: ChildOptions) {
    this.ended = new Promise((resolve) => {
      this.markEnded = resolve
    })
  }

  // By these two names the SDK knows a program, and takes its silence before `initialize` for an older revision.
  get stderr(): Readable | null {
    return this.child?.stderr ?? null
  }

  get pid(): number | null {
    return this.child?.pid ?? null
  }

  /** The last line of stderr, or how the process ended. */
  get lastOutput(): string | undefined {
    return this.output.last()
  }

  get lastLine(): string | undefined {
    return this.output.lastLine()
  }

  start(): Promise<void> {
    // `node` means the Node that runs this program: PATH may have another one, or none.
    const command = this.options.command === 'node' ? process.execPath : this.options.command
    const child = spawn(command, this.options.args, {
      // The cast: Next's types require NODE_ENV in every environment.
      env: { ...getDefaultEnvironment(), ...this.options.env } as NodeJS.ProcessEnv,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    this.child = child
    child.stdout?.on('data', (chunk: Buffer) => {
      this.receive(chunk)
      // One read gives up to 32 chunks in one turn of the event loop; this gives each its own turn.
      child.stdout?.pause()
      setImmediate(() => child.stdout?.resume())
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      for (const line of this.output.push(chunk)) this.options.onWords(line)
    })
    for (const stream of [child.stdin, child.stdout, child.stderr])
      stream?.on('error', (error) => this.onerror?.(error))
    child.once('exit', (code, signal) => {
      this.output.setEnding(signal ? `ended by ${signal}` : `ended with code ${code}`)
      setTimeout(() => this.finish(), DRAIN_MS).unref()
    })
    child.once('close', () => this.finish())
    return new Promise((resolve, reject) => {
      child.once('spawn', () => {
        if (child.pid !== undefined) guardChild(child.pid)
        resolve()
      })
      child.on('error', (error: NodeJS.ErrnoException) => {
        if (child.pid === undefined) this.finish()
        reject(error.code === 'ENOENT' ? new Error(`the command \`${this.options.command}\` was not found`) : error)
      })
    })
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.child?.stdin
    if (this.isOver || !stdin?.writable) return Promise.reject(new Error('Not connected'))
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
    })
  }

  /** End the child: close its input, then SIGTERM, then SIGKILL. Resolves when it has ended. */
  async close(): Promise<void> {
    const child = this.child
    if (!child || this.isOver) return
    child.stdin?.end()
    const ask = setTimeout(() => signal('SIGTERM'), GRACE_MS)
    const insist = setTimeout(() => signal('SIGKILL'), 2 * GRACE_MS)
    const signal = (name: NodeJS.Signals) => {
      if (child.pid !== undefined) signalGroup(child.pid, name)
    }
    await this.ended
    clearTimeout(ask)
    clearTimeout(insist)
  }

  /** Kill the server; its pending output is lost. */
  kill(): void {
    if (this.child?.pid !== undefined && !this.isOver) signalGroup(this.child.pid, 'SIGKILL')
  }

  private receive(chunk: Buffer): void {
    if (this.isOver) return
    try {
      for (const line of this.lines.push(chunk)) this.receiveLine(line)
    } catch (error) {
      this.output.setEnding(errorMessage(error))
      this.onerror?.(error instanceof Error ? error : new Error(String(error)))
      this.kill()
    }
  }

  private receiveLine(line: Buffer): void {
    for (const read of readMessages(line.toString('utf8'))) {
      if (read.kind === 'message') this.onmessage?.(read.message)
      else if (read.kind === 'broken') this.onmessage?.(brokenAnswer(read.id, read.why))
      else this.onerror?.(new Error(`wrote something else than JSON-RPC to its output: ${read.shown}`))
    }
  }

  private answerTooLarge(id: number | null, why: LineExcess): void {
    if (id !== null) this.onmessage?.(droppedForSize(id, why))
    else this.onerror?.(new Error('sent a message that is too large and has no id'))
  }

  private finish(): void {
    if (this.isOver) return
    this.isOver = true
    const pid = this.child?.pid
    if (pid !== undefined) {
      // Processes started by the server are killed too.
      signalGroup(pid, 'SIGKILL')
      releaseChild(pid)
    }
    for (const stream of [this.child?.stdout, this.child?.stderr]) stream?.destroy()
    this.markEnded()
    this.onclose?.()
  }
}

const LONGEST_LINE = 500

/** Keeps the last line of a server's stderr, of bounded length, to explain why the server ended. */
class LastOutput {
  private unfinished = ''
  private line: string | undefined
  private ending: string | undefined

  /** Add a piece of stderr. out: the completed lines */
  push(chunk: Buffer): string[] {
    const pieces = (this.unfinished + chunk.toString('utf8')).split(/\r?\n/)
    this.unfinished = (pieces.pop() ?? '').slice(-LONGEST_LINE)
    const lines = pieces.map((line) => line.trim().slice(0, LONGEST_LINE)).filter((line) => line !== '')
    this.line = lines.at(-1) ?? this.line
    return lines
  }

  setEnding(ending: string): void {
    this.ending ??= ending
  }

  lastLine(): string | undefined {
    return this.unfinished.trim() || this.line
  }

  last(): string | undefined {
    const line = this.lastLine()
    if (line === undefined) return this.ending
    return this.ending === undefined ? line : `${this.ending}; it last said: ${line}`
  }
}

// One set per process, since there is one exit event. It holds ids only; each transport removes its own.
const running = new Set<number>()
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
let isWatching = false

/** Kill the process group `pid` when this process exits. */
function guardChild(pid: number): void {
  running.add(pid)
  if (isWatching) return
  isWatching = true
  process.on('exit', killAll)
  for (const name of SIGNALS) process.on(name, onSignal)
}

function releaseChild(pid: number): void {
  running.delete(pid)
  if (running.size > 0) return
  isWatching = false
  process.off('exit', killAll)
  for (const name of SIGNALS) process.off(name, onSignal)
}

/** Signal a child and its descendants (it leads its own process group). */
function signalGroup(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, name)
  } catch {
    // It has already ended.
  }
}

function killAll(): void {
  for (const pid of running) signalGroup(pid, 'SIGKILL')
}

function onSignal(name: NodeJS.Signals): void {
  // Another listener ends this process in an orderly way, by close() or by `exit`.
  if (process.listenerCount(name) > 1) return
  killAll()
  // Our listener replaced the default action, which ends the process: restore it and repeat the signal.
  process.off(name, onSignal)
  process.kill(process.pid, name)
}
