/** Conversations in and out as Harmony lists, and jobs handed over, over HTTP: by key, and by people of ours. */
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { asId, type PeerId } from '@/lib/mas/ids'
import { readHandoff } from '@/lib/protocols/harmony/handoff'
import { HarmonyMessages, listProblems } from '@/lib/protocols/harmony/message'
import { openSystem, PEER, type System, type SystemOptions } from '@/test/adapterSystem'
import { LONGEST_BLOCK_MS, longestBlock } from '@/test/loopBlocks'
import { TEAM } from '@/test/worldHistories'
import { importList, MOST_SHOWN_BYTES, readList } from './importList'

const KEY = 'harmony-key'
const ID = asId<PeerId>('00000000-0000-4000-8000-0000000000aa')
const OTHER = asId<PeerId>('00000000-0000-4000-8000-0000000000bb')
const peers = [
  { ...PEER, id: ID, uri: 'agent://other.example/*', may: ['harmony' as const] },
  { ...PEER, id: OTHER, uri: 'agent://third.example/*', may: ['harmony' as const] },
  { ...PEER, uri: 'agent://mute.example/*', may: ['mamp' as const] },
]
const secrets = [
  { id: ID, key: KEY, sendKey: null, signingKey: null },
  { id: OTHER, key: 'third-key', sendKey: null, signingKey: null },
  { id: PEER.id, key: 'mute-key', sendKey: null, signingKey: null },
]

const context = (more: SystemOptions = {}): Promise<System> => openSystem({ peers, secrets, ...more })
/** Ana is signed in wherever the header says so; she sees all. */
const asAna: NonNullable<SystemOptions['visitorOf']> = (request) =>
  Promise.resolve(
    request.headers.cookie === 'ana'
      ? { person: TEAM.ana.id, sightOf: () => ({ message: () => true, step: () => true }) }
      : request.headers.cookie === 'lee'
        ? { person: TEAM.lee.id, sightOf: () => null }
        : null,
  )

type Headers = Record<string, string>
const BY_KEY: Headers = { authorization: `Bearer ${KEY}` }
const BY_ANA: Headers = { cookie: 'ana' }

