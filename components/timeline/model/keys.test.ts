import { describe, expect, it } from 'vitest'
import { barOf, laneOf } from '@/test/timelineRows'
import { timelineKey } from './keys'
import { rowsOf } from './rows'

const view = [
  laneOf('Coder', { bars: 3, from: 0 }),
  barOf('Coder', 'plan', { from: 0, to: 10 }),
  barOf('Coder', 'read', { from: 20, to: 30 }),
  barOf('Coder', 'later', { chip: 'idle' }),
  laneOf('Tester', { bars: 2, from: 5 }),
  barOf('Tester', 'check', { from: 5, to: 15 }),
  barOf('Tester', 'try', { from: 40, to: 50 }),
]
const [PLAN, READ, LATER, TESTER, CHECK, TRY] = [1, 2, 3, 4, 5, 6]
const shown = { rows: rowsOf(view, () => true), pages: [] }
const press = (key: string, current: number) => timelineKey(key, shown, current, 3)
const focus = (index: number | undefined) => ({ do: 'focus', index })

describe('the keys of a timeline', () => {
  it('up and down go from row to row, and stop at the ends', () => {
    expect(press('ArrowDown', 0)).toEqual(focus(PLAN))
    expect(press('ArrowUp', 0)).toEqual(focus(0))
    expect(press('PageDown', 2)).toEqual(focus(CHECK))
    expect(press('End', 0)).toEqual(focus(TRY))
    expect(press('ArrowDown', 6)).toEqual(focus(TRY))
  })

  it('right and left go to the bar that begins next or before, in whichever lane', () => {
    expect(press('ArrowRight', 1)).toEqual(focus(CHECK))
    expect(press('ArrowRight', 5)).toEqual(focus(READ))
    expect(press('ArrowRight', 2)).toEqual(focus(TRY))
    expect(press('ArrowRight', 6)).toBeNull()
    expect(press('ArrowLeft', 5)).toEqual(focus(PLAN))
    expect(press('ArrowLeft', 1)).toBeNull()
    // From the row of a member: its own first bar.
    expect(press('ArrowRight', 4)).toEqual(focus(CHECK))
  })

  it('bars of a closed lane are passed over', () => {
    const rows = rowsOf(view, (agent) => agent === 'Coder')
    expect(timelineKey('ArrowRight', { rows, pages: [] }, 1, 3)).toEqual(focus(READ))
  })

  it('bars of a loaded page are passed through, each once', () => {
    const many = laneOf('Coder', { bars: 102, before: 100, from: 0 })
    const bars = Array.from({ length: 102 }, (_, at) => barOf('Coder', `${at}`, { from: at, to: at + 1 }))
    const rows = rowsOf([many, ...bars.slice(100)], () => true)
    const pages = [{ agent: 'Coder', from: 0, bars: bars.slice(0, 100) }]
    expect(timelineKey('ArrowLeft', { rows, pages }, 101, 3)).toEqual(focus(100))
    expect(timelineKey('ArrowRight', { rows, pages }, 100, 3)).toEqual(focus(101))
  })

  it('Space opens and closes a lane, from a bar too, and the focus stays on its member', () => {
    expect(press(' ', 6)).toEqual({ do: 'turn', agent: 'Tester', isOpen: false, index: TESTER })
    expect(press(' ', 4)).toEqual({ do: 'turn', agent: 'Tester', isOpen: false, index: TESTER })
  })

  it('Enter inspects, plus and minus zoom, zero shows all; other keys are the page’s', () => {
    expect(press('Enter', 3)).toEqual({ do: 'inspect', index: LATER })
    expect(press('+', 0)).toEqual({ do: 'zoom', step: 1 })
    expect(press('-', 0)).toEqual({ do: 'zoom', step: -1 })
    expect(press('0', 0)).toEqual({ do: 'fit' })
    expect(press('x', 0)).toBeNull()
  })
})
