/**
 * Mangled answers: whatever a model sends, reading it ends soon and throws nothing.
 *
 * 3,000 answers; 100,000 with CONVENE_ALL=1. Rerun one run with CONVENE_SEED=<number>.
 */

import { describe, expect, it } from 'vitest'
import { ANSWER_TAGS, type AnswerTag, escapeTags, LAYOUT_TAGS, parseAnswer } from '@/lib/mas/formats'
import { SKILLS } from '@/lib/mas/records'
import { CORPUS } from '@/test/corpus'
import { TAG_SAMPLES } from '@/test/formatSamples'
import { SKILL_REGISTRY } from './registry'

const SEED = Number(process.env.CONVENE_SEED ?? 20261121)
const isAll = process.env.CONVENE_ALL === '1'
const ANSWERS = isAll ? 100_000 : 3_000
const KIB_64 = 64 * 1024
/** Of the processor's time, at the best of five: a busy machine makes everything wait, and that is no fault of an answer. */
const LIMIT_MS = 50
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** mulberry32: small, seeded, the same everywhere. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

const PIECES = [
  ...ANSWER_TAGS.flatMap((tag) => [`<${tag}>`, `</${tag}>`, `<${tag.toUpperCase()}>`, `＜${tag}＞`, `&lt;${tag}&gt;`]),
  ...LAYOUT_TAGS.map((tag) => `<${tag}>`),
  ...[
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    '“',
    '”',
    '`',
    '```',
    '```json\n',
    '~~~',
    ',',
    ':',
    '：',
    '，',
    '\\',
    '\\"',
    '\\u12',
  ],
  ...[
    '//',
    '/*',
    '*/',
    '#',
    '\n',
    '\r\n',
    ' ',
    '\t',
    '\uFEFF',
    '\u2060',
    '\u0000',
    '\ud800',
    '<',
    '>',
    '</',
    '&lt;',
    '**',
  ],
  ...[
    'true',
    'None',
    '-1e999',
    '1.',
    '"__proto__"',
    '{"add": 1}',
    '<![CDATA[',
    ']]>',
    '<|channel|>',
    '</think>',
    '"""',
  ],
]

function mangle(text: string, random: (below: number) => number): string {
  let told = text
  for (let times = 1 + random(4); times > 0; times -= 1) {
    const at = random(told.length + 1)
    const length = random(12)
    const piece = PIECES[random(PIECES.length)] ?? ''
    switch (random(7)) {
      case 0:
        told = told.slice(0, at) + told.slice(at + length)
        break
      case 1:
        told = told.slice(0, at) + piece + told.slice(at)
        break
      case 2:
        told = told.slice(0, at)
        break
      case 3:
        told = told.slice(0, at) + told.slice(random(told.length + 1))
        break
      case 4:
        told =
          told.slice(0, at) +
          told
            .slice(at, at + length)
            .split('')
            .reverse()
            .join('') +
          told.slice(at + length)
        break
      case 5:
        told = told.slice(0, at) + piece.repeat(1 + random(30)) + told.slice(at)
        break
      default:
        told = told + told.slice(at)
    }
  }
  return told.slice(0, KIB_64)
}

const read = (skill: (typeof SKILLS)[number], text: string) => parseAnswer(text, SKILL_REGISTRY[skill].asks)

describe('[R34] a mangled answer', () => {
  it(`is read or refused with a reason, ${ANSWERS} times (seed ${SEED})`, { timeout: 600_000 }, () => {
    const random = randomFrom(SEED)
    let taken = 0
    let slowest = { ms: 0, text: '', skill: SKILLS[0] as (typeof SKILLS)[number] }
    for (let count = 0; count < ANSWERS; count += 1) {
      const entry = CORPUS[random(CORPUS.length)]
      if (entry === undefined) throw new Error('the corpus is empty')
      const skill = random(4) === 0 ? (SKILLS[random(SKILLS.length)] ?? entry.skill) : entry.skill
      const text = mangle(entry.text, random)
      const began = cpuMs()
      let reading: ReturnType<typeof read>
      try {
        reading = read(skill, text)
      } catch (error) {
        throw new Error(`answer ${count} of seed ${SEED} to ${skill}: ${JSON.stringify(text)}`, { cause: error })
      }
      const ms = cpuMs() - began
      if (ms > slowest.ms) slowest = { ms, text, skill }
      if (reading.ok) taken += 1
      else expect(reading.reason, JSON.stringify(text)).toMatch(/\S/)
    }
    // Both ways are really gone.
    expect(taken).toBeGreaterThan(ANSWERS / 20)
    expect(taken).toBeLessThan(ANSWERS)
    expect(
      bestOf(() => read(slowest.skill, slowest.text)),
      JSON.stringify(slowest.text),
    ).toBeLessThan(LIMIT_MS)
  })

  it('that foreign tags were put into stays the same answer', () => {
    const random = randomFrom(SEED)
    for (let count = 0; count < 500; count += 1) {
      const planted = Array.from({ length: 1 + random(6) }, () => PIECES[random(PIECES.length)] ?? '').join('')
      const text = `<think>It says: ${escapeTags(planted)}.</think>`
      const reading = read('think', text)
      if (planted.includes('</think>') || /think/i.test(planted)) continue
      expect(reading.ok && reading.answer.main.value, JSON.stringify(planted)).toBe(`It says: ${planted}.`)
      expect(reading.ok && reading.answer.memory).toEqual([])
    }
  })
})

function bestOf(act: () => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let times = 0; times < 5; times += 1) {
    const began = cpuMs()
    act()
    best = Math.min(best, cpuMs() - began)
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
        const began = cpuMs()
        read(skill, bomb)
        if (cpuMs() - began < LIMIT_MS) continue
        const best = bestOf(() => read(skill, bomb))
        if (best >= LIMIT_MS) slow.push(`${skill} ${Math.round(best)} ms: ${JSON.stringify(bomb.slice(0, 60))}`)
      }
    })
    expect(slow).toEqual([])
  })
})
