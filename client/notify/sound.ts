/** The two sounds of the console, made here: a soft tick, and a double knock. */
import { createStore, type StoreApi } from 'zustand/vanilla'

/** waiting: until the first click · ready · none: this browser makes no sound. */
export type SoundState = 'waiting' | 'ready' | 'none'

export const soundState: StoreApi<SoundState> = createStore<SoundState>()(() => 'waiting')

let context: AudioContext | null = null

/** Longer than a press takes to show. */
const AFTER_PRESS_MS = 300
/** A finger's press counts for a browser when it is lifted. */
const PRESSES = ['pointerdown', 'pointerup', 'keydown'] as const

/**
 * From the first click, tap or key press on there may be sound, also where it came before this was asked: a page takes
 * presses before its late parts are there. Where the sound is taken away, as for a call, the next press brings it back.
 *
 * out     the way to stop listening
 */
export function allowSound(): () => void {
  if (typeof AudioContext === 'undefined') {
    soundState.setState('none', true)
    return () => undefined
  }
  const stop = (): void => {
    for (const name of PRESSES) window.removeEventListener(name, onPress, true)
  }
  const listen = (): void => {
    for (const name of PRESSES) window.addEventListener(name, onPress, true)
  }
  const onPress = (): void => {
    // Ctrl alone is no gesture to a browser.
    if (navigator.userActivation?.hasBeenActive === false) return
    stop()
    // The press is answered first: making one takes a phone a tenth of a second.
    setTimeout(() => wake(listen), AFTER_PRESS_MS)
  }
  if (context !== null) context.onstatechange = () => follow(listen)
  listen()
  if (navigator.userActivation?.hasBeenActive === true) onPress()
  return stop
}

function wake(listen: () => void): void {
  try {
    context ??= new AudioContext()
    context.onstatechange = () => follow(listen)
    void context.resume().catch(() => undefined)
    follow(listen)
  } catch {
    soundState.setState('none', true)
  }
}

function follow(listen: () => void): void {
  soundState.setState(canSound() ? 'ready' : 'waiting', true)
  if (!canSound()) listen()
}

/** One beat: a short tone that dies away. Seconds, hertz, share of full loudness. */
function beat(at: number, frequency: number, lasts: number, loudness: number): void {
  if (context === null) return
  const tone = context.createOscillator()
  const gain = context.createGain()
  tone.type = 'sine'
  tone.frequency.setValueAtTime(frequency, at)
  tone.frequency.exponentialRampToValueAtTime(frequency / 2, at + lasts)
  gain.gain.setValueAtTime(loudness, at)
  gain.gain.exponentialRampToValueAtTime(0.001, at + lasts)
  tone.connect(gain).connect(context.destination)
  tone.start(at)
  tone.stop(at + lasts)
}

/** Would a sound be heard now, as far as the browser is asked? */
export const canSound = (): boolean => context?.state === 'running'

/** out: was it heard? */
export function playSound(kind: 'tick' | 'knock'): boolean {
  if (context === null || !canSound()) return false
  const now = context.currentTime
  if (kind === 'tick') beat(now, 1_200, 0.06, 0.12)
  else for (const after of [0, 0.18]) beat(now + after, 260, 0.14, 0.5)
  return true
}
