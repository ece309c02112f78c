/** Acts of people in words: each decision of a person has one, in both languages, also when its line in the chat is gone. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LANGUAGES } from '@/lib/language'
import { OPERATOR_ACTS } from '@/lib/mas/commands/act'
import { type Entry, event } from '@/lib/mas/events'
import { anyMoves, TEAM, walk } from '@/test/worldHistories'
import { type ActSayer, actIn, isTelling, sayAudit } from './actWords'

const sayer = (language: (typeof LANGUAGES)[number], by: string, isTold = false): ActSayer => ({
  by,
  say: (key, ...values) => sayAudit(language, key, ...values),
  name: (id) => `<${id}>`,
  names: (ids) => ids.join(', '),
  decided: ({ answer }) => answer.decision,
  isTold,
  sentence: () => null,
})

/** What people do without deciding anything: a page says that it showed or told something. */
const NO_ACTS = ['markShown', 'noteTold']

it('[R522] each decision of a person is an act in words, in any history', () => {
  const silent = new Set<string>()
  let acts = 0
  fc.assert(
    fc.property(anyMoves(), (moves) => {
      const { envelopes, entries } = walk(moves)
      for (const { id, by, command } of envelopes) {
        const own = entries.filter(({ cause }) => cause === id)
        if (by.startsWith('system:') || own.length === 0) continue
        const isTold = own.some(isTelling)
        const found = own.flatMap((entry) => actIn(entry, sayer('en', by, isTold)) ?? [])
        acts += found.length
        if (command.type === 'answerRequest')
          expect(found.filter(({ what }) => /^(Marked|Acknowledged)/.test(what))).toEqual([])
        // What asks nothing is only seen.
        const isSeen = own.every((entry) => entry.event.type === 'message.delivery')
        if (found.length === 0 && !isSeen) silent.add(command.type)
        for (const { what } of found) expect(what).not.toMatch(/undefined|[{}]/)
      }
    }),
    { numRuns: 60, seed: 7 },
  )
  expect(acts).toBeGreaterThan(200)
  expect([...silent].filter((type) => !NO_ACTS.includes(type))).toEqual([])
})

it('[R522] an act whose line in the chat is gone is told in short words, with its reason, and one of a newer program by its name', () => {
  for (const language of LANGUAGES) {
    const told = [...OPERATOR_ACTS, 'flyAway'].map((act) => {
      const acted = event('operator.acted', { task: null, agent: TEAM.ana.id, act, on: TEAM.ben.id, reason: 'why' })
      const entry: Entry = { seq: 1, at: 1, by: TEAM.ana.id, cause: 'c', event: acted }
      return [act, actIn(entry, sayer(language, TEAM.ana.id))?.what ?? null] as const
    })
    // Their own events say more.
    expect(told.flatMap(([act, what]) => (what === null ? [act] : []))).toEqual(['removeTemplate', 'saveTemplate'])
    const words = told.flatMap(([, what]) => what ?? [])
    expect(new Set(words).size).toBe(words.length)
    for (const text of words) expect(text).toMatch(/why$/)
    expect(words.at(-1)).toContain('flyAway')
    expect(words.filter((text) => text.includes('{'))).toEqual([])
  }
})
