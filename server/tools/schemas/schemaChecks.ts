/** Validates values against foreign schemas in a thread with a time limit: a schema can make validation run without end. */
import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { isNestedDeeper } from '@/server/shared/boundedJson'
import { linearPatternsOf } from './linearPattern'
import { SCHEMA_WORKER } from './schemaWorker'

const SchemaError = z.object({
  keyword: z.string(),
  instancePath: z.string(),
  params: z.record(z.string(), z.unknown()),
  message: z.string().optional(),
})
export type SchemaError = z.infer<typeof SchemaError>

/** `unreadable`: the schema is invalid. `deep`, `time`, `failed`: no verdict. */
type SchemaVerdict = { end: 'checked'; errors: SchemaError[] } | { end: 'unreadable' | 'deep' | 'time' | 'failed' }

/** Limit of one check and the compilation of its schema, in CPU time of the thread: a busy machine causes no refusals. */
export const CHECK_LIMIT_MS = 500
/** On a machine too busy to reach the CPU limit, a check ends after this many times the limit. */
const MOST_WAITS = 20
/** A thread that has not started by then is given up. */
const START_LIMIT_MS = 20_000
/** Compiled schemas kept by a thread. */
const MOST_COMPILED = 500

type SchemaChecks = (schema: object, value: unknown) => Promise<SchemaVerdict>

/** Opens a checker that never throws; at most 100 errors, without those of single branches of a choice. */
export function openSchemaChecks({ limitMs = CHECK_LIMIT_MS }: { limitMs?: number } = {}): SchemaChecks {
  // By schema object: a description lives as long as its connection.
  const known = new WeakMap<object, Described>()
  let keys = 0
  const lane = new Lane(limitMs)
  // Schemas that once took too long share a second thread, so that others do not wait for them.
  const slowLane = new Lane(limitMs)
  return async (schema, value) => {
    let described = known.get(schema)
    if (described === undefined) {
      keys += 1
      described = { key: keys, schema, isSlow: false, isDeep: isNestedDeeper(schema) }
      known.set(schema, described)
    }
    if (described.isDeep || isNestedDeeper(value)) return { end: 'deep' }
    const verdict = await (described.isSlow ? slowLane : lane).check(described, value)
    if (verdict.end === 'time') described.isSlow = true
    return verdict
  }
}

type Described = { key: number; schema: object; isSlow: boolean; readonly isDeep: boolean }
type Waiting = { described: Described; value: unknown; tell: (verdict: SchemaVerdict) => void }

const Answer = z.discriminatedUnion('end', [
  z.object({ end: z.literal('begun'), thread: z.string().nullable() }),
  z.object({ end: z.literal('checked'), errors: z.array(SchemaError) }),
  z.object({ end: z.enum(['unreadable', 'failed']) }),
])

/** One thread and its queue of checks. It starts with the first check, and again after one that had to be terminated. */
class Lane {
  private worker: Worker | null = null
  private compiled = new Set<number>()
  private readonly waiting: Waiting[] = []
  private running: Waiting | null = null
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly limitMs: number) {}

  check(described: Described, value: unknown): Promise<SchemaVerdict> {
    return new Promise((tell) => {
      this.waiting.push({ described, value, tell })
      this.next()
    })
  }

  private next(): void {
    if (this.running) return
    const next = this.waiting.shift()
    if (next === undefined) return
    this.running = next
    try {
      const worker = this.worker ?? this.start()
      const { key, schema } = next.described
      if (this.compiled.size >= MOST_COMPILED && !this.compiled.has(key)) {
        worker.postMessage({ forget: true })
        this.compiled.clear()
      }
      const made = this.compiled.has(key) ? null : { schema, linear: linearPatternsOf(schema) }
      worker.postMessage({ key, made, value: next.value })
      this.compiled.add(key)
      this.limit(START_LIMIT_MS, { end: 'failed' })
    } catch {
      this.finish({ end: 'failed' })
    }
  }

  private start(): Worker {
    const worker = new Worker(SCHEMA_WORKER, {
      eval: true,
      // Flags of this process (loaders, module type) do not apply to the worker's source text.
      execArgv: [],
      workerData: { from: import.meta.url },
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    worker.on('message', (message: unknown) => this.hear(worker, message))
    worker.on('error', () => this.lose(worker))
    worker.on('exit', () => this.lose(worker))
    // An idle thread does not keep the process alive. A listener of messages refs the thread again, so this comes after it.
    worker.unref()
    this.worker = worker
    this.compiled = new Set()
    return worker
  }

  private hear(worker: Worker, message: unknown): void {
    if (worker !== this.worker) return
    const answer = Answer.safeParse(message)
    if (!answer.success) this.finish({ end: 'failed' })
    else if (answer.data.end === 'begun') this.limitWork(threadClock(answer.data.thread), MOST_WAITS)
    else this.finish(answer.data)
  }

  private limit(ms: number, verdict: SchemaVerdict, mayGoOn = (): boolean => false): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      if (mayGoOn()) return
      this.drop()
      this.finish(verdict)
    }, ms)
  }

  /** Extends the wait while the thread has used less CPU time than the limit. */
  private limitWork(usedMs: () => number, waits: number): void {
    this.limit(this.limitMs, { end: 'time' }, () => {
      const goesOn = usedMs() < this.limitMs && waits > 1
      if (goesOn) this.limitWork(usedMs, waits - 1)
      return goesOn
    })
  }

  private lose(worker: Worker): void {
    if (worker !== this.worker) return
    this.drop()
    this.finish({ end: 'failed' })
  }

  private drop(): void {
    const worker = this.worker
    this.worker = null
    void worker?.terminate()
  }

  private finish(verdict: SchemaVerdict): void {
    clearTimeout(this.timer)
    const ended = this.running
    this.running = null
    ended?.tell(verdict)
    this.next()
  }
}

/**
 * CPU time of a thread from now on, in ms. Where the system does not report it (not Linux), that of the whole process, an upper
 * bound.
 *
 * in      thread: its folder in /proc, or null
 */
export function threadClock(thread: string | null): () => number {
  const since = threadMs(thread)
  // An ended thread is noticed by its exit event.
  if (since !== null) return () => (threadMs(thread) ?? since) - since
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  }
}

function threadMs(thread: string | null): number | null {
  try {
    return Number.parseInt(readFileSync(`/proc/${thread}/schedstat`, 'utf8'), 10) / 1e6
  } catch {
    return null
  }
}
