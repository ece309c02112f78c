import { describe, expect, it } from 'vitest'
import { missingFile } from './failureCause'

describe("a step's text", () => {
  it('names the file that was not found, and no other reason', () => {
    expect(missingFile("ENOENT: no such file or directory, open 'prices/west.csv'")).toBe('prices/west.csv')
    expect(missingFile('time limit')).toBeNull()
  })
})
