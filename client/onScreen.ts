/**
 * Which elements show a waiting item, whether they are on screen, and since when. One observer watches all of them: nothing measures
 * the page.
 */
import { useCallback } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

/** card: it is read there · strip: a line that only names it. */
type SightKind = 'card' | 'strip'

/** An element that is on screen. Times are epoch ms. */
export type CardSight = {
  kind: SightKind
  element: Element
  /** Since when any of it is on screen. */
  since: number
  /** Half of it, or of the window, is in view. */
  isHalf: boolean
  /** Most of it, or its last line, is in view. */
  isMost: boolean
  /** When its pane last scrolled, and whether it has the focus: these change without a notice to subscribers. */
  scrolledAt: number
  hasFocus: boolean
}

type ScreenParts = {
  /** Like `new IntersectionObserver`. */
  observer: (
    receive: (entries: readonly IntersectionObserverEntry[]) => void,
    options: { threshold: number[] },
  ) => Pick<IntersectionObserver, 'observe' | 'unobserve'>
  /** Tells where each such event of the window happens. */
  listen: (name: 'scroll' | 'focusin' | 'focusout', tell: (target: Node) => void) => void
  now: () => number
}

const MOST = 0.6
const UNSEEN = { since: null, isHalf: false, isMost: false, isPartly: false, scrolledAt: 0 }

export function createScreen({ observer, listen, now }: ScreenParts) {
  /** isKnown: the observer has reported it, which it does only while the page is visible. */
  type Place = Omit<CardSight, 'since'> & { since: number | null; item: string; isPartly: boolean; isKnown: boolean }
  const places = new Map<Element, Place>()
  /** Counts the changes. */
  const changes = createStore<number>()(() => 0)
  let watch: ReturnType<ScreenParts['observer']> | null = null

  function receive(entries: readonly IntersectionObserverEntry[]): void {
    for (const entry of entries) {
      const place = places.get(entry.target)
      if (place === undefined) continue
      const { isIntersecting, intersectionRatio, intersectionRect: part, boundingClientRect: whole } = entry
      const view = entry.rootBounds
      const before = { ...place }
      place.since = isIntersecting ? (place.since ?? now()) : null
      place.isKnown = true
      place.isPartly = isIntersecting && intersectionRatio < 1
      place.isHalf = isIntersecting && part.height * 2 >= Math.min(whole.height, view?.height ?? whole.height)
      place.isMost = isIntersecting && (part.height >= whole.height * MOST || whole.bottom <= part.bottom + 1)
      const isSame = before.since === place.since && before.isHalf === place.isHalf && before.isMost === place.isMost
      if (!isSame) changes.setState(changes.getState() + 1, true)
    }
  }
  function onScroll(pane: Node): void {
    for (const [element, place] of places) {
      if (place.since === null || !pane.contains(element)) continue
      place.scrolledAt = now()
      // Shares of its height say nothing of the end of a card that is higher than its pane: it is looked at anew.
      if (!place.isPartly) continue
      place.isPartly = false
      watch?.unobserve(element)
      watch?.observe(element)
    }
  }
  /** focused: null: nothing is */
  function onFocus(focused: Node | null): void {
    for (const [element, place] of places) place.hasFocus = focused !== null && element.contains(focused)
  }
  function start(): ReturnType<ScreenParts['observer']> {
    listen('scroll', onScroll)
    listen('focusin', onFocus)
    listen('focusout', () => onFocus(null))
    return observer(receive, { threshold: [0, 0.5, MOST, 1] })
  }
  return {
    changes,
    /** out: null: it is not on screen; pending: it is in the page, and the browser has not said yet whether it is on screen */
    sightOf: (item: string): CardSight | 'pending' | null => {
      const all = [...places.values()].filter((place) => place.item === item)
      const here = all.flatMap((place) => (place.since === null ? [] : [{ ...place, since: place.since }]))
      const sight = here.find(({ kind }) => kind === 'card') ?? here[0]
      return sight ?? (all.some(({ isKnown }) => !isKnown) ? 'pending' : null)
    },
    /** out: ends it */
    observe: (element: Element, item: string, kind: SightKind): (() => void) => {
      places.set(element, { ...UNSEEN, item, kind, element, isKnown: false, hasFocus: false })
      watch ??= start()
      watch.observe(element)
      return () => {
        watch?.unobserve(element)
        places.delete(element)
        changes.setState(changes.getState() + 1, true)
      }
    },
  }
}

export const pageScreen = createScreen({
  observer: (receive, options) => new IntersectionObserver(receive, options),
  listen: (name, tell) => {
    const onEvent = ({ target }: Event): void => {
      // A window that loses the focus gets it back where it was.
      if (target instanceof Node && (name !== 'focusout' || document.hasFocus())) tell(target)
    }
    window.addEventListener(name, onEvent, { capture: true, passive: true })
  },
  now: Date.now,
})

/** A ref for the element in the page's main pane that shows this item; null: it shows none. What is in a dialog is not in the page. */
export const useSightRef = (item: string | null, kind: SightKind = 'card') =>
  useCallback(
    (element: Element | null) =>
      item !== null && element?.closest('[data-pane=main]') ? pageScreen.observe(element, item, kind) : undefined,
    [item, kind],
  )

/** What is on screen of this item, in the page's main pane; null: nothing, or not known yet. */
export function sightOnPage(item: string | null): CardSight | null {
  const sight = item === null ? null : pageScreen.sightOf(item)
  return sight === 'pending' ? null : sight
}

/** in: read: a value that is the same (`===`) until what it is made of changes */
export const useSight = <T>(item: string | null, read: (sight: CardSight | null) => T): T =>
  useStore(pageScreen.changes, () => read(sightOnPage(item)))
