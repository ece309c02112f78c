import { renderToStaticMarkup } from 'react-dom/server'
import { IntlProvider } from 'use-intl'
import { expect, it, vi } from 'vitest'
import { FixturesContext } from '@/client/fixtures'
import type { AgentId, HandOverId, TaskId } from '@/lib/mas/ids'
import en from '@/messages/en.json'
import { PAGE_FIXTURES } from '@/test/gallery/fixtures/pageFixtures'
import { TransferBar } from './TransferBar'

const away = vi.hoisted(() => ({ since: null as number | null }))
vi.mock('@/components/ui/serverAway', () => ({ useServerAway: () => away.since }))

const BEN = 'ben' as AgentId
const ME = PAGE_FIXTURES.me.person.agent_id
const OFFER = { id: 'o' as HandOverId, from: BEN, to: ME, sentence: 'Please.', at: 1, wasAsked: false }

/** Of each button, its word, and whether it can be pressed. */
function buttons(transfer: typeof OFFER): string[] {
  const drawn = renderToStaticMarkup(
    <IntlProvider locale="en" messages={en} timeZone="UTC">
      <FixturesContext value={PAGE_FIXTURES}>
        <TransferBar task={'t' as TaskId} transfer={transfer} />
      </FixturesContext>
    </IntlProvider>,
  )
  return [...drawn.matchAll(/<button([^>]*)>.*?<\/button>/gs)].map(
    ([all, about]) => `${all.replace(/<[^>]*>/g, '').trim()} ${about?.includes('aria-disabled="true"') ? 'off' : 'on'}`,
  )
}

it('[R321] an offer is accepted, declined and taken back only while the server is there', () => {
  const mine = { ...OFFER, from: ME, to: BEN }
  away.since = null
  expect([...buttons(OFFER), ...buttons(mine)]).toEqual(['Accept on', 'Not me on', 'Cancel hand-over on'])
  away.since = 1
  for (const button of [...buttons(OFFER), ...buttons(mine)]) expect(button).toMatch(/off$/)
})
