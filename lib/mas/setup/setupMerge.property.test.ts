/** The file and the page, over any number of starts and changes, agree about each record by three rules. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSameValue } from '@/lib/json'
import { effectiveOf, keepsPage, mergeSetup } from './setupRecords'

type Value = { a: number; b?: string }
const value = fc.option(fc.record({ a: fc.nat(2), b: fc.constantFrom('x', 'y') }), { nil: null })
const known = fc.record({
  file: value,
  page: fc.option(fc.record({ value }), { nil: null }),
})

/** What stands after the file was read. */
const stands = (record: { file: Value | null; page: { value: Value | null } | null }, file: Value | null) =>
  effectiveOf({ file, page: keepsPage(mergeSetup(record, file)) ? record.page : null })

describe('[R117] what the file and the page say of one thing', () => {
  it('is the page’s while the file says what it said', () => {
    fc.assert(
      fc.property(known, (record) => {
        expect(mergeSetup(record, record.file)).toBe('same')
        expect(stands(record, record.file)).toEqual(effectiveOf(record))
      }),
    )
  })

  it('is the file’s where the file changed, but for what the page took out, which stays out', () => {
    fc.assert(
      fc.property(known, value, (record, file) => {
        fc.pre(!isSameValue(record.file, file))
        const isOut = record.page !== null && record.page.value === null
        expect(stands(record, file)).toEqual(isOut ? null : file)
      }),
    )
  })

  it('is told where the page’s word was not what the file says now, and nowhere else', () => {
    fc.assert(
      fc.property(known, value, (record, file) => {
        const isTold = ['overruled', 'removed'].includes(mergeSetup(record, file))
        const isLost = record.page !== null && !isSameValue(record.file, file) && !isSameValue(record.page.value, file)
        expect(isTold).toBe(isLost)
      }),
    )
  })

  it('is the file’s, whatever it was, once the same file is read a second time after the page’s word was lost', () => {
    fc.assert(
      fc.property(known, value, (record, file) => {
        const page = keepsPage(mergeSetup(record, file)) ? record.page : null
        expect(mergeSetup({ file, page }, file)).toBe('same')
      }),
    )
  })

  it('is unknown before it was ever read', () => {
    expect(mergeSetup(undefined, null)).toBe('same')
    expect(mergeSetup(undefined, { a: 1 })).toBe('file')
  })
})

describe('two values are the same', () => {
  it('whatever the order of their members, and with members that are undefined', () => {
    expect(isSameValue({ a: 1, b: [1, { c: 2, d: 3 }] }, { b: [1, { d: 3, c: 2 }], a: 1, e: undefined })).toBe(true)
    expect(isSameValue({ a: 1 }, { a: 1, b: 2 })).toBe(false)
    expect(isSameValue([1, 2], { 0: 1, 1: 2 })).toBe(false)
    expect(isSameValue(null, {})).toBe(false)
    expect(isSameValue([1, 2], [2, 1])).toBe(false)
  })
})
