/** What a person is told of a model that was tried: what is wrong, and what to do next. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type Answerer,
  type ModelPeer,
  openaiChoice,
  openaiEnd,
  openaiText,
  openModelPeer,
  refuse,
} from '@/test/modelPeer'
import { type ModelTrial, tryModel } from './index'
import type { ProviderModelConfig } from './providers'

const peers: ModelPeer[] = []
afterEach(async () => {
  await Promise.all(peers.splice(0).map((peer) => peer.close()))
})
async function peerThat(answer: Answerer): Promise<ModelPeer> {
  const peer = await openModelPeer(answer)
  peers.push(peer)
  return peer
}
const tried = (
  baseUrl: string,
  more: Partial<ProviderModelConfig> = {},
  deps: Partial<Parameters<typeof tryModel>[2]> = {},
): Promise<ModelTrial> =>
  tryModel(
    'default',
    { provider: 'openai-compatible', baseUrl, model: 'gpt-x', ...more },
    { secret: () => undefined, ...deps },
  )

describe('a model that works', () => {
  it('says so, with its times', async () => {
    const peer = await peerThat((_, response) => void response.end(`${openaiText('ready')}${openaiEnd()}`))
    let now = 0
    const trial = await tried(peer.url, {}, { clock: () => (now += 20) })
    expect(trial).toEqual({
      ok: true,
      words: 'gpt-x answered; the first token came after 20 ms. It is asked with tags in the text (tags).',
      hint: null,
      firstTokenMs: 20,
      totalMs: 40,
    })
  })

  it('is tried with a function, and says whether it called it or its server takes none', async () => {
    const call = openaiChoice({
      tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'ready', arguments: '{"ready":true}' } }],
    })
    const calling = await peerThat((_, response) => void response.end(`${call}${openaiEnd('tool_calls')}`))
    expect((await tried(calling.url)).words).toContain('It calls functions (native).')
    expect(calling.asked).toHaveLength(1)
    const silent = await peerThat((_, response) => void response.end(`${openaiText('ready')}${openaiEnd()}`))
    expect((await tried(silent.url, { form: 'native' })).words).toContain('although it was asked to (native)')
    const without = await peerThat(({ body }, response) => {
      if ('tools' in body) refuse(response, 400, { error: { message: 'this model does not support tools' } })
      else response.end(`${openaiText('ready')}${openaiEnd()}`)
    })
    expect((await tried(without.url)).words).toContain('(tags)')
    expect(without.asked).toHaveLength(2)
  })

  it('is tried with a schema when it is to be held to schemas', async () => {
    const peer = await peerThat(({ body }, response) => {
      if ('response_format' in body) refuse(response, 400, { error: { message: 'response_format is unavailable' } })
      else response.end(`${openaiText('ready')}${openaiEnd()}`)
    })
    expect((await tried(peer.url)).ok).toBe(true)
    const trial = await tried(peer.url, { form: 'schema' })
    expect([trial.ok, trial.words]).toEqual([false, expect.stringContaining('response_format is unavailable')])
  })

  it('may be the rehearsal, a person or a recording', async () => {
    const none = { secret: () => undefined }
    expect(await tryModel('default', { provider: 'rehearsal' }, none)).toMatchObject({ ok: true, totalMs: 0 })
    expect(await tryModel('default', { provider: 'person' }, none)).toMatchObject({ ok: true })
    const folder = mkdtempSync(join(tmpdir(), 'trial-'))
    const missing = await tryModel('default', { provider: 'recording', play: folder }, none)
    expect([missing.ok, missing.words]).toEqual([
      false,
      `The model can't be used: the folder ${folder} holds no recorded call.`,
    ])
    const usage = { promptTokens: 1, completionTokens: 1, estimated: true, costUsd: null }
    const call = {
      version: 1,
      agent: 'a',
      skill: 's',
      digest: 'd',
      shape: 's',
      ids: [],
      pieces: ['x'],
      modelVersion: 'm',
    }
    writeFileSync(join(folder, 'm.jsonl'), JSON.stringify({ ...call, finish: 'stop', usage }))
    const found = await tryModel('default', { provider: 'recording', play: folder }, none)
    expect([found.ok, found.words]).toEqual([true, '1 recorded calls can be replayed.'])
    rmSync(folder, { recursive: true })
  })
})

describe('a model that does not', () => {
  const cases: [string, Answerer, Partial<ProviderModelConfig>, string, string][] = [
    [
      'whose key is refused',
      (_, response) => refuse(response, 401),
      { key: { env: 'MY_KEY' } },
      'does not accept the key',
      'Check the value of MY_KEY',
    ],
    ['that asks for a key', (_, response) => refuse(response, 401), {}, 'asks for a key', 'its name into key_env'],
    [
      'that the server does not have',
      (_, response) => refuse(response, 404, { error: { message: 'The model `gpt-x` does not exist' } }),
      {},
      'has no model called gpt-x',
      'Check the name under model',
    ],
    [
      'that Ollama has not pulled',
      (_, response) => refuse(response, 404, { error: "model 'gpt-x' not found" }),
      { provider: 'ollama' },
      'has no model called gpt-x',
      'ollama pull gpt-x',
    ],
    [
      'at a wrong path',
      (_, response) => refuse(response, 404, 'Not Found'),
      {},
      'not at this path',
      '(base_url) ends before',
    ],
    [
      'that is another program',
      (_, response) => void response.end('<html>Sign in</html>'),
      {},
      "isn't in the format of provider openai",
      'Check provider',
    ],
    ['without credit', (_, response) => refuse(response, 402), {}, 'no credit left', 'waiting does not help'],
    ['that is overloaded', (_, response) => refuse(response, 503), {}, 'reports an internal error', 'Try again later'],
    ['that is asked too often', (_, response) => refuse(response, 429), {}, 'Too many requests', 'lower parallel'],
    ['that breaks off', (_, response) => void response.end(openaiText('rea')), {}, 'was cut off', 'proxy'],
    ['that is silent', () => {}, { timeLimitMs: 200 }, 'took too long', 'raise time_limit_s'],
  ]
  it.each(cases)('%s is told in words, with what to do', async (_, answer, more, says, hint) => {
    const peer = await peerThat(answer)
    const trial = await tried(peer.url, more, {
      secret: (key) => ('env' in key && key.env === 'MY_KEY' ? 'sk-secret' : undefined),
    })
    expect(trial).toMatchObject({
      ok: false,
      words: expect.stringContaining(says),
      hint: expect.stringContaining(hint),
    })
    expect(JSON.stringify(trial)).not.toContain('sk-secret')
    const zh = await tried(peer.url, more, { secret: () => 'sk-secret', language: 'zh' })
    expect(`${zh.words}${zh.hint}`).toMatch(/[\u4e00-\u9fff]/)
  })

  it('because nobody set its key, is told before anything is sent', async () => {
    const peer = await peerThat((_, response) => void response.end())
    const trial = await tried(peer.url, { key: { env: 'MY_KEY' } })
    expect([trial.words, trial.hint]).toEqual([
      'The key is missing: MY_KEY is not set.',
      'Set the environment variable MY_KEY and restart.',
    ])
    expect(peer.asked).toEqual([])
  })

  it('because there is no such host, nothing listens, or TLS is not spoken, is told apart', async () => {
    expect((await tried('http://nowhere.invalid/v1')).words).toContain('There is no host nowhere.invalid')
    const plain = createServer((socket) =>
      socket
        .on('error', () => {})
        .resume()
        .end('220 mail\r\n'),
    )
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
    const address = plain.address()
    const host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
    expect((await tried(`https://${host}`)).hint).toContain('Write http://')
    await new Promise((resolve) => plain.close(resolve))
    expect(await tried(`http://${host}`, { provider: 'ollama' })).toMatchObject({
      words: `Nothing responds at ${host}.`,
      hint: expect.stringContaining('ollama serve'),
    })
  })

  it('because its configuration lacks something, is told as well', async () => {
    expect((await tried('', {})).words).toBe("The model can't be used: model default: has no base_url.")
  })
})
