/**
 * A whole task on a real model server: HTTP, streams, refusals and broken connections on the way, and the right end.
 * The server is other people's software; what it answers is computed by the rehearsal, so that it fits the prompts.
 */

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { LLMock } from '@copilotkit/aimock'
import { afterEach, describe, expect, it } from 'vitest'
import { bodyOf } from '@/lib/mas/bodies'
import { type AgentId, asId } from '@/lib/mas/ids'
import type { ModelCall } from '@/lib/mas/records'
import { SKILLS } from '@/lib/mas/records'
import { SERVER_PROVIDERS } from '@/lib/mas/setup/providers'
import { openModels, type TextTurn, type Turn } from '@/server/models'
import { openaiText, openModelPeer } from '@/test/modelPeer'
import { writtenBy } from '@/test/modelWires'
import { CREW, openRehearsal, type Rehearsal } from '@/test/rehearsalTeam'
import { answer } from '../rehearsalModel'

const KEY = 'sk-the-key-that-nobody-may-see'
const HALF = 'half of it '
const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

/** The rehearsal's answer; its first plan also tries the skills that this job does not need. */
function answerOf(turns: Turn[], extra: { isPlanned: boolean }): string {
  const skill = /^skill: (\w+)$/m.exec(turns.at(-1)?.content ?? '')?.[1]
  if (skill === 'agent_manager') {
    return '<agent_instruction>{"action": "init_new_agent", "config_id": "spare"}</agent_instruction>'
  }
  const text = answer(turns)
  const begin = '<decision_step>[{'
  const isManager = turns.some(({ content }) => /^manages: yes$/m.test(content))
  if (extra.isPlanned || !isManager || !text.startsWith(begin)) return text
  extra.isPlanned = true
  const steps = ['ask_info', 'agent_manager', 'quick_think', 'decision'].map((executor) =>
    JSON.stringify({ step_intention: `try ${executor}`, type: 'skill', executor, text_content: 'in passing' }),
  )
  return text.replace(begin, `<decision_step>[${steps.join(',')},{`)
}

async function openServer(): Promise<LLMock> {
  const peer = new LLMock({ port: 0, strict: true, chunkSize: 20 })
  const first = (skill: string) => ({ userMessage: new RegExp(`^skill: ${skill}$`, 'm'), sequenceIndex: 0 })
  peer.on(first('planning'), { error: { message: 'slow down' }, status: 429, retryAfter: 0 })
  peer.on(first('reflection'), { error: { message: 'overloaded' }, status: 503 })
  peer.on(first('think'), { content: `<result>${HALF.repeat(20)}</result>` }, { truncateAfterChunks: 8, latency: 5 })
  const late = '<tool_decision>{"continue": false, "result": "too late"}</tool_decision>'
  peer.on(first('tool_decision'), { content: late }, { latency: 3_000 })
  const extra = { isPlanned: false }
  peer.on({ predicate: () => true }, ({ messages }) => {
    const turns = messages.map(({ role, content }): TextTurn => ({ role: roleOf(role), content: String(content) }))
    return { content: answerOf(turns, extra), usage: { prompt_tokens: 1_000, completion_tokens: 100 } }
  })
  await peer.start()
  open.push({ close: () => peer.stop() })
  return peer
}

const roleOf = (role: string): TextTurn['role'] => (role === 'system' || role === 'assistant' ? role : 'user')

const sample = (): Record<string, Uint8Array> =>
  Object.fromEntries(
    ['north.csv', 'south.csv', 'index.md'].map((name) => [
      `prices/${name}`,
      readFileSync(path.resolve('samples/prices', name)),
    ]),
  )

const recordedCalls = (team: Rehearsal): ModelCall[] => team.steps().flatMap((step) => step.calls)

describe('a step that waits for a model', () => {
  it('[R32] is cancelled by an operator: its connection closes at once, and its call is kept with what it cost', async () => {
    const peer = await openModelPeer((_, response) => void response.write(openaiText('It begins to')))
    open.push(peer)
    const real = {
      provider: 'openai-compatible' as const,
      baseUrl: peer.url,
      model: 'm',
      contextTokens: 200_000,
      price: { input: 1, output: 1 },
    }
    const models = openModels({ models: { default: real } })
    const team = await openRehearsal({}, { models: { default: models.get('default') } })
    open.push(team)
    await team.ask('Count something')
    const begun = () => team.steps().find(({ id }) => team.engine.textOf(id)?.text === 'It begins to')
    await expect.poll(begun, { timeout: 15_000 }).toBeDefined()
    const step = begun()
    if (!step) throw new Error('the answer is gone')
    await team.put({ type: 'cancelStep', step: step.id, reason: 'not now' })
    await peer.untilLeft()
    const call = await team.until(
      () => team.steps().find(({ id }) => id === step.id)?.calls[0],
      'the call is on record',
    )
    expect(call).toMatchObject({ outcome: 'cancelled', estimated: true, answer: { preview: 'It begins to' } })
    expect(call.costUsd).toBeGreaterThan(0)
  })
})

