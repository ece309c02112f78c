/** The two sounds of the console, synthesised: a soft chime, and a double alarm for an Urgent. */
import { createStore, type StoreApi } from 'zustand/vanilla'

/** waiting: for the first click, tap or key press · ready · none: this browser has no audio. */
type SoundState = 'waiting' | 'ready' | 'none'

export const soundState: StoreApi<SoundState> = createStore<SoundState>()(() => 'waiting')

let context: AudioContext | null = null

/** After the press was painted. */
const AFTER_PRESS_MS = 300
/** Browsers count a tap when the touch ends. */
const PRESSES = ['pointerdown', 'pointerup', 'keydown'] as const

const onPress = (): void => {
  // A modifier key alone is no user gesture.
  if (navigator.userActivation?.hasBeenActive === false) return
  stopListening()
  // After the press was answered: creating the audio context takes a phone 100 ms.
  setTimeout(startAudio, AFTER_PRESS_MS)
}
const listen = (): void => {
  for (const name of PRESSES) window.addEventListener(name, onPress, true)
}
const stopListening = (): void => {
  for (const name of PRESSES) window.removeEventListener(name, onPress, true)
}

/**
 * Browsers allow sound from the first click, tap or key press on, also when it came before this call. When the system takes
 * the audio away, as for a phone call, the next press starts it again.
 *
 * out     stops listening
 */
export function allowSound(): () => void {
  if (typeof AudioContext === 'undefined') {
    soundState.setState('none', true)
    return () => undefined
  }
  listen()
  if (navigator.userActivation?.hasBeenActive === true) onPress()
  return stopListening
}

function startAudio(): void {
  try {
    context ??= new AudioContext()
    context.onstatechange = updateSoundState
    void context.resume().catch(() => undefined)
    updateSoundState()
  } catch {
    soundState.setState('none', true)
  }
}

function updateSoundState(): void {
  soundState.setState(canSound() ? 'ready' : 'waiting', true)
  if (!canSound()) listen()
}

/** A short fading tone. Units: seconds, hertz, share of full loudness. */
function playTone(at: number, frequency: number, lasts: number, loudness: number): void {
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

export const canSound = (): boolean => context?.state === 'running'

/** out: was it played? */
export function playSound(kind: 'chime' | 'alarm'): boolean {
  if (context === null || !canSound()) return false
  const now = context.currentTime
  if (kind === 'chime') playTone(now, 1_200, 0.06, 0.12)
  else for (const after of [0, 0.18]) playTone(now + after, 260, 0.14, 0.5)
  return true
}
