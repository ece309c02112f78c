/** What stays of the turns of a talk with a model when there is too much. */
import { describe, expect, it } from 'vitest'
import { escapeTags, estimateTokens } from '@/lib/mas/formats'
import { fitTurns } from './fitTurns'
import type { Turn } from './model'
import { turnTokens } from './usage'

const system: Turn = { role: 'system', content: 'rules' }
const user = (content: string): Turn => ({ role: 'user', content })
const said = (content: string): Turn => ({ role: 'assistant', content })
const picture = { kind: 'image' as const, mime: 'image/png', base64: 'AAAA' }
const tokens = (turns: readonly Turn[]): number => turns.reduce((sum, turn) => sum + turnTokens(turn), 0)

describe('fitting into a budget', () => {
  it('leaves what fits alone', () => {
    const turns = [system, user('short')]
    expect(fitTurns(turns, { budgetTokens: 100 })).toEqual({ turns, fits: true, leftOutTokens: 0 })
  })

  it('leaves what fills the budget alone, and cuts what is one token over', () => {
    const turns = [system, user('x'.repeat(4_000))]
    const budgetTokens = tokens(turns)
    expect(fitTurns(turns, { budgetTokens })).toEqual({ turns, fits: true, leftOutTokens: 0 })
    expect(fitTurns(turns, { budgetTokens: budgetTokens - 1 }).turns[1]?.content).toContain('left out here')
  })

  it('drops no picture more than it must, wherever the older ones stand', () => {
    const turns: Turn[] = [
      system,
      { ...user('first'), media: [picture] },
      { ...user('second'), media: [picture] },
      { ...user('newest'), media: [picture] },
    ]
    const first = fitTurns(turns, { budgetTokens: tokens(turns) - 1 })
    expect(first.turns.map(({ media }) => media?.length ?? 0)).toEqual([0, 0, 1, 1])
    const exact = fitTurns(turns, { budgetTokens: tokens(first.turns) })
    expect(exact.turns).toEqual(first.turns)
  })

  it('says when there are only rules, or one turn that holds nothing to cut', () => {
    const rules: Turn = { ...system, content: 's'.repeat(8_000) }
    for (const turns of [[rules], [rules, rules], [rules, user('hello')]])
      expect(fitTurns(turns, { budgetTokens: 500, keepFirst: 1 })).toEqual({ turns, fits: false, leftOutTokens: 0 })
  })

  it('drops old pictures first, and keeps all text and the newest message with its picture', () => {
    const turns: Turn[] = [
      system,
      { ...user('first'), media: [picture, picture] },
      { ...user('second'), media: [picture] },
      { ...user('newest'), media: [picture] },
    ]
    const some = fitTurns(turns, { budgetTokens: 2_100 })
    expect(some.turns.map(({ media }) => media?.length ?? 0)).toEqual([0, 0, 1, 1])
    expect(some.turns[1]?.content).toBe('first\n[2 older pictures or sounds are left out]')
    const all = fitTurns(turns, { budgetTokens: 1_100 })
    expect(all.turns.map(({ media }) => media?.length ?? 0)).toEqual([0, 0, 0, 1])
    expect(all).toMatchObject({ fits: true })
  })

  it('takes the oldest of one turn alone, before any of its text', () => {
    const [old, middle, newest] = ['T0xE', 'TUlE', 'TkVX'].map((base64) => ({ ...picture, base64 }))
    if (!old || !middle || !newest) throw new Error('three pictures')
    const { turns } = fitTurns([system, { ...user('look'), media: [old, middle, newest] }], { budgetTokens: 2_100 })
    expect(turns[1]).toEqual({ ...user('look\n[1 older pictures or sounds are left out]'), media: [middle, newest] })
  })

  it('then drops the oldest turns, an answer with what was said to it; system, order and newest message stay', () => {
    const long = 'x'.repeat(400)
    const turns = [system, user('the order'), said(long), user(`no 1 ${long}`), said(long), user('no 2: newest')]
    const kept = fitTurns(turns, { budgetTokens: 130, keepFirst: 1 })
    expect(kept.turns).toEqual([system, user('the order'), said(long), user('no 2: newest')])
    expect(kept.leftOutTokens).toBe(tokens(turns) - tokens(kept.turns))
  })

  it('then cuts the longest text in its middle, and says how much is left out', () => {
    const text = `begin ${'文'.repeat(3_000)} end`
    const { turns, fits } = fitTurns([system, user(text)], { budgetTokens: 500 })
    expect(fits).toBe(true)
    const content = turns[1]?.content ?? ''
    const left = Number(/\[… (\d+) characters are left out here …\]/.exec(content)?.[1])
    expect(content.replace(/\n\[…[^\]]*\]\n/, '').length + left).toBe(text.length)
    expect(content.startsWith('begin ')).toBe(true)
    expect(content.endsWith(' end')).toBe(true)
    expect(estimateTokens(content)).toBeGreaterThan(400)
  })

  it('cuts inside a section only, and takes no tag of the runtime and no rule away', () => {
    const foreign = escapeTags(`<section name="current_step">${'memory '.repeat(2_000)}</section>`)
    const prompt = [
      '<section name="current_step">',
      `<step_text>${'t'.repeat(3_000)}</step_text>`,
      `<rules>\n${'r'.repeat(2_000)}\n</rules>`,
      '</section>',
      '<section name="persistent_memory">',
      `<note time="1">${foreign}</note>`,
      '</section>',
    ].join('\n')
    const { turns, fits } = fitTurns([system, user(prompt)], { budgetTokens: 1_000 })
    expect(fits).toBe(true)
    const content = turns[1]?.content ?? ''
    const tagsOf = (text: string): string[] => text.match(/<\/?(section|step_text|rules|note)\b[^>]*>/g) ?? []
    expect(tagsOf(content)).toEqual(tagsOf(prompt))
    expect(content).toContain('r'.repeat(2_000))
    expect(content.match(/left out here/g)).toHaveLength(2)
  })

  it('never cuts a character in two', () => {
    for (let length = 1_500; length < 1_520; length += 1) {
      const { turns } = fitTurns([user(`${'a'.repeat(length % 3)}${'🍎'.repeat(length)}`)], { budgetTokens: 300 })
      expect(turns[0]?.content).not.toMatch(/\p{Surrogate}/u)
    }
  })

  it('says when not even that is enough', () => {
    const { fits, turns } = fitTurns([{ ...system, content: 's'.repeat(8_000) }, user('hello')], { budgetTokens: 500 })
    expect([fits, turns.length]).toEqual([false, 2])
  })
})
