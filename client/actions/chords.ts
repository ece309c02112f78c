/** Chords: a key press as a text. Pure. */

/** "n", "Shift+n", "?", "Escape", "F6", "Mod+Enter", or two letters one after the other, "g i". Letters are lower case. */
export type Chord = string

export type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** A key press as a chord; null for a modifier alone or a chord with Alt, which belongs to the system. */
export function chordOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): Chord | null {
  if (['Shift', 'Control', 'Alt', 'Meta', 'Dead', 'Process'].includes(key) || altKey) return null
  const isLetter = /^\p{L}$/u.test(key)
  // A sign implies Shift: "?" is "?" on every keyboard.
  const shift = shiftKey && (isLetter || key.length > 1) ? 'Shift+' : ''
  return `${ctrlKey || metaKey ? 'Mod+' : ''}${shift}${isLetter ? key.toLowerCase() : key}`
}

/** A key without Ctrl or ⌘ that types, moves, or presses a button: ignored inside a field or a dialog. */
export const isSingle = (chord: Chord): boolean =>
  !/^(Mod|Alt)\+/.test(chord) && !/^(Shift\+)?F\d+$/.test(chord) && chord !== 'Escape'

/** A single letter, digit or sign, also with Shift: a person may choose such a key. The letter g begins "g …". */
export function isChoosable(chord: Chord): boolean {
  const sign = chord.replace(/^Shift\+/, '')
  return [...sign].length === 1 && !/\s/u.test(sign) && chord !== 'g'
}
