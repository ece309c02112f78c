/** Answers of models with some places changed, each read as the runtime reads one. Seeded, the same everywhere. */
import assert from 'node:assert/strict'
import { ANSWER_TAGS, LAYOUT_TAGS, parseAnswer } from '@/lib/mas/formats'
import { SKILLS } from '@/lib/mas/records'
import { SKILL_REGISTRY } from '@/server/skills/registry'
import { CORPUS } from './corpus'
import { threadCpuMs } from './threadCpu.cjs'

export const KIB_64 = 64 * 1024

/** mulberry32: small, seeded, the same everywhere. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

export const PIECES = [
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

export const readAnswer = (skill: (typeof SKILLS)[number], text: string) =>
  parseAnswer(text, SKILL_REGISTRY[skill].asks)

type ReadMangled = { taken: number; slowest: { ms: number; text: string; skill: (typeof SKILLS)[number] } }

/**
 * Read mangled answers.
 *
 * out     how many were taken, and which one took longest, in ms of this thread's CPU time
 * faults  throws with number and seed of an answer whose reading threw, or that was refused without a reason
 */
export function readMangled(count: number, seed: number): ReadMangled {
  const random = randomFrom(seed)
  let taken = 0
  let slowest: ReadMangled['slowest'] = { ms: 0, text: '', skill: SKILLS[0] }
  for (let at = 0; at < count; at += 1) {
    const entry = CORPUS[random(CORPUS.length)]
    if (entry === undefined) throw new Error('the corpus is empty')
    const skill = random(4) === 0 ? (SKILLS[random(SKILLS.length)] ?? entry.skill) : entry.skill
    const text = mangle(entry.text, random)
    const began = threadCpuMs()
    try {
      const reading = readAnswer(skill, text)
      if (reading.ok) taken += 1
      else assert.match(reading.reason, /\S/)
    } catch (error) {
      throw new Error(`answer ${at} of seed ${seed} to ${skill}: ${JSON.stringify(text)}`, { cause: error })
    }
    const ms = threadCpuMs() - began
    if (ms > slowest.ms) slowest = { ms, text, skill }
  }
  return { taken, slowest }
}
