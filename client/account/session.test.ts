/** Settings are saved as changes of what they are by then. */
import { afterEach, expect, it, vi } from 'vitest'
import type { Settings } from '@/lib/wire'
import { ME } from '@/test/gallery/fixtures/people'
import { askSession, saveSettings } from './session'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('an undo of one setting leaves what was changed meanwhile', async () => {
  vi.useFakeTimers()
  let stored: Settings = { levels: { prices: 'all' } }
  vi.stubGlobal('fetch', async (_: unknown, { method, body }: RequestInit) => {
    if (method !== 'PUT') throw new TypeError('Failed to fetch')
    stored = { ...stored, ...JSON.parse(String(body)) }
    return new Response(JSON.stringify(stored), { status: 200 })
  })
  await askSession(async () => ({ ...ME, settings: stored }))
  const put = (task: string, level: 'all' | 'urgent') =>
    saveSettings(({ levels }) => ({ levels: { ...levels, [task]: level } }))
  await put('prices', 'urgent')
  await put('report', 'urgent')
  await put('prices', 'all')
  expect(stored.levels).toEqual({ prices: 'all', report: 'urgent' })
})
