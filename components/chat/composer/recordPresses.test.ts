import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRecordPresses } from './VoiceButton'

/** A recorder whose microphone is ready after `readyMs`. */
function recorder(readyMs = 100) {
  let state: 'off' | 'starting' | 'recording' = 'off'
  const did: string[] = []
  const presses = createRecordPresses({
    state: () => state,
    begin: () => {
      did.push('begin')
      state = 'starting'
      setTimeout(() => {
        if (state === 'starting') state = 'recording'
      }, readyMs)
    },
    end: () => {
      did.push('end')
      state = 'off'
    },
  })
  return { ...presses, did }
}

describe('the record button', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('[R236] a held press records until it is released', () => {
    const { press, release, did } = recorder()
    press()
    vi.advanceTimersByTime(2_000)
    release()
    expect(did).toEqual(['begin', 'end'])
  })

  it('[R236] after a short press it records until the next one, wherever the pointer goes meanwhile', () => {
    const { press, release, did } = recorder()
    press()
    vi.advanceTimersByTime(80)
    release()
    vi.advanceTimersByTime(5_000)
    // The pointer leaves the button.
    release()
    expect(did).toEqual(['begin'])
    press()
    release()
    expect(did).toEqual(['begin', 'end'])
  })

  it('[R236] a press that ends before the microphone is ready keeps on recording, and the next one ends it', () => {
    const { press, release, did } = recorder(3_000)
    press()
    vi.advanceTimersByTime(1_000)
    release()
    expect(did).toEqual(['begin'])
    press()
    expect(did).toEqual(['begin', 'end'])
  })
})
