/** The two sounds of the console, synthesised: a soft chime, and a double alarm for an Urgent; and those that are not played yet. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import { itemOfSoundId } from './escalation'
import type { TabCoordinator } from './tabs'

export type SoundKind = 'chime' | 'alarm'

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
export function playSound(kind: SoundKind): boolean {
  if (context === null || !canSound()) return false
  const now = context.currentTime
  if (kind === 'chime') playTone(now, 1_200, 0.06, 0.12)
  else for (const after of [0, 0.18]) playTone(now + after, 260, 0.14, 0.5)
  return true
}

/** A later sound would suggest a new alert. */
const SOUND_TTL_MS = 10_000
const MOST_PLAYED = 50

/** A tab may become the leader, or be allowed to play, a moment after an alert. */
export function createPendingSound(parts: {
  tabs: Pick<TabCoordinator, 'isMyTurn' | 'soundsPlayed'>
  /** out: was it played? */
  play: (kind: SoundKind) => boolean
}) {
  const { tabs, play } = parts
  let pending: { kind: SoundKind; ids: readonly string[]; at: number }[] = []
  let playedIds: readonly string[] = []
  return {
    /** Ask for a sound; pending ones are played with it. ids: its alerts, the same in every tab. */
    request: (kind: SoundKind, ids: readonly string[]): void => {
      pending = [...pending, { kind, ids, at: Date.now() }]
    },
    /** Play what is pending, if it is this tab's turn. isOpen: is this item still waiting? */
    playDue: (isOpen: (item: string) => boolean): void => {
      const known = new Set([...playedIds, ...tabs.soundsPlayed()])
      pending = pending.filter(
        ({ ids, at }) =>
          Date.now() - at <= SOUND_TTL_MS && ids.some((id) => isOpen(itemOfSoundId(id)) && !known.has(id)),
      )
      if (pending.length === 0 || !tabs.isMyTurn()) return
      if (!play(pending.some(({ kind }) => kind === 'alarm') ? 'alarm' : 'chime')) return
      playedIds = [...playedIds, ...pending.flatMap(({ ids }) => ids)].slice(-MOST_PLAYED)
      pending = []
    },
    /** Ids that this tab played lately, for the other tabs. */
    played: (): readonly string[] => playedIds,
  }
}

export type PendingSound = ReturnType<typeof createPendingSound>
