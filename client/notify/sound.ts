/**
 * The two sounds of the console, made here: a soft tick, and a double knock.
 *
 * Owns: how they sound, and whether the browser lets them: before the first click or key press it does not.
 * Not here: when they sound (ladder.ts).
 */
import { createStore, type StoreApi } from 'zustand/vanilla'

/** waiting: until the first click · ready · none: this browser makes no sound. */
export type SoundState = 'waiting' | 'ready' | 'none'

export const soundState: StoreApi<SoundState> = createStore<SoundState>()(() => 'waiting')

let context: AudioContext | null = null

/** Longer than a press takes to show. */
const AFTER_PRESS_MS = 300

function makeContext(): void {
  try {
    context ??= new AudioContext()
    void context.resume().then(() => soundState.setState('ready', true))
  } catch {
    soundState.setState('none', true)
  }
}

/** From the first click or key press on there may be sound. Returns the way to stop listening. */
export function allowSound(): () => void {
  if (typeof AudioContext === 'undefined') {
    soundState.setState('none', true)
    return () => undefined
  }
  const stop = (): void => {
    for (const name of ['pointerdown', 'keydown'] as const) window.removeEventListener(name, onFirst, true)
  }
  const onFirst = (): void => {
    // Ctrl alone is no gesture to a browser.
    if (navigator.userActivation?.hasBeenActive === false) return
    stop()
    // The press is answered first: making one takes a phone a tenth of a second.
    setTimeout(makeContext, AFTER_PRESS_MS)
  }
  for (const name of ['pointerdown', 'keydown'] as const) window.addEventListener(name, onFirst, true)
  return stop
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

/** out: was it heard? */
export function playSound(kind: 'tick' | 'knock'): boolean {
  if (context === null || context.state !== 'running') return false
  const now = context.currentTime
  if (kind === 'tick') beat(now, 1_200, 0.06, 0.12)
  else for (const after of [0, 0.18]) beat(now + after, 260, 0.14, 0.5)
  return true
}
