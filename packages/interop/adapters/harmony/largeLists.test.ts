import { describe, expect, it, vi } from 'vitest'
import { LONGEST_BLOCK_MS, longestBlock } from '@/test/loopBlocks'
import { TEAM } from '@/test/worldHistories'
import { asAna, BY_ANA, BY_KEY, context, give, type Headers, LIST, listOf, post } from '../../test/adapters/harmony'
import { importList, MOST_SHOWN_BYTES, readList } from './importList'

describe('one export at a time', () => {
  it('[R74] a second one of the same person or peer is 429 with a time, others are not held up, and then it is given', async () => {
    const system = await context({ visitorOf: asAna })
    const bring = async (headers: Headers) =>
      (await post(system, 'import', { messages: LIST }, headers)).json.conversation_id
    for (const headers of [BY_KEY, BY_ANA]) {
      const [id, other] = [await bring(headers), await bring({ authorization: 'Bearer third-key' })]
      const { bodies } = system.store
      const read = bodies.get
      let open = () => {}
      const gate = new Promise<void>((resolve) => {
        open = resolve
      })
      let asked = false
      bodies.get = async (sha) => {
        asked = true
        await gate
        return read(sha)
      }
      const first = give(system, `conversation_id=${id}`, headers)
      await vi.waitUntil(() => asked)
      bodies.get = read
      const second = await give(system, `conversation_id=${id}`, headers)
      expect([second.status, second.json.error, second.headers.get('retry-after')]).toEqual([429, 'too_many', '5'])
      expect(second.json.message).toMatch(/export/)
      expect((await give(system, `conversation_id=${other}`, { authorization: 'Bearer third-key' })).status).toBe(200)
      open()
      expect((await first).json.messages).toEqual(LIST)
      expect((await give(system, `conversation_id=${id}`, headers)).status).toBe(200)
    }
  })

  it('[R74] a reader that goes away in the middle does not keep the next from asking', async () => {
    const system = await context({ visitorOf: asAna })
    const { conversation_id: id } = (await post(system, 'import', { messages: LIST }, BY_ANA)).json
    const { bodies } = system.store
    const read = bodies.get
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    let asked = false
    bodies.get = async (sha) => {
      asked = true
      await gate
      return read(sha)
    }
    const leaving = new AbortController()
    const query = `conversation_id=${id}`
    const left = system.call(`/api/harmony/export?${query}`, { headers: BY_ANA, signal: leaving.signal })
    await vi.waitUntil(() => asked)
    leaving.abort()
    await expect(left).rejects.toThrow()
    open()
    await vi.waitUntil(async () => (await give(system, query, BY_ANA)).status === 200)
  })
})

describe('a hostile list of the largest size', () => {
  it('[R75] is refused while the loop turns', async () => {
    const system = await context({ visitorOf: asAna })
    const frame = (messages: string) => Buffer.from(`{"messages":${messages}}`)
    const size = 10 * 1024 * 1024 - 1_000
    for (const [body, status] of [
      [frame('['.repeat(size)), 413],
      [frame(`[${'{},'.repeat(size / 3 - 1)}{}]`), 413],
    ] as const) {
      const headers = { 'content-type': 'application/json', ...BY_ANA }
      const { blockMs, outcome } = await longestBlock(() =>
        fetch(`${system.url}/api/harmony/import`, { method: 'POST', headers, body }),
      )
      expect(outcome.status).toBe(status)
      expect(blockMs).toBeLessThan(LONGEST_BLOCK_MS)
    }
  })
})

describe('a long list', () => {
  it('[R75] is checked and kept with a turn of the loop after each message', async () => {
    const system = await context()
    const messages = Array.from({ length: 20 }, (_, at) => ({ role: 'user', content: `message ${at}` }))
    let turns = 0
    const turn = (): undefined => {
      turns += 1
    }
    const read = await readList({ messages }, turn)
    expect(turns).toBe(messages.length)
    // After its text, its original, the keeping of it, and the whole message.
    await importList(system.parts, { person: TEAM.ana.id }, read, { turn })
    expect(turns).toBe(messages.length * 5)
  })

  it('[R75] adds at most 2 MiB and the beginnings of its texts to a decision, and nothing of it is lost', async () => {
    const system = await context()
    const long = 'a'.repeat(40 * 1024)
    const messages = Array.from({ length: 100 }, (_, at) => ({ id: `m${at}`, role: 'user', content: long }))
    const { json } = await post(system, 'import', { messages })
    const brought = system.messages().filter(({ imported }) => imported !== undefined)
    const whole = brought.filter(({ text }) => text === long)
    expect(whole).toHaveLength(Math.floor(MOST_SHOWN_BYTES / long.length))
    for (const { text, attachments } of brought.slice(whole.length)) {
      expect(text.length).toBeLessThan(2_100)
      expect(attachments.map(({ name, body }) => [name, body.bytes])).toEqual([['message.md', long.length]])
    }
    expect(await listOf(system, json.conversation_id)).toEqual(messages)
  })

  it('[R75] has at most 20,000 values in a message, 1,000 files, and 100,000 values in all', async () => {
    const system = await context()
    const sound = { type: 'input_audio', input_audio: { data: 'aGVsbG8=', format: 'wav' } }
    const statusOf = async (messages: unknown) => {
      const { status, json } = await post(system, 'import', { messages })
      return [status, json.message]
    }
    // The message, its role, its content, and the list itself.
    const holding = (count: number) => ({ role: 'user', content: 'a', x_list: Array(count - 4).fill(0) })
    expect((await statusOf([holding(20_000)]))[0]).toBe(200)
    expect(await statusOf([holding(20_001)])).toEqual([413, 'messages[0] holds more than 20,000 values.'])
    expect((await statusOf([{ role: 'user', content: Array(1_000).fill(sound) }]))[0]).toBe(200)
    expect(await statusOf([{ role: 'user', content: Array(1_001).fill(sound) }])).toEqual([
      413,
      'A list has at most 1,000 pictures and sounds as bytes.',
    ])
    expect((await statusOf(Array(4).fill(holding(20_000))))[0]).toBe(200)
    expect(await statusOf(Array(6).fill(holding(20_000)))).toEqual([413, 'The body holds more than 100,000 values.'])
  })

  it('[R75] may hold a code of millions of backticks', async () => {
    const system = await context()
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '` '.repeat(1_000_000) } }
    const messages = [
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: 'x' },
    ]
    expect((await post(system, 'import', { messages })).status).toBe(200)
  })
})
