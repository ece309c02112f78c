/** Cursors as text: what is read back, and what is none. */
import { expect, it } from 'vitest'
import { parseCursor, writeCursor } from './subs'

it('[V5] a cursor is read back as it was written, also when its stream has "@" in its name', () => {
  for (const position of [
    { gen: 'r', seq: 0 },
    { gen: 'a@b@2', seq: 999_999_999_999_999 },
  ])
    expect(parseCursor(writeCursor(position))).toEqual(position)
})

it('[V5] a text without a stream or without a number of up to 15 digits is no cursor', () => {
  for (const text of ['', '5', '@5', 'r@', 'r@x', 'r@-1', 'r@1.5', `r@${'1'.repeat(16)}`])
    expect([text, parseCursor(text)]).toEqual([text, null])
})
