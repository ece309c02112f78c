/** What a recorded run promises: it plays without the model, ids and times of the new run in place of the old, or says what is missing. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openaiEnd, openaiText, openModelPeer } from '@/test/modelPeer'
import { scriptedModel } from '@/test/scriptedModel'
import { type Model, ModelError, openModels, type Turn } from './index'
import { recorded } from './recording'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recording-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const ID = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const READER = { agent: 'reader', skill: 'planning' }
const turns = (text: string): Turn[] => [
  { role: 'system', content: 'rules' },
  { role: 'user', content: text },
]
async function say(model: Model, text: string, about = READER): Promise<string> {
  let answer = ''
  for await (const piece of model.call(turns(text), { signal: new AbortController().signal, about })) {
    if (piece.type === 'text') answer += piece.text
  }
  return answer
}
const player = (): Model => openModels({ models: { real: { provider: 'recording', play: folder } } }).get('real')
const record = (lines: Parameters<typeof scriptedModel>[0]): Model => recorded(scriptedModel(lines), folder)
const saying = (model: Model, text: string, about = READER): Promise<string> =>
  say(model, text, about).catch((error: unknown) => {
    if (error instanceof ModelError) return `${error.code}: ${error.message}`
    throw error
  })

describe('a recording', () => {
  it('holds whole answers as they came, and neither prompts nor calls that gave nothing', async () => {
    const model = record(['the first answer, longer than one piece', { text: 'half', finish: 'broken' }])
    await say(model, 'a prompt that stays here')
    await say(model, 'another')
    expect(readdirSync(folder)).toEqual(['scripted.jsonl'])
    const text = readFileSync(join(folder, 'scripted.jsonl'), 'utf8')
    expect(text).not.toContain('a prompt that stays here')
    expect(text).not.toContain('half')
    expect(JSON.parse(text)).toMatchObject({
      agent: 'reader',
      skill: 'planning',
      pieces: ['the first answer, longer', ' than one piece'],
      finish: 'stop',
    })
  })

  it('is written by a model whose configuration says record, into a folder made for it, without its key', async () => {
    const peer = await openModelPeer((_, response) => void response.end(`${openaiText('hello')}${openaiEnd()}`))
    const deep = join(folder, 'deep', 'down')
    const real = {
      provider: 'openai-compatible' as const,
      baseUrl: peer.url,
      model: 'peer',
      key: { env: 'KEY' },
      record: deep,
    }
    const models = openModels({ models: { real }, secret: () => 'sk-very-secret' })
    expect(await say(models.get('real'), 'a prompt')).toBe('hello')
    await peer.close()
    const text = readFileSync(join(deep, 'real.jsonl'), 'utf8')
    expect(text).toContain('"pieces":["hello"]')
    expect(text).not.toContain('sk-very-secret')
  })

  it('is found by the very prompt first, in whatever order the calls come, and as often as they do', async () => {
    const model = record(['one', 'two', 'three'])
    for (const text of ['first', 'second', 'third']) await say(model, text)
    const played = player()
    for (const [prompt, answer] of [
      ['third', 'three'],
      ['first', 'one'],
      ['third', 'three'],
    ]) {
      expect(await say(played, prompt ?? '')).toBe(answer)
    }
  })

  it('is found by a prompt that differs in ids and times, and answers with the new ids', async () => {
    const model = record([`<send_message>{"to": "${ID(7)}"}</send_message>`, 'another'])
    await say(model, `task: ${ID(1)} to: ${ID(7)} time: 2026-11-21T10:00:00Z note 20261121T100000_2`)
    await say(model, 'something else')
    const prompt = `task: ${ID(31)} to: ${ID(99)} time: 2026-12-24T18:30:00Z note 20261224T183000`
    expect(await say(player(), prompt)).toBe(`<send_message>{"to": "${ID(99)}"}</send_message>`)
  })

  it('is found by a prompt that calls its tasks by other handles, and answers with the new ones', async () => {
    const model = record([
      `<task_instruction>{"action": "finish_stage", "task_id": "task-0b7443"}</task_instruction>`,
      'another',
    ])
    await say(model, `task_id: task-fc808e of ${ID(1)}\ntask-0b7443 runs`)
    await say(model, 'something else')
    const played = await say(player(), `task_id: task-111111 of ${ID(31)}\ntask-222222 runs`)
    expect(played).toBe('<task_instruction>{"action": "finish_stage", "task_id": "task-222222"}</task_instruction>')
  })

  it('keeps its length where a prompt shows fewer ids than the recorded one: none stands for one of another kind', async () => {
    await say(record([`to ${ID(7)} about task-0b7443, as ever`]), `task-0b7443 ${ID(7)}`)
    expect(await say(player(), `${ID(99)} and nothing else`)).toBe(`to ${ID(99)} about task-0b7443, as ever`)
  })

  it('speaks of tasks by the handles of the new run, whichever other ids stand between', async () => {
    const model = record(['<task_instruction>{"task_id": "task-0a1b2c", "about": "task-force"}</task_instruction>'])
    await say(model, `task_id: task-ffffff message: ${ID(7)} made: task-0a1b2c`)
    expect(await say(player(), `task_id: task-eeeeee made: task-9d8e7f message: ${ID(99)}`)).toBe(
      '<task_instruction>{"task_id": "task-9d8e7f", "about": "task-force"}</task_instruction>',
    )
  })

  it('plays the next call of the same agent and skill when no recorded prompt matches', async () => {
    const model = record(['plan of the reader', 'plan of the analyst', 'second plan of the reader'])
    await say(model, 'a')
    await say(model, 'b', { agent: 'analyst', skill: 'planning' })
    await say(model, 'c')
    const played = player()
    expect(await say(played, 'x')).toBe('plan of the reader')
    expect(await say(played, 'y')).toBe('second plan of the reader')
    expect(await say(played, 'z', { agent: 'analyst', skill: 'planning' })).toBe('plan of the analyst')
  })

  it('says clearly when nothing fits', async () => {
    await say(record(['one']), 'a')
    const played = player()
    await say(played, 'x')
    expect(await saying(played, 'y')).toBe(
      `MODEL_REFUSED: the recording in ${folder} has only 1 call, all played, of reader for planning; record a run that goes this far`,
    )
    expect(await saying(played, 'y', { agent: 'ana', skill: 'think' })).toContain('has no call of ana for think')
  })

  it('says what is wrong with its folder or its file', async () => {
    expect(await saying(player(), 'x')).toContain('holds no recorded call')
    writeFileSync(join(folder, 'real.jsonl'), '{"version": 1}\n')
    expect(await saying(player(), 'x')).toContain('real.jsonl, line 1: this is no recorded call')
    rmSync(folder, { recursive: true })
    expect(await saying(player(), 'x')).toContain('there is no folder')
  })
})
