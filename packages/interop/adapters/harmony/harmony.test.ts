/** Conversations in and out as Harmony lists, and jobs handed over, over HTTP: by key, and by people of ours. */
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { Fault } from '@/lib/faults'
import { asId } from '@/lib/mas/ids'
import { readHandoff } from '@/lib/protocols/harmony/handoff'
import { HarmonyMessages, listProblems } from '@/lib/protocols/harmony/message'
import { TEAM, teamConfig } from '@/test/worldHistories'
import {
  asAna,
  BY_ANA,
  BY_KEY,
  context,
  give,
  type Headers,
  LIST,
  listOf,
  peers,
  post,
} from '../../test/adapters/harmony'

describe('a list that is brought in', () => {
  it('H-26 [R53] comes back from export as it went in, for a peer and for a person', async () => {
    const system = await context({ visitorOf: asAna })
    for (const headers of [BY_KEY, BY_ANA]) {
      const { status, json } = await post(system, 'import', { messages: LIST }, headers)
      expect([status, json.messages, json.not_copied]).toEqual([200, LIST.length, []])
      expect(await listOf(system, json.conversation_id, headers)).toEqual(LIST)
    }
  })

  it('H-03 [R54] 002-18 has parts that each can be fetched by its address, by those who may read the list', async () => {
    const system = await context({ visitorOf: asAna })
    const { json } = await post(system, 'import', { messages: LIST })
    const part = (address: string, headers: Headers = BY_KEY) => {
      const query = new URLSearchParams({ conversation_id: String(json.conversation_id), part: address })
      return system.call(`/api/harmony/media?${query}`, { headers })
    }
    const [, user] = LIST
    for (const [at, one] of (Array.isArray(user?.content) ? user.content : []).entries())
      expect(await part(`m2#${at}`)).toMatchObject({ status: 200, json: one })
    expect((await part('m5#0')).json).toEqual({ type: 'text', text: 'It is 7 [cit_01].' })
    for (const none of ['m2#3', 'm2', 'm9#0', 'm3#0', '']) expect((await part(none)).status).toBe(404)
    expect((await part('m2#0', BY_ANA)).status).toBe(200)
    const others: Record<string, string>[] = [{ authorization: 'Bearer third-key' }, { cookie: 'lee' }]
    for (const headers of others) expect((await part('m2#0', headers)).status).toBe(404)
    expect((await part('m2#0', {})).status).toBe(401)
  })

  it('H-20 is taken with three faults, which the answer names; it comes back as it came, and any other fault refuses it', async () => {
    const system = await context()
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{half' } }
    const list = [
      { role: 'user', content: 'Look.' },
      { id: 'm2', role: 'assistant', content: null, tool_calls: [call] },
      { id: 'm3', role: 'tool', tool_call_id: 'c', content: 'no' },
      { role: 'assistant', content: null },
    ]
    const { status, json } = await post(system, 'import', { messages: list })
    expect([status, json.mended]).toEqual([
      200,
      [
        { at: 0, what: 'no_id' },
        { at: 1, what: 'arguments_no_json' },
        { at: 3, what: 'no_id' },
        { at: 3, what: 'no_content' },
      ],
    ])
    expect(await listOf(system, json.conversation_id)).toEqual(list)
    expect((await post(system, 'import', { messages: [{ role: 'user', content: null }] })).status).toBe(422)
    const whole = [{ id: 'm1', role: 'user', content: 'Look.' }]
    expect((await post(system, 'import', { messages: whole })).json.mended).toEqual([])
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

  it('H-26 is a task of ours: said by the one who brought it, marked with who said it there, and it starts nothing', async () => {
    const system = await context()
    const seq = Object.keys(system.world().steps).length
    await post(system, 'import', { messages: LIST })
    const brought = system.messages().filter(({ imported }) => imported !== undefined)
    expect(brought.map(({ imported }) => [imported?.role, imported?.name])).toEqual(
      LIST.map(({ role, ...one }) => [role, 'name' in one ? one.name : null]),
    )
    expect(
      brought.every(
        ({ receivers, type, instruction }) => receivers.length === 0 && type === 'fyi' && instruction === null,
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

  it('H-26 a list that was taken gets its first answer again, also when nobody is there to take it now', async () => {
    const system = await context()
    const first = await post(system, 'import', { messages: LIST })
    const { agents } = teamConfig()
    const gone = agents.filter(({ kind }) => kind === 'human')
    await system.put('system:start', { ...teamConfig(), agents: gone, peers })
    expect((await post(system, 'import', { messages: LIST })).json).toEqual(first.json)
    const other = await post(system, 'import', { messages: [...LIST, { role: 'user', content: 'And now?' }] })
    expect([other.status, other.json.error]).toEqual([422, 'agent_not_found'])
  })

  it('H-26 keeps the sources of a text up to 16 KiB with its message, larger ones in the list alone', async () => {
    const system = await context()
    const sources = (bytes: number) => {
      const made = (words: string) => ({ c: { source_type: 'web_search', url: 'https://a.example', quote: words } })
      return made('x'.repeat(bytes - JSON.stringify(made('')).length))
    }
    const messages = [16 * 1024, 16 * 1024 + 1].map((bytes, at) => ({
      id: `m${at}`,
      role: 'assistant',
      content: 'It is 7 [c].',
      metadata: { citation_map: sources(bytes) },
    }))
    const { json } = await post(system, 'import', { messages })
    const brought = system.messages().filter(({ imported }) => imported !== undefined)
    expect(brought.map(({ imported }) => imported?.citations !== undefined)).toEqual([true, false])
    expect(await listOf(system, json.conversation_id)).toEqual(messages)
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

describe('the caller', () => {
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
    const delivery = answer && system.world().deliveries[answer.task]?.[answer.receivers[0] ?? asId('')]?.[answer.id]
    expect(delivery?.state).toBe('delivered')
  })

  it('an export by a person delivers nothing to the peer', async () => {
    const system = await context({ visitorOf: asAna })
    const { json } = await post(system, 'handoff', packet())
    const answered = () => system.messages().find(({ sender }) => sender === TEAM.reader.id)
    await system.until(() => answered() !== undefined)
    const answer = answered()
    const stateOf = () =>
      answer && system.world().deliveries[answer.task]?.[answer.receivers[0] ?? asId('')]?.[answer.id]
    expect(await listOf(system, json.conversation_id, BY_ANA)).toHaveLength(2)
    expect(stateOf()?.state).toBe('queued')
    await listOf(system, json.conversation_id)
    expect(stateOf()?.state).toBe('delivered')
  })

  it('a fetch that the store refuses to note is logged as that, and the message still waits', async () => {
    const system = await context()
    const { json } = await post(system, 'handoff', packet())
    const answered = () => system.messages().find(({ sender }) => sender === TEAM.reader.id)
    await system.until(() => answered() !== undefined)
    const said: unknown[] = []
    for (const level of ['info', 'warn'] as const)
      vi.spyOn(system.parts.log, level).mockImplementation((data, words) => said.push([level, words, data]))
    const commit = vi.spyOn(system.parts.engine, 'commit')
    commit.mockResolvedValue({ ok: false, fault: new Fault('STORE_BROKEN') })
    expect(await listOf(system, json.conversation_id)).toHaveLength(2)
    commit.mockRestore()
    const stated = { outgoing: expect.any(String), code: 'STORE_BROKEN' }
    expect(said).toEqual([['warn', 'a fetched message could not be marked as delivered', stated]])
    const answer = answered()
    const stateOf = () =>
      answer && system.world().deliveries[answer.task]?.[answer.receivers[0] ?? asId('')]?.[answer.id]
    expect(stateOf()?.state).not.toBe('delivered')
    await listOf(system, json.conversation_id)
    expect(stateOf()?.state).toBe('delivered')
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
