/** Where the reader is, and going elsewhere without asking the server for a page. */
import { createContext, useContext, useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { type Match, matchPath, type Params, type ScreenName } from './patterns'

export type NavPlace = {
  pathname: string
  search: URLSearchParams
  hash: string
  /** Path, search and hash, as in the address bar. */
  href: string
  /** Null when there is nothing at this address. */
  screen: ScreenName | null
  params: Params
  /** Counts up with every change of the path; a heading that sees a new number takes the focus once. */
  visit: number
}

function readPlace(visit: number): NavPlace {
  const { pathname, search, hash } = window.location
  const match: Match | null = matchPath(pathname)
  return {
    pathname,
    search: new URLSearchParams(search),
    hash,
    href: `${pathname}${search}${hash}`,
    screen: match?.screen ?? null,
    params: match?.params ?? {},
    visit,
  }
}

type PlaceStore = StoreApi<{ place: NavPlace | null }>

/** Null until the browser's first effect: prerendering and hydration know no address and show the skeleton. */
const placeStore: PlaceStore = createStore<{ place: NavPlace | null }>()(() => ({ place: null }))
const PlaceOfPart = createContext(placeStore)

function arrive(): void {
  const before = placeStore.getState().place
  const isElsewhere = before !== null && before.pathname !== window.location.pathname
  placeStore.setState({ place: readPlace((before?.visit ?? 0) + (isElsewhere ? 1 : 0)) })
}

let joins = 0
/** Join the browser's history: called once by the root of the page, counted so that StrictMode joins once. */
export function joinHistory(): () => void {
  joins += 1
  if (joins === 1) {
    window.addEventListener('popstate', arrive)
    window.addEventListener('hashchange', arrive)
    arrive()
  }
  return () => {
    joins -= 1
    if (joins > 0) return
    window.removeEventListener('popstate', arrive)
    window.removeEventListener('hashchange', arrive)
  }
}

/**
 * Go to an address of the console.
 *
 * in      an in-app address ("/tasks/…?inspect=…"); replace: without a new entry in the history
 * out     the place has changed when this returns; nothing was fetched
 */
export function navigate(href: string, options: { replace?: boolean } = {}): void {
  const target = new URL(href, window.location.href)
  if (target.origin !== window.location.origin || target.pathname === '/login') {
    window.location.assign(target)
    return
  }
  const address = `${target.pathname}${target.search}${target.hash}`
  if (address === placeStore.getState().place?.href) return
  if (options.replace) window.history.replaceState(null, '', address)
  else window.history.pushState(null, '', address)
  arrive()
}

/** The current address with some of its search changed; null takes a name away. */
export function withSearch(change: Record<string, string | null>, from: NavPlace | null = getPlace()): string {
  const search = new URLSearchParams(from?.search)
  for (const [name, value] of Object.entries(change)) {
    if (value === null) search.delete(name)
    else search.set(name, value)
  }
  const text = search.toString()
  return `${from?.pathname ?? '/'}${text === '' ? '' : `?${text}`}`
}

/** Change some of the search of the address: a pane's choice, a filter, what is inspected. */
export const setSearch = (change: Record<string, string | null>, options: { replace?: boolean } = {}): void =>
  navigate(withSearch(change), options)

export const getPlace = (): NavPlace | null => placeStore.getState().place

/** Where the reader is, or was while this part was theirs; null while the page is prerendered. */
export const useLocation = (): NavPlace | null => useStore(useContext(PlaceOfPart), (state) => state.place)

/** One name of the search, or null. Renders again only when this value changes. */
export const useSearchParam = (name: string): string | null =>
  useStore(useContext(PlaceOfPart), (state) => state.place?.search.get(name) ?? null)

/** For parts that are drawn for `useHeldPlace`. */
export const HeldPlace = PlaceOfPart.Provider

/**
 * The place of one screen: goes along while the reader stays on it, and stands still once they are on another.
 *
 * in      screen: whatever is the same for all addresses of a screen; screenOf: finds it
 * out     for <HeldPlace value={store}>; place: where the reader was last on this screen
 */
export function useHeldPlace<Screen>(
  screen: Screen,
  screenOf: (place: NavPlace) => Screen,
  at: NavPlace,
): { store: PlaceStore; place: NavPlace } {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins where the reader came to this screen, and follows them by itself.
  const held = useMemo(() => {
    const store: PlaceStore = createStore<{ place: NavPlace | null }>()(() => ({ place: at }))
    const follow = (): void => {
      const { place } = placeStore.getState()
      if (place !== null && screenOf(place) === screen) store.setState({ place })
    }
    return { store, follow }
  }, [screen])
  useEffect(() => {
    // Joins the address.
    held.follow()
    return placeStore.subscribe(held.follow)
  }, [held])
  return { store: held.store, place: useStore(held.store, ({ place }) => place ?? at) }
}
