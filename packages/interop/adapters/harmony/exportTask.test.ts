/** What of a task of ours stands in its Harmony list: what was said, thought, done, asked first, and what it cost. */
import { describe, expect, it } from 'vitest'
import { bodyOf } from '@/lib/mas/bodies'
import { type AgentId, asId, type MessageId, type RequestId, type StepId, type TaskId } from '@/lib/mas/ids'
import {
  emptyWorld,
  type MessageRecord,
  type ModelCall,
  type RequestRecord,
  type StepRecord,
  type World,
} from '@/lib/mas/records'
import { HarmonyMessages, harmonyParts, listProblems } from '@/lib/protocols/harmony/message'
import { readToolContent } from '@/lib/protocols/harmony/test/readToolContent'
import { listPieces } from '@/server/shared/pieces'
import { LONGEST_BLOCK_MS, longestBlock } from '@/test/loopBlocks'
import { Story, TEAM } from '@/test/worldHistories'
import { exportTask } from './exportTask'
import { mediaAddress } from './media'

const task = asId<TaskId>('00000000-0000-4000-8000-000000000900')
const reader = TEAM.reader.id
const kept = new Map<string, { bytes: Uint8Array; mime: string }>()
const keep = (text: string, mime: string) => {
  const { body, ref } = bodyOf(text, mime)
  kept.set(ref.sha, { bytes: body.bytes, mime })
  return ref
}
const bodies = { get: (sha: string) => Promise.resolve(kept.get(sha) ?? null) }

const message = (seq: number, more: Partial<MessageRecord>): MessageRecord => ({
  id: asId<MessageId>(`message-${seq}`),
  task,
  sender: TEAM.ana.id,
  receivers: [reader],
  text: `text ${seq}`,
  stage: null,
  type: 'fyi',
  waiting: null,
  audience: 'task',
  returnWaiting: null,
  instruction: null,
  dispatch: asId<MessageId>(`message-${seq}`),
  thread: null,
  answersRequest: null,
  replyTo: null,
  attachments: [],
  mention: false,
  fromStep: null,
  at: seq * 1_000,
  seq,
  ...more,
})
const step = (seq: number, more: Partial<StepRecord>): StepRecord => ({
  id: asId<StepId>(`step-${seq}`),
  number: seq,
  task,
  stage: null,
  agent: reader,
  thread: null,
  intention: 'look',
  type: 'tool',
  executor: 'db',
  state: 'finished',
  text: '',
  instruction: { kind: 'call', target: 'tool', name: 'read', arguments: keep('{"q": "a"}', 'application/json') },
  result: null,
  reason: null,
  cause: { message: null, step: null },
  answers: null,
  boundTo: null,
  retryOf: null,
  attempt: null,
  held: null,
  approvedBy: null,
  byHand: false,
  last: false,
  calls: [],
  repairs: [],
  retired: false,
  createdAt: 0,
  createdSeq: 0,
  startedAt: seq * 1_000,
  startedSeq: seq,
  endedAt: seq * 1_000,
  endedSeq: seq,
  changedAt: 0,
  ...more,
})
const call = (more: Partial<ModelCall>): ModelCall => ({
  id: 'c',
  attempt: 1,
  model: 'main',
  modelVersion: 'm-2026',
  prompt: { sha: '', bytes: 0 },
  answer: null,
  outcome: 'taken',
  error: null,
  promptTokens: 10,
  completionTokens: 2,
  estimated: false,
  costUsd: 0.5,
  firstTokenMs: 40,
  totalMs: 100,
  at: 0,
  ...more,
})
const result = (content: unknown[]): StepRecord['result'] => ({
  kind: 'tool',
  text: 'short',
  made: null,
  body: keep(JSON.stringify({ mcp_server_result: { content } }), 'application/json'),
})

type Parts = { messages?: MessageRecord[]; steps?: StepRecord[]; requests?: RequestRecord[] }

function exportOf(parts: Parts): AsyncGenerator<unknown> {
  const byId = <T extends { id: string }>(all: readonly T[] = []) => Object.fromEntries(all.map((one) => [one.id, one]))
  const world: World = {
    ...emptyWorld,
    agents: new Story().world.agents,
    messages: { [task]: byId(parts.messages) },
    steps: { [task]: { [reader]: byId(parts.steps) } },
    requests: { [task]: byId(parts.requests) },
  }
  const sight = { message: () => true, step: () => true }
  const address = mediaAddress('http://ours.example', { conversation: null, task })
  return exportTask({ world, task, sight, conversation: null }, bodies, address)
}

async function listOf(parts: Parts) {
  const made: unknown[] = []
  for await (const one of exportOf(parts)) made.push(one)
  const list = HarmonyMessages.parse(made)
  expect(listProblems(list, 2)).toEqual([])
  return list
}

