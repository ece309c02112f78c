import { renderToStaticMarkup } from 'react-dom/server'
import { IntlProvider } from 'use-intl'
import { expect, it } from 'vitest'
import type { Language } from '@/lib/language'
import { type HandoffPacket, writeHandoff } from '@/lib/protocols/harmony/handoff'
import en from '@/messages/en.json'
import zh from '@/messages/zh.json'
import { MessageText } from './MessageText'

const packet: HandoffPacket = {
  protocol: 'harmony_handoff_v1',
  meta: { source_agent: 'Reader', target_agent: 'Analyst', timestamp: '2026-11-21T10:00:00Z' },
  context: {
    primary_objective: 'Compare the lists',
    status: 'in_progress',
    completed_steps: ['Read the lists'],
    next_immediate_step: 'Write report.md',
    constraints: ['Prices in EUR (Ana)'],
    artifacts: { files: [{ path: 'east.csv', state: 'read' }] },
  },
}
const text = `Take over, please.\n\n${writeHandoff(packet)}`

function drawn(locale: Language): string {
  const html = renderToStaticMarkup(
    <IntlProvider locale={locale} messages={locale === 'en' ? en : zh} timeZone="UTC">
      <MessageText text={text} />
    </IntlProvider>,
  )
  return html
    .replace(/<[^>]*>/g, '|')
    .replace(/\|+/g, '|')
    .replaceAll('&quot;', '"')
}

it('[R431] a handoff of an agent is a card: what was done, files with their state, the next step, constraints; no JSON', () => {
  expect(drawn('en')).toBe(
    '|Take over, please.|Handoff to Analyst|In progress|Goal|Compare the lists|Done so far|Read the lists|' +
      'Files and results|east.csv| · read|Next step|Write |report.md|Constraints|Prices in EUR (Ana)|Raw|',
  )
  expect(drawn('zh')).toMatch(/交给 Analyst 的工作.*进行中.*已完成.*文件和结果.*下一步.*约束.*原文/)
})
