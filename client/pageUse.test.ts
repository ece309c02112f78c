/** The parts of a page say what it is busy with. */
import { expect, it, vi } from 'vitest'
import { frameSkeletonRef, isBeingDrawn, menuRef, onTyped, pageUse, skeletonRef } from './pageUse'

/** As much of an element as is asked for. within: what it is in */
class Part {
  constructor(private readonly within: string) {}
  closest(selector: string): Part | null {
    return selector === this.within ? this : null
  }
}
const part = (within = ''): Element => new Part(within) as unknown as Element
const MAIN = '[data-pane=main]'

it('content is coming while a skeleton of the page, or of its main pane, is drawn', () => {
  const ends = [frameSkeletonRef(part()), skeletonRef(part(MAIN))]
  for (const end of ends) {
    expect(isBeingDrawn()).toBe(true)
    end?.()
  }
  expect(pageUse().isBeingDrawn).toBe(false)
  expect(skeletonRef(part('[data-pane=list]'))).toBeUndefined()
  expect(skeletonRef(null)).toBeUndefined()
  expect(isBeingDrawn()).toBe(false)
})

it('[R222] a menu counts as used while it is open, and when it was closed', () => {
  vi.useFakeTimers({ now: 5_000 })
  const end = menuRef(part())
  vi.setSystemTime(9_000)
  expect(pageUse().lastMenuAt).toBe(9_000)
  end?.()
  vi.setSystemTime(20_000)
  expect(pageUse().lastMenuAt).toBe(9_000)
  vi.useRealTimers()
})

it('[R222] typing in the dialog of an Urgent does not hold the dialog back, typing elsewhere does', () => {
  vi.stubGlobal('Element', Part)
  vi.useFakeTimers({ now: 7_000 })
  const before = pageUse().lastInputAt
  const type = (within: string): void => onTyped({ target: part(within) } as unknown as Event)
  type('[role=alertdialog]')
  expect(pageUse().lastInputAt).toBe(before)
  type('form')
  expect(pageUse().lastInputAt).toBe(7_000)
  vi.useRealTimers()
})
