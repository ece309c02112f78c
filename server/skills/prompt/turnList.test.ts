/** The form of a stored prompt: lists of turns, and lists that others share. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bodyOf } from '@/lib/mas/bodies'
import { asId, type MessageId } from '@/lib/mas/ids'
import { testBodyCache } from '@/test/skillWorld'
import { readStoredPrompt } from './storedPrompt'
import { asList, grouped, listsIn, ownTurn, type PromptEntry, readTurns, sharedTurn, storePrompt } from './turnList'

const about = { role: 'user', name: 'history_step' } as const
const turnsOfTexts = (texts: readonly string[]): PromptEntry[] =>
  texts.map((text) => (text.length % 5 === 0 ? ownTurn(about, text) : sharedTurn(about, text)))

function shelved() {
  const bodies = testBodyCache()
  return { bodies, read: (ref: Parameters<typeof bodies.text>[0]) => bodies.text(ref) }
}

describe('the turns of a stored prompt', () => {
  it('[R560] are read in their order, however they are grouped', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string(), { maxLength: 200 }), fc.nat(200), async (texts, at) => {
        const { bodies, read } = shelved()
        const turns = turnsOfTexts(texts)
        for (const some of [turns.slice(0, at), turns]) {
          const stored = storePrompt([asList(turns.slice(0, 3)), ...grouped(some)], bodies)
          const found = await readTurns(stored, read)
          expect(found).toEqual([...turns.slice(0, 3), ...some].map(({ entry }) => entry))
        }
      }),
      { numRuns: 100 },
    )
  })

  it('[R562] are in the same groups as before where more follow, or the first are gone', () => {
    const texts = Array.from({ length: 400 }, (_, at) => `item number ${at} of the history`)
    const listsOf = (turns: readonly PromptEntry[]): string[] =>
      turns.flatMap(({ entry, inside }) => ['list' in entry ? entry.list : '', ...listsOf(inside)]).filter(Boolean)
    const groupsOf = (some: readonly string[]) => grouped(some.map((text) => sharedTurn(about, text)))
    const all = groupsOf(texts)
    const known = new Set(listsOf(all))
    expect(all.length).toBeLessThan(60)
    for (const part of [texts.slice(0, 300), texts.slice(100)]) {
      const lists = listsOf(groupsOf(part))
      expect(lists.length).toBeGreaterThan(60)
      expect(lists.filter((sha) => !known.has(sha)).length).toBeLessThan(15)
    }
  })

  it('[R562] are not looked at again in a list that is stored', () => {
    const { bodies } = shelved()
    const group = asList([sharedTurn(about, 'one'), sharedTurn(about, 'two')])
    storePrompt([group, ownTurn(about, 'now')], bodies)
    const made: string[] = []
    const { shelf } = bodies
    const counting = {
      has: (sha: string) => shelf.has(sha),
      make(text: string, mime: string) {
        made.push(text)
        return bodies.make(text, mime)
      },
    }
    storePrompt([group, ownTurn(about, 'later')], counting)
    expect(made).toHaveLength(1)
  })

  it('join the turn before them without a line break where they say so, and hold messages of their section', async () => {
    const { bodies, read } = shelved()
    const turns = [
      sharedTurn({ ...about, messages: [asId<MessageId>('m1')] }, 'a <b>'),
      sharedTurn({ ...about, joins: true }, 'c'),
      ownTurn({ ...about, messages: [asId<MessageId>('m2')] }, 'd'),
      ownTurn({ role: 'assistant', name: 'answer/1' }, 'e'),
    ]
    expect(await readStoredPrompt(storePrompt(turns, bodies), read)).toEqual([
      { role: 'user', name: 'history_step', text: 'a <b>c\nd', messages: ['m1', 'm2'] },
      { role: 'assistant', name: 'answer/1', text: 'e', messages: [] },
    ])
  })

  it('[R561] are none where a list is no list, or names others without end', async () => {
    const { bodies, read } = shelved()
    for (const text of ['no list', '{}', '[{"role":"user"}]', '[{"role":"user","name":"a","sha":7,"bytes":1}]']) {
      const { ref } = bodyOf(text)
      bodies.make(text, 'text/plain')
      await expect(readTurns(ref, read)).rejects.toMatchObject({ code: 'NOT_KEPT' })
      expect(listsIn(text)).toEqual([])
    }
    let inner = asList([ownTurn(about, 'x'), ownTurn(about, 'y')])
    for (let depth = 0; depth < 40; depth += 1) inner = asList(Array.from({ length: 10 }, () => inner))
    await expect(readTurns(storePrompt([inner], bodies), read)).rejects.toMatchObject({ code: 'NOT_KEPT' })
    const long = asList(Array.from({ length: 9 }, () => sharedTurn(about, 'x'.repeat(8_000_000))))
    await expect(readStoredPrompt(storePrompt([long], bodies), read)).rejects.toMatchObject({ code: 'NOT_KEPT' })
  })
})