describe('a task of ours as a list', () => {
  it('H-01 and H-26 holds people, agents and the task itself, what was thought and what was done, in order', async () => {
    const list = await listOf({
      messages: [
        message(1, {}),
        message(4, { sender: reader, receivers: [TEAM.ana.id] }),
        message(5, { sender: 'system:task' }),
      ],
      steps: [
        step(2, {
          type: 'skill',
          executor: 'think',
          instruction: null,
          result: { kind: 'text', text: 'The list comes first.', body: null, made: null },
        }),
        step(3, { result: result([{ type: 'text', text: '7 rows' }]) }),
      ],
    })
    expect(list.map(({ role, name, created_at }) => [role, name, created_at])).toEqual([
      ['user', 'Ana', 1],
      ['assistant', 'Reader', 2],
      ['assistant', 'Reader', 3],
      ['tool', 'db.read', 3],
      ['assistant', 'Reader', 4],
      ['system', undefined, 5],
    ])
    expect(harmonyParts(list[1] ?? { content: null })[0]).toEqual({
      type: 'text',
      text: 'The list comes first.',
      index: 0,
    })
  })

  it('H-04, H-05 and H-28 names a tool’s call by its step, its arguments are a text, its result answers that call', async () => {
    const [made, answer] = await listOf({ steps: [step(3, { result: result([{ type: 'text', text: '7 rows' }]) })] })
    expect(made).toMatchObject({
      tool_calls: [{ id: 'step-3', function: { name: 'db.read', arguments: '{"q": "a"}' } }],
    })
    expect(answer).toMatchObject({ tool_call_id: 'step-3' })
    const said = typeof answer?.content === 'string' ? readToolContent(answer.content) : null
    expect(said).toEqual({ status: 'success', results: { content: [{ type: 'text', text: '7 rows' }] } })
  })

  it('H-05 a picture that a tool gave is a part of its own', async () => {
    const [, answer] = await listOf({
      steps: [step(3, { result: result([{ type: 'image', mimeType: 'image/png', data: 'AAAA' }]) })],
    })
    expect(answer?.content).toEqual([
      { type: 'text', text: '{"status":"success","results":{"content":[]}}', index: 0 },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ])
  })

  it('H-34 a tool that failed says why, as JSON', async () => {
    const [, answer] = await listOf({ steps: [step(3, { state: 'failed', reason: 'q: must be a number' })] })
    expect(JSON.parse(String(answer?.content))).toEqual({
      status: 'error',
      error_type: 'ToolFailed',
      message: 'q: must be a number',
    })
  })

  it('H-24 a call that waits for a person’s word has not run, and says so; one that merely waits its turn is not there', async () => {
    const request = {
      id: asId<RequestId>('request-1'),
      task,
      state: 'open',
      question: 'Allow db.read?',
      openedAt: 3_000,
      openedSeq: 3,
    }
    const held = step(2, { state: 'pending', held: request.id, endedAt: null, endedSeq: null })
    // Only what is read of a request stands here.
    const list = await listOf({
      steps: [held, step(9, { state: 'pending', endedAt: null, endedSeq: null })],
      requests: [request as RequestRecord],
    })
    expect(list).toHaveLength(2)
    expect(JSON.parse(String(list[1]?.content))).toEqual({
      status: 'halted',
      reason: 'human_confirmation_required',
      message: 'Allow db.read?',
    })
  })

  it('H-03, H-09 and H-25 gives a picture as an address, a sound as a part, another file as a line; no text holds bytes', async () => {
    const attachments = [
      { name: 'a.png', body: keep('png', 'image/png'), savedAs: null },
      { name: 'b.wav', body: keep('wav', 'audio/wav'), savedAs: null },
      { name: 'c.csv', body: keep('a,b', 'text/csv'), savedAs: null },
    ]
    const text = `See data:image/png;base64,${'A'.repeat(100)} and \0.`
    const [first] = await listOf({ messages: [message(1, { text, attachments })] })
    const at = (n: number) => `http://ours.example/api/harmony/media?task_id=${task}&message_id=message-1&at=${n}`
    expect(first?.content).toEqual([
      { type: 'text', text: 'See [image/png] and \uFFFD.', index: 0 },
      { type: 'image_url', image_url: { url: at(0) } },
      { type: 'input_audio', input_audio: { data: Buffer.from('wav').toString('base64'), format: 'wav' } },
      { type: 'text', text: `[c.csv](<${at(2)}>)`, index: 3 },
    ])
  })

  it('002-4 [R188] a frame and the sound of a video of the message say of which video they are and when; another picture or sound says nothing', async () => {
    const of = (name: string, mime: string) => ({ name, body: keep(name, mime), savedAs: null })
    const attachments = [
      of('clip.mp4', 'video/mp4'),
      of('clip.mp4 at 0.5s.jpg', 'image/jpeg'),
      of('clip.mp4 at 1.5s.jpg', 'image/jpeg'),
      of('clip.mp4 sound.wav', 'audio/wav'),
      of('clip.mp4 at 2.5s.jpg', 'image/jpeg'),
      of('other.mp4 at 1.5s.jpg', 'image/jpeg'),
      of('other.mp4 sound.wav', 'audio/wav'),
    ]
    const [first] = await listOf({ messages: [message(1, { text: '', attachments })] })
    expect(first?.content).toMatchObject([
      { type: 'text', text: expect.stringContaining('[clip.mp4](<') },
      { video_metadata: { video_id: 'clip.mp4', timestamp_sec: 0.5, frame_index: 0 } },
      { video_metadata: { video_id: 'clip.mp4', timestamp_sec: 1.5, frame_index: 1 } },
      {
        type: 'input_audio',
        input_audio: { format: 'wav' },
        video_metadata: { video_id: 'clip.mp4', timestamp_sec: 0 },
      },
      { video_metadata: { video_id: 'clip.mp4', timestamp_sec: 2.5, frame_index: 2 } },
      { type: 'image_url' },
      { type: 'input_audio' },
    ])
    const content = Array.isArray(first?.content) ? first.content : []
    expect(content.map((part) => 'video_metadata' in part)).toEqual([false, true, true, true, true, false, false])
  })

  it('H-08 says what a message cost, how long it took and which model wrote it; what is unknown is left out', async () => {
    const calls = [call({ outcome: 'repaired' }), call({ costUsd: null, completionTokens: null })]
    const wrote = step(1, { type: 'skill', executor: 'send_message', instruction: null, calls })
    const [first] = await listOf({ steps: [wrote], messages: [message(2, { sender: reader, fromStep: wrote.id })] })
    expect(first?.metadata).toEqual({
      token_usage: { prompt_tokens: 20, completion_tokens: 2, total_cost_usd: 0.5 },
      latency_ms: { ttft: 40, total_time: 200 },
      model_version: 'm-2026',
      session_id: task,
      trace_id: wrote.id,
      to: ['Reader'],
    })
  })

  it('002-14 says where it was said and what the model server calls itself, as far as that is known', async () => {
    const wrote = step(1, {
      type: 'skill',
      executor: 'think',
      instruction: null,
      result: null,
      reason: 'it is so',
    })
    const [first] = await listOf({ steps: [{ ...wrote, calls: [call({ fingerprint: 'fp_12345' })] }] })
    expect(first?.metadata).toMatchObject({ system_fingerprint: 'fp_12345', session_id: task, trace_id: wrote.id })
    const [person] = await listOf({ messages: [message(2, {})] })
    expect(person?.metadata).toEqual({ session_id: task, to: ['Reader'] })
  })

  it('002-11 [R162] gives the sources of a text as its citation map, with anchors where they stand', async () => {
    const found = step(1, {})
    const cited = {
      at: [
        { offset: 16, id: 'cit_1' },
        { offset: 16, id: 'cit_2' },
      ],
      sources: {
        cit_1: { source_type: 'tool_result', source_id: found.id, source_name: 'read a.csv' },
        cit_2: { source_type: 'tool_result', source_id: 'step-99', source_name: 'what the reader may not see' },
      },
    }
    const list = await listOf({
      steps: [found],
      messages: [message(2, { sender: reader, text: 'Apples cost 3.20.', cited })],
    })
    expect(list.at(-1)).toMatchObject({
      content: [{ type: 'text', text: 'Apples cost 3.20<cite id="cit_1"/>.' }],
      metadata: { citation_map: { cit_1: cited.sources.cit_1 } },
    })
    expect(JSON.stringify(list)).not.toContain('may not see')
  })

  it('H-01 what one act said to several is one message', async () => {
    const dispatch = asId<MessageId>('one')
    const list = await listOf({
      messages: [
        message(1, { dispatch, text: 'Go' }),
        message(2, { dispatch, text: 'Go', receivers: [TEAM.ben.id as AgentId] }),
      ],
    })
    expect(list.map(({ metadata }) => metadata)).toMatchObject([{ to: ['Reader', 'Ben'] }])
  })

  it('[R74] the loop turns while a long conversation is exported', async () => {
    const count = process.env.CONVENE_ALL ? 1_500 : 300
    const messages = Array.from({ length: count }, (_, at) => message(at, { text: `${at} ${'é"'.repeat(20_000)}` }))
    let length = 0
    const { blockMs } = await longestBlock(async () => {
      for await (const piece of listPieces(exportOf({ messages }))) length += piece.length
    })
    expect(length).toBeGreaterThan(count * 60_000)
    expect(blockMs).toBeLessThan(LONGEST_BLOCK_MS)
  })
})
