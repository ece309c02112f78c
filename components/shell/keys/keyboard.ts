/** The keys of the console: bindings, and which binding a press triggers. */
import { useEffect, useEffectEvent, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { getDisplay } from '@/client/theme'
import { type Chord, isSingle, type OwnKeys, ownChord } from './keyList'

type Binding = { chord: Chord; name: string; handler: (event: KeyboardEvent) => void }

type Keyboard = {
  bindings: readonly Binding[]
  /** The chord just pressed that may start a sequence, and when (timeStamp of its event). */
  prefix: { chord: Chord; at: number } | null
}
const keyboardStore = createStore<Keyboard>()(() => ({ bindings: [], prefix: null }))

/**
 * Bind a key while a part is mounted.
 *
 * in      chord; name: what it does, in the reader's words (shown in the `?` table); handler: null binds nothing
 * out     the newest binding of a chord wins; handlers may change without a new registration
 */
export function useKey(
  chord: Chord,
  name: string,
  handler: ((event: KeyboardEvent) => void) | null,
  /** Any other binding of the chord wins. */
  isLast = false,
): void {
  const press = useEffectEvent((event: KeyboardEvent) => handler?.(event))
  const isOn = handler !== null
  // Joins the page's keyboard: one listener on the window reads the registry.
  useEffect(() => {
    if (!isOn) return
    const binding: Binding = { chord, name, handler: press }
    keyboardStore.setState(({ bindings }) => ({ bindings: isLast ? [binding, ...bindings] : [...bindings, binding] }))
    return () => keyboardStore.setState(({ bindings }) => ({ bindings: bindings.filter((one) => one !== binding) }))
  }, [chord, name, isOn, isLast])
}

/** The bindings that are active now, one per chord, in the order of their registration. */
export function useBindings(): readonly Binding[] {
  const bindings = useStore(keyboardStore, (state) => state.bindings)
  return bindings.filter((one, at) => bindings.findLastIndex((other) => other.chord === one.chord) === at)
}

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** A key press as a chord; null for a modifier alone or a chord with Alt, which belongs to the system. */
export function chordOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Press): Chord | null {
  if (['Shift', 'Control', 'Alt', 'Meta', 'Dead', 'Process'].includes(key) || altKey) return null
  const isLetter = /^\p{L}$/u.test(key)
  // A sign implies Shift: "?" is "?" on every keyboard.
  const shift = shiftKey && (isLetter || key.length > 1) ? 'Shift+' : ''
  return `${ctrlKey || metaKey ? 'Mod+' : ''}${shift}${isLetter ? key.toLowerCase() : key}`
}

/** Check boxes and radio buttons take no letters. */
const FIELDS =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=""], [contenteditable=true]'
const HOLDERS = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]'
/** What Space presses itself. */
const PRESSED =
  'button, a[href], summary, input, [role=button], [role=tab], [role=option], [role=checkbox], [role=switch], [role=radio], [role=combobox]'
const SEQUENCE_MS = 1_500

type Pressed = { closest: (selectors: string) => unknown }

/** Whether the page may handle a press at this element. */
export function isOurs(chord: Chord, target: Pressed | null, singleKeys: boolean): boolean {
  if (!isSingle(chord)) return true
  if (!singleKeys) return false
  if (chord === ' ' && target !== null && target.closest(PRESSED) !== null) return false
  return target === null || (target.closest(FIELDS) === null && target.closest(HOLDERS) === null)
}

/**
 * The binding that a press triggers.
 *
 * in      chord as pressed, `prefix` the chord before it if it came just now; own: the member's own keys
 * out     the binding; 'begins' when a sequence may start with it; null when nothing is bound
 */
export function listenerOf(
  { bindings }: Pick<Keyboard, 'bindings'>,
  chord: Chord,
  prefix: Chord | null,
  own: OwnKeys,
): Binding | 'begins' | null {
  const sequence = prefix === null ? undefined : bindings.findLast((one) => one.chord === `${prefix} ${chord}`)
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
  const prefix = state.prefix !== null && event.timeStamp - state.prefix.at < SEQUENCE_MS ? state.prefix.chord : null
  return { chord, listener: listenerOf(state, chord, prefix, keys) }
}

/** Whether a binding of the page takes this press; search by typing leaves such keys alone. */
export const isPageKey = (event: Timed): boolean => (meaningOf(event)?.listener ?? null) !== null

/**
 * Collect what is typed while a part that was opened is still loading.
 *
 * in      onEscape: the reader cancelled the part
 * out     stops collecting and gives the typed text; can be called again
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

/** typed: stops collecting and gives the text typed since the part was opened. */
export type Called = { typed: () => string }

/** A part that is a lazy file: text typed while it loads is kept for it. */
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
  // Joins the window: on unmount the keys are the page's again.
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
    keyboardStore.setState({ prefix: listener === 'begins' ? { chord, at: event.timeStamp } : null })
    if (listener === null || listener === 'begins') return
    event.preventDefault()
    listener.handler(event)
  }
  window.addEventListener('keydown', onKeyDown)
  return () => window.removeEventListener('keydown', onKeyDown)
}
