/** How far a search reaches: what is found of threads of others, after records left the world, and behind much that is hidden. */
import { describe, expect, it } from 'vitest'
import { event } from '@/lib/mas/events'
import { type AgentId, asId, type MessageId, type RequestId, type StepId, type ThreadId } from '@/lib/mas/ids'
import type { SearchAnswer, SearchHit } from '@/lib/wire'
import { openSearched } from '../test/searched'
import { facts, ID, seed } from '../test/world'

const idOf = <Id extends string>(n: number) => asId<Id>(`00000000-0000-4000-8000-${800_000_000_000 + n}`)
const sent = (() => {
  const found = facts.find((one) => one.type === 'message.sent' && one.message === ID.question)
  if (found?.type !== 'message.sent') throw new Error('the world has no question')
  return found
})()
const said = (n: number, more: Partial<typeof sent>) => ({
  ...sent,
  waiting: null,
  kind: 'fyi' as const,
  stage: null,
  fromStep: null,
  dispatch: `r${n}`,
  task: ID.base,
  message: idOf<MessageId>(n),
  ...more,
})
const asks = (n: number, question: string, asked: AgentId[], thread: ThreadId | null) =>
  event('request.opened', {
    task: thread === null ? ID.prices : ID.base,
    request: idOf<RequestId>(n),
    seed: {
      kind: 'answer',
      asked,
      asker: ID.reader,
      type: 'action',
      message: null,
      step: null,
      stage: null,
      lock: null,
      thread,
      number: n,
      question,
      choices: [],
      call: null,
      fingerprint: 'f',
    },
  })
const ANAS = asId<ThreadId>(idOf<MessageId>(1))

async function opened() {
  const town = await openSearched()
  const [ana, ben] = [await town.signIn('ana'), await town.signIn('ben')]
  const search = async (cookie: string, query: string): Promise<SearchAnswer> =>
    (await town.call('GET', `/api/search?q=${query}`, { cookie })).json as SearchAnswer
  const hits = async (cookie: string, query: string): Promise<SearchHit[]> => (await search(cookie, query)).hits
  const ids = async (cookie: string, query: string) => (await hits(cookie, query)).map(({ id }) => id)
  return { ...town, ana, ben, search, hits, ids }
}

describe('a thread of the base task', () => {
  it('is found by its people and those who see all: its messages, requests and steps, by words and by id', async () => {
    const { engine, ana, ben, ids, caughtUp } = await opened()
    const step = idOf<StepId>(3)
    await engine.put([
      said(1, { sender: ID.ana, receivers: [ID.manager], text: 'osmium wish' }),
      asks(2, 'osmium grade', [ID.ana], ANAS),
      event('step.added', seed(step, ID.base, { agent: ID.manager, thread: ANAS, intention: 'osmium plan' })),
    ])
    await caughtUp()
    const all: string[] = [idOf(2), idOf(1), step]
    expect(await ids(ana, 'osmium')).toEqual(all)
    expect(await ids(ben, 'osmium')).toEqual([])
    for (const id of all) {
      expect(await ids(ana, id)).toEqual([id])
      expect(await ids(ben, id)).toEqual([])
    }
  })

  it('a request of it is found by a person who is asked, and by no other', async () => {
    const { engine, ben, ids, caughtUp } = await opened()
    await engine.put([
      said(1, { sender: ID.ana, receivers: [ID.manager], text: 'a wish' }),
      asks(2, 'iridium grade', [ID.dev], ANAS),
      asks(3, 'iridium price', [ID.ben], ANAS),
    ])
    await caughtUp()
    expect(await ids(ben, 'iridium')).toEqual([idOf(3)])
    expect([await ids(ben, idOf(2)), await ids(ben, idOf(3))]).toEqual([[], [idOf(3)]])
  })
})

describe('what left the world', () => {
  it('a step is found by those who could read it, and its words by nobody else', async () => {
    const { engine, ana, ben, ids, caughtUp } = await opened()
    const [open, hidden] = [idOf<StepId>(4), idOf<StepId>(5)]
    await engine.put([
      said(1, { sender: ID.ana, receivers: [ID.manager], text: 'a wish' }),
      event('step.added', seed(open, ID.prices, { intention: 'gallium' })),
      event('step.added', seed(hidden, ID.base, { agent: ID.manager, thread: ANAS, intention: 'gallium' })),
      event('records.evicted', { task: ID.prices, steps: { [ID.reader]: [open] }, messages: [], requests: [] }),
      event('records.evicted', { task: ID.base, steps: { [ID.manager]: [hidden] }, messages: [], requests: [] }),
    ])
    await caughtUp()
    expect(await ids(ana, 'gallium')).toEqual([hidden, open])
    expect(await ids(ben, 'gallium')).toEqual([open])
    await engine.put([event('task.participantsChanged', { task: ID.prices, added: [], removed: [ID.ben] })])
    expect(await ids(ben, 'gallium')).toEqual([open])
  })

  it('a step that was made after a person was removed is not found by them', async () => {
    const { engine, ben, ids, caughtUp } = await opened()
    const [before, after] = [idOf<StepId>(4), idOf<StepId>(5)]
    await engine.put([
      event('step.added', seed(before, ID.prices, { intention: 'gallium' })),
      event('task.participantsChanged', { task: ID.prices, added: [], removed: [ID.ben] }),
      event('step.added', seed(after, ID.prices, { intention: 'gallium' })),
    ])
    await caughtUp()
    expect(await ids(ben, 'gallium')).toEqual([before])
    expect([await ids(ben, before), await ids(ben, after)]).toEqual([[before], []])
  })

  it('a member who was removed is not found by name, and a hit still names them', async () => {
    const { engine, ana, hits, ids, caughtUp } = await opened()
    await engine.put([said(1, { sender: ID.reader, receivers: [ID.ben], text: 'palladium' })])
    await caughtUp()
    expect(await ids(ana, 'reader')).toContain(ID.reader)
    await engine.put([event('agent.removed', { agent: ID.reader })])
    expect(await ids(ana, 'reader')).not.toContain(ID.reader)
    expect(await hits(ana, 'palladium')).toMatchObject([{ title: 'Reader' }])
  })
})

