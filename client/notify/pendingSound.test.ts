import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPendingSound, type SoundKind } from './sound'

const SOUND_TTL_MS = 10_000

const OPEN = () => true

/** Tabs of one member; what each is heard of reaches the others at once. */
function browser() {
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
    })
    sounds.push(sound)
    return { ...sound, can }
  }
  return { open, played }
}

describe('pending sounds', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('a sound is played at once by the tab whose turn it is, and by no other', () => {
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

  it('a sound is played when the tab becomes the leader a moment later', () => {
    const { open, played } = browser()
    const tab = open('tab')
    tab.can.isMyTurn = false
    tab.request('chime', ['0 a'])
    tab.playDue(OPEN)
    expect(played).toEqual([])
    vi.advanceTimersByTime(3_000)
    tab.can.isMyTurn = true
    tab.playDue(OPEN)
    tab.playDue(OPEN)
    expect(played).toEqual(['tab chime'])
  })

  it('a sound is played when the browser allows it a moment later', () => {
    const { open, played } = browser()
    const tab = open('tab')
    tab.can.isLoud = false
    tab.request('alarm', ['0 a'])
    tab.playDue(OPEN)
    vi.advanceTimersByTime(2_000)
    tab.can.isLoud = true
    tab.playDue(OPEN)
    expect(played).toEqual(['tab alarm'])
  })

  it('pending alerts make one sound, the alarm before the chime', () => {
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

  it('a pending sound is dropped after some seconds, and when its item is handled', () => {
    const { open, played } = browser()
    const tab = open('tab')
    tab.can.isMyTurn = false
    tab.request('alarm', ['0 a'])
    tab.request('alarm', ['0 b'])
    tab.playDue((item) => item !== 'b')
    vi.advanceTimersByTime(SOUND_TTL_MS + 1)
    tab.request('alarm', ['0 c'])
    tab.can.isMyTurn = true
    tab.playDue((item) => item !== 'c')
    expect(played).toEqual([])
  })

  it('the next alert of the same item is played again', () => {
    const { open, played } = browser()
    const tab = open('tab')
    for (const call of ['0 a', '1 a']) {
      tab.request('alarm', [call])
      tab.playDue(OPEN)
    }
    expect(played).toEqual(['tab alarm', 'tab alarm'])
  })
})
