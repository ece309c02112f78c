/** The result of a task as people read it, in both languages. */
import { renderToStaticMarkup } from 'react-dom/server'
import { IntlProvider } from 'use-intl'
import { expect, it, vi } from 'vitest'
import { FixturesContext } from '@/client/fixtures'
import type { TaskResult } from '@/lib/wire'
import en from '@/messages/en.json'
import zh from '@/messages/zh.json'
import { PAGE_FIXTURES } from '@/test/gallery/fixtures/pageFixtures'
import TaskResultRegion from './TaskResult'

vi.mock('@/components/ui/serverAway', () => ({ useServerAway: () => null }))

const ME = PAGE_FIXTURES.me.person.agent_id
const RESULT: TaskResult = {
  task: 't',
  name: 'Compare prices',
  state: 'finished',
  headline: 'Pears cost 3.20.',
  facts: [
    { label: 'Pears', value: '3.20', source: '#14', record: { kind: 'step', id: 's1' } },
    { label: 'Lists', value: '2\u202e', source: 'https://north.example/list', record: null },
    { label: 'Page', value: '1', source: 'javascript:alert(1)', record: null },
  ],
  summary: 'Both lists are compared.',
  leftOut: ['west.csv was not there'],
  decisions: [
    { request: 'r1', kind: 'confirm', title: 'Write report.md', decision: 'approve', text: '', name: 'Ana', at: 1 },
    { request: 'r2', kind: 'answer', title: 'Which holds?', decision: 'answer', text: '3.20', name: 'Ben', at: 2 },
  ],
  questions: 1,
  approvals: 1,
  ratings: [{ agent: 'ben', name: 'Ben', rating: 'down', sentence: 'Too long.', at: 3 }],
  mayRate: true,
  files: [{ path: 'prices/report.md', change: 'made', bytes: 960, seq: 1 }],
  tookMs: 184_000,
  steps: 12,
  calls: 9,
  tokens: 121_000,
  isEstimated: true,
  costUsd: null,
  notDone: [],
}

const drawn = (language: 'en' | 'zh', change: Partial<TaskResult> = {}): string =>
  renderToStaticMarkup(
    <IntlProvider locale={language} messages={language === 'en' ? en : zh} timeZone="UTC">
      <FixturesContext value={{ ...PAGE_FIXTURES, answers: { '/api/tasks/t/result': { ...RESULT, ...change } } }}>
        <TaskResultRegion task="t" />
      </FixturesContext>
    </IntlProvider>,
  )
const textOf = (markup: string): string => markup.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

it.each([
  [
    'en',
    ['Ana approved', 'Ben answered', 'Left out or uncertain', 'Tokens ≈ 121k', 'Cost —', 'Questions 1', 'Approvals 1'],
  ],
  ['zh', ['Ana 已批准', 'Ben 已回答', '遗漏或不确定的内容', 'Token ≈ 12.1 万', '费用 —', '提问 1', '批准 1']],
] as const)(
  '[R481] a result has its headline first, then facts, text, decisions, files and costs (%s)',
  (language, words) => {
    const text = textOf(drawn(language))
    for (const word of ['Pears cost 3.20.', 'west.csv was not there', 'Write report.md', ...words])
      expect(text).toContain(word)
    const places = ['Pears cost 3.20.', '#14', 'Both lists are compared.', 'report.md', 'Write report.md'].map((one) =>
      text.indexOf(one),
    )
    expect(places).toEqual([...places].sort((a, b) => a - b))
  },
)

it('[R481] a source is a link to its step, message or address; a text that is no safe address stays text', () => {
  const markup = drawn('en')
  expect(markup).toContain('href="/tasks/t/steps/s1"')
  expect(markup).toContain('href="https://north.example/list"')
  expect(markup).not.toContain('href="javascript')
  expect(markup).toContain('href="/requests/r1"')
  // Hidden characters of a fact are shown as their code.
  expect(textOf(markup)).toContain('U+202E')
})

it('[R483] those who may rate it have the two buttons, with their own rating pressed; others read ratings only', () => {
  const own = { agent: ME, name: 'Ana', rating: 'up', sentence: 'Right.', at: 4 } as const
  const pressed = (markup: string) => [...markup.matchAll(/aria-pressed="(\w+)"/g)].map(([, is]) => is)
  expect(pressed(drawn('en'))).toEqual(['false', 'false'])
  const mine = drawn('en', { ratings: [...RESULT.ratings, own] })
  expect(pressed(mine)).toEqual(['true', 'false'])
  expect(mine).toContain('value="Right."')
  const others = drawn('en', { ratings: [...RESULT.ratings, own], mayRate: false })
  expect(pressed(others)).toEqual([])
  expect(textOf(others)).toContain('Ben rated this not useful · “Too long.”')
  expect(textOf(others)).toContain('Ana rated this useful · “Right.”')
})

it('[R480] a result of a free text alone has no empty parts', () => {
  const text = textOf(drawn('en', { headline: null, facts: [], leftOut: [], decisions: [], files: [], ratings: [] }))
  expect(text).toContain('Both lists are compared.')
  for (const part of ['Fact', 'Left out', 'Decisions', 'Files']) expect(text).not.toContain(part)
})
