/** Budgets as operators set them, and as others see them; what may be typed into the field of one. */
import { renderToStaticMarkup } from 'react-dom/server'
import { IntlProvider } from 'use-intl'
import { describe, expect, it } from 'vitest'
import { FixturesContext } from '@/client/fixtures'
import type { Language } from '@/lib/language'
import type { BudgetsAnswer } from '@/lib/wire'
import en from '@/messages/en.json'
import zh from '@/messages/zh.json'
import { PAGE_FIXTURES } from '@/test/gallery/fixtures/pageFixtures'
import { Budgets } from './Budgets'
import { budgetIn, budgetText } from './budgetValues'

type Budget = BudgetsAnswer['budgets'][number]
const budget = (more: Partial<Budget>): Budget => ({
  kind: 'agentCost',
  key: 'cost_per_agent_per_day',
  limit: 5,
  most: { name: 'Reader', used: 4.2, limit: 5 },
  stops: [],
  seen: 0,
  change: null,
  ...more,
})
const draw = (budgets: Budget[], mayChange: boolean, locale: Language = 'en'): string =>
  renderToStaticMarkup(
    <IntlProvider locale={locale} messages={locale === 'en' ? en : zh} timeZone="UTC">
      <FixturesContext
        value={{ ...PAGE_FIXTURES, answers: { '/api/budgets': { day: '2026-11-30', mayChange, budgets } } }}
      >
        <Budgets />
      </FixturesContext>
    </IntlProvider>,
  ).replaceAll(/<\/?x-text[^>]*>/g, '')

describe('[R535] the budgets', () => {
  it('have a field for operators, with who used the most, and a bar that ends at the limit', () => {
    const shown = draw([budget({})], true)
    expect(shown).toMatch(/<input[^>]*value="5"/)
    expect(shown).toContain('Used most by Reader')
    expect(shown).toContain('$4.20 of $5.00')
    expect(shown).toMatch(/role="meter"[^>]*aria-valuemax="5" aria-valuenow="4.2"/)
    expect(shown).not.toContain('stopped')
  })

  it('name what has stopped, with a link to the request about it; without one, how long it holds', () => {
    const stops = [
      { name: 'Reader', request: 'r1' },
      { name: 'Writer', request: null },
    ]
    const shown = draw([budget({ stops })], true)
    expect(shown).toContain('Reader is stopped')
    expect(shown).toContain('href="/requests/r1"')
    expect(shown).toMatch(/Writer is stopped.*until the day ends/)
    expect(
      draw([budget({ kind: 'dayCost', key: 'cost_per_day', stops: [{ name: null, request: null }] })], true),
    ).toContain('All work is stopped')
  })

  it('say who set them, from which value to which', () => {
    const change = { at: PAGE_FIXTURES.now, by: 'Ana', before: null }
    expect(draw([budget({ seen: 9, change })], true)).toContain('Ana set it from No limit to $5.00,')
    expect(draw([budget({ seen: 9, change: { ...change, by: null, before: 2 } })], true)).toContain(
      'The configuration file set it from $2.00 to $5.00,',
    )
  })

  it('are without fields, buttons and links for others', () => {
    const own = budget({
      kind: 'personCost',
      key: 'cost_per_person_per_day',
      most: { name: 'Ben', used: 5, limit: 5 },
      stops: [{ name: 'Ben', request: null }],
    })
    const shown = draw([own], false)
    expect(shown).not.toMatch(/<input|<button|<a /)
    expect(shown).toContain('Work that Ben asked for is stopped')
    expect(shown).toContain('until an operator allows more, or the day ends')
    expect(draw([own], false, 'zh')).toContain('Ben 请求的工作已停止')
  })

  it('without a limit and without use say so', () => {
    const shown = draw([budget({ limit: null, most: null })], true)
    expect(shown).toContain('placeholder="No limit"')
    expect(shown).toContain('Nothing used today')
    expect(draw([budget({ kind: 'taskCost', key: 'cost_per_task', most: null })], true)).toContain('No open task')
  })
})

describe('[R534] what is typed as a budget', () => {
  it.each([
    ['', null],
    ['  ', null],
    ['5', 5],
    [' 2.5 ', 2.5],
    ['2,5', 2.5],
    ['999999999', 999_999_999],
  ])('"%s" is %s', (text, limit) => {
    expect(budgetIn('dayCost', text)).toEqual({ ok: true, limit })
  })

  it.each([
    ['0', 'notAboveZero'],
    ['-1', 'notAboveZero'],
    ['many', 'notAboveZero'],
    ['1,000', 'notAboveZero'],
    ['1000000000', 'tooLarge'],
    ['1e99', 'tooLarge'],
  ])('"%s" is refused: %s', (text, why) => {
    expect(budgetIn('dayCost', text)).toEqual({ ok: false, why })
  })

  it('is whole where it counts tokens, and stands in the field as it is', () => {
    expect(budgetIn('taskTokens', '2.5')).toEqual({ ok: false, why: 'notWhole' })
    expect(budgetIn('taskTokens', '2000000')).toEqual({ ok: true, limit: 2_000_000 })
    expect([null, 0.5, 2_000_000].map(budgetText)).toEqual(['', '0.5', '2000000'])
  })
})
