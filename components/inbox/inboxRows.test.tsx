import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { IntlProvider } from 'use-intl'
import { describe, expect, it } from 'vitest'
import { FixturesContext } from '@/client/fixtures'
import type { Language } from '@/lib/language'
import type { TaskId } from '@/lib/mas/ids'
import en from '@/messages/en.json'
import zh from '@/messages/zh.json'
import { PAGE_FIXTURES } from '@/test/gallery/fixtures/pageFixtures'
import { ItemRow } from './ItemRow'
import { MessageItem } from './MessageItem'
import type { InboxRow } from './rows'
import { messageRow, requestRow } from './test/openRows'

const draw = (row: ReactNode, locale: Language = 'en'): string =>
  renderToStaticMarkup(
    <IntlProvider locale={locale} messages={locale === 'en' ? en : zh} timeZone="UTC">
      <FixturesContext value={PAGE_FIXTURES}>{row}</FixturesContext>
    </IntlProvider>,
  )
const line = (row: InboxRow, locale?: Language): string =>
  draw(<ItemRow row={row} isChosen={false} onOpen={() => undefined} />, locale)
const HOUR_MS = 3_600_000
const { now } = PAGE_FIXTURES

describe('[R436] a row of the inbox', () => {
  const actionDue = (due: number) => messageRow('a', { type: 'action', due }, {}, { group: 'action' })

  it('names who sent it first, then the task, then what it says', () => {
    const row = messageRow('a', { text: 'The ovens are on.' })
    expect(line(row).replace(/<[^>]*>/g, ' ')).toMatch(/Coder\s.*· Prices.*The ovens are on\./)
  })

  it('says when an open message is due, and that it is late', () => {
    expect(line(actionDue(now + 3 * HOUR_MS))).toContain('due in 3 h')
    expect(line(actionDue(now - HOUR_MS))).toContain('1 h 00 m overdue')
    expect(line(actionDue(now + 3 * HOUR_MS), 'zh')).not.toContain('due')
  })

  it('says nothing of a due time that no longer counts', () => {
    const row = messageRow(
      'a',
      { type: 'action', due: now - HOUR_MS },
      {},
      { group: 'done' as never },
      { state: 'answered', endedAt: now },
    )
    expect(line(row) + draw(<MessageItem row={row} />)).not.toContain('overdue')
  })

  it('says when a request is due', () => {
    expect(line(requestRow('r', { due: now + HOUR_MS }))).toContain('due in 1 h')
    expect(line(requestRow('r'))).not.toContain('due in')
  })

  it('that tells the end of a task says its headline, and its item has a link to the task', () => {
    const row = messageRow('e', {}, {}, { ended: 'task-9' as TaskId, headline: 'Pears cost 3.20.' })
    expect(line(row)).toContain('Pears cost 3.20.')
    expect(line(messageRow('f'))).not.toContain('Pears')
    expect(draw(<MessageItem row={row} />)).toMatch(/<a [^>]*href="\/tasks\/task-9"[^>]*>(<span[^>]*>)?Open task/)
    expect(draw(<MessageItem row={messageRow('f')} />)).not.toContain('Open task')
  })
})
