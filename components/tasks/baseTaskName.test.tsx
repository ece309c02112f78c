/** The base task is called Requests on every page, in the reader's language; its name in the records is a code. */
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { IntlProvider } from 'use-intl'
import { describe, expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { type Fixtures, FixturesContext } from '@/client/fixtures'
import { type NavPlace, PlaceProvider } from '@/client/nav'
import { AgentTable } from '@/components/agents/AgentTable'
import { FilePage } from '@/components/files/FilePage'
import WaitsScreen from '@/components/waits'
import type { AboutFile, AgentRow, OverviewRow } from '@/lib/wire'
import words from '@/messages/en.json'
import { PAGE_FIXTURES } from '@/test/gallery/fixtures/pageFixtures'
import { AGENT_ROWS, TASKS } from '@/test/gallery/fixtures/rows'

const CODE = 'MAS base task'

const drawn = (part: ReactNode, fixtures: Partial<Fixtures> = {}, search = ''): string => {
  const place: NavPlace = {
    pathname: '/',
    search: new URLSearchParams(search),
    hash: '',
    href: '/',
    screen: null,
    params: {},
    visit: 0,
  }
  return renderToStaticMarkup(
    <IntlProvider locale="en" messages={words} timeZone="UTC">
      <FixturesContext value={{ ...PAGE_FIXTURES, ...fixtures }}>
        <PlaceProvider value={createStore(() => ({ place }))}>{part}</PlaceProvider>
      </FixturesContext>
    </IntlProvider>,
  )
}

describe('the base task', () => {
  it('[R266] the base task is called Requests among the tasks of an agent', () => {
    const [row] = AGENT_ROWS as [AgentRow]
    const [task] = TASKS as [OverviewRow]
    const html = drawn(<AgentTable rows={[{ ...row, tasks: [{ id: task.task, name: CODE }] }]} />)
    expect(html).toContain('>Requests</a>')
    expect(html).not.toContain(CODE)
  })

  it('[R266] the base task is called Requests where ended waits are chosen by task', () => {
    const [task] = TASKS as [OverviewRow]
    const base = { ...task, name: CODE, base: true }
    const html = drawn(<WaitsScreen />, { rows: { waits: [], overview: [base] } }, `ended&task=${base.task}`)
    expect(html).toContain('Requests')
    expect(html).not.toContain(CODE)
  })

  it('[R266] the base task is called Requests beside the versions of a file that its threads wrote', () => {
    const by = { agent: 'm', name: 'Manager', task: null, taskName: CODE, step: null }
    const version = { ...by, seq: 7, at: 1, change: 'removed', before: null, now: null, shared: false } as const
    const about: AboutFile = { path: 'a.txt', now: null, sent: null, versions: [version], isAsRecorded: null }
    const html = drawn(<FilePage path="a.txt" />, { answers: { '/api/files/about?path=a.txt': about } })
    expect(html).toContain('Requests')
    expect(html).not.toContain(CODE)
  })
})
