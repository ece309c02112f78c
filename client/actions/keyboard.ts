/** The keyboard of the console: which actions are bound now, and which one a key press does. */
import { useEffect, useEffectEvent } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { navigate } from '../nav'
import { getDisplay } from '../theme'
import { ACTION_IDS, type ActionId, type ActionPlace, actionRow, type PlaceOf } from './actionTable'
import { type Chord, chordOf, isSingle, type KeyPress } from './chords'
import { type OwnKeys, ownKey, pressableKey } from './ownKeys'

/** An action that can be done now. */
export type BoundAction = {
  id: ActionId
  at: ActionPlace
  /** What it does here, where the table cannot say it: the name of a filter, of an agent. */
  label?: string
  run: () => void
  /** It leads to this address. */
  href?: string
}

type Keyboard = {
  bound: readonly BoundAction[]
  /** The chord just pressed that may start a sequence, and when (timeStamp of its event). */
  prefix: { chord: Chord; at: number } | null
}
const keyboardStore = createStore<Keyboard>()(() => ({ bound: [], prefix: null }))

type Binding = Pick<BoundAction, 'label'> &
  (
    | { href: string; run?: undefined }
    /** null: it cannot be done now, and its key does nothing. */
    | { run: (() => void) | null; href?: undefined }
  )

/**
 * Bind an action while a part is mounted: its key, its line of the palette, its row in the table of keys.
 *
 * in      at: the place of the part, one of those in the action's row
 * out     of several bindings of a key the newest one counts, that of the frame last; what it does may change at every render
 */
export function useAction<Id extends ActionId>(id: Id, at: PlaceOf<Id>, { label, href, run }: Binding): void {
  const press = useEffectEvent(() => (href === undefined ? run?.() : navigate(href)))
  const isOn = href !== undefined || run !== null
  // Joins the page's keyboard: one listener on the window reads what is bound.
  useEffect(() => {
    if (!isOn) return
    const one: BoundAction = { id, at, label, href, run: press }
    keyboardStore.setState(({ bound }) => ({ bound: at === 'page' ? [one, ...bound] : [...bound, one] }))
    return () => keyboardStore.setState(({ bound }) => ({ bound: bound.filter((other) => other !== one) }))
  }, [id, at, label, href, isOn])
}

/** The actions that can be done now, each once, in the order of the table. */
export function useBoundActions(): readonly BoundAction[] {
  const bound = useStore(keyboardStore, (state) => state.bound)
  return ACTION_IDS.flatMap((id) => bound.findLast((one) => one.id === id) ?? [])
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
 * The action that a press does.
 *
 * in      chord as pressed, `prefix` the chord before it if it came just now; own: the person's own keys
 * out     the action; 'begins' when a sequence may start with it; null when nothing is bound
 */
export function actionOfPress(
  { bound }: Pick<Keyboard, 'bound'>,
  chord: Chord,
  prefix: Chord | null,
  own: OwnKeys,
): BoundAction | 'begins' | null {
  const sequence = prefix === null ? undefined : bound.findLast(({ id }) => actionRow(id).key === `${prefix} ${chord}`)
  const hit = sequence ?? bound.findLast(({ id }) => ownKey(id, own) === chord)
  if (hit) return hit
  return bound.some(({ id }) => actionRow(id).key.startsWith(`${chord} `)) ? 'begins' : null
}

type Timed = KeyPress & { timeStamp: number; target: EventTarget | null }

function meaningOf(event: Timed): { chord: Chord; action: BoundAction | 'begins' | null } | null {
  const chord = chordOf(event)
  const { singleKeys, keys } = getDisplay()
  if (chord === null || !isOurs(chord, event.target instanceof Element ? event.target : null, singleKeys)) return null
  const state = keyboardStore.getState()
  const prefix = state.prefix !== null && event.timeStamp - state.prefix.at < SEQUENCE_MS ? state.prefix.chord : null
  return { chord, action: actionOfPress(state, chord, prefix, keys) }
}

/** Whether an action of the page takes this press; search by typing leaves such keys alone. */
export const isPageKey = (event: Timed): boolean => (meaningOf(event)?.action ?? null) !== null

/** The key of a press in a grid, where those of the rows move like arrows: the grid takes them itself while it has the focus. */
export function gridKey(event: KeyPress, display: Parameters<typeof pressableKey>[1] = getDisplay()): string {
  const chord = chordOf(event)
  const isOf = (id: ActionId): boolean => chord === pressableKey(id, display)
  return isOf('nextRow') ? 'ArrowDown' : isOf('previousRow') ? 'ArrowUp' : event.key
}

/** Listen on the window until the returned function is called. */
export function joinKeyboard(): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return
    const meaning = meaningOf(event)
    if (meaning === null) return
    const { chord, action } = meaning
    keyboardStore.setState({ prefix: action === 'begins' ? { chord, at: event.timeStamp } : null })
    if (action === null || action === 'begins') return
    event.preventDefault()
    action.run()
  }
  window.addEventListener('keydown', onKeyDown)
  return () => window.removeEventListener('keydown', onKeyDown)
}
