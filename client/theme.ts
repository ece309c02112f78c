/** Display settings of this browser: theme, density, text size, motion, style of times. */
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { TimeStyle } from '@/lib/format'
import { isTimeZone } from '@/lib/format/timeZones'
import { fieldsIn, jsonValueOf } from '@/lib/json'
import { zoneHere } from './clock'
import { browserStorage, withStorage } from './storage'
import { DISPLAY_KEY } from './themeScript'

export const SCALES = [90, 100, 110, 120, 130] as const

/** The values that each setting can have. */
const CHOICES = {
  theme: ['system', 'light', 'dark'],
  density: ['comfortable', 'compact'],
  scale: SCALES,
  motion: ['system', 'reduced'],
  time: ['relative', 'local', 'utc'] satisfies readonly TimeStyle[],
  /** false: single-character keys are off. */
  singleKeys: [true, false],
  /** Which key sends in the composer. */
  send: ['enter', 'mod-enter'],
} as const

export type Display = { [Name in keyof typeof CHOICES]: (typeof CHOICES)[Name][number] } & {
  /** Changed single keys: the id of an action to the person's own key; '' switches it off. */
  keys: Readonly<Record<string, string>>
  /** The person's time zone; null: that of the browser. */
  zone: string | null
}

export const DEFAULT_DISPLAY: Display = {
  theme: 'system',
  density: 'comfortable',
  scale: 100,
  motion: 'system',
  time: 'relative',
  singleKeys: true,
  keys: {},
  zone: null,
  send: 'enter',
}

/** Each setting by itself; one that has no such value is the default. */
export function readDisplay(from: unknown): Display {
  const { keys, zone, ...settings } = fieldsIn(from)
  const chosen = Object.entries<readonly unknown[]>(CHOICES).flatMap(([name, values]) =>
    values.includes(settings[name]) ? [[name, settings[name]]] : [],
  )
  const texts = Object.entries(fieldsIn(keys)).filter(([, text]) => typeof text === 'string')
  return { ...DEFAULT_DISPLAY, ...Object.fromEntries(chosen), keys: Object.fromEntries(texts), zone: chosenZone(zone) }
}

const chosenZone = (zone: unknown): string | null => (typeof zone === 'string' && isTimeZone(zone) ? zone : null)

const storedDisplay = (): Display =>
  readDisplay(jsonValueOf(withStorage(browserStorage(), (storage) => storage.getItem(DISPLAY_KEY), null) ?? ''))

const displayStore = createStore<Display>()(() => storedDisplay())

/** No colour transitions while the theme changes. */
function skipTransitions({ dataset }: HTMLElement): void {
  dataset.turning = ''
  requestAnimationFrame(() => requestAnimationFrame(() => delete dataset.turning))
}

/** Set the attributes of <html> that the style sheet reads. */
function applyDisplay({ theme: chosen, density, scale, motion }: Display): void {
  const page = document.documentElement
  const isDark = chosen === 'dark' || (chosen === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  const theme = isDark ? 'dark' : 'light'
  if (page.dataset.theme !== theme) skipTransitions(page)
  Object.assign(page.dataset, { theme, density, scale, motion })
}

/** Change display settings and store them in this browser. The caller saves them on the server. */
export function setDisplay(change: Partial<Display>): void {
  const next = readDisplay({ ...displayStore.getState(), ...change })
  displayStore.setState(next, true)
  applyDisplay(next)
  // Without storage the choice holds until the page closes.
  withStorage(browserStorage(), (storage) => storage.setItem(DISPLAY_KEY, JSON.stringify(next)), undefined)
}

/** The person's time zone. */
export const myZone = (): string => displayStore.getState().zone ?? zoneHere()

export const getDisplay = (): Display => displayStore.getState()

export const useDisplay = <T>(select: (display: Display) => T): T => useStore(displayStore, select)

/** Follow the system's light and dark while the theme is "system". out: stops */
export function followSystemTheme(): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const onChange = (): void => applyDisplay(displayStore.getState())
  system.addEventListener('change', onChange)
  return () => system.removeEventListener('change', onChange)
}
