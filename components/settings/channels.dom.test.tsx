/** The browsers in which a person gets pushes. */
import { expect, it } from 'vitest'
import type { MyChannels } from '@/lib/wire'
import { openPage, refused, screen, waitFor } from '@/test/dom'
import { NOW } from '@/test/gallery/fixtures/people'
import { ChannelsPart } from './ChannelsPart'

const OFF = { state: 'off', to: null } as const
const MINE = {
  pushKey: 'key',
  browsers: [{ id: 'old', name: 'Old tablet', at: NOW, endpoint: 'https://push.example/1' }],
  email: OFF,
  webhook: OFF,
  times: { ownMs: 60_000, noPageMs: 1_000, againMs: 60_000, untilMs: 3_600_000, raiseAgainMs: 60_000 },
} as unknown as MyChannels

it('a browser that could not be removed stays in the list with the reason, and is removed by the next press', async () => {
  let browsers = MINE.browsers
  const { user, server } = await openPage(<ChannelsPart />, {
    prepare: (made) => {
      made.answer('GET /api/me/channels', () => ({ ...MINE, browsers }))
      made.answer('DELETE /api/me/browsers/old', refused('STOPPING'))
    },
  })
  const remove = await screen.findByRole('button', { name: 'Remove Old tablet' })
  await user.click(remove)
  expect((await screen.findByRole('list', { name: 'My other browsers' })).textContent).toContain('Not removed: ')
  server.answer('DELETE /api/me/browsers/old', () => {
    browsers = []
    return {}
  })
  await user.click(remove)
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove Old tablet' })).toBeNull())
})
