/** The single keys of all screens, for the table that changes them. Pure. */

/** A chord: "n", "Shift+n", "?", "Escape", "F6", "Mod+Enter", or two letters "g i". Letters are lower case. */
export type Chord = string

export const KEY_LIST = [
  { chord: '?', name: 'help' },
  { chord: '/', name: 'search' },
  { chord: 'n', name: 'next' },
  { chord: 'Shift+n', name: 'previous' },
  { chord: 'j', name: 'nextRow' },
  { chord: 'k', name: 'previousRow' },
  { chord: '[', name: 'list' },
  { chord: ']', name: 'inspector' },
  { chord: 'r', name: 'reply' },
  { chord: 'a', name: 'acknowledge' },
  { chord: 'd', name: 'done' },
  { chord: 'c', name: 'compose' },
  { chord: 'x', name: 'fold' },
  { chord: 'y', name: 'copyLink' },
  { chord: 'Shift+r', name: 'deliveries' },
  { chord: 'Shift+u', name: 'unread' },
  { chord: '1', name: 'chat' },
  { chord: '2', name: 'tree' },
  { chord: '3', name: 'timeline' },
  { chord: '4', name: 'waits' },
  { chord: 'f', name: 'follow' },
  { chord: 'e', name: 'nextError' },
  { chord: 'Shift+e', name: 'previousError' },
  { chord: 'w', name: 'nextWait' },
  { chord: 'Shift+w', name: 'previousWait' },
  { chord: 'p', name: 'pause' },
  { chord: 't', name: 'moment' },
  { chord: ',', name: 'previousChange' },
  { chord: '.', name: 'nextChange' },
] as const

type KeyName = (typeof KEY_LIST)[number]['name']
/** A key's own chord by its usual one; '' is none. */
export type OwnKeys = Readonly<Record<Chord, Chord>>

/** The chord of a key for this member; '' when it is switched off. */
export const ownChord = (chord: Chord, own: OwnKeys): Chord => own[chord] ?? chord

/** A usual chord as this member can press it; '' where it does nothing. */
export const pressableChord = (chord: Chord, { keys, singleKeys }: { keys: OwnKeys; singleKeys: boolean }): Chord =>
  singleKeys || !isSingle(chord) ? ownChord(chord, keys) : ''

/** A key without Ctrl or ⌘ that types, moves, or presses a button: ignored inside a field or a dialog. */
export const isSingle = (chord: Chord): boolean =>
  !chord.startsWith('Mod+') && !/^(Shift\+)?F\d+$/.test(chord) && chord !== 'Escape'

/** unfit: not a single letter, digit or sign, or the start of "g …" · a name: that key has it already · null: it is free. */
export function whyNot(wanted: Chord, forChord: Chord, own: OwnKeys): 'unfit' | KeyName | null {
  const sign = wanted.replace(/^Shift\+/, '')
  if ([...sign].length !== 1 || /\s/u.test(sign) || wanted === 'g') return 'unfit'
  return KEY_LIST.find(({ chord }) => chord !== forChord && ownChord(chord, own) === wanted)?.name ?? null
}