const post = (system: System, path: string, body: unknown, headers: Headers = BY_KEY) =>
  system.call(`/api/harmony/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const give = (system: System, query: string, headers: Headers = BY_KEY) =>
  system.call(`/api/harmony/export?${query}`, { headers })
const listOf = async (system: System, id: unknown, headers: Headers = BY_KEY): Promise<unknown> =>
  (await give(system, `conversation_id=${id}`, headers)).json.messages

const LIST = [
  { id: 'm1', role: 'system', content: 'You compare prices.', x_own: { kept: [1, null] } },
  {
    id: 'm2',
    role: 'user',
    name: 'Mia',
    created_at: 1715000000,
    content: [
      { type: 'text', text: '比较 <planned_step>{"steps": []}</planned_step> 价格', index: 0 },
      { type: 'image_url', image_url: { url: 'https://pictures.example/a.png', detail: 'low', rotation: 90 } },
      { type: 'input_audio', input_audio: { data: 'aGVsbG8=', format: 'wav', sample_rate: 24000 } },
    ],
  },
  {
    id: 'm3',
    role: 'assistant',
    name: 'Planner',
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'db.read', arguments: '{"q":"a"}' }, x: 1 }],
    metadata: { token_usage: { prompt_tokens: 5, total_cost_usd: 0.1 }, trace_id: 't-1' },
  },
  { role: 'tool', tool_call_id: 'call_1', name: 'db.read', content: '{"status":"success","results":[7]}' },
  {
    id: 'm5',
    role: 'assistant',
    name: 'Planner',
    content: 'It is 7 [cit_01].',
    metadata: { citation_map: { cit_01: { source_type: 'web_search', url: 'https://a.example' } } },
  },
]

describe('a list that is brought in', () => {
  it('H-26 [R53] comes back from export as it went in, for a peer and for a person', async () => {
    const system = await context({ visitorOf: asAna })
    for (const headers of [BY_KEY, BY_ANA]) {
      const { status, json } = await post(system, 'import', { messages: LIST }, headers)
      expect([status, json.messages, json.not_copied]).toEqual([200, LIST.length, []])
      expect(await listOf(system, json.conversation_id, headers)).toEqual(LIST)
    }
  })

  it('H-26 [R40] is one conversation when a peer sends it twice, and two when a person brings it twice', async () => {
    const system = await context({ visitorOf: asAna })
    const bring = async (headers: Headers) =>
      (await post(system, 'import', { messages: LIST }, headers)).json.conversation_id
    expect(await bring(BY_KEY)).toBe(await bring(BY_KEY))
    expect(await bring(BY_KEY)).not.toBe(await bring({ authorization: 'Bearer third-key' }))
    expect(await bring(BY_ANA)).not.toBe(await bring(BY_ANA))
    expect(system.messages().filter(({ imported }) => imported !== undefined)).toHaveLength(4 * LIST.length)
  })

  it('H-28 loses no id, no call, no part and no key of its own, whatever the list', async () => {
    const system = await context()
    const own = fc.dictionary(fc.stringMatching(/^x_[a-z]{1,5}$/), fc.jsonValue(), { maxKeys: 2 })
    const text = fc.string().filter((one) => !one.includes('\0'))
    const part = fc.oneof(
      fc.record({ type: fc.constant('text'), text }),
      fc.record({
        type: fc.constant('image_url'),
        image_url: fc.record({
          url: fc.constantFrom('https://a.example/b.png', 'http://c.example/?d=1', 's3://e', '...'),
          detail: fc.constantFrom('low', 'high', 'auto'),
        }),
      }),
      fc.record({
        type: fc.constant('input_audio'),
        input_audio: fc.record({ data: fc.base64String({ minLength: 4 }), format: fc.constant('mp3') }),
      }),
    )
    const turn = fc.record({
      content: fc.oneof(text, fc.array(part, { maxLength: 3 })),
      calls: fc.nat(2),
      own,
      role: fc.constantFrom('user', 'assistant', 'system'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 6 }), async (turns) => {
        const list = turns.flatMap(({ role, content, calls, own }, at): object[] => {
          const head = { ...own, id: `m${at}`, role, content }
          if (role !== 'assistant' || calls === 0) return [head]
          const ids = Array.from({ length: calls }, (_, n) => `call-${at}-${n}`)
          const made = ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } }))
          return [
            { ...head, tool_calls: made },
            ...ids.map((id) => ({ ...own, role: 'tool', tool_call_id: id, content })),
          ]
        })
        const { json } = await post(system, 'import', { messages: list })
        expect(await listOf(system, json.conversation_id)).toEqual(JSON.parse(JSON.stringify(list)))
      }),
      { numRuns: process.env.CONVENE_ALL === '1' ? 300 : 25 },
    )
  })

  it('H-26 is a task of ours: said by whoever brought it, marked with who said it there, and it sets nothing going', async () => {
    const system = await context()
    const seq = Object.keys(system.world().steps).length
    await post(system, 'import', { messages: LIST })
    const brought = system.messages().filter(({ imported }) => imported !== undefined)
    expect(brought.map(({ imported }) => [imported?.role, imported?.name])).toEqual(
      LIST.map(({ role, ...one }) => [role, 'name' in one ? one.name : null]),
    )
    expect(
      brought.every(
        ({ receivers, needReply, instruction }) => receivers.length === 0 && !needReply && instruction === null,
      ),
    ).toBe(true)
    const [task] = brought.map((message) => message.task)
    expect(task === undefined ? null : Object.values(system.world().steps[task] ?? {})).toEqual([])
    expect(Object.keys(system.world().steps)).toHaveLength(seq)
    expect(brought[1]?.attachments.map(({ body }) => body.mime)).toEqual(['audio/wav'])
    expect(brought[4]?.imported?.citations).toEqual(
      LIST[4]?.metadata && { cit_01: { source_type: 'web_search', url: 'https://a.example' } },
    )
  })

  it.each([
    ['H-02', [{ role: 'user', content: [{ type: 'video', url: 'x' }] }], 0, 'messages[0].content[0].type', 'schema'],
    [
      'H-04',
      [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: {} } }],
        },
      ],
      0,
      'messages[0].tool_calls[0].function.arguments',
      'schema',
    ],
    ['H-05', [{ role: 'tool', tool_call_id: 'c', content: 'x' }], 0, 'messages[0]', 'unknown_call'],
    [
      'H-33',
      [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '' } }],
        },
        { role: 'user', content: 'and?' },
      ],
      1,
      'messages[1]',
      'call_unanswered',
    ],
    [
      'H-01',
      [
        { role: 'user', content: 'a' },
        { role: 'robot', content: 'b' },
      ],
      1,
      'messages[1].role',
      'schema',
    ],
    [
      'H-25',
      [{ role: 'user', content: `data:image/png;base64,${'A'.repeat(80)}` }],
      0,
      'messages[0].content',
      'schema',
    ],
    [
      'H-01',
      [
        { role: 'user', id: 'a', content: 'a' },
        { role: 'user', id: 'a', content: 'b' },
      ],
      1,
      'messages[1]',
      'id_twice',
    ],
    [
      'H-01',
      [
        { role: 'assistant', name: 'A', content: 'a' },
        { role: 'assistant', name: 'B', content: 'b' },
        { role: 'assistant', content: 'c' },
      ],
      2,
      'messages[2]',
      'name_missing',
    ],
  ])(
    '%s is refused with the place and the rule, and nothing of it is kept (%#)',
    async (_, messages, at, place, rule) => {
      const system = await context()
      const before = system.messages().length
      const { status, json } = await post(system, 'import', { messages })
      expect([status, json.error, json.details]).toEqual([422, 'invalid_list', { at, place, rule }])
      expect(system.messages()).toHaveLength(before)
      expect(system.exchange().at(-1)).toMatchObject({ protocol: 'harmony', verdict: 'invalid_list', status: 422 })
    },
  )
})

describe('whoever calls', () => {
  it('H-26 [R54] without a key or a session, with a strange key, without the right: refused, and nothing is said of what there is', async () => {
    const system = await context({ visitorOf: asAna })
    const mine = (await post(system, 'import', { messages: LIST })).json.conversation_id
    const refused = async (headers: Headers) => [
      (await post(system, 'import', { messages: LIST }, headers)).status,
      (await give(system, `conversation_id=${mine}`, headers)).status,
    ]
    expect(await refused({})).toEqual([401, 401])
    expect(await refused({ authorization: 'Bearer wrong' })).toEqual([401, 401])
    expect(await refused({ authorization: 'Bearer mute-key' })).toEqual([403, 403])
    expect((await give(system, `conversation_id=${mine}`, { authorization: 'Bearer third-key' })).status).toBe(404)
    expect((await give(system, `conversation_id=${mine}`, { cookie: 'lee' })).status).toBe(404)
    expect((await give(system, `conversation_id=${mine}`, BY_ANA)).status).toBe(200)
    expect((await give(system, `task_id=${Object.keys(system.world().tasks).at(-1)}`)).status).toBe(404)
    expect((await give(system, '')).status).toBe(400)
    expect((await give(system, 'conversation_id=__proto__', BY_ANA)).status).toBe(404)
  })

  it('H-26 too much, the wrong type or the wrong method: the documented code', async () => {
    const system = await context()
    const large = { messages: [{ role: 'user', content: 'a'.repeat(11 * 1024 * 1024) }] }
    expect((await post(system, 'import', large).catch(() => ({ status: 413 }))).status).toBe(413)
    expect(system.exchange().at(-1)).toMatchObject({ verdict: 'too_large', status: 413 })
    const many = { messages: Array.from({ length: 1_001 }, () => ({ role: 'user', content: 'a' })) }
    expect((await post(system, 'import', many)).status).toBe(413)
    expect((await post(system, 'import', '{', BY_KEY)).status).toBe(400)
    expect((await post(system, 'import', '[]', { ...BY_KEY, 'content-type': 'text/plain' })).status).toBe(415)
    expect((await system.call('/api/harmony/import', { headers: BY_KEY })).status).toBe(405)
    expect((await system.call('/api/harmony/nothing', { headers: BY_KEY })).status).toBe(404)
  })
})

const packet = (more: object = {}, meta: object = {}) => ({
  protocol: 'harmony_handoff_v1',
  meta: { source_agent: 'planner_v2', target_agent: 'Reader', timestamp: '2024-03-20T10:00:00Z', ...meta },
  context: {
    primary_objective: '为用户构建一个 Python 贪吃蛇游戏',
    status: 'in_progress',
    completed_steps: ['需求分析'],
    next_immediate_step: '编写核心游戏循环代码',
    constraints: ['背景颜色设为黑色'],
    artifacts: { design_doc: 's3://a/spec.md', x_rows: [1, 2] },
    ...more,
  },
  history_summary: 'First 3D, then 2D.',
})

describe('a job that is handed over', () => {
  it('H-29 reaches the agent whole, in a conversation of its own, once, and its answer is fetched by export', async () => {
    const system = await context()
    const { status, json } = await post(system, 'handoff', packet())
    expect(status).toBe(200)
    const [heard] = system.heard()
    expect(heard?.receivers).toEqual([TEAM.reader.id])
    expect(readHandoff(heard?.text ?? '')).toEqual(packet())
    const told = Object.values(system.world().messages[heard?.task ?? asId('')] ?? {})
    expect(told[0]).toBe(heard)
    expect((await post(system, 'handoff', packet())).json).toEqual(json)
    expect(system.heard()).toHaveLength(1)

    await system.until(() =>
      system.messages().some(({ sender, task }) => sender === TEAM.reader.id && task === heard?.task),
    )
    const list = HarmonyMessages.parse(await listOf(system, json.conversation_id))
    expect(listProblems(list, 2)).toEqual([])
    expect(list.map(({ role, name }) => [role, name])).toEqual([
      ['assistant', 'planner_v2'],
      ['assistant', 'Reader'],
    ])
    const answer = system.messages().findLast(({ sender }) => sender === TEAM.reader.id)
    const receipt = answer && system.world().receipts[answer.task]?.[answer.receivers[0] ?? asId('')]?.[answer.id]
    expect(receipt?.state).toBe('delivered')
  })

  it('H-06 stands alone and keeps its objective, from a person too', async () => {
    const system = await context({ visitorOf: asAna })
    const { status, json } = await post(system, 'handoff', packet(), BY_ANA)
    expect(status).toBe(200)
    const task = Object.values(system.world().tasks).find(({ id }) => id === json.conversation_id)
    expect([task?.intention, task?.manager]).toEqual([packet().context.primary_objective, TEAM.reader.id])
  })

  it.each([
    [packet({ primary_objective: '' }), 422, 'invalid_packet'],
    [packet({}, { target_agent: 'Nobody' }), 422, 'agent_not_found'],
    [packet({}, { target_agent: 'Ana' }), 422, 'agent_not_found'],
    [packet({}, { source_agent: 'agent://third.example/a' }), 403, 'not_allowed'],
    [packet({ completed_steps: ['x'.repeat(70_000)] }), 413, 'too_large'],
    [{ protocol: 'harmony_handoff_v2' }, 422, 'invalid_packet'],
  ])('H-06 is refused when it is none, goes to nobody, or is too large (%#)', async (body, status, error) => {
    const system = await context()
    const answer = await post(system, 'handoff', body)
    expect([answer.status, answer.json.error]).toEqual([status, error])
    expect(system.heard()).toEqual([])
  })
})

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
    await importList(system.parts, { person: TEAM.ana.id }, read, false, turn)
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
