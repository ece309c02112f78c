/**
 * What a browser has and happy-dom has not, as a test sets it: the size of the screen, what is on it, storage, the pointer.
 *
 * Nothing is laid out here. What depends on layout is a browser test (e2e/README.md).
 */
import { vi } from 'vitest'

type Watched = { isOnScreen: boolean; tell: (isOnScreen: boolean) => void }

const screen = { isNarrow: false, isDark: false }
const queries = new Set<() => void>()
const watched = new Map<Element, Set<Watched>>()

/** The media queries that the page asks; every other one is false. */
function holds(media: string): boolean {
  if (media === '(prefers-color-scheme: dark)') return screen.isDark
  if (media === '(width < 48rem)') return screen.isNarrow
  return media.startsWith('(width >=') && !screen.isNarrow
}

function matchMedia(media: string) {
  const heard = new Set<() => void>()
  const tell = (): void => {
    for (const hear of heard) hear()
  }
  return {
    media,
    get matches() {
      return holds(media)
    },
    addEventListener: (_: 'change', hear: () => void) => {
      heard.add(hear)
      queries.add(tell)
    },
    removeEventListener: (_: 'change', hear: () => void) => {
      heard.delete(hear)
      if (heard.size === 0) queries.delete(tell)
    },
  }
}

class FakeIntersectionObserver {
  private readonly mine = new Map<Element, Watched>()
  constructor(private readonly hear: (entries: unknown[], observer: unknown) => void) {}
  observe(target: Element): void {
    const one: Watched = {
      isOnScreen: false,
      tell: (isOnScreen) => {
        one.isOnScreen = isOnScreen
        this.hear([{ target, isIntersecting: isOnScreen, intersectionRatio: isOnScreen ? 1 : 0 }], this)
      },
    }
    this.mine.set(target, one)
    watched.set(target, (watched.get(target) ?? new Set()).add(one))
  }
  unobserve(target: Element): void {
    const one = this.mine.get(target)
    if (one) watched.get(target)?.delete(one)
    this.mine.delete(target)
  }
  disconnect(): void {
    for (const target of this.mine.keys()) this.unobserve(target)
  }
  takeRecords = (): [] => []
}

/** Set what the page is shown on; changes reach what is drawn. */
export function setScreen(change: Partial<typeof screen>): void {
  Object.assign(screen, change)
  for (const tell of queries) tell()
}

/** Tell everybody who watches this element, or what it holds, that it came on the screen, or left it. */
export function setOnScreen(element: Element, isOnScreen: boolean): void {
  for (const [target, all] of watched) if (element.contains(target)) for (const one of all) one.tell(isOnScreen)
}

/** Local storage of one test. */
function emptyStorage(): Storage {
  const kept = new Map<string, string>()
  return {
    get length() {
      return kept.size
    },
    key: (at) => [...kept.keys()][at] ?? null,
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => {
      if (isStorageFull) throw new DOMException('it is full', 'QuotaExceededError')
      kept.set(name, String(value))
    },
    removeItem: (name) => void kept.delete(name),
    clear: () => kept.clear(),
  }
}

let isStorageFull = false
/** From now on this browser stores nothing more. */
export const fillStorage = (): void => {
  isStorageFull = true
}

/** No style sheet is loaded: computed styles are those of the element alone. happy-dom would look for rules each time. */
const INITIAL: Readonly<Record<string, string>> = { display: 'block', visibility: 'visible', animationName: 'none' }
const computedStyle = (element: HTMLElement): CSSStyleDeclaration =>
  new Proxy(element.style, {
    get: (own, name: string & keyof CSSStyleDeclaration) => {
      const value: unknown = own[name]
      if (typeof value === 'function') return value.bind(own)
      return value === '' ? (INITIAL[name] ?? '') : value
    },
  })

const withLock = (_name: string, run: () => Promise<void>): Promise<void> => run()

/** Before each test. */
export function standIn(): void {
  Object.assign(screen, { isNarrow: false, isDark: false })
  vi.stubGlobal('matchMedia', matchMedia)
  // One tab alone: nobody else holds a lock.
  Object.defineProperty(navigator, 'locks', { value: { request: withLock }, configurable: true })
  vi.stubGlobal('IntersectionObserver', FakeIntersectionObserver)
  vi.stubGlobal('getComputedStyle', computedStyle)
  vi.stubGlobal('localStorage', emptyStorage())
  isStorageFull = false
}
