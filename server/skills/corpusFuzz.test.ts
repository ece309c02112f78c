/**
 * Mangled answers: whatever a model sends, reading it ends soon and throws nothing.
 *
 * 3,000 answers; 100,000 with CONVENE_ALL=1. Rerun one run with CONVENE_SEED=<number>.
 */
import { describe, expect, it } from 'vitest'
import { type AnswerTag, escapeTags } from '@/lib/mas/formats'
import { TAG_SAMPLES } from '@/test/formatSamples'
import { KIB_64, PIECES, randomFrom, readAnswer, readMangled } from '@/test/mangledAnswers'
import { threadCpuMs } from '@/test/threadCpu.cjs'

const SEED = Number(process.env.CONVENE_SEED ?? 20261121)
const isAll = process.env.CONVENE_ALL === '1'
const ANSWERS = isAll ? 100_000 : 3_000
/** Of the processor's time, at the best of five: a busy machine makes everything wait, and that is no fault of an answer. */
const LIMIT_MS = 50

describe('[R34] a mangled answer', () => {
  it(`is read or refused with a reason, ${ANSWERS} times (seed ${SEED})`, { timeout: 600_000 }, () => {
    const { taken, slowest } = readMangled(ANSWERS, SEED)
    // Both ways are really gone.
    expect(taken).toBeGreaterThan(ANSWERS / 20)
    expect(taken).toBeLessThan(ANSWERS)
    expect(
      bestOf(() => readAnswer(slowest.skill, slowest.text)),
      JSON.stringify(slowest.text),
    ).toBeLessThan(LIMIT_MS)
  })

  it('that foreign tags were put into stays the same answer', () => {
    const random = randomFrom(SEED)
    for (let count = 0; count < 500; count += 1) {
      const planted = Array.from({ length: 1 + random(6) }, () => PIECES[random(PIECES.length)] ?? '').join('')
      const text = `<think>It says: ${escapeTags(planted)}.</think>`
      const reading = readAnswer('think', text)
      if (planted.includes('</think>') || /think/i.test(planted)) continue
      expect(reading.ok && reading.answer.main.value, JSON.stringify(planted)).toBe(`It says: ${planted}.`)
      expect(reading.ok && reading.answer.memory).toEqual([])
    }
  })
})

function bestOf(act: () => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let times = 0; times < 5; times += 1) {
    const began = threadCpuMs()
    act()
    best = Math.min(best, threadCpuMs() - began)
  }
  return best
}

const fill = (unit: string): string => unit.repeat(Math.ceil(KIB_64 / unit.length)).slice(0, KIB_64)
const around = (tag: AnswerTag, content: string): string => `<${tag}>${content}</${tag}>`

/** What regular expressions and readers are slow at, 64 KiB of each. */
const BOMBS: readonly string[] = [
  ...PIECES.filter((piece) => !/[a-z]{4}/i.test(piece) || piece.includes('summary')).map(fill),
  ...['planned_step', 'summary', 'send_message'].flatMap((tag) => [
    fill(`<${tag}>`),
    fill(`</${tag}>`),
    fill(`<${tag}></${tag}>`),
    fill(`<${tag}>{"a":"`),
    fill(`<${tag}>["`),
    fill(`<${tag}>[1,`),
    fill(`<${tag} a=`),
    fill(`＜${tag}＞`),
    fill(`< ${tag}   >\n`),
    fill(`\`<${tag}>\``),
  ]),
  ...[
    '[',
    '{"a":',
    '[[],',
    '{"a":{',
    '"',
    '" ',
    '"a" "',
    "'",
    '```\n',
    '```\na\n```\n',
    '/*',
    '/*"',
    '//',
    '//\n',
    '\\',
    '<',
    '< ',
    ' ',
  ]
    .concat([
      '{ [1 ] ',
      '[1] {a} ',
      '{"a" ',
      "it's '",
      '“ ”',
      '1. ',
      '- {',
      '> ',
      '&lt;',
      '＜',
      '\n',
      '\t\n ',
      '"\n"',
      '[x',
      ': {',
    ])
    .flatMap((unit) => [
      fill(unit),
      around('planned_step', fill(unit)),
      around('task_instruction', `{"action": "${fill(unit)}`),
      around('send_message', `{"message": "${fill(unit).replaceAll('"', '" x')}"}`),
      around('summary', fill(unit)),
      `<persistent_memory>${fill(unit)}</persistent_memory><think>x</think>`,
    ]),
  around('planned_step', JSON.stringify(Array.from({ length: 500 }, () => TAG_SAMPLES.planned_step[0]))),
  around('planned_step', `${'['.repeat(30_000)}${']'.repeat(30_000)}`),
  around(
    'tool_instruction',
    `{"instruction_type":"function_call","tool_name":"x","arguments":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}`,
  ),
]

describe('64 KiB of one thing', () => {
  it(`are read or refused within ${LIMIT_MS} ms`, { timeout: 120_000 }, () => {
    const slow: string[] = []
    const skills = ['planning', 'summary', 'task_manager', 'think'] as const
    BOMBS.forEach((bomb, index) => {
      const turn = skills[index % skills.length] ?? 'planning'
      for (const skill of isAll ? skills : [turn]) {
        const began = threadCpuMs()
        readAnswer(skill, bomb)
        if (threadCpuMs() - began < LIMIT_MS) continue
        const best = bestOf(() => readAnswer(skill, bomb))
        if (best >= LIMIT_MS) slow.push(`${skill} ${Math.round(best)} ms: ${JSON.stringify(bomb.slice(0, 60))}`)
      }
    })
    expect(slow).toEqual([])
  })
})
