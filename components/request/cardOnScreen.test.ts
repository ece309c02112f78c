import { afterEach, expect, it, vi } from 'vitest'
import { cardOnScreen, isOpenCard } from './useReportShown'

afterEach(() => vi.unstubAllGlobals())

const element = (kind: string, top: number, height: number) => ({
  dataset: { kind },
  getBoundingClientRect: () => ({ top, bottom: top + height, height }),
})

/** A task's page: the strip in its head, the card in its chat. */
function page(cardTop: number) {
  const [strip, card] = [element('strip', 80, 40), element('answer', cardTop, 200)]
  vi.stubGlobal('document', { querySelector: () => strip, querySelectorAll: () => [strip, card] })
  vi.stubGlobal('window', { innerHeight: 800 })
  vi.stubGlobal('CSS', { escape: (text: string) => text })
  return { strip, card }
}

it('[R238] where a card and the strip above it name one request, the card is the one that is looked at', () => {
  const { card } = page(300)
  expect(cardOnScreen('r')).toBe(card)
})

it('[R238] the strip stands for a card that is out of view', () => {
  const { strip } = page(1_200)
  expect(cardOnScreen('r')).toBe(strip)
})

it.each([
  { of: 'a whole card', kind: 'answer', top: 300, height: 200, isOpen: true },
  { of: 'half a card', kind: 'answer', top: 700, height: 200, isOpen: true },
  { of: 'less than half a card', kind: 'answer', top: 701, height: 200, isOpen: false },
  { of: 'half a window of a long card', kind: 'answer', top: -900, height: 1_300, isOpen: true },
  { of: 'the strip', kind: 'strip', top: 80, height: 40, isOpen: false },
])('[R426] a card is open where half of it or of the window is in view: $of', ({ kind, top, height, isOpen }) => {
  vi.stubGlobal('window', { innerHeight: 800 })
  expect(isOpenCard(element(kind, top, height))).toBe(isOpen)
})
