import { describe, expect, it } from 'vitest'
import { MODEL_PRESETS } from '@/lib/mas/setup/modelPresets'
import { NoAnswerError, type Outbound, PrivateAddressError } from '../net'
import { findLocalServers } from './'

const answerOf = (body: string): Awaited<ReturnType<Outbound>> => ({
  status: 200,
  headers: {},
  text: body,
  bytes: Buffer.from(body),
})
const list = (...ids: string[]) => JSON.stringify({ object: 'list', data: ids.map((id) => ({ id, object: 'model' })) })

describe('[R110] model servers on this machine', () => {
  it('are those that list a model at their usual address; others are left out, whatever they answer', async () => {
    const asked: string[] = []
    const call: Outbound = async (address, { method }) => {
      asked.push(`${method} ${address}`)
      if (address.includes(':11434')) return answerOf('{"models":[{"name":"qwen3"},{"name":"llama3.1"}]}')
      if (address.includes(':1234')) throw new NoAnswerError(1.5)
      return answerOf('<html>another program</html>')
    }
    expect(await findLocalServers(MODEL_PRESETS, call)).toEqual([
      { preset: 'ollama', name: 'Ollama', models: ['llama3.1', 'qwen3'] },
    ])
    expect(asked).toEqual([
      'GET http://127.0.0.1:11434/api/tags',
      'GET http://127.0.0.1:1234/v1/models',
      'GET http://127.0.0.1:8000/v1/models',
    ])
  })

  it('are none where one has no model yet, or where the configuration forbids addresses of this machine', async () => {
    expect(await findLocalServers(MODEL_PRESETS, async () => answerOf(list()))).toEqual([])
    const forbids: Outbound = async () => {
      throw new PrivateAddressError('127.0.0.1')
    }
    expect(await findLocalServers(MODEL_PRESETS, forbids)).toEqual([])
  })
})
