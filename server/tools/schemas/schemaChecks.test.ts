/** No schema stops the loop, whatever it holds. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { LONGEST_BLOCK_MS, longestBlock } from '@/test/loopBlocks'
import { paintTool } from '@/test/toolPools'
import { checkArguments, checkForm, checkStructured } from '../calls/checkArguments'
import { openSchemaChecks } from './schemaChecks'

const EVIL_TEXT = `${'a'.repeat(40)}!`
/** Nested repetition in a look-ahead: no linear engine takes it. */
const LOOK_AHEAD = '^(?=(a+)+$)'
const within = (pattern: string) => ({ type: 'object', properties: { title: { type: 'string', pattern } } })
const doubling = (levels: number) => ({
  type: 'object',
  properties: { title: { $ref: '#/$defs/level0' } },
  $defs: Object.fromEntries(
    Array.from({ length: levels }, (_, level) => [
      `level${level}`,
      level === levels - 1
        ? { type: 'number' }
        : { anyOf: [{ $ref: `#/$defs/level${level + 1}` }, { $ref: `#/$defs/level${level + 1}` }] },
    ]),
  ),
})

test('[R73] a pattern of nested repetitions is decided at once', async () => {
  const { outcome, blockMs } = await longestBlock(() =>
    checkArguments(paintTool(within('^(a+)+$')), { title: EVIL_TEXT }),
  )
  expect(outcome).toEqual({ ok: false, message: 'paint: title must match pattern "^(a+)+$"' })
  expect(blockMs).toBeLessThan(LONGEST_BLOCK_MS)
})

test.each<[string, object, unknown, string]>([
  ['look-ahead', within(LOOK_AHEAD), { title: EVIL_TEXT }, 'time'],
  ['back-reference', within('^(a+)+\\1$'), { title: EVIL_TEXT }, 'time'],
  ['names that must fit', { propertyNames: { pattern: LOOK_AHEAD } }, { [EVIL_TEXT]: 1 }, 'time'],
  ['names with schemas', { patternProperties: { [LOOK_AHEAD]: {} } }, { [EVIL_TEXT]: 1 }, 'time'],
  ['references that double', doubling(40), { title: 'a' }, 'time'],
  ['a reference to itself', { $ref: '#' }, {}, 'failed'],
  [
    'long lists of different things',
    { properties: { list: { uniqueItems: true } } },
    { list: Array.from({ length: 20_000 }, (_, n) => ({ n })) },
    'time',
  ],
])('[R73] a schema with %s is ended by its deadline while the loop turns', async (_, schema, value, end) => {
  const check = openSchemaChecks({ limitMs: 120 })
  const { outcome, blockMs } = await longestBlock(() => check(schema, value))
  expect(outcome).toEqual({ end })
  expect(blockMs).toBeLessThan(LONGEST_BLOCK_MS)
})

test.each([
  [within(LOOK_AHEAD), { title: EVIL_TEXT }, 'within 500 ms'],
  [{ $ref: '#' }, {}, 'could not be checked'],
])('[R73] arguments whose check was ended are refused in words: %o', async (schema, args, words) => {
  expect(await checkArguments(paintTool(schema), args)).toMatchObject({
    ok: false,
    message: expect.stringContaining(words),
  })
})

test('[R73] the schemas of results and of forms have the same bounds', async () => {
  const schema = within(LOOK_AHEAD)
  const info = { ...paintTool({}), outputSchema: schema }
  expect(await checkStructured(info, { title: EVIL_TEXT })).toMatchObject({ ok: false })
  expect(await checkForm(schema, { title: EVIL_TEXT })).toContain('within 500 ms')
})

test('[R73] after a check that was ended the next ones are answered, of the same schema too', async () => {
  const check = openSchemaChecks({ limitMs: 120 })
  const evil = within(LOOK_AHEAD)
  const verdicts = [
    await check(evil, { title: EVIL_TEXT }),
    ...(await Promise.all([
      check(evil, { title: EVIL_TEXT }),
      check(evil, { title: 'aaa' }),
      check(within('^a$'), { title: 'b' }),
      check(within('^a$'), { title: 'a' }),
    ])),
  ]
  expect(verdicts.map((one) => (one.end === 'checked' ? one.errors.length : one.end))).toEqual([
    'time',
    'time',
    0,
    1,
    0,
  ])
})

test('[R73] a schema that once took too long keeps nobody else waiting', async () => {
  const check = openSchemaChecks({ limitMs: 120 })
  const evil = within(LOOK_AHEAD)
  await check(evil, { title: EVIL_TEXT })
  await check(within('^a$'), { title: 'a' })
  const ended: string[] = []
  await Promise.all([
    ...Array.from({ length: 3 }, () => check(evil, { title: EVIL_TEXT }).then(() => ended.push('evil'))),
    check(within('^b$'), { title: 'b' }).then(() => ended.push('plain')),
  ])
  expect(ended[0]).toBe('plain')
})

test('[R73] what nests deeper than 128 levels is refused in words, 128 are checked', async () => {
  const nested = (levels: number): Record<string, unknown> => {
    let value: Record<string, unknown> = {}
    for (let level = 1; level < levels; level += 1) value = { a: value }
    return value
  }
  const any = paintTool({})
  expect(await checkArguments(any, nested(128))).toEqual({ ok: true })
  const words = 'paint: nested deeper than 128 levels, so it cannot be checked against its schema'
  for (const levels of [129, 200_000])
    expect(await checkArguments(any, nested(levels))).toEqual({ ok: false, message: words })
  expect(await checkArguments({ ...any, inputSchema: nested(129) }, {})).toEqual({ ok: false, message: words })
})

test('more than 500 schemas are checked, the first ones again too', async () => {
  const check = openSchemaChecks()
  const schemas = Array.from({ length: 510 }, (_, n) => ({ const: n }))
  for (const round of [0, 1]) {
    for (const [n, schema] of schemas.entries()) {
      if (round === 1 && n > 20) break
      expect(await check(schema, n)).toEqual({ end: 'checked', errors: [] })
      expect(await check(schema, -1)).toMatchObject({ errors: [{ keyword: 'const' }] })
    }
  }
})

test('the thread starts from the bundled server too', async () => {
  await mkdir('out', { recursive: true })
  const folder = await mkdtemp(resolve('out', 'bundle-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const node = (code: string) => promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
  const bundled = `${folder}/checks.cjs`
  await node(
    `import { bundle } from './scripts/lib/build.mjs'; await bundle('server/tools/calls/checkArguments.ts', '${bundled}')`,
  )
  const { stdout } = await node(
    `import { checkForm } from '${bundled}'; setTimeout(() => {}, 20_000); console.log(await checkForm({ minProperties: 1 }, {})); process.exit()`,
  )
  expect(stdout).toBe('the value must NOT have fewer than 1 properties\n')
})
