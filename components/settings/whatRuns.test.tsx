/** Limits and changed fields are named in the reader's language; the key of the configuration stands beside a limit as code. */
import { renderToStaticMarkup } from 'react-dom/server'
import { IntlProvider } from 'use-intl'
import { describe, expect, it } from 'vitest'
import { FixturesContext } from '@/client/fixtures'
import { ChangesList } from '@/components/setup/ChangesList'
import type { Language } from '@/lib/language'
import type { SystemInfo } from '@/lib/wire'
import en from '@/messages/en.json'
import zh from '@/messages/zh.json'
import { PAGE_FIXTURES } from '@/test/gallery/fixtures/pageFixtures'
import { WhatRuns } from './WhatRuns'

const SYSTEM: SystemInfo = {
  version: '1',
  models: [],
  rehearsal: false,
  limits: [
    { name: 'steps_per_part', value: 60 },
    { name: 'talk_in_a_row', value: 12 },
  ],
}
const RECORD = {
  id: 'reader',
  isChanged: true,
  changes: [{ seq: 7, at: PAGE_FIXTURES.now, by: 'Ana', before: { role: 'reader', mayWait: false, stripes: 1 } }],
}

const draw = (locale: Language): string =>
  renderToStaticMarkup(
    <IntlProvider locale={locale} messages={locale === 'en' ? en : zh} timeZone="UTC">
      <FixturesContext value={{ ...PAGE_FIXTURES, answers: { '/api/system': SYSTEM } }}>
        <WhatRuns />
        <ChangesList kind="agent" record={RECORD} value={{ role: 'writer', mayWait: true, stripes: 2 }} />
      </FixturesContext>
    </IntlProvider>,
  )

describe('settings', () => {
  it('name each limit with its unit, and its key as code', () => {
    expect(draw('en')).toMatch(/Steps of an agent in one part<\/x-text><code[^>]*>steps_per_part<\/code>/)
    expect(draw('zh')).toMatch(/智能体之间连续消息数（其间没有其他工作）<\/x-text><code[^>]*>talk_in_a_row<\/code>/)
  })

  it('name each changed field; one that this version does not know keeps its key', () => {
    expect(draw('en')).toContain('Ana changed role, whether it can wait for answers, stripes')
    expect(draw('zh')).toContain('能否等待回答')
    expect(draw('zh')).not.toContain('mayWait')
  })
})
