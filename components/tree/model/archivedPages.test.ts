/** Pages of archived steps: what comes late or twice changes nothing that is shown. */
import { expect, it } from 'vitest'
import type { ApiResult } from '@/client/api'
import { step } from '@/components/gallery/fixtures/steps'
import { asId, type StepId } from '@/lib/mas/ids'
import type { StepPage } from '@/lib/wire'
import { type ArchivedPages, openArchivedPages } from './archivedPages'

const page = (next: string | null, ...ids: string[]): ApiResult<StepPage> => ({
  ok: true,
  value: { steps: ids.map((id) => step(id, { id: asId<StepId>(id) })), next },
})
const broken: ApiResult<StepPage> = { ok: false, fault: { error: 'NO_ANSWER', message: 'no line', status_code: 0 } }

function opened() {
  const asked: { at: string; answer: (came: ApiResult<StepPage>) => void }[] = []
  const shown: ArchivedPages[] = []
  const pager = openArchivedPages(
    (address, after) => new Promise((answer) => asked.push({ at: `${address} ${after ?? ''}`.trim(), answer })),
    (pages) => shown.push(pages),
  )
  const answer = async (at: number, came: ApiResult<StepPage>): Promise<void> => {
    asked[at]?.answer(came)
    await new Promise((done) => setImmediate(done))
  }
  const last = () => {
    const { steps, ...rest } = shown.at(-1) ?? { steps: [] }
    return { ...rest, ids: steps.map(({ id }) => String(id)) }
  }
  return { pager, asked: () => asked.map(({ at }) => at), answer, last }
}

it('[R195] a late page of another search is dropped', async () => {
  const { pager, answer, last } = opened()
  pager.search('a')
  await answer(0, page('s9', 'one'))
  pager.more()
  pager.search('b')
  await answer(2, page(null, 'other'))
  await answer(1, page(null, 'two'))
  expect(last()).toEqual({ ids: ['other'], next: null, why: null, isLoading: false })
})

it('[R195] pressing twice asks for one page', async () => {
  const { pager, asked, answer, last } = opened()
  pager.search('a')
  pager.more()
  await answer(0, page('s9', 'one'))
  pager.more()
  pager.more()
  await answer(1, page(null, 'two'))
  expect(asked()).toEqual(['a', 'a s9'])
  expect(last().ids).toEqual(['one', 'two'])
})

it('[R195] a page that failed leaves the list as it is, and is asked for again', async () => {
  const { pager, asked, answer, last } = opened()
  pager.search('a')
  await answer(0, broken)
  expect(last()).toEqual({ ids: [], next: null, why: 'no line', isLoading: false })
  pager.more()
  await answer(1, page('s9', 'one'))
  pager.more()
  await answer(2, broken)
  expect(last()).toEqual({ ids: ['one'], next: 's9', why: 'no line', isLoading: false })
  pager.more()
  await answer(3, page(null, 'two'))
  expect(asked()).toEqual(['a', 'a', 'a s9', 'a s9'])
  expect(last().ids).toEqual(['one', 'two'])
})
