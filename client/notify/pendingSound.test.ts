import { describe, expect, it } from 'vitest'
import { createPendingSound, MAKE_UP_MS, type SoundKind } from './pendingSound'

const OPEN = () => true

/** Tabs of one member; what each is heard of reaches the others at once. */
function browser() {
  let now = 1_000
  const played: string[] = []
  const sounds: { heard: () => readonly string[] }[] = []
  const open = (name: string) => {
    const can = { isMyTurn: true, isLoud: true }
    const sound = createPendingSound({
      tabs: {
        isMyTurn: () => can.isMyTurn,
        heard: () => sounds.flatMap((other) => (other === sound ? [] : [...other.heard()])),
      },
      play: (kind: SoundKind) => {
        if (can.isLoud) played.push(`${name} ${kind}`)
        return can.isLoud
      },
      now: () => now,
    })
    sounds.push(sound)
    return { ...sound, can }
  }
  return {
    open,
    played,
    pass: (ms: number): void => {
      now += ms
    },
  }
}

describe('a sound that is owed', () => {
  it('is made at once by the tab whose turn it is, and by no other', () => {
    const { open, played } = browser()
    const [first, second] = [open('first'), open('second')]
    second.can.isMyTurn = false
    for (const tab of [second, first]) tab.owe('knock', ['0 a'])
    for (const tab of [second, first, second]) tab.settle(OPEN)
    expect(played).toEqual(['first knock'])
    second.can.isMyTurn = true
    second.settle(OPEN)
    expect(played).toEqual(['first knock'])
  })

  it('is made up for when the tab comes to lead a moment later', () => {
    const { open, played, pass } = browser()
    const tab = open('tab')
    tab.can.isMyTurn = false
    tab.owe('tick', ['0 a'])
    tab.settle(OPEN)
    expect(played).toEqual([])
    pass(3_000)
    tab.can.isMyTurn = true
    tab.settle(OPEN)
    tab.settle(OPEN)
    expect(played).toEqual(['tab tick'])
  })

  it('is made up for when the browser lets the tab be heard a moment later', () => {
    const { open, played, pass } = browser()
    const tab = open('tab')
    tab.can.isLoud = false
    tab.owe('knock', ['0 a'])
    tab.settle(OPEN)
    pass(2_000)
    tab.can.isLoud = true
    tab.settle(OPEN)
    expect(played).toEqual(['tab knock'])
  })

  it('is one sound for all that called meanwhile, and the knock drowns the tick', () => {
    const { open, played } = browser()
    const tab = open('tab')
    tab.can.isMyTurn = false
    tab.owe('tick', ['0 a'])
    tab.owe('knock', ['0 b'])
    tab.can.isMyTurn = true
    tab.settle(OPEN)
    tab.settle(OPEN)
    expect(played).toEqual(['tab knock'])
  })

  it('is given up after some seconds, and when what called is dealt with', () => {
    const { open, played, pass } = browser()
    const tab = open('tab')
    tab.can.isMyTurn = false
    tab.owe('knock', ['0 a'])
    tab.owe('knock', ['0 b'])
    tab.settle((item) => item !== 'b')
    pass(MAKE_UP_MS + 1)
    tab.owe('knock', ['0 c'])
    tab.can.isMyTurn = true
    tab.settle((item) => item !== 'c')
    expect(played).toEqual([])
  })

  it('is made again for the next knock of the same item', () => {
    const { open, played } = browser()
    const tab = open('tab')
    for (const call of ['0 a', '1 a']) {
      tab.owe('knock', [call])
      tab.settle(OPEN)
    }
    expect(played).toEqual(['tab knock', 'tab knock'])
  })
})
