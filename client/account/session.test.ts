/** Settings are saved as changes of what they are by then. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Settings } from '@/lib/wire'
import { ME } from '@/test/gallery/fixtures/people'
import { saveSettings } from './session'

let stored: Settings = {}
let isReachable = true

beforeEach(() => {
  stored = { levels: { prices: 'all' } }
  isReachable = true
  vi.stubGlobal('fetch', async (_: unknown, { method, body }: RequestInit) => {
    if (!isReachable) throw new TypeError('Failed to fetch')
    if (method === 'PUT') stored = { ...stored, ...JSON.parse(String(body)) }
    return new Response(JSON.stringify(method === 'PUT' ? stored : { ...ME, settings: stored }), { status: 200 })
  })
})
afterEach(() => vi.unstubAllGlobals())

const put = (task: string, level: 'all' | 'urgent') =>
  saveSettings(({ levels }) => ({ levels: { ...levels, [task]: level } }))

it('an undo of one setting leaves what was changed meanwhile', async () => {
  await put('prices', 'urgent')
  await put('report', 'urgent')
  await put('prices', 'all')
  expect(stored.levels).toEqual({ prices: 'all', report: 'urgent' })
})

it('[R224] a list is changed as the server has it: what another browser has added since stays', async () => {
  await put('prices', 'urgent')
  stored = { levels: { ...stored.levels, elsewhere: 'urgent' } }
  await put('report', 'urgent')
  expect(stored.levels).toEqual({ prices: 'urgent', elsewhere: 'urgent', report: 'urgent' })
})

it('[R224] changes that are made at once are saved one after the other', async () => {
  await Promise.all([put('prices', 'urgent'), put('report', 'urgent'), put('plan', 'all')])
  expect(stored.levels).toEqual({ prices: 'urgent', report: 'urgent', plan: 'all' })
})

it('without the server nothing is changed, and the next change is tried anew', async () => {
  isReachable = false
  expect((await put('prices', 'urgent')).ok).toBe(false)
  isReachable = true
  expect((await put('report', 'urgent')).ok).toBe(true)
  expect(stored.levels).toEqual({ prices: 'all', report: 'urgent' })
})