it('a task that left the world is found under its name by those who see all, and by its members', async () => {
  const { engine, ana, ben, hits, caughtUp } = await opened()
  await engine.put([event('task.archived', { task: ID.prices, agents: [] })])
  await caughtUp()
  for (const cookie of [ana, ben]) {
    const found = (await hits(cookie, 'prices')).filter(({ kind }) => kind === 'task')
    expect(found).toMatchObject([{ id: ID.prices, title: 'Prices', taskName: 'Prices', text: 'Prices, whole' }])
  }
})

it('what is no id of a record is looked for by its words alone', async () => {
  const { ana, ids } = await opened()
  for (const word of ['constructor', '__proto__', 'toString']) expect(await ids(ana, word)).toEqual([])
})

describe('a hit', () => {
  it('of a stage has the name of its task, of a task without more words its name as text', async () => {
    const { engine, ana, hits, caughtUp } = await opened()
    await engine.put([event('task.renamed', { task: ID.prices, name: 'Rhodium list' })])
    await caughtUp()
    expect(await hits(ana, 'rhodium')).toMatchObject([{ kind: 'task', title: 'Rhodium list', text: 'Rhodium list' }])
    const stages = (await hits(ana, 'read')).filter(({ kind }) => kind === 'stage')
    expect(stages).toMatchObject([{ id: ID.stage, title: 'Rhodium list', taskName: 'Rhodium list' }])
  })

  it('of a record by its id has the name of who said, asked or does it, and of the task where it says it itself', async () => {
    const { engine, ana, hits, caughtUp } = await opened()
    const own = said(1, { task: ID.prices, sender: 'system:task', receivers: [ID.ben], text: 'All is read.' })
    await engine.put([own])
    await caughtUp()
    const titles = [ID.question, ID.ask, ID.step, own.message].map(async (id) => (await hits(ana, id))[0]?.title)
    expect(await Promise.all(titles)).toEqual(['Reader', 'Reader', 'Reader', 'Prices'])
  })

  it('shows a short text whole, and a match at the beginning or the end of a long one without dots there', async () => {
    const { engine, ana, hits, caughtUp } = await opened()
    const text = (n: number, words: string) => said(n, { sender: ID.ben, receivers: [ID.ana], text: words })
    const long = 'ab '.repeat(100).trim()
    await engine.put([text(1, 'short thallium'), text(2, `thallium ${long}`), text(3, `${long} thallium`)])
    await caughtUp()
    const [end = '', begin = '', short = ''] = (await hits(ana, 'thallium')).map((hit) => hit.text)
    expect(short).toBe('short thallium')
    expect([begin.startsWith('thallium'), begin.endsWith('…'), begin.length]).toEqual([true, true, 121])
    expect([end.startsWith('…'), end.endsWith('thallium'), end.length]).toEqual([true, true, 69])
  })
})

describe('hits behind much that is hidden', () => {
  /** So many messages of Ana's, newer than one of Ben's. */
  async function behind(count: number) {
    const town = await opened()
    const own = said(0, { sender: ID.ben, receivers: [ID.manager], text: 'tellurium mine' })
    const hidden = Array.from({ length: count }, (_, n) =>
      said(n + 1, { sender: ID.ana, receivers: [ID.manager], text: `tellurium ${n}` }),
    )
    await town.engine.put([own, ...hidden])
    await town.caughtUp()
    const page = (more = '') => town.search(town.ben, `tellurium&kind=message&limit=5${more}`)
    return { ...town, page }
  }

  it('are found on the first page behind 399 messages of others', async () => {
    const { page } = await behind(399)
    expect(await page()).toMatchObject({ hits: [{ text: 'tellurium mine' }], next: null })
  })

  it('are on the next page behind more of them than one search reads', async () => {
    const { page } = await behind(410)
    const first = await page()
    expect(first.hits).toEqual([])
    expect(first.next).not.toBeNull()
    expect(await page(`&before=${first.next}`)).toMatchObject({ hits: [{ text: 'tellurium mine' }], next: null })
  })
})
