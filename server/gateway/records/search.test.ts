import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { event } from '@/lib/mas/events'
import { asId, type MessageId, type RequestId, type StepId, type TaskId } from '@/lib/mas/ids'
import type { PastMessagesPage, SearchAnswer } from '@/lib/wire'
import { longestBlock } from '@/test/loopBlocks'
import { openDouble } from '../test/gatewayDouble'
import { openSearched } from '../test/searched'
import { facts, ID, seed } from '../test/world'
import { search } from './search'

async function find(person: string, query: string, more = ''): Promise<SearchAnswer['hits']> {
  const { call, signIn } = await openSearched()
  const path = `/api/search?q=${encodeURIComponent(query)}${more}`
  const answer = await call('GET', path, { cookie: await signIn(person) })
  expect(answer.status).toBe(200)
  return (answer.json as SearchAnswer).hits
}

describe('search', () => {
  it('a task is found by a word of its name, and by its id with or without the prefix', async () => {
    const byWord = await find('ana', 'PRICES')
    expect(byWord.some(({ kind, id }) => kind === 'task' && id === ID.prices)).toBe(true)
    for (const query of [ID.prices, `TaskState_${ID.prices}`]) {
      const [first] = await find('ana', query)
      expect(first).toMatchObject({ kind: 'task', id: ID.prices })
    }
  })

  it('an id is resolved as a uuid, a StateID or a configured id, for those who may read its record', async () => {
    const { call, signIn } = await openSearched()
    const cookie = await signIn('ben')
    const meaning = async (id: string) => (await call('GET', `/api/find/${encodeURIComponent(id)}`, { cookie })).json
    for (const id of [ID.prices, `TaskState_${ID.prices}`]) {
      expect(await meaning(id)).toMatchObject({ kind: 'task', id: ID.prices })
    }
    for (const id of ['ben', ID.ben, `HumanAgent_${ID.ben}`]) {
      expect(await meaning(id)).toMatchObject({ kind: 'agent', id: ID.ben })
    }
    for (const id of [ID.secret, 'nobody', 'constructor', randomUUID()]) {
      expect(await meaning(id)).toMatchObject({ error: 'NOT_FOUND' })
    }
  })

  it('nothing is found of a task that the person may not read', async () => {
    expect((await find('ana', ID.secret)).map(({ id }) => id)).toContain(ID.secret)
    expect(await find('ben', ID.secret)).toEqual([])
    expect((await find('ben', 'e')).filter(({ task }) => task === ID.secret)).toEqual([])
  })

  it('a member of the team is found by their id by those who share a task with them, and by those who see all', async () => {
    const { call, engine, signIn } = await openSearched()
    const [ana, ben] = [await signIn('ana'), await signIn('ben')]
    const idsOf = async (cookie: string, query: string) =>
      ((await call('GET', `/api/search?q=${query}`, { cookie })).json as SearchAnswer).hits.map(({ id }) => id)
    const base = engine.world().tasks[ID.base]
    expect(base?.group).toContain(ID.dev)
    // Dev and Ben share the base task only, as all people do.
    expect(await idsOf(ben, ID.dev)).toEqual([ID.dev])
    await engine.put([event('task.participantsChanged', { task: ID.base, added: [], removed: [ID.dev] })])
    expect([await idsOf(ben, ID.dev), await idsOf(ana, ID.dev)]).toEqual([[], [ID.dev]])
    expect(await idsOf(ben, ID.reader)).toEqual([ID.reader])
    // By name and role alike, where each word is in them.
    const named = async (cookie: string, query: string) =>
      (await idsOf(cookie, query)).filter((id) => [ID.dev, ID.reader].some((one) => one === id))
    expect([await named(ben, 'Dev'), await named(ana, 'Dev')]).toEqual([[], [ID.dev]])
    expect(await named(ana, 'Dev%20zebra-crossing')).toEqual([])
    expect(await named(ana, 'Dev&kind=message')).toEqual([])
    expect(await named(ana, 'tester%20dev')).toEqual([ID.dev])
  })

  it('a step is named by what it is for, else by its skill', async () => {
    const { call, engine, signIn } = await openSearched()
    const cookie = await signIn('ben')
    const step = asId<StepId>('00000000-0000-4000-8000-0000000003f7')
    const textOf = async (id: string) =>
      ((await call('GET', `/api/search?q=${id}`, { cookie })).json as SearchAnswer).hits.map(({ text }) => text)
    await engine.put([event('step.added', seed(step, ID.prices, { intention: '', executor: 'reflection' }))])
    expect([await textOf(ID.step), await textOf(step)]).toEqual([['Read the list'], ['Reflection']])
  })

  it('a hit says what it is, whose, in which task, and has the match in one line of its text', async () => {
    const { call, engine, signIn, caughtUp } = await openSearched()
    const ben = await signIn('ben')
    const hitsOf = async (query: string, kind = '') =>
      ((await call('GET', `/api/search?q=${query}${kind}`, { cookie: ben })).json as SearchAnswer).hits
    const long = `${'a '.repeat(60)}the osmium list ${'b '.repeat(200)}`
    const sent = facts.find((one) => one.type === 'message.sent' && one.message === ID.question)
    if (sent?.type !== 'message.sent') throw new Error('no question')
    const message = asId<MessageId>('00000000-0000-4000-8000-000000000488')
    await engine.put([{ ...sent, message, text: long, dispatch: 'd9' }])
    await caughtUp()
    const [hit] = await hitsOf('osmium')
    expect(hit).toMatchObject({ kind: 'message', id: message, title: 'Reader', task: ID.prices, taskName: 'Prices' })
    expect(hit?.text).toMatch(/^…[a ]+the osmium list [b ]+…$/)
    expect(hit?.text.indexOf('osmium')).toBeLessThanOrEqual(61)
    const [task] = await hitsOf('Prices', '&kind=task')
    expect(task).toMatchObject({ id: ID.prices, title: 'Prices', taskName: 'Prices', text: 'Prices, whole' })
    // By its earlier name it is found under the one that it has now.
    await engine.put([event('task.renamed', { task: ID.prices, name: 'Costs' })])
    const [renamed] = (await hitsOf('whole', '&kind=task')).filter(({ id }) => id === ID.prices)
    expect(renamed).toMatchObject({ title: 'Costs', taskName: 'Costs' })
    expect(await hitsOf('READ', '&kind=agent')).toMatchObject([{ kind: 'agent', id: ID.reader, title: 'Reader' }])
    expect((await hitsOf(ID.stage))[0]).toMatchObject({ kind: 'stage', id: ID.stage, text: 'read the lists' })
  })

  it('who was removed from a task finds what was said before that, and nothing of later', async () => {
    const { call, engine, signIn, caughtUp } = await openSearched()
    const ben = await signIn('ben')
    const sent = facts.find((one) => one.type === 'message.sent' && one.message === ID.question)
    if (sent?.type !== 'message.sent') throw new Error('no question')
    const say = (n: number) => ({
      ...sent,
      message: asId<MessageId>(`00000000-0000-4000-8000-00000000049${n}`),
      text: `rhenium ${n}`,
      dispatch: `d9${n}`,
    })
    await engine.put([
      say(1),
      event('task.participantsChanged', { task: ID.prices, added: [], removed: [ID.ben] }),
      say(2),
    ])
    await caughtUp()
    const { hits } = (await call('GET', '/api/search?q=rhenium', { cookie: ben })).json as SearchAnswer
    expect(hits.map(({ text }) => text)).toEqual(['rhenium 1'])
  })

  it('every word must match, and an empty query finds nothing', async () => {
    expect(await find('ana', 'prices zebra-crossing')).toEqual([])
    const { call, signIn } = await openDouble()
    expect((await call('GET', '/api/search?q=', { cookie: await signIn('ben') })).status).toBe(400)
    expect((await call('GET', '/api/search?q=x')).status).toBe(401)
  })

  it('hits of one kind are paged newest first, each once, with how far the index has read', async () => {
    const { call, signIn, engine, caughtUp } = await openSearched()
    const cookie = await signIn('ana')
    for (let n = 0; n < 12; n++) {
      const body = { id: randomUUID(), until: engine.world().at + 60_000, task: ID.base, receivers: [ID.ben] }
      const rest = { type: 'fyi', stage: null, answers: null, replyTo: null, mention: false }
      const sent = await call('POST', '/api/messages', {
        cookie,
        body: { ...body, ...rest, text: `价格表 number ${n}` },
      })
      expect(sent.status).toBe(200)
    }
    await caughtUp()
    const seen: string[] = []
    let before: number | null = null
    for (let page = 0; page < 5; page++) {
      const from = before === null ? '' : `&before=${before}`
      const path: string = `/api/search?q=${encodeURIComponent('价格 numb')}&kind=message&limit=5${from}`
      const answer = (await call('GET', path, { cookie })).json as SearchAnswer
      expect([answer.indexedTo, answer.head]).toEqual([engine.world().seq, engine.world().seq])
      seen.push(...answer.hits.map(({ text }) => text))
      before = answer.next
      if (before === null) break
    }
    expect(seen).toEqual(Array.from({ length: 12 }, (_, n) => `价格表 number ${11 - n}`))
    // Ben is a receiver, Dev sees everything, Gone has no part in the threads of others.
    const ofBen = (await call('GET', '/api/search?q=numb', { cookie: await signIn('ben') })).json as SearchAnswer
    expect(ofBen.hits.filter(({ kind }) => kind === 'message')).toHaveLength(8)
  })

  it('a message to many is one hit, on whatever page its last copy would be', async () => {
    const { call, signIn, engine, caughtUp } = await openSearched()
    const cookie = await signIn('ana')
    for (const text of ['thulium one', 'thulium two']) {
      const body = { id: randomUUID(), until: engine.world().at + 60_000, task: ID.base, receivers: [ID.ben, ID.dev] }
      const rest = { type: 'fyi', stage: null, answers: null, replyTo: null, mention: false }
      expect((await call('POST', '/api/messages', { cookie, body: { ...body, ...rest, text } })).status).toBe(200)
    }
    await caughtUp()
    const page = async (more = ''): Promise<SearchAnswer> =>
      (await call('GET', `/api/search?q=thulium&kind=message${more}`, { cookie })).json as SearchAnswer
    expect((await page()).hits.map(({ text }) => text)).toEqual(['thulium two', 'thulium one'])
    const first = await page('&limit=1')
    expect(first.hits.map(({ text }) => text)).toEqual(['thulium two'])
    const second = await page(`&limit=1&before=${first.next}`)
    expect(second.hits.map(({ text }) => text)).toEqual(['thulium one'])
  })

  it('a participant finds only their own threads of the base task', async () => {
    const { call, signIn, engine, caughtUp } = await openSearched()
    const cookie = await signIn('ana')
    const body = { id: randomUUID(), until: engine.world().at + 60_000, task: ID.base, receivers: [ID.dev] }
    const rest = { type: 'fyi', stage: null, answers: null, replyTo: null, mention: false }
    await call('POST', '/api/messages', { cookie, body: { ...body, ...rest, text: 'zirconium' } })
    await caughtUp()
    const kinds = async (person: string) =>
      ((await call('GET', '/api/search?q=zirconium', { cookie: await signIn(person) })).json as SearchAnswer).hits.map(
        ({ kind }) => kind,
      )
    expect(await kinds('dev')).toContain('message')
    expect(await kinds('ben')).toEqual([])
  })

  it('records that were evicted from the world are found', async () => {
    const { call, signIn, engine, caughtUp } = await openSearched()
    const before = engine.world().messages[ID.prices]?.[ID.question]
    if (!before) throw new Error('the question is not there')
    await engine.put([event('records.evicted', { task: ID.prices, steps: {}, messages: [ID.question], requests: [] })])
    await caughtUp()
    expect(engine.world().messages[ID.prices]?.[ID.question]).toBeUndefined()
    const word = before.text.split(/\s/)[0] ?? ''
    const path = `/api/search?q=${encodeURIComponent(word)}&kind=message`
    const ofAna = (await call('GET', path, { cookie: await signIn('ana') })).json as SearchAnswer
    expect(ofAna.hits.map(({ id }) => id)).toContain(ID.question)
    const ofBen = (await call('GET', path, { cookie: await signIn('ben') })).json as SearchAnswer
    expect(ofBen.hits.map(({ id }) => id)).toContain(ID.question)
  })

  it('[R816] old messages of a talk are found by its two members only, and never live ones', async () => {
    const { call, signIn, engine, caughtUp } = await openSearched()
    const [ana, ben, dev] = [await signIn('ana'), await signIn('ben'), await signIn('dev')]
    const head = () => ({ id: `talk-${randomUUID()}`, until: Date.UTC(2030, 0) })
    const opened = await call('POST', '/api/talks', { cookie: ben, body: { ...head(), with: 'reader' } })
    const talk = (opened.json.reply as { task: TaskId }).task
    const plain = { mention: false, type: 'fyi', stage: null, replyTo: null, answers: null }
    const wish = { ...head(), ...plain, task: talk, receivers: [ID.reader], text: 'a quetzal between us' }
    expect((await call('POST', '/api/messages', { cookie: ben, body: wish })).status).toBe(200)
    await caughtUp()
    const left = async (cookie: string, other: string, more = '') =>
      (await call('GET', `/api/direct/${other}/left${more}`, { cookie })).json as PastMessagesPage
    const messagesOf = ({ rows }: PastMessagesPage) => rows.flatMap((row) => (row.of === 'message' ? [row.record] : []))
    const hits = async (cookie: string) =>
      ((await call('GET', '/api/search?q=quetzal', { cookie })).json as SearchAnswer).hits.map(({ kind }) => kind)
    expect(messagesOf(await left(ben, 'reader'))).toEqual([])
    const [before] = Object.values(engine.world().messages[talk] ?? {})
    if (before === undefined) throw new Error('the message is not there')
    for (const isThere of [true, false]) {
      expect(await hits(ben)).toContain('message')
      expect([await hits(ana), await hits(dev)]).toEqual([[], []])
      if (isThere)
        await engine.put([event('records.evicted', { task: talk, steps: {}, messages: [before.id], requests: [] })])
      await caughtUp()
    }
    const page = await left(ben, 'reader')
    expect(messagesOf(page)).toEqual([before])
    expect(page.next).toBeNull()
    expect(messagesOf(await left(ben, 'reader', `?before=${before.seq}`))).toEqual([])
    expect(messagesOf(await left(ana, 'reader'))).toEqual([])
    expect((await call('GET', '/api/direct/nobody/left', { cookie: ben })).status).toBe(404)
  })

  it('a search reads as many entries as it shows, however many there are', async () => {
    const { call, signIn, engine, store, caughtUp } = await openSearched()
    const seed = {
      asked: [ID.ben],
      asker: ID.reader,
      type: 'action' as const,
      message: null,
      step: null,
      stage: null,
      lock: null,
    }
    const rest = { thread: null, choices: [], call: null, fingerprint: 'f', question: 'Which manganese holds?' }
    await engine.put(
      Array.from({ length: 400 }, (_, n) =>
        event('request.opened', {
          task: ID.prices,
          request: asId<RequestId>(`00000000-0000-4000-8000-${700_000_000_000 + n}`),
          seed: { kind: 'answer', number: n, ...seed, ...rest },
        }),
      ),
    )
    await caughtUp()
    const cookie = await signIn('ben')
    const read = store.journal.read
    let reads = 0
    store.journal.read = (...at) => {
      reads += 1
      return read(...at)
    }
    const { hits } = (await call('GET', '/api/search?q=manganese', { cookie })).json as SearchAnswer
    expect(hits).toHaveLength(8)
    expect(reads).toBe(8)
  })
})

it('[R75] the event loop turns between the index queries of one search', async () => {
  const { engine, store } = await openSearched()
  const slow = {
    ...store.search,
    find: async () => {
      const until = performance.now() + 40
      while (performance.now() < until);
      return []
    },
  }
  const person = engine.world().agents[ID.ana]
  if (!person) throw new Error('Ana is gone')
  const asked = { query: 'the a of', kind: null, before: null, limit: 8 }
  const past = { task: async () => null }
  const parts = { world: engine.world, store: { journal: store.journal, search: slow }, past, upTo: () => 0 }
  const { blockMs } = await longestBlock(() => search(parts, person, asked))
  expect(blockMs).toBeLessThan(100)
})
