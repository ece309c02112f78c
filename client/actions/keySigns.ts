/** Chords as they are drawn and read out. */
import type { Chord } from './chords'

const SIGNS: Record<string, string> = {
  Escape: 'Esc',
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  ' ': 'Space',
}

const isApple = (): boolean => typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent)

/** The presses of a chord one after the other, each as the signs on its keys: "g i" is [[g], [i]]. */
export const signsOf = (chord: Chord): string[][] =>
  (chord === ' ' ? [chord] : chord.split(' ')).map((press) =>
    press.split('+').map((key) => (key === 'Mod' ? (isApple() ? '⌘' : 'Ctrl') : (SIGNS[key] ?? key))),
  )

const upper = (key: string): string => (key.length === 1 ? key.toUpperCase() : key)

/** A chord of one press as menus of the system write it: ⌘K, Ctrl K. */
export const menuSigns = (chord: Chord): string => (signsOf(chord)[0] ?? []).map(upper).join(isApple() ? '' : ' ')

/** A chord for `aria-keyshortcuts`, which knows no keys one after the other. */
export function ariaShortcuts(chord: Chord): string | undefined {
  if (chord === '' || /\S \S/.test(chord)) return undefined
  const keys = (chord === ' ' ? ['Space'] : chord.split('+')).map(upper)
  const withMod = (mod: string): string => keys.map((key) => (key === 'Mod' ? mod : key)).join('+')
  return keys.includes('Mod') ? `${withMod('Control')} ${withMod('Meta')}` : keys.join('+')
}
