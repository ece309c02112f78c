/** Metrics of tool servers: their state, calls by outcome, times. */
import type { Registry } from 'prom-client'
import type { ServerStatus, ToolOutcome, ToolPool, ToolServerState } from '../tools'
import { boundedNames } from './labels'
import { metricsOf } from './metricsOf'

/** Seconds. */
const CALL_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

/** clock: ms, for durations only. */
export function addTools(registry: Registry, servers: () => ServerStatus[], clock: () => number) {
  const metrics = metricsOf(registry)
  const calls = metrics.counter(
    'convene_tool_calls_total',
    'Calls of tools by server and outcome (done, error: the tool said so, or the code of the fault).',
    ['server', 'outcome'],
  )
  const seconds = metrics.histogram('convene_tool_call_seconds', 'Time of a tool call.', CALL_BUCKETS, ['server'])
  metrics.gaugeBy(
    'convene_tool_servers',
    'Tool servers by state (idle, connecting, connected, failed, needs_sign_in).',
    'state',
    () => {
      const counts: Record<ToolServerState, number> = {
        idle: 0,
        connecting: 0,
        connected: 0,
        failed: 0,
        needs_sign_in: 0,
      }
      for (const { state } of servers()) counts[state] += 1
      return counts
    },
  )
  const bounded = boundedNames()
  return {
    /** The same pool; its calls are counted. */
    watch: (pool: ToolPool): ToolPool => ({
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
