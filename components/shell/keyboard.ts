/** The keys of the console: who listens to which, and when a press counts. */
import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { getDisplay } from '@/client/theme'
import { type OwnKeys, ownChord } from './keyList'

/** A chord: "n", "Shift+n", "?", "Escape", "F6", "Mod+Enter", or two letters "g i". Letters are lower case. */
export type Chord = string
export type Binding = { chord: Chord; name: string; handler: (event: KeyboardEvent) => void }

type Keyboard = {
  bindings: readonly Binding[]
  /** The chord just pressed that may begin a sequence, and when (timeStamp of its event). */
  begun: { chord: Chord; at: number } | null
}
const keyboardStore = createStore<Keyboard>()(() => ({ bindings: [], begun: null }))

/**
 * Listen to a key while a part is shown.
 *
 * in      chord; name: what it does, in the reader's words (shown in the `?` table); handler: null listens to nothing
 * out     the newest listener of a chord gets it; handlers may change without being registered anew
 */
export function useKey(
  chord: Chord,
  name: string,
  handler: ((event: KeyboardEvent) => void) | null,
  /** Whoever else listens to it gets it. */
  isLast = false,
): void {
  const latest = useRef(handler)
  latest.current = handler
  const isOn = handler !== null
  // Joins the page's keyboard: the registry is read by one listener on the window.
  useEffect(() => {
    if (!isOn) return
    const binding: Binding = { chord, name, handler: (event) => latest.current?.(event) }
    keyboardStore.setState(({ bindings }) => ({ bindings: isLast ? [binding, ...bindings] : [...bindings, binding] }))
    return () => keyboardStore.setState(({ bindings }) => ({ bindings: bindings.filter((one) => one !== binding) }))
  }, [chord, name, isOn, isLast])
}

/** Everything that listens now, one line per chord, in the order it came. */
export function useBindings(): readonly Binding[] {
  const bindings = useStore(keyboardStore, (state) => state.bindings)
  return bindings.filter((one, at) => bindings.findLastIndex((other) => other.chord === one.chord) === at)
}

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** A key press as a chord; null for a modifier alone or a chord with Alt, which belongs to the system. */
export function chordOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Press): Chord | null {
  if (['Shift', 'Control', 'Alt', 'Meta', 'Dead', 'Process'].includes(key) || altKey) return null
  const isLetter = /^\p{L}$/u.test(key)
  // A sign already says that Shift was held: "?" is "?" on every keyboard.
  const shift = shiftKey && (isLetter || key.length > 1) ? 'Shift+' : ''
  return `${ctrlKey || metaKey ? 'Mod+' : ''}${shift}${isLetter ? key.toLowerCase() : key}`
}

/** One key without Ctrl or ⌘ that writes something, moves, or presses a button: not for us inside a field or a dialog. */
export const isSingle = (chord: Chord): boolean =>
  !chord.startsWith('Mod+') && !/^(Shift\+)?F\d+$/.test(chord) && chord !== 'Escape'

/** Boxes and circles take no letters. */
const FIELDS =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=""], [contenteditable=true]'
const HOLDERS = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]'
const SEQUENCE_MS = 1_500

/** What can be asked of the element that has the focus. */
export type Pressed = { closest: (selectors: string) => unknown }

/** Whether a press at this element is the page's at all. */
export function isOurs(chord: Chord, target: Pressed | null, singleKeys: boolean): boolean {
  if (!isSingle(chord)) return true
  if (!singleKeys) return false
  return target === null || (target.closest(FIELDS) === null && target.closest(HOLDERS) === null)
}

/**
 * What a press means to those who listen.
 *
 * in      chord as pressed, `begun` the chord before it if it came just now; own: the member's own keys
 * out     whoever gets it; 'begins' when a sequence may start with it; null when nobody listens
 */
export function listenerOf(
  { bindings }: Pick<Keyboard, 'bindings'>,
  chord: Chord,
  begun: Chord | null,
  own: OwnKeys,
): Binding | 'begins' | null {
  const sequence = begun === null ? undefined : bindings.findLast((one) => one.chord === `${begun} ${chord}`)
  const hit = sequence ?? bindings.findLast((one) => ownChord(one.chord, own) === chord)
  if (hit) return hit
  return bindings.some((one) => one.chord.startsWith(`${chord} `)) ? 'begins' : null
}

type Timed = Press & { timeStamp: number; target: EventTarget | null }

function meaningOf(event: Timed): { chord: Chord; listener: Binding | 'begins' | null } | null {
  const chord = chordOf(event)
  const { singleKeys, keys } = getDisplay()
  if (chord === null || !isOurs(chord, event.target instanceof Element ? event.target : null, singleKeys)) return null
  const state = keyboardStore.getState()
  const begun = state.begun !== null && event.timeStamp - state.begun.at < SEQUENCE_MS ? state.begun.chord : null
  return { chord, listener: listenerOf(state, chord, begun, keys) }
}

/** Whether this press will be taken by the page: a part where names can be typed leaves it alone. */
export const isPageKey = (event: Timed): boolean => (meaningOf(event)?.listener ?? null) !== null

/**
 * While a part that was called for is still on its way, what is typed is meant for it and not for the page.
 *
 * in      onEscape: the reader no longer wants it, so that a part that never comes holds nobody up
 * out     gives what was typed since, and holds no more; again: the same
 */
export function holdKeys(onEscape: () => void): () => string {
  let typed = ''
  const onKeyDown = (event: KeyboardEvent): void => {
    const chord = chordOf(event)
    if (chord === null || !(isSingle(chord) || chord === 'Escape')) return
    event.preventDefault()
    event.stopPropagation()
    if (chord === 'Escape') onEscape()
    else if (event.key === 'Backspace') typed = typed.slice(0, -1)
    else if (event.key.length === 1) typed += event.key
  }
  window.addEventListener('keydown', onKeyDown, true)
  return () => {
    window.removeEventListener('keydown', onKeyDown, true)
    return typed
  }
}

/** typed: what was typed since the part was called for; the keys are the page's again when it is asked for. */
export type Called = { typed: () => string }

/** A part that is called for and comes as a file of its own: what is typed meanwhile is kept for it. */
export function useCalledPart(): { called: Called | null; call: () => void; leave: () => void } {
  const [called, setCalled] = useState<Called | null>(null)
  const leave = (): void => {
    called?.typed()
    setCalled(null)
  }
  const call = (): void => {
    if (called !== null) return
    const typed = holdKeys(() => {
      typed()
      setCalled(null)
    })
    setCalled({ typed })
  }
  // Joins the window: whoever goes to another page before the part is there has their keys again.
  useEffect(() => () => void called?.typed(), [called])
  return { called, call, leave }
}

/** Listen on the window until the returned function is called. */
export function joinKeyboard(): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return
    const meaning = meaningOf(event)
    if (meaning === null) return
    const { chord, listener } = meaning
    keyboardStore.setState({ begun: listener === 'begins' ? { chord, at: event.timeStamp } : null })
    if (listener === null || listener === 'begins') return
    event.preventDefault()
    listener.handler(event)
  }
  window.addEventListener('keydown', onKeyDown)
  return () => window.removeEventListener('keydown', onKeyDown)
}
