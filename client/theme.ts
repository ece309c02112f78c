/** Display settings of this browser: theme, density, text size, motion, style of times. */
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { TimeStyle } from '@/lib/format'
import { DISPLAY_KEY } from './themeScript'

export type Theme = 'system' | 'light' | 'dark'
export const SCALES = [90, 100, 110, 120, 130] as const
type Scale = (typeof SCALES)[number]

export type Display = {
  theme: Theme
  density: 'comfortable' | 'compact'
  scale: Scale
  motion: 'system' | 'reduced'
  time: TimeStyle
  /** false: single-character keys are off. */
  singleKeys: boolean
  /** Changed single keys: the default key to the person's own; '' switches one off. */
  keys: Readonly<Record<string, string>>
  /** Which key sends in the composer. */
  send: 'enter' | 'mod-enter'
}

export const DEFAULT_DISPLAY: Display = {
  theme: 'system',
  density: 'comfortable',
  scale: 100,
  motion: 'system',
  time: 'relative',
  singleKeys: true,
  keys: {},
  send: 'enter',
}

const oneOf = <T>(allowed: readonly T[], value: unknown, otherwise: T): T =>
  allowed.find((one) => one === value) ?? otherwise

const textsOf = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(typeof value === 'object' && value !== null ? value : {}).flatMap(
      ([name, text]: [string, unknown]) => (typeof text === 'string' ? [[name, text]] : []),
    ),
  )

export function readDisplay(from: unknown): Display {
  const raw: Record<string, unknown> = typeof from === 'object' && from !== null ? { ...from } : {}
  return {
    theme: oneOf<Theme>(['system', 'light', 'dark'], raw.theme, DEFAULT_DISPLAY.theme),
    density: oneOf<Display['density']>(['comfortable', 'compact'], raw.density, DEFAULT_DISPLAY.density),
    scale: oneOf<Scale>(SCALES, raw.scale, DEFAULT_DISPLAY.scale),
    motion: oneOf<Display['motion']>(['system', 'reduced'], raw.motion, DEFAULT_DISPLAY.motion),
    time: oneOf<TimeStyle>(['relative', 'local', 'utc'], raw.time, DEFAULT_DISPLAY.time),
    singleKeys: oneOf([true, false], raw.singleKeys, DEFAULT_DISPLAY.singleKeys),
    keys: textsOf(raw.keys),
    send: oneOf<Display['send']>(['enter', 'mod-enter'], raw.send, DEFAULT_DISPLAY.send),
  }
}

function storedDisplay(): Display {
  if (typeof localStorage === 'undefined') return DEFAULT_DISPLAY
  try {
    return readDisplay(JSON.parse(localStorage.getItem(DISPLAY_KEY) ?? '{}'))
  } catch {
    return DEFAULT_DISPLAY
  }
}

const displayStore = createStore<Display>()(() => storedDisplay())

/** No colour transitions while the theme changes. */
function skipTransitions({ dataset }: HTMLElement): void {
  dataset.turning = ''
  requestAnimationFrame(() => requestAnimationFrame(() => delete dataset.turning))
}

/** Set the attributes of <html> that the style sheet reads. */
function applyDisplay(display: Display): void {
  const page = document.documentElement
  const dark =
    display.theme === 'dark' || (display.theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  const theme = dark ? 'dark' : 'light'
  if (page.dataset.theme !== theme) skipTransitions(page)
  page.dataset.theme = theme
  const marks = {
    density: display.density === 'compact' ? 'compact' : null,
    scale: display.scale === 100 ? null : String(display.scale),
    motion: display.motion === 'reduced' ? 'reduced' : null,
  }
  for (const [name, value] of Object.entries(marks)) {
    if (value === null) delete page.dataset[name]
    else page.dataset[name] = value
  }
}

/** Change display settings and store them in this browser. The caller saves them on the server. */
export function setDisplay(change: Partial<Display>): void {
  const next = readDisplay({ ...displayStore.getState(), ...change })
  displayStore.setState(next, true)
  applyDisplay(next)
  try {
    localStorage.setItem(DISPLAY_KEY, JSON.stringify(next))
  } catch {
    // Without storage the choice holds until the page closes.
  }
}

export const getDisplay = (): Display => displayStore.getState()

export const useDisplay = <T>(select: (display: Display) => T): T => useStore(displayStore, select)

/** Follow the system's light and dark while the theme is "system". out: stops */
export function followSystemTheme(): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const onChange = (): void => applyDisplay(displayStore.getState())
  system.addEventListener('change', onChange)
  return () => system.removeEventListener('change', onChange)
}
