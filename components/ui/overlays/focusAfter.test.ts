/** Who was quicker than an overlay's end keeps the focus. */
import { expect, it } from 'vitest'
import { hasMovedOn } from './focusAfter'

const element = (tagName: string, role: string | null = null) => ({
  tagName,
  matches: (selectors: string) => role !== null && selectors.includes(`[role=${role}]`),
})

it('gives the focus back while it is nowhere, or on an overlay below that only holds it', () => {
  expect(hasMovedOn(null)).toBe(false)
  expect(hasMovedOn(element('BODY'))).toBe(false)
  expect(hasMovedOn(element('DIV', 'dialog'))).toBe(false)
  expect(hasMovedOn(element('DIV', 'alertdialog'))).toBe(false)
})

it('leaves the focus where a key has put it since', () => {
  expect(hasMovedOn(element('TEXTAREA'))).toBe(true)
  expect(hasMovedOn(element('H1'))).toBe(true)
  expect(hasMovedOn(element('DIV', 'row'))).toBe(true)
})
