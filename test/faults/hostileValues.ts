/** Values that no program of ours would send, alone and in the places of a valid one. */
import type { Json } from '@/lib/mas/records'
import { mangled } from '../mangled'
import { pick } from './scenario'

export type Random = () => number

export const ODD_TEXTS = [
  '',
  ' ',
  '\0',
  '\ud800',
  '../../etc/passwd',
  '%00',
  '%E0%A4%A',
  '__proto__',
  'constructor',
  'toString',
  '<script>alert(1)</script>',
  "' or 1=1 --",
  '"'.repeat(50),
  'x'.repeat(5_000),
  '(a+)+$',
  '𝕬🏳️‍🌈',
  'NaN',
  '-1',
  '1e309',
  'timer:00000000-0000-0000-0000-000000000000',
  '00000000-0000-0000-0000-000000000000',
]
export const KEYS = [
  'id',
  'until',
  'task',
  'receivers',
  'text',
  'type',
  'replyTo',
  'answers',
  'stage',
  'content',
  'message_id',
  'sender',
  'receiver',
  'messages',
  'role',
  'jsonrpc',
  'method',
  'params',
  '__proto__',
  'constructor',
]

export function oddValue(random: Random, depth = 3): Json {
  const kind = Math.floor(random() * (depth > 0 ? 10 : 7))
  switch (kind) {
    case 0:
      return null
    case 1:
      return random() < 0.5
    case 2:
      return pick(random, [0, -1, 1e308, -0.5, Number.MAX_SAFE_INTEGER, 2 ** 31])
    case 7:
      return Array.from({ length: Math.floor(random() * 6) }, () => oddValue(random, depth - 1))
    case 8:
    case 9:
      return Object.fromEntries(
        Array.from({ length: Math.floor(random() * 8) }, () => [pick(random, KEYS), oddValue(random, depth - 1)]),
      )
    default:
      return pick(random, ODD_TEXTS)
  }
}

export function oddBody(random: Random): string {
  const dice = random()
  if (dice < 0.02) return `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  if (dice < 0.04) return `{"a":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`
  return broken(random, JSON.stringify(oddValue(random)))
}

/** Mostly as it is; else cut, or with other letters. */
export function broken(random: Random, text: string): string {
  const dice = random()
  if (dice < 0.06) return text.slice(0, Math.floor(random() * text.length))
  if (dice < 0.09) return text.replace(/[a-z]/g, () => String.fromCharCode(Math.floor(random() * 0x250)))
  return text
}

export const oddSegment = (random: Random): string =>
  encodeURIComponent(pick(random, ODD_TEXTS).replaceAll('\ud800', '')).slice(0, 2_000)

/** in: a valid body. out: the same with one to three of its places overwritten, taken out or doubled */
export function overwritten(random: Random, body: object): Json {
  let told: Json = JSON.parse(JSON.stringify(body))
  for (let times = 1 + Math.floor(random() * 3); times > 0; times -= 1) {
    const path = Array.from({ length: 1 + Math.floor(random() * 4) }, () => Math.floor(random() * 60))
    told = mangled(told, path, pick(random, [0, 0, 0, 1, 2]), oddValue(random))
  }
  return told
}