describe('a picture that a person sends', () => {
  it.each(SERVER_PROVIDERS)('reaches a model of %s that takes pictures, with the message', async (provider) => {
    const peer = await openModelPeer((_, response) => void response.destroy())
    open.push(peer)
    const config = { provider, baseUrl: peer.url, model: 'm', contextTokens: 32_000, accepts: ['image' as const] }
    const models = openModels({ models: { default: config } })
    const team = await openRehearsal({}, { models: { default: models.get('default') } })
    open.push(team)
    const { body, ref } = bodyOf('not really a picture', 'image/png')
    const file = { name: 'stall.png', body: ref, savedAs: 'inbox/stall.png' }
    await team.ask('What is on it?', [file], [body])
    await expect.poll(() => peer.asked.length, { timeout: 15_000 }).toBeGreaterThan(0)
    const asked = JSON.stringify(peer.asked[0]?.body)
    const base64 = Buffer.from(body.bytes).toString('base64')
    expect(asked).toContain(base64)
    expect(asked).toContain('picture stall.png (image/png, 20 B), with the message from Ana: shown, number 1')
  })
})

describe.each(SERVER_PROVIDERS)('a task on a real server that speaks as %s', (provider) => {
  it('goes through all thirteen skills, refusals, a cut stream and a time-out, and ends right', async () => {
    const peer = await openServer()
    const real = {
      provider,
      form: 'tags' as const,
      baseUrl: `${peer.url}${writtenBy(provider).base}`,
      model: 'some-model',
      key: { env: 'KEY' },
      contextTokens: 200_000,
      firstTokenLimitMs: 1_500,
      timeLimitMs: 30_000,
      price: { input: 1, output: 2 },
    }
    const models = openModels({ models: { default: real }, secret: () => KEY })
    const spare = { ...CREW.reader, id: asId<AgentId>('00000000-0000-4000-8000-000000000077'), configId: 'spare' }
    const team = await openRehearsal(sample(), {
      models: { default: models.get('default') },
      startable: [{ ...spare, name: 'Spare' }],
      patienceMs: 40_000,
    })
    open.push(team)
    await team.ask('Compare the price lists in prices and write a report')
    const question = await team.request(
      (one) => one.kind === 'answer' && one.type === 'urgent',
      'an urgent question to Ana',
    )
    await team.answer(question, 'answer', '3.50')
    const lacking = await team.request(
      (one) => one.kind === 'answer' && one.type === 'action',
      'what about the lists that are not there',
    )
    await team.answer(lacking, 'answer', 'leave it out')
    await team.answer(await team.request((one) => one.kind === 'confirm', 'confirm'), 'approve')
    await team.answer(await team.request((one) => one.kind === 'part', 'Ana has a part'), 'done', 'Good.')
    const task = await team.finished()

    expect([task.state, task.summary]).toEqual(['finished', expect.stringContaining('price 23.60')])
    expect(SKILLS.filter((skill) => !team.steps().some((step) => step.executor === skill))).toEqual([])
    expect(team.steps().filter((step) => step.type === 'skill' && step.state === 'failed')).toEqual([])

    const calls = recordedCalls(team)
    const gaveNothing = calls.filter(({ outcome }) => outcome !== 'taken')
    expect([...new Set(gaveNothing.map(({ outcome, error }) => `${outcome}: ${error}`))].sort()).toEqual([
      'cut: the connection broke in the middle of the answer',
      'failed: the model did not begin to answer within 1.5 s',
      'failed: the server answered 503: overloaded',
      'failed: too many requests (429): slow down',
    ])
    const cut = gaveNothing.find(({ outcome }) => outcome === 'cut')
    expect(cut?.answer?.preview).toContain('<result>half')
    expect(cut?.costUsd).toBeGreaterThan(0)
    for (const lost of [HALF.trim(), 'too late'])
      expect(team.steps().some((step) => step.result?.text.includes(lost))).toBe(false)
    // Steps of their own that ask nobody: reflection writes the summary, the plan the first calls, and messages that ask for nothing
    // are taken in.
    const asked = new Set(team.steps().flatMap((step) => (step.calls.length > 0 ? [step.executor] : [])))
    expect(SKILLS.filter((skill) => !asked.has(skill)).sort()).toEqual([
      ...['instruction_generation', 'process_message', 'summary'],
    ])
    const usage = { promptTokens: 1_000, completionTokens: 100, estimated: false, costUsd: 0.0012 }
    const isCounted = provider !== 'ollama'
    for (const call of calls.filter(({ outcome }) => outcome === 'taken')) {
      if (isCounted) expect(call).toMatchObject(usage)
      else expect(call).toMatchObject({ estimated: true })
      expect(call.firstTokenMs).not.toBeNull()
    }
    // Nothing that the server was asked went unanswered by a rule, and nothing was asked beside the calls on record.
    expect(peer.getRequests().filter(({ response }) => response.fixture === null)).toEqual([])
    expect(peer.getRequests().length).toBeLessThanOrEqual(calls.length)
    expect(JSON.stringify(team.world())).not.toContain(KEY)
  }, 60_000)
})
