/** What is fetched beside the views, whole or by pages: what comes late or twice changes nothing that is shown. */
import { expect, it } from 'vitest'
import { type ApiResult, noAnswer } from '@/client/api'
import { createFetcher, type FetchState, type Paging } from './useFetched'

type Page = { ids: readonly string[]; next: string | null }
const page = (next: string | null, ...ids: string[]): ApiResult<Page> => ({ ok: true, value: { ids, next } })
const broken: ApiResult<Page> = { ok: false, fault: noAnswer('no line') }
const PAGING: Paging<Page> = {
  cursor: 'after',
  next: ({ next }) => next,
  append: (held, { ids, next }) => ({ ids: [...held.ids, ...ids], next }),
  refresh: (held, { ids }) => ({ ids: [...new Set([...ids, ...held.ids])], next: held.next }),
}

function fetcherOf(paging?: Paging<Page>) {
  const asked: { path: string; answer: (came: ApiResult<Page>) => void }[] = []
  const shown: FetchState<Page>[] = []
  const fetcher = createFetcher<Page>(
    (path) => new Promise((answer) => asked.push({ path, answer })),
    (held) => shown.push(held),
    paging,
  )
  const answer = async (at: number, came: ApiResult<Page>): Promise<void> => {
    asked[at]?.answer(came)
    await new Promise((done) => setImmediate(done))
  }
  const last = () => {
    const { value = null, fault = null, isLoading } = shown.at(-1) ?? {}
    return { ids: value?.ids ?? null, fault: fault?.error ?? null, isLoading }
  }
  return { ...fetcher, asked: () => asked.map(({ path }) => path), answer, last }
}

it('[R195] a late page of another search is dropped', async () => {
  const { open, more, answer, last } = fetcherOf(PAGING)
  open('/a')
  await answer(0, page('s9', 'one'))
  more()
  open('/b')
  await answer(2, page(null, 'other'))
  await answer(1, page(null, 'two'))
  expect(last()).toEqual({ ids: ['other'], fault: null, isLoading: false })
})

it('[R195] pressing twice asks for one page', async () => {
  const { open, more, asked, answer, last } = fetcherOf(PAGING)
  open('/a?text=b')
  more()
  await answer(0, page('s9', 'one'))
  more()
  more()
  await answer(1, page(null, 'two'))
  more()
  expect(asked()).toEqual(['/a?text=b', '/a?text=b&after=s9'])
  expect(last().ids).toEqual(['one', 'two'])
})

it('[R195] a page that failed leaves the list as it is, and is asked for again', async () => {
  const { open, more, asked, answer, last } = fetcherOf(PAGING)
  open('/a')
  await answer(0, broken)
  expect(last()).toEqual({ ids: null, fault: 'NO_ANSWER', isLoading: false })
  more()
  await answer(1, page('s9', 'one'))
  more()
  await answer(2, broken)
  expect(last()).toEqual({ ids: ['one'], fault: 'NO_ANSWER', isLoading: false })
  more()
  await answer(3, page(null, 'two'))
  expect(asked()).toEqual(['/a', '/a', '/a?after=s9', '/a?after=s9'])
  expect(last().ids).toEqual(['one', 'two'])
})

it('another version keeps what is shown until its answer comes, and what changes meanwhile is fetched once more', async () => {
  const { open, asked, answer, last } = fetcherOf()
  open('/a', 1)
  await answer(0, page(null, 'old'))
  open('/a', 2)
  open('/a', 3)
  open('/a', 4)
  expect(last()).toEqual({ ids: ['old'], fault: null, isLoading: true })
  await answer(1, page(null, 'new'))
  expect(last()).toEqual({ ids: ['new'], fault: null, isLoading: true })
  await answer(2, page(null, 'newest'))
  expect(asked()).toHaveLength(3)
  expect(last()).toEqual({ ids: ['newest'], fault: null, isLoading: false })
})

it('a first page that is fetched again is merged with the pages that are held', async () => {
  const { open, more, answer, last } = fetcherOf(PAGING)
  open('/a', 1)
  await answer(0, page('s9', 'two'))
  more()
  await answer(1, page(null, 'three'))
  open('/a', 2)
  await answer(2, page('s9', 'one', 'two'))
  expect(last().ids).toEqual(['one', 'two', 'three'])
})

it('nothing that arrives after the list was closed is shown, and opened again it is fetched again', async () => {
  const { open, asked, answer, last } = fetcherOf()
  open('/a')
  open(null)
  await answer(0, page(null, 'late'))
  expect(last().ids).toBeNull()
  open('/a')
  await answer(1, page(null, 'now'))
  expect(asked()).toEqual(['/a', '/a'])
  expect(last()).toEqual({ ids: ['now'], fault: null, isLoading: false })
})
