/** Mangled lists and packets, at the check and over HTTP: the specified refusal each time, no crash, nothing half kept. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openSystem, PEER, quickClock } from '../../test/adapterSystem'
import { Refusal } from '../refusal'
import { readList } from './importList'

const isAll = process.env.CONVENE_ALL === '1'
const GOOD = [
  {
    id: 'a',
    role: 'user',
    name: 'Mia',
    created_at: 1,
    content: [
      { type: 'text', text: 'x', index: 0 },
      { type: 'image_url', image_url: { url: 'https://a.example/b.png', detail: 'low' } },
    ],
  },
  {
    id: 'b',
    role: 'assistant',
    name: 'A',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
  },
  { id: 'd', role: 'tool', tool_call_id: 'c', content: '{"status":"success"}' },
  {
    id: 'e',
    role: 'assistant',
    name: 'A',
    content: 'y [cit]',
    metadata: { citation_map: { cit: { source_type: 'web_search', url: 'https://a.example' } } },
  },
]
const junk = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
    undefined,
    null,
    '',
    '__proto__',
    'constructor',
    '\0',
    '\uD800',
    1e308,
    [],
    {},
    `data:image/png;base64,${'A'.repeat(80)}`,
  ),
)

/** The good list with some of its places overwritten, left out, doubled or moved. */
const mangled = fc
  .array(fc.record({ at: fc.nat(), way: fc.constantFrom('set', 'drop', 'double', 'swap'), value: junk }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((acts) => {
    const list: unknown = JSON.parse(JSON.stringify(GOOD))
    for (const act of acts) mangle(list, act)
    return list
  })

function mangle(list: unknown, { at, way, value }: { at: number; way: string; value: unknown }): void {
  const places: { holder: object; key: string }[] = []
  const walk = (holder: unknown): void => {
    if (holder === null || typeof holder !== 'object') return
    for (const key of Object.keys(holder)) {
      places.push({ holder, key })
      walk(Reflect.get(holder, key))
    }
  }
  walk(list)
  const place = places[at % Math.max(1, places.length)]
  if (!place) return
  const { holder, key } = place
  if (way === 'set') Reflect.set(holder, key, value)
  else if (way === 'drop' && Array.isArray(holder)) holder.splice(Number(key), 1)
  else if (way === 'drop') Reflect.deleteProperty(holder, key)
  else if (Array.isArray(holder) && way === 'double') holder.push(Reflect.get(holder, key))
  else if (Array.isArray(holder)) holder.reverse()
}

it('H-26 a mangled list is read or refused with its place, never worse', async () => {
  let taken = 0
  await fc.assert(
    fc.asyncProperty(fc.oneof({ arbitrary: mangled, weight: 9 }, { arbitrary: junk, weight: 1 }), async (messages) => {
      try {
        const { list, raw } = await readList({ messages })
        expect(list).toHaveLength(raw.length)
        taken += 1
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal)
        const { code, details: where } = error instanceof Refusal ? error : { code: '', details: null }
        expect(['invalid_list', 'bad_request']).toContain(code)
        if (code === 'invalid_list') expect(where?.place).toMatch(/^messages/)
      }
    }),
    { numRuns: isAll ? 50_000 : 1_500 },
  )
  expect(taken).toBeGreaterThan(0)
})

it('H-26 over HTTP: what is taken is whole, what is refused left nothing', async () => {
  const key = 'fuzz-key'
  const peers = [{ ...PEER, may: ['harmony' as const] }]
  const secrets = [{ id: PEER.id, key, sendKey: null, signingKey: null }]
  // A peer has so many calls a minute; a fuzz of more than that would only meet that limit.
  const system = await openSystem({ peers, secrets, now: quickClock() })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const broken = fc.oneof(
    mangled.map((messages) => ['import', JSON.stringify({ messages })] as const),
    junk.map((packet) => ['handoff', JSON.stringify(packet) ?? ''] as const),
    fc.string().map((text) => ['import', text] as const),
  )
  let kept = 0
  /** The same list again is the same conversation. */
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(broken, async ([path, body]) => {
      const { status, json } = await system.call(`/api/harmony/${path}`, { method: 'POST', headers, body })
      expect([200, 400, 413, 422]).toContain(status)
      if (status !== 200) expect(json.status_code).toBe(status)
      else if (path === 'import' && !seen.has(body)) kept += Number(json.messages)
      seen.add(body)
      expect(system.messages().filter(({ imported }) => imported !== undefined)).toHaveLength(kept)
    }),
    { numRuns: isAll ? 1_250 : 40 },
  )
})
