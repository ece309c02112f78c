/** The built-in server `agents`: an MCP server like any other to those who call it, told who they are. */
import { expect, it, onTestFinished } from 'vitest'
import { agentsServer, type PeerAgents } from './agentsServer'
import { openToolPool } from './pool'
import { resultText } from './testing'
import type { ToolCaller } from './types'

const silent = () => {}
const CALLER: ToolCaller = { agent: 'a1', task: 't1', stage: null, step: 's1' }
type Sent = { caller: ToolCaller; target: string; message: unknown; conversation: string | null }

function open(answer: Awaited<ReturnType<PeerAgents['send']>>) {
  const sent: Sent[] = []
  const server = agentsServer({
    send: async (caller, wish) => {
      sent.push({ caller, ...wish })
      return answer
    },
    known: () => [{ uri: 'agent://other.example/planner', name: 'planner' }],
  })
  const pool = openToolPool([server], { log: { debug: silent, info: silent, warn: silent, error: silent } })
  onTestFinished(() => pool.close())
  const call = (name: string, args: Record<string, unknown>, caller: ToolCaller | undefined = CALLER) =>
    pool.call('agents', { kind: 'tool', name, arguments: args }, caller === undefined ? {} : { caller })
  return { pool, sent, call }
}
const DELIVERED = { ok: true, conversation_id: 'conv-1', message_id: 'm-1', status: 'delivered' } as const

it('M-16 send_to_agent takes target_agent, message and an optional conversation_id, for whoever calls it', async () => {
  const { call, sent } = open(DELIVERED)
  const outcome = await call('send_to_agent', { target_agent: 'agent://other.example/planner', message: 'Hello' })
  expect(JSON.parse(resultText(outcome))).toEqual({ conversation_id: 'conv-1', message_id: 'm-1', status: 'delivered' })
  const parts = [{ type: 'text', text: 'Hello' }]
  await call('send_to_agent', { target_agent: 'agent://b/c', message: parts, conversation_id: 'conv-1' })
  expect(sent).toEqual([
    { caller: CALLER, target: 'agent://other.example/planner', message: 'Hello', conversation: null },
    { caller: CALLER, target: 'agent://b/c', message: parts, conversation: 'conv-1' },
  ])
})

it('M-16 what could not be sent is an error result that says why', async () => {
  const { call } = open({ ok: false, why: 'No system is configured' })
  const outcome = await call('send_to_agent', { target_agent: 'agent://b/c', message: 'x' })
  expect(outcome).toMatchObject({ ok: true, result: { isError: true } })
  expect(resultText(outcome)).toBe('No system is configured')
})

it('asks nobody first, may be repeated, and refuses arguments that do not fit', async () => {
  const { pool, call, sent } = open(DELIVERED)
  const described = await pool.describe('agents')
  expect(
    described.ok && described.description.tools.map(({ name, confirm, repeatable }) => [name, confirm, repeatable]),
  ).toEqual([
    ['send_to_agent', false, true],
    ['list_agents', false, true],
  ])
  expect(await call('send_to_agent', { message: 'x' })).toMatchObject({ ok: false, code: 'TOOL_ARGUMENTS' })
  expect(sent).toEqual([])
  expect(resultText(await call('list_agents', {}))).toContain('agent://other.example/planner')
})

it('sends nothing for nobody', async () => {
  const { pool, sent } = open(DELIVERED)
  const call = {
    kind: 'tool' as const,
    name: 'send_to_agent',
    arguments: { target_agent: 'agent://b/c', message: 'x' },
  }
  expect(await pool.call('agents', call, {})).toMatchObject({ ok: true, result: { isError: true } })
  expect(sent).toEqual([])
})
