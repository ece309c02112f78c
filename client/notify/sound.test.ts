import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

/** A browser that lets a page be heard only after somebody pressed something. */
function browser() {
  const activation = { hasBeenActive: false }
  const made: { state: string; onstatechange: (() => void) | null }[] = []
  class AudioContext {
    state = 'suspended'
    onstatechange: (() => void) | null = null
    constructor() {
      made.push(this)
    }
    async resume(): Promise<void> {
      this.state = 'running'
      this.onstatechange?.()
    }
  }
  const window = new EventTarget()
  vi.stubGlobal('AudioContext', AudioContext)
  vi.stubGlobal('window', window)
  vi.stubGlobal('navigator', { userActivation: activation })
  const press = (name: string, counts = true): void => {
    activation.hasBeenActive ||= counts
    window.dispatchEvent(new Event(name))
    vi.runAllTimers()
  }
  return { press, made, activation }
}

describe('the permission to play sound', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    vi.resetModules()
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('sound is allowed from the first press', async () => {
    const { press } = browser()
    const { allowSound, canSound, soundState } = await import('./sound')
    allowSound()
    expect([canSound(), soundState.getState()]).toEqual([false, 'waiting'])
    press('keydown')
    expect([canSound(), soundState.getState()]).toEqual([true, 'ready'])
  })

  it('sound is allowed when the press came before the page asked', async () => {
    const { press } = browser()
    press('pointerdown')
    const { allowSound, canSound } = await import('./sound')
    allowSound()
    vi.runAllTimers()
    expect(canSound()).toBe(true)
  })

  it('sound is allowed from the first tap, which counts when the finger is lifted', async () => {
    const { press } = browser()
    const { allowSound, canSound } = await import('./sound')
    allowSound()
    press('pointerdown', false)
    expect(canSound()).toBe(false)
    press('pointerup')
    expect(canSound()).toBe(true)
  })

  it('sound comes back with the next press after the system took it away', async () => {
    const { press, made } = browser()
    const { allowSound, soundState } = await import('./sound')
    allowSound()
    press('keydown')
    const [context] = made
    if (context === undefined) throw new Error('no context was made')
    context.state = 'interrupted'
    context.onstatechange?.()
    expect(soundState.getState()).toBe('waiting')
    press('keydown')
    expect(soundState.getState()).toBe('ready')
    expect(made).toHaveLength(1)
  })
})
