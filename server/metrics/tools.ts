/** Metrics of tool servers: their state, calls by outcome, times. */

import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { ServerStatus, ToolOutcome, ToolPool, ToolServerState } from '../tools'
import { boundedNames } from './labels'

/** Seconds. */
const CALL_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

export type ToolsMeter = {
  /** The same pool; its calls are counted. */
  watch(pool: ToolPool): ToolPool
}

/** clock: ms, for durations only. */
export function addTools(registry: Registry, servers: () => ServerStatus[], clock: () => number): ToolsMeter {
  const registers = [registry]
  const calls = new Counter({
    name: 'convene_tool_calls_total',
    help: 'Calls of tools by server and outcome (done, error: the tool said so, or the code of the fault).',
    labelNames: ['server', 'outcome'],
    registers,
  })
  const seconds = new Histogram({
    name: 'convene_tool_call_seconds',
    help: 'Time of a tool call.',
    labelNames: ['server'],
    buckets: CALL_BUCKETS,
    registers,
  })
  new Gauge({
    name: 'convene_tool_servers',
    help: 'Tool servers by state (idle, connecting, connected, failed, needs_sign_in).',
    labelNames: ['state'],
    registers,
    collect() {
      const counts: Record<ToolServerState, number> = {
        idle: 0,
        connecting: 0,
        connected: 0,
        failed: 0,
        needs_sign_in: 0,
      }
      for (const { state } of servers()) counts[state] += 1
      for (const [state, count] of Object.entries(counts)) this.set({ state }, count)
    },
  })
  const bounded = boundedNames()
  return {
    watch: (pool) => ({
      servers: () => pool.servers(),
      describe: (server, signal) => pool.describe(server, signal),
      close: () => pool.close(),
      async call(name, call, options) {
        const began = clock()
        const server = bounded(name)
        const answer = await pool.call(name, call, options)
        calls.inc({ server, outcome: outcomeOf(answer) })
        seconds.observe({ server }, (clock() - began) / 1_000)
        return answer
      },
    }),
  }
}

const outcomeOf = (answer: ToolOutcome): string =>
  answer.ok ? (answer.result.isError ? 'error' : 'done') : answer.code
