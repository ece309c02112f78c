/** The built-in server `agents`: an MCP server like any other to those who call it, told who they are. */
import { expect, it, onTestFinished } from 'vitest'
import { TOOL_WORDS } from '@/messages/tools.zh'
import { resultText, sentencesOf } from '@/test/toolPools'
import type { ToolCaller } from '../types'
import { agentsServer, type PeerAgents } from './agentsServer'
import { openToolPool } from './pool'

const silent = () => {}
const CALLER: ToolCaller = { agent: 'a1', task: 't1', stage: null, step: 's1' }
type Sent = { caller: ToolCaller; target: string; message: unknown; conversation: string | null }

function open(answer: Awaited<ReturnType<PeerAgents['send']>>) {
  const sent: Sent[] = []
  const reported: object[] = []
  const server = agentsServer({
    report: async (caller, wish) => {
      reported.push({ caller, ...wish })
      return { ok: true, checkpoint_id: 'ck-1' }
    },
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
  return { pool, sent, reported, call }
}
const DELIVERED = { ok: true, conversation_id: 'conv-1', message_id: 'm-1', status: 'delivered' } as const

it('M-16 send_to_agent takes target_agent, message and an optional conversation_id, for any caller', async () => {
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

it('[R230] send_to_agent takes paths of files to send along', async () => {
  const { call, sent } = open(DELIVERED)
  const args = { target_agent: 'agent://b/c', message: 'Hello' }
  await call('send_to_agent', { ...args, files: ['prices/north.csv'] })
  expect(sent).toMatchObject([{ message: 'Hello', files: ['prices/north.csv'] }])
  expect(await call('send_to_agent', { ...args, files: ['a', 7] })).toMatchObject({ ok: false, code: 'TOOL_ARGUMENTS' })
})

it('001-6 ask_for_action takes the name of an action and its parameters, which may be left out', async () => {
  const { call, sent } = open(DELIVERED)
  const target_agent = 'agent://other.example/planner'
  await call('ask_for_action', { target_agent, action: '处理数据', parameters: { rows: [1, 2] } })
  await call('ask_for_action', { target_agent, action: 'get_status', conversation_id: 'conv-1' })
  expect(sent).toMatchObject([
    { target: target_agent, conversation: null, action: { name: '处理数据', parameters: { rows: [1, 2] } } },
    { target: target_agent, conversation: 'conv-1', action: { name: 'get_status', parameters: {} } },
  ])
  expect(await call('ask_for_action', { target_agent })).toMatchObject({ ok: false, code: 'TOOL_ARGUMENTS' })
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
    ['ask_for_action', false, true],
    ['report_milestone', false, true],
    ['list_agents', false, true],
  ])
  expect(await call('send_to_agent', { message: 'x' })).toMatchObject({ ok: false, code: 'TOOL_ARGUMENTS' })
  expect(sent).toEqual([])
  expect(resultText(await call('list_agents', {}))).toContain('agent://other.example/planner')
})

it('004-14 report_milestone takes a label and what belongs to it, for any caller', async () => {
  const { call, reported } = open(DELIVERED)
  const outcome = await call('report_milestone', { label: 'Both lists are read', metadata: { lines: 14 } })
  expect(JSON.parse(resultText(outcome))).toEqual({ checkpoint_id: 'ck-1' })
  await call('report_milestone', { label: 'Compared' })
  expect(reported).toEqual([
    { caller: CALLER, label: 'Both lists are read', metadata: { lines: 14 } },
    { caller: CALLER, label: 'Compared', metadata: {} },
  ])
  expect(await call('report_milestone', { metadata: {} })).toMatchObject({ ok: false, code: 'TOOL_ARGUMENTS' })
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

it('[R281] what each of its tools does and takes is said in Chinese too', async () => {
  const described = await open(DELIVERED).pool.describe('agents')
  const tools = described.ok ? described.description.tools : []
  const sentences = sentencesOf(tools)
  expect(sentences).toContain('The name of the action')
  expect(sentences.filter((sentence) => !(sentence in TOOL_WORDS))).toEqual([])
})
