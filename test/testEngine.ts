/**
 * A whole engine in one process for tests: memory store, a tool pool of functions, skills as functions of the step.
 *
 * Time is a number that tests set; nothing here sleeps.
 */
import type { Command, Envelope } from '@/lib/mas/commands/command'
import type { AgentRecord, StepRecord, World } from '@/lib/mas/records'
import type { StepOutcome } from '@/lib/mas/steps/outcome'
import { openEngine, type RunningEngine } from '@/server/engine'
import type { CommitAnswer } from '@/server/engine/port'
import type { FileWatch, OutgoingFiles } from '@/server/files'
import type { Metrics } from '@/server/metrics'
import type { Models } from '@/server/models/model'
import type { Nodes } from '@/server/nodes'
import type { SkillRun } from '@/server/skills/port'
import type { Store } from '@/server/store'
import type { ToolCallOptions, ToolInfo, ToolOutcome, ToolPool } from '@/server/tools'
import type { HandClock } from './handClock'
import { memoryData, memoryStore } from './memoryStore'
import { outcomeOf, teamConfig } from './worldHistories'

/** What a skill does in this test; null, the default: it says it is done. */
export type SkillScript = (step: StepRecord, run: SkillRun) => StepOutcome | null | Promise<StepOutcome | null>

export type TestTool = {
  info: Partial<ToolInfo>
  call: (
    args: Record<string, unknown>,
    signal: AbortSignal,
    options: ToolCallOptions,
  ) => ToolOutcome | Promise<ToolOutcome>
}

const models: Models = {
  get: (name) => ({
    name,
    provider: 'none',
    contextTokens: 1,
    call: () => {
      throw new Error('no model is called in this test')
    },
  }),
}

/** One server `files` whose tools are functions. */
export function toolPoolOf(tools: Record<string, TestTool>): ToolPool & { calls: string[] } {
  const calls: string[] = []
  const infoOf = (name: string, tool: TestTool): ToolInfo => ({
    server: 'files',
    name,
    inputSchema: { type: 'object' },
    required: [],
    readOnly: true,
    destructive: false,
    idempotent: true,
    openWorld: false,
    confirm: false,
    confirmRule: 'risky',
    confirmByHand: false,
    repeatable: true,
    ...tool.info,
  })
  return {
    calls,
    servers: () => [],
    describe: async () => ({
      ok: true,
      description: {
        server: 'files',
        guide: '',
        capabilities: ['tools'],
        tools: Object.entries(tools).map(([name, tool]) => infoOf(name, tool)),
        resources: [],
        prompts: [],
        unread: [],
      },
    }),
    async call(_server, { name, arguments: args }, options) {
      calls.push(`${name} ${JSON.stringify(args)}`)
      const tool = tools[name]
      if (!tool) return { ok: false, code: 'TOOL_UNKNOWN', message: `no tool ${name}` }
      return tool.call(args, options.signal ?? new AbortController().signal, options)
    },
    close: async () => {},
  }
}

export type TestEngine = {
  engine: RunningEngine
  pool: ReturnType<typeof toolPoolOf>
  store: Store
  put(by: AgentRecord['id'] | string, command: Command, more?: Partial<Envelope>): Promise<CommitAnswer>
  world(): World
  /** Resolves once the world fits; rejects after a bound with what the world was. */
  until(fits: (world: World) => boolean): Promise<World>
}

export type TestEngineOptions = {
  data?: ReturnType<typeof memoryData>
  store?: Store
  skill?: SkillScript
  tools?: Record<string, TestTool>
  onBroken?: (error: unknown) => void
  prefix?: string
  /** Time moved by hand; default: a ms with each look at it, and real timers. */
  clock?: HandClock
  models?: Models
  /** Tool servers that run; default: `tools`. */
  toolPool?: ToolPool
  /** Counts what the engine does. */
  metrics?: Metrics
  /** Compares a workspace before and after calls that write; default: none. */
  files?: FileWatch
  /** Reads files that steps send along; default: none. */
  outgoing?: OutgoingFiles
  /** Default: n1. */
  node?: string
  /** Has it the workspace? Default: yes. */
  hasFiles?: boolean
  /** Tool servers that work in it; default: none. */
  fileServers?: readonly string[]
  /** The way to other nodes, for a store with a lease. */
  nodes?: Nodes
  /** Default: the test team. */
  config?: Extract<Command, { type: 'applyConfig' }>
}

const UNTIL_MS = 15_000

export async function openTestEngine(options: TestEngineOptions = {}): Promise<TestEngine> {
  let ids = 0
  let at = 1_700_000_000_000
  const { clock, metrics } = options
  const now = (): number => {
    at += 1
    return clock ? clock.now() : at
  }
  const store = options.store ?? memoryStore({ data: options.data ?? memoryData(), now: clock?.now ?? (() => at) })
  const pool = toolPoolOf(options.tools ?? {})
  const prefix = options.prefix ?? 'run'
  const newId = (): string => {
    ids += 1
    return `${prefix}-${ids}`
  }
  const script = options.skill ?? (() => null)
  const engine = await openEngine({
    store,
    node: options.node ?? 'n1',
    ...(options.nodes ? { nodes: options.nodes } : {}),
    hasFiles: options.hasFiles ?? true,
    fileServers: options.fileServers ?? [],
    runSkill: async (run) => (await script(run.step, run)) ?? outcomeOf({}),
    models: metrics?.models.watch(options.models ?? models) ?? options.models ?? models,
    pool: options.toolPool ?? metrics?.tools.watch(pool) ?? pool,
    ...(metrics ? { meter: metrics.commits } : {}),
    ...(options.files ? { files: options.files } : {}),
    ...(options.outgoing ? { outgoing: options.outgoing } : {}),
    config: options.config ?? teamConfig(),
    now,
    clock: () => at,
    ...(clock ? { schedule: clock.schedule } : {}),
    newId,
    log: { warn: () => {}, error: () => {} },
    onBroken: options.onBroken ?? (() => {}),
  })
  return {
    engine,
    pool,
    store,
    put: (by, command, more = {}) => engine.commit({ id: newId(), by, command, ...more }),
    world: () => engine.world(),
    until: (fits) =>
      new Promise((resolve, reject) => {
        const check = (world: World): boolean => {
          if (!fits(world)) return false
          clearTimeout(timer)
          leave()
          resolve(world)
          return true
        }
        const leave = engine.onDecision((_, world) => void check(world))
        const timer = setTimeout(() => {
          leave()
          reject(new Error(`the world never came to fit; it is at entry ${engine.world().seq}`))
        }, UNTIL_MS)
        check(engine.world())
      }),
  }
}
