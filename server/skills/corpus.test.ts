/** Answers as models really give them: each is read as the corpus says, or refused with exactly its reason. */
import { describe, expect, it } from 'vitest'
import { ANSWER_TAGS, parseAnswer } from '@/lib/mas/formats'
import { SKILLS } from '@/lib/mas/records'
import { CORPUS } from '@/test/corpus'
import { SKILL_REGISTRY } from './registry'

describe('[R34] the corpus of answers', () => {
  it('holds answers to every skill, at least 120 in all, no two of one name', () => {
    expect(CORPUS.length).toBeGreaterThanOrEqual(120)
    expect(new Set(CORPUS.map((entry) => entry.skill))).toEqual(new Set(SKILLS))
    expect(new Set(CORPUS.map((entry) => `${entry.skill} ${entry.fault}`)).size).toBe(CORPUS.length)
    const main = SKILLS.flatMap((skill) => SKILL_REGISTRY[skill].asks.oneOf)
    // Every skill takes these two beside its own or in place of them.
    expect(ANSWER_TAGS.filter((tag) => ![...main, 'persistent_memory', 'skip'].includes(tag))).toEqual([])
  })

  it.each(CORPUS.map((entry) => [entry.skill, entry.fault, entry] as const))('%s: %s', (_skill, _fault, entry) => {
    const reading = parseAnswer(entry.text, SKILL_REGISTRY[entry.skill].asks)
    if ('refuses' in entry) {
      expect(reading).toEqual({ ok: false, reason: entry.refuses })
      return
    }
    expect(reading).toMatchObject({ ok: true })
    if (!reading.ok) return
    const { main, also, memory, memoryProblem, fixups } = reading.answer
    expect(main.value).toEqual(entry.gives)
    if (entry.tag !== undefined) expect(main.tag).toBe(entry.tag)
    expect(also).toEqual(entry.also ?? {})
    expect(memory).toEqual(entry.memory ?? [])
    expect(memoryProblem).toBeNull()
    expect([...fixups].sort()).toEqual([...(entry.fixups ?? [])].sort())
  })
})
