import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { IntlProvider } from 'use-intl'
import { describe, expect, it } from 'vitest'
import { FixturesContext } from '@/client/fixtures'
import { RequestLine } from '@/components/request/card/RequestLine'
import type { Language } from '@/lib/language'
import type { TaskId } from '@/lib/mas/ids'
import en from '@/messages/en.json'
import zh from '@/messages/zh.json'
import { PAGE_FIXTURES } from '@/test/gallery/fixtures/pageFixtures'
import { MessageItem } from './MessageItem'
import { messageRow, requestRow } from './test/openRows'

const draw = (row: ReactNode, locale: Language = 'en'): string =>
  renderToStaticMarkup(
    <IntlProvider locale={locale} messages={locale === 'en' ? en : zh} timeZone="UTC">
      <FixturesContext value={PAGE_FIXTURES}>{row}</FixturesContext>
    </IntlProvider>,
  )
const HOUR_MS = 3_600_000
const { now } = PAGE_FIXTURES

describe('[R436] a row of the inbox', () => {
  const actionDue = (due: number) => messageRow('a', { type: 'action', due }, {}, { group: 'action' })

  it('says when an open message is due, and that it is late', () => {
    expect(draw(<MessageItem row={actionDue(now + 3 * HOUR_MS)} />)).toContain('due in 3 h')
    expect(draw(<MessageItem row={actionDue(now - HOUR_MS)} />)).toContain('1 h 00 m overdue')
    expect(draw(<MessageItem row={actionDue(now + 3 * HOUR_MS)} />, 'zh')).not.toContain('due')
  })

  it('says nothing of a due time that no longer counts', () => {
    const row = messageRow(
      'a',
      { type: 'action', due: now - HOUR_MS },
      {},
      { group: 'done' as never },
      { state: 'answered', endedAt: now },
    )
    expect(draw(<MessageItem row={row} />)).not.toContain('overdue')
  })

  it('says when a request is due while it is a line', () => {
    expect(draw(<RequestLine shown={requestRow('r', { due: now + HOUR_MS })} onOpen={() => {}} />)).toContain(
      'due in 1 h',
    )
    expect(draw(<RequestLine shown={requestRow('r')} onOpen={() => {}} />)).not.toContain('due in')
  })

  it('that tells the end of a task has a link to the task', () => {
    const row = messageRow('e', {}, {}, { ended: 'task-9' as TaskId })
    expect(draw(<MessageItem row={row} />)).toMatch(/<a [^>]*href="\/tasks\/task-9"[^>]*>(<span[^>]*>)?Open task/)
    expect(draw(<MessageItem row={messageRow('f')} />)).not.toContain('Open task')
  })

  it('[R515] that tells the end of a task is a line with the headline, which leads to the result', () => {
    const fold = { isOpen: false, onTurn: () => {} }
    const row = messageRow('e', {}, {}, { ended: 'task-9' as TaskId, headline: 'Pears cost 3.20.' })
    expect(draw(<MessageItem row={row} fold={fold} />)).toMatch(
      /<a [^>]*href="\/tasks\/task-9"[^>]*>.*Pears cost 3\.20\./,
    )
    expect(draw(<MessageItem row={messageRow('f')} fold={fold} />)).not.toContain('Pears')
  })
})
