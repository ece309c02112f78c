/** Every turn that goes to a model is a Harmony message, whichever server it goes to. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HarmonyMessages, listProblems } from '@/lib/protocols/harmony/message'
import { fitTurns } from '../fitTurns'
import type { Media, Turn } from '../model'
import { turnTokens } from '../usage'
import { harmonyOf } from './harmonyTurns'

const picture = (detail?: Media['detail']): Media => ({
  kind: 'image',
  mime: 'image/png',
  base64: 'AAAA',
  ...(detail === undefined ? {} : { detail }),
})
const sound: Media = { kind: 'audio', mime: 'audio/mpeg', base64: 'AAAA' }
const user = (content: string, ...media: Media[]): Turn => ({
  role: 'user',
  content,
  ...(media.length > 0 ? { media } : {}),
})

describe('the turns of a prompt', () => {
  it('H-02 and H-03 are a right list of messages with parts, before and after trimming', () => {
    const turn = fc.record({
      role: fc.constantFrom('system' as const, 'user' as const, 'assistant' as const),
      content: fc.string().map((text) => text.replaceAll('\0', '')),
      media: fc.array(fc.constantFrom(picture(), picture('low'), picture('high'), sound), { maxLength: 3 }),
    })
    fc.assert(
      fc.property(fc.array(turn), fc.nat(4_000), (turns, budgetTokens) => {
        for (const list of [turns, fitTurns(turns, { budgetTokens }).turns]) {
          const messages = HarmonyMessages.parse(list.map(harmonyOf))
          expect(listProblems(messages)).toEqual([])
        }
      }),
    )
  })

  it('H-03 carry a picture with its detail, and a sound with its format', () => {
    expect(harmonyOf(user('look', picture('low'), sound))).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'look' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
        { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
      ],
    })
  })

  it('H-23 count a picture of high detail 1,000 tokens and one of low detail 85; old pictures go first, text stays', () => {
    const tokens = (media: Media): number => turnTokens(user('', media)) - turnTokens(user(''))
    expect([tokens(picture('high')), tokens(picture()), tokens(picture('low'))]).toEqual([1_000, 1_000, 85])
    const turns = [
      user('first', picture('high'), picture('low')),
      user('second', picture('low')),
      user('newest', picture('low')),
    ]
    const { turns: left } = fitTurns(turns, { budgetTokens: 400 })
    expect(left.map(({ media }) => media?.length ?? 0)).toEqual([1, 1, 1])
    expect(left.map(({ content }) => content.split('\n')[0])).toEqual(['first', 'second', 'newest'])
  })
})

const called: Turn[] = [
  { role: 'system', content: 'rules' },
  { role: 'user', content: 'task' },
  { role: 'assistant', content: 'old', calls: [{ id: 'a', name: 'read', arguments: '{"q": 1}' }] },
  { role: 'tool', content: 'x'.repeat(400), call: 'a', name: 'read' },
  {
    role: 'assistant',
    content: '',
    calls: ['b', 'c'].map((id) => ({ id, name: 'read', arguments: '{}' })),
  },
  ...['b', 'c'].map((call): Turn => ({ role: 'tool', content: 'new', call, name: 'read' })),
]

describe('a conversation with calls', () => {
  it('H-04 gives arguments as the text that the model wrote', () => {
    const messages = HarmonyMessages.parse(called.map(harmonyOf))
    expect(messages[2]).toMatchObject({ tool_calls: [{ id: 'a', function: { name: 'read', arguments: '{"q": 1}' } }] })
    expect(listProblems(messages)).toEqual([])
  })

  it('[R663] loses its oldest calls together with their results, and never one without the other', () => {
    const budgets = Array.from({ length: 150 }, (_, budget) => budget)
    for (const budgetTokens of budgets) {
      const { turns } = fitTurns(called, { budgetTokens, keepFirst: 1 })
      expect(listProblems(HarmonyMessages.parse(turns.map(harmonyOf)))).toEqual([])
      expect(turns.slice(-3).map(({ role }) => role)).toEqual(['assistant', 'tool', 'tool'])
    }
    const short = fitTurns(called, { budgetTokens: 60, keepFirst: 1 })
    expect([short.fits, short.turns.map(({ role }) => role)]).toEqual([
      true,
      ['system', 'user', 'assistant', 'tool', 'tool'],
    ])
  })
})
