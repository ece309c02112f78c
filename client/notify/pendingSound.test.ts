import { describe, expect, it } from 'vitest'
import { createPendingSound, SOUND_TTL_MS, type SoundKind } from './pendingSound'

const OPEN = () => true

/** Tabs of one member; what each is heard of reaches the others at once. */
function browser() {
  let now = 1_000
  const played: string[] = []
  const sounds: { played: () => readonly string[] }[] = []
  const open = (name: string) => {
    const can = { isMyTurn: true, isLoud: true }
    const sound = createPendingSound({
      tabs: {
        isMyTurn: () => can.isMyTurn,
        soundsPlayed: () => sounds.flatMap((other) => (other === sound ? [] : [...other.played()])),
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
    for (const tab of [second, first]) tab.request('alarm', ['0 a'])
    for (const tab of [second, first, second]) tab.playDue(OPEN)
    expect(played).toEqual(['first alarm'])
    second.can.isMyTurn = true
    second.playDue(OPEN)
    expect(played).toEqual(['first alarm'])
  })

  it('is made up for when the tab comes to lead a moment later', () => {
    const { open, played, pass } = browser()
    const tab = open('tab')
    tab.can.isMyTurn = false
    tab.request('chime', ['0 a'])
    tab.playDue(OPEN)
    expect(played).toEqual([])
    pass(3_000)
    tab.can.isMyTurn = true
    tab.playDue(OPEN)
    tab.playDue(OPEN)
    expect(played).toEqual(['tab chime'])
  })

  it('is made up for when the browser lets the tab be heard a moment later', () => {
    const { open, played, pass } = browser()
    const tab = open('tab')
    tab.can.isLoud = false
    tab.request('alarm', ['0 a'])
    tab.playDue(OPEN)
    pass(2_000)
    tab.can.isLoud = true
    tab.playDue(OPEN)
    expect(played).toEqual(['tab alarm'])
  })

  it('is one sound for all that called meanwhile, and the knock drowns the chime', () => {
    const { open, played } = browser()
    const tab = open('tab')
    tab.can.isMyTurn = false
    tab.request('chime', ['0 a'])
    tab.request('alarm', ['0 b'])
    tab.can.isMyTurn = true
    tab.playDue(OPEN)
    tab.playDue(OPEN)
    expect(played).toEqual(['tab alarm'])
  })

  it('is given up after some seconds, and when what called is dealt with', () => {
    const { open, played, pass } = browser()
    const tab = open('tab')
    tab.can.isMyTurn = false
    tab.request('alarm', ['0 a'])
    tab.request('alarm', ['0 b'])
    tab.playDue((item) => item !== 'b')
    pass(SOUND_TTL_MS + 1)
    tab.request('alarm', ['0 c'])
    tab.can.isMyTurn = true
    tab.playDue((item) => item !== 'c')
    expect(played).toEqual([])
  })

  it('is made again for the next knock of the same item', () => {
    const { open, played } = browser()
    const tab = open('tab')
    for (const call of ['0 a', '1 a']) {
      tab.request('alarm', [call])
      tab.playDue(OPEN)
    }
    expect(played).toEqual(['tab alarm', 'tab alarm'])
  })
})
