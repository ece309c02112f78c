/** What tests of the tool pool share: pools, test servers, a log in memory. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { firstSentence } from '@/lib/format/firstSentence'
import { toolInfo } from '@/server/tools/servers/describeServer'
import { openToolPool } from '@/server/tools/servers/pool'
import type {
  ToolCall,
  ToolFault,
  ToolInfo,
  ToolLog,
  ToolOutcome,
  ToolPool,
  ToolPoolOptions,
  ToolResult,
  ToolServerConfig,
} from '@/server/tools/types'
import { bundledProgram } from '@/test/programs'

export type LoggedLine = { level: keyof ToolLog; data: Record<string, unknown>; message: string }

export function memoryLog(): { log: ToolLog; lines: LoggedLine[] } {
  const lines: LoggedLine[] = []
  const at = (level: keyof ToolLog) => (data: Record<string, unknown>, message: string) =>
    void lines.push({ level, data, message })
  return { log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }, lines }
}

/** The program of a test server, bundled. */
export const testServerFile = (file: string): string =>
  bundledProgram(fileURLToPath(new URL(`./toolServers/${file}.mjs`, import.meta.url)))

/** A configured test server: `hangs` is toolServers/hangs.mjs, started with `args`. */
export function testServer(file: string, over: Partial<ToolServerConfig> = {}): ToolServerConfig {
  const path = testServerFile(file)
  const { args = [], ...rest } = over
  return {
    name: file,
    command: 'node',
    args: [path, ...args],
    guide: `use ${file}`,
    confirm: 'risky',
    repeat: [],
    tools: {},
    ...rest,
  }
}

/** Opens pools and closes them all at the end of a test: `afterEach(pools.closeAll)`. */
export function testPools() {
  const opened: ToolPool[] = []
  return {
    open(configs: ToolServerConfig[], options: Partial<ToolPoolOptions> = {}): ReturnType<typeof openToolPool> {
      const pool = openToolPool(configs, { log: memoryLog().log, ...options })
      opened.push(pool)
      return pool
    },
    closeAll: async () => {
      await Promise.all(opened.splice(0).map((pool) => pool.close()))
    },
  }
}

export function tool(name: string, args: Record<string, unknown> = {}): ToolCall {
  return { kind: 'tool', name, arguments: args }
}

export function toolResultOf(outcome: ToolOutcome): ToolResult {
  if (!outcome.ok) throw new Error(`${outcome.code}: ${outcome.message}`)
  return outcome.result
}

/** The texts of a result, one a line. */
export function resultText(outcome: ToolOutcome): string {
  return toolResultOf(outcome)
    .content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`))
    .join('\n')
}

export function faultOf(outcome: { ok: true } | ToolFault): ToolFault {
  if (outcome.ok) throw new Error(`expected a fault, got ${JSON.stringify(outcome).slice(0, 300)}`)
  return outcome
}

/** Wait for a condition, looking every few ms; the test's own limit ends what never comes true. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** Is this process there? One that has ended and waits for its parent to notice (a zombie) is not. */
export function isAlive(pid: number): boolean {
  try {
    const state = execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return state.trim() !== '' && !state.trim().startsWith('Z')
  } catch {
    return false
  }
}

/** The ids of the processes whose command line holds this text. */
export function processesWith(text: string): number[] {
  return execFileSync('ps', ['-A', '-ww', '-o', 'pid=,command='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(text))
    .map((line) => Number.parseInt(line, 10))
}

/** The first sentences of what tools say of themselves and of their arguments. */
export const sentencesOf = (tools: readonly ToolInfo[]): string[] =>
  tools.flatMap(({ description, inputSchema }) => {
    const hints: string[] = []
    // A reviver sees every member of the schema.
    JSON.parse(JSON.stringify(inputSchema), (key, value: unknown) => {
      if (key === 'description' && typeof value === 'string') hints.push(value)
      return value
    })
    return [description ?? '', ...hints].map(firstSentence)
  })

/** A described tool `paint` with this schema. */
export function paintTool(inputSchema: Record<string, unknown>, required: string[] = []): ToolInfo {
  return toolInfo({ name: 'paint', inputSchema: { type: 'object', required, ...inputSchema } }, testServer('rich'))
}
