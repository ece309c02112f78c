import { describe, expect, it } from 'vitest'
import { missingFile, readableText } from './stepText'

describe("a step's text", () => {
  it('[R306] is read without the plan that the built-in program keeps in it', () => {
    const text = 'Gather the facts.\n<job>{"op":"compare",\n"where":["prices"]}</job>\nThen ask.'
    expect(readableText(text)).toBe('Gather the facts.\n\nThen ask.')
    expect(readableText('Done.\n<job_result>{"ok":true}</job_result>')).toBe('Done.')
    expect(readableText('The tag <job> stands alone.')).toBe('The tag <job> stands alone.')
  })

  it('names the file that was not found, and no other reason', () => {
    expect(missingFile("ENOENT: no such file or directory, open 'prices/west.csv'")).toBe('prices/west.csv')
    expect(missingFile('time limit')).toBeNull()
  })
})
