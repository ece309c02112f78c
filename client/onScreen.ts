/**
 * Which elements show a waiting item, whether they are on screen, and since when. One observer watches all of them: nothing measures
 * the page.
 */
import { useCallback } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

/** card: it is read there · strip: a line that only names it. */
type SightKind = 'card' | 'strip'

/** An element that is on screen. */
export type Sight = {
  kind: SightKind
  element: Element
  /** Since when any of it is on screen, epoch ms. */
  since: number
  /** Half of it, or of the window, is in view. */
  isHalf: boolean
  /** Most of it, or its last line, is in view. */
  isMost: boolean
}

/** How an element is used; changes without a notice to subscribers. Epoch ms. */
type SightUsage = { scrolledAt: number; hasFocus: boolean }

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
const NEVER_USED: SightUsage = { scrolledAt: 0, hasFocus: false }

export function createScreen({ observer, listen, now }: ScreenParts) {
  const seen = createStore<ReadonlyMap<Element, Sight>>()(() => new Map())
  /** isKnown: the observer has reported it, which it does only while the page is visible. */
  const places = new Map<Element, { item: string; kind: SightKind; isKnown: boolean }>()
  const uses = new Map<Element, SightUsage>()
  const partly = new Set<Element>()
  let watch: ReturnType<ScreenParts['observer']> | null = null

  const sightFrom = (
    { target, intersectionRect: part, boundingClientRect: whole, rootBounds }: IntersectionObserverEntry,
    kind: SightKind,
    since: number,
  ): Sight => ({
    kind,
    element: target,
    since,
    isHalf: part.height * 2 >= Math.min(whole.height, rootBounds?.height ?? whole.height),
    isMost: part.height >= whole.height * MOST || whole.bottom <= part.bottom + 1,
  })
  const put = (element: Element, sight: Sight | null): void => {
    const before = seen.getState().get(element)
    if (before?.isHalf === sight?.isHalf && before?.isMost === sight?.isMost) return
    const next = new Map(seen.getState())
    if (sight) next.set(element, sight)
    else next.delete(element)
    seen.setState(next, true)
  }
  const receive = (entries: readonly IntersectionObserverEntry[]): void => {
    for (const entry of entries) {
      const { target, isIntersecting, intersectionRatio } = entry
      const place = places.get(target)
      if (place === undefined) continue
      place.isKnown = true
      if (isIntersecting && intersectionRatio < 1) partly.add(target)
      else partly.delete(target)
      put(target, isIntersecting ? sightFrom(entry, place.kind, seen.getState().get(target)?.since ?? now()) : null)
    }
  }
  const usageOf = (element: Element): SightUsage => uses.get(element) ?? NEVER_USED
  function onScroll(pane: Node): void {
    for (const element of seen.getState().keys()) {
      if (!pane.contains(element)) continue
      uses.set(element, { ...usageOf(element), scrolledAt: now() })
      // Shares of its height say nothing of the end of a card that is higher than its pane: it is looked at anew.
      if (!partly.delete(element)) continue
      watch?.unobserve(element)
      watch?.observe(element)
    }
  }
  /** focused: null: nothing is */
  function onFocus(focused: Node | null): void {
    for (const element of places.keys()) {
      const hasFocus = focused !== null && element.contains(focused)
      if (hasFocus !== usageOf(element).hasFocus) uses.set(element, { ...usageOf(element), hasFocus })
    }
  }
  function start(): ReturnType<ScreenParts['observer']> {
    listen('scroll', onScroll)
    listen('focusin', onFocus)
    listen('focusout', () => onFocus(null))
    return observer(receive, { threshold: [0, 0.5, MOST, 1] })
  }
  const sightIn = (all: ReadonlyMap<Element, Sight>, item: string): Sight | null => {
    const here = [...all.values()].filter(({ element }) => places.get(element)?.item === item)
    return here.find(({ kind }) => kind === 'card') ?? here[0] ?? null
  }
  return {
    seen,
    sightIn,
    sightOf: (item: string): Sight | null => sightIn(seen.getState(), item),
    usageOf: (sight: Sight): SightUsage => usageOf(sight.element),
    /** It is in the page, and the browser has not said yet whether it is on screen. */
    isPending: (item: string): boolean => [...places.values()].some((one) => one.item === item && !one.isKnown),
    /** out: ends it */
    observe: (element: Element, item: string, kind: SightKind): (() => void) => {
      places.set(element, { item, kind, isKnown: false })
      watch ??= start()
      watch.observe(element)
      return () => {
        watch?.unobserve(element)
        places.delete(element)
        uses.delete(element)
        partly.delete(element)
        put(element, null)
      }
    },
  }
}

export const pageScreen = createScreen({
  observer: (receive, options) => new IntersectionObserver(receive, options),
  listen: (name, tell) => {
    const onEvent = ({ target }: Event): void => {
      if (target instanceof Node) tell(target)
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

/** What a waiting item's place on screen is; null: it is not on screen. */
export const useSight = <T>(item: string | null, read: (sight: Sight | null) => T): T =>
  useStore(pageScreen.seen, (all) => read(item === null ? null : pageScreen.sightIn(all, item)))
