import { afterEach, expect, test, vi } from 'vitest'
import { call } from './api'
import { earlyScript } from './earlyScript'

afterEach(() => vi.unstubAllGlobals())

const me = (name: string): Response => Response.json({ name })

/** What the page's script does, with this as its fetch. */
function begin(fetch: (path: string) => Promise<Response>): Promise<Response | null> {
  const page: { conveneEarly?: Promise<Response | null> } = {}
  vi.stubGlobal('window', page)
  page.conveneEarly = new Function('fetch', `var conveneEarly,conveneLine;${earlyScript};return conveneEarly`)(
    fetch,
  ) as Promise<Response | null>
  return page.conveneEarly
}

test('who looks is asked before the files of the console are there, and the answer counts once', async () => {
  const asked: string[] = []
  await begin(async (path) => {
    asked.push(path)
    return me('early')
  })
  vi.stubGlobal('fetch', async () => me('later'))
  expect(asked).toEqual(['/api/me'])
  expect(await call('GET', '/api/me')).toEqual({ ok: true, value: { name: 'early' } })
  expect(await call('GET', '/api/me')).toEqual({ ok: true, value: { name: 'later' } })
})

test('without an answer it is asked again', async () => {
  await begin(async () => {
    throw new Error('no line')
  })
  vi.stubGlobal('fetch', async () => me('later'))
  expect(await call('GET', '/api/me')).toEqual({ ok: true, value: { name: 'later' } })
})
