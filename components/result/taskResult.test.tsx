/** The result of a task as people read it, in both languages. */
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { IntlProvider } from 'use-intl'
import { expect, it, vi } from 'vitest'
import { FixturesContext } from '@/client/fixtures'
import { asId, type TaskId } from '@/lib/mas/ids'
import type { TaskRecord } from '@/lib/mas/records'
import type { TaskChanges, TaskResult } from '@/lib/wire'
import en from '@/messages/en.json'
import zh from '@/messages/zh.json'
import { PAGE_FIXTURES } from '@/test/gallery/fixtures/pageFixtures'
import ChangeLinks from './ChangeLinks'
import FilePreview from './FilePreview'
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
  files: [{ path: 'prices/report.md', change: 'made', bytes: 960, seq: 7, isKept: true, isChanged: false }],
  tookMs: 184_000,
  steps: 12,
  calls: 9,
  tokens: 121_000,
  isEstimated: true,
  costUsd: null,
  notDone: [],
  failure: null,
}

const drawnIn = (language: 'en' | 'zh', answers: Record<string, unknown>, part: ReactNode): string =>
  renderToStaticMarkup(
    <IntlProvider locale={language} messages={language === 'en' ? en : zh} timeZone="UTC">
      <FixturesContext value={{ ...PAGE_FIXTURES, answers }}>{part}</FixturesContext>
    </IntlProvider>,
  )
const drawn = (language: 'en' | 'zh', change: Partial<TaskResult> = {}): string =>
  drawnIn(language, { '/api/tasks/t/result': { ...RESULT, ...change } }, <TaskResultRegion task="t" />)
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

it('[R801] a failed task says why in plain words, with the one act that mends it and “Ask again” beside it', () => {
  const failure = {
    step: 's1',
    agent: 'scribe',
    name: 'Scribe',
    cause: 'format',
    model: 'tiny-7b',
    server: null,
  } as const
  const markup = drawn('en', { state: 'failed', failure })
  expect(textOf(markup)).toContain("tiny-7b doesn't keep to the form of the answers.".replace("'", '&#x27;'))
  expect(markup).toContain('href="/tasks/t/steps/s1"')
  expect(markup).toContain('href="/tasks?ask=1&amp;again=task.t"')
  expect(textOf(markup)).not.toContain('Ask for a change…')
  expect(textOf(drawn('en'))).not.toContain('This task failed.')
})

it('[R480] a result of a free text alone has no empty parts', () => {
  const text = textOf(drawn('en', { headline: null, facts: [], leftOut: [], decisions: [], files: [], ratings: [] }))
  expect(text).toContain('Both lists are compared.')
  for (const part of ['Fact', 'Left out', 'Decisions', 'Files']) expect(text).not.toContain(part)
})

it('[R513] a change can be asked for of all of a result, and of each part that it has', () => {
  const asks = (markup: string) => [...markup.matchAll(/aria-label="(Ask for a change[^"]*)"/g)].map(([, name]) => name)
  const markup = drawn('en')
  expect(asks(markup)).toEqual(
    ['headline', 'facts', 'text', 'what was left out'].map((part) =>
      `Ask for a change to the ${part}`.replace('the what', 'what'),
    ),
  )
  expect(textOf(markup)).toContain('Ask for a change…')
  expect(asks(drawn('en', { headline: null, facts: [], leftOut: [] }))).toEqual(['Ask for a change to the text'])
})

it.each([
  ['en', ['A change of Compare lists', 'Changed by Without south']],
  ['zh', ['修改自 Compare lists', '修改任务：Without south']],
] as const)('[R511] a task links to the one that it changes, and to those that change it (%s)', (language, words) => {
  const changes: TaskChanges = {
    of: { task: 'old', name: 'Compare lists', state: 'finished' },
    by: [{ task: 'new', name: 'Without south', state: 'running' }],
  }
  const linked = (task: Pick<TaskRecord, 'id' | 'changeOf' | 'changedBy'>) =>
    drawnIn(language, { '/api/tasks/t/changes': changes }, <ChangeLinks task={task} />)
  const [id, other] = [asId<TaskId>('t'), asId<TaskId>('old')]
  const markup = linked({ id, changeOf: other })
  for (const word of words) expect(textOf(markup).replaceAll(' ', '')).toContain(word.replaceAll(' ', ''))
  expect(markup).toContain('href="/tasks/old"')
  expect(markup).toContain('href="/tasks/new"')
  // A task that its record links to none asks the server for nothing.
  expect(linked({ id })).toBe('')
})

it('[R516] a file of a result is saved in the version that the result had, and says in its preview that it has changed since', () => {
  expect(drawn('en')).toContain('href="/api/files/content?path=prices%2Freport.md&amp;version=7"')
  const preview = (change: { isKept?: boolean; isChanged?: boolean }) =>
    drawnIn('en', {}, <FilePreview path="prices/report.md" bytes={0} seq={7} isKept isChanged={false} {...change} />)
  expect(textOf(preview({ isChanged: true }))).toContain('The file has changed since. Open its current version')
  expect(preview({ isChanged: true })).toContain('href="/files/prices/report.md"')
  expect(textOf(preview({}))).not.toContain('changed since')
  // The content of that version is not stored: the present one is shown only where it is the same.
  expect(textOf(preview({ isKept: false, isChanged: true }))).toContain('this version isn')
  expect(textOf(preview({ isKept: false }))).not.toContain('this version isn')
})
