import { describe, expect, it } from 'vitest'
import type { StepRecord } from '@/lib/mas/records'
import { makeStep } from '@/test/skillWorld'
import { CUT_CHARACTERS, readItem, toItem, writeItem } from './historyItem'

const noBody = (): never => {
  throw new Error('nothing is to be fetched')
}
async function shown(step: StepRecord, cut: number | null = null): Promise<string> {
  return writeItem(await readItem(toItem(step), noBody, cut)).join('')
}
const call = (n: number, more: Partial<StepRecord>): StepRecord =>
  makeStep(n, { type: 'tool', executor: 'files', state: 'finished', ...more })

describe('[R11] a call that a person decided about', () => {
  const edited = call(1, {
    result: {
      kind: 'tool',
      text: 'written',
      body: null,
      made: { note: 'Ana changed the arguments before it ran; they were {"path":"<summary>"}' },
    },
  })

  it('says who changed its arguments and what they were, also where the item is cut', async () => {
    for (const cut of [null, CUT_CHARACTERS]) {
      const item = await shown(edited, cut)
      expect(item).toContain('<person_decided kind="edited">Ana changed the arguments before it ran; they were')
      expect(item).not.toContain('made:')
      // What the arguments were is foreign text.
      expect(item).not.toContain('<summary>')
    }
  })

  it('says so too when it then failed on its way', async () => {
    const lost = { kind: 'tool' as const, text: 'no answer', body: null, made: { note: 'Ana changed it' } }
    expect(await shown(call(2, { state: 'failed', reason: 'no answer', result: lost }))).toContain(
      '<person_decided kind="edited">Ana changed it</person_decided>',
    )
  })

  it('says who refused it, and why', async () => {
    const reason = 'refused by Ana: not in that folder'
    const made = { status: 'refused', reason: 'not in that folder' }
    const item = await shown(
      call(3, { state: 'failed', reason, result: { kind: 'tool', text: reason, body: null, made } }),
    )
    expect(item).toContain(`<person_decided kind="refused">${reason}</person_decided>`)
    expect(item).toContain(`<result>${reason}</result>`)
  })

  it('bears no mark when it was simply allowed, or when a skill made something of that shape', async () => {
    const plain = { kind: 'tool' as const, text: 'done', body: null, made: null }
    expect(await shown(call(4, { result: plain }))).not.toContain('person_decided')
    expect(await shown(makeStep(5, { state: 'finished', result: { ...plain, made: { note: 'x' } } }))).not.toContain(
      'person_decided',
    )
  })
})

describe('an item of a history', () => {
  it('says why it failed once: in its result where that tells it, else beside it', async () => {
    const failed = (text: string) =>
      call(6, { state: 'failed', reason: 'no such path', result: { kind: 'tool', text, body: null, made: null } })
    expect(await shown(failed('ENOENT: no such path'))).not.toContain('<failure>')
    const other = await shown(failed('the server said nothing'))
    expect(other).toContain('<result>the server said nothing</result>')
    expect(other).toContain('<failure>no such path</failure>')
    const without = await shown(call(7, { state: 'failed', reason: 'no such path', result: null }))
    expect(without).toContain('<failure>no such path</failure>')
  })

  it('is cut from one character beyond the limit on, and says how long it was', async () => {
    const text = (length: number) => makeStep(8, { state: 'finished', text: 'w'.repeat(length) })
    expect(await shown(text(CUT_CHARACTERS), CUT_CHARACTERS)).not.toContain('cut=')
    expect(await shown(text(CUT_CHARACTERS + 1), CUT_CHARACTERS)).toContain(
      `w … [${CUT_CHARACTERS} of ${CUT_CHARACTERS + 1} characters]</text>`,
    )
  })

  it('shows a text that says more than its intention, and none that does not', async () => {
    const item = (text: string) => shown(makeStep(8, { state: 'finished', intention: 'look', text }))
    expect(await item('look closely')).toContain('<text>look closely</text>')
    for (const text of ['', 'look']) expect(await item(text)).not.toContain('<text>')
  })

  it('bears a mark only where something of it is left out', async () => {
    const long = { kind: 'text' as const, text: 'word '.repeat(200), body: null, made: null }
    expect(await shown(makeStep(8, { state: 'finished', result: long }))).not.toContain('cut=')
    expect(await shown(makeStep(8, { state: 'finished', result: long }), CUT_CHARACTERS)).toContain(' cut="yes"')
    expect(await shown(makeStep(9, { state: 'finished' }), CUT_CHARACTERS)).not.toContain('cut=')
  })
})
