/** The filter of the waits by task names the chosen one, also after its last wait. */
import { renderToStaticMarkup } from 'react-dom/server'
import { IntlProvider } from 'use-intl'
import { expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { FixturesContext } from '@/client/fixtures'
import { type NavPlace, PlaceProvider } from '@/client/nav'
import type { OverviewRow } from '@/lib/wire'
import words from '@/messages/en.json'
import { PAGE_FIXTURES } from '@/test/gallery/fixtures/pageFixtures'
import { TASKS } from '@/test/gallery/fixtures/rows'
import WaitsScreen from './index'

it('the filter names the chosen task after its last wait has ended', () => {
  const [task] = TASKS as [OverviewRow]
  const search = new URLSearchParams({ task: task.task })
  const place: NavPlace = {
    pathname: '/waits',
    search,
    hash: '',
    href: '/waits',
    screen: 'waits',
    params: {},
    visit: 0,
  }
  const html = renderToStaticMarkup(
    <IntlProvider locale="en" messages={words} timeZone="UTC">
      <FixturesContext value={{ ...PAGE_FIXTURES, rows: { ...PAGE_FIXTURES.rows, waits: [], overview: TASKS } }}>
        <PlaceProvider value={createStore(() => ({ place }))}>
          <WaitsScreen />
        </PlaceProvider>
      </FixturesContext>
    </IntlProvider>,
  )
  expect(html).toMatch(new RegExp(`role="combobox".*>${task.name}</span>`))
})
