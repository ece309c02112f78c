/** Keys of the file follow from the names of the fields. */
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { inUnit, placeInFile, readKeys, writeKeys } from './fileKeys'

const part = z.strictObject({
  baseUrl: z.string().nullable().default(null),
  timeLimitMs: z.number().int().default(120_000),
  openMs: inUnit('h', z.number().default(3_600_000)),
  byName: z.record(z.string(), z.strictObject({ mayWait: z.boolean().default(false) })).default({}),
  either: z.union([z.string(), z.strictObject({ firstName: z.string() })]).optional(),
  extra: z.record(z.string(), z.unknown()).default({}),
  open: z.looseObject({ isSet: z.boolean().optional() }).optional(),
})
const FIELDS = {
  baseUrl: 'https://a.example',
  timeLimitMs: 1_100,
  openMs: 7_200_000,
  byName: { my_Model: { mayWait: true } },
  either: { firstName: 'Ana' },
  extra: { top_k: 3, maxItems: null },
  open: { isSet: true, otherKey: 1 },
}
const FILE = {
  base_url: 'https://a.example',
  time_limit_s: 1.1,
  open_h: 2,
  by_name: { my_Model: { may_wait: true } },
  either: { first_name: 'Ana' },
  extra: { top_k: 3, maxItems: null },
  open: { is_set: true, otherKey: 1 },
}

describe('[R591] a key of the file', () => {
  it('is the name of its field in snake_case, a time in its unit; names and values of people stay as they are', () => {
    expect(readKeys(part, FILE)).toEqual({ value: FIELDS, unknown: [] })
  })

  it('is written as it is read, and left out where it says what holds anyway', () => {
    expect(writeKeys(part, { ...FIELDS, open: undefined })).toEqual({ ...FILE, open: undefined })
    const none = writeKeys(part, { ...part.parse({}), baseUrl: null })
    expect(JSON.parse(JSON.stringify(none))).toEqual({})
  })

  it('in camelCase is unknown, at every depth', () => {
    const { value, unknown } = readKeys(part, { baseUrl: 'x', by_name: { one: { mayWait: true } } })
    expect(value).toEqual({ byName: { one: {} } })
    expect(unknown.map(({ path, hint }) => [path.join('.'), hint])).toEqual([
      ['baseUrl', 'Did you mean base_url?'],
      ['by_name.one.mayWait', 'Did you mean may_wait?'],
    ])
  })

  it('without a value is refused: it is not left out', () => {
    const { value } = readKeys(part, { base_url: null, by_name: null })
    expect(part.safeParse(value).error?.issues.map(({ path }) => path.join('.'))).toEqual(['baseUrl', 'byName'])
  })

  it('names the place of what is wrong, with its numbers in the unit of the file', () => {
    expect(placeInFile(part, ['timeLimitMs'])).toEqual({ path: ['time_limit_s'], times: 1_000 })
    expect(placeInFile(part, ['byName', 'my_Model', 'mayWait'])).toEqual({
      path: ['by_name', 'my_Model', 'may_wait'],
      times: 1,
    })
    expect(placeInFile(part, ['extra', 'maxItems'])).toEqual({ path: ['extra', 'maxItems'], times: 1 })
  })
})
