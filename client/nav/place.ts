import { createContext, useContext, useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { type Match, matchPath, type Params, type ScreenName } from '@/lib/wire/addresses'

export type NavPlace = {
  pathname: string
  search: URLSearchParams
  hash: string
  href: string
  /** Null: no screen has this address. */
  screen: ScreenName | null
  params: Params
  /** Counts the changes of the path; a heading that sees a new number takes the focus once. */
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

/** Null until the first effect in the browser: prerendering and hydration show the skeleton. */
const placeStore: PlaceStore = createStore<{ place: NavPlace | null }>()(() => ({ place: null }))
const PlaceContext = createContext(placeStore)

function readAddress(): void {
  const before = placeStore.getState().place
  const isElsewhere = before !== null && before.pathname !== window.location.pathname
  placeStore.setState({ place: readPlace((before?.visit ?? 0) + (isElsewhere ? 1 : 0)) })
}

/** Listen to the browser's history. out: stops */
export function joinHistory(): () => void {
  window.addEventListener('popstate', readAddress)
  window.addEventListener('hashchange', readAddress)
  readAddress()
  return () => {
    window.removeEventListener('popstate', readAddress)
    window.removeEventListener('hashchange', readAddress)
  }
}

/**
 * Go to an address of the console.
 *
 * in      an in-app address ("/tasks/…?inspect=…"); replace: without a new entry in the history
 * out     the place has changed when this returns
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
  readAddress()
}

/** The current address, or another, with search parameters changed; null removes one. */
export function withSearch(
  change: Record<string, string | null>,
  from: (Pick<NavPlace, 'pathname'> & Partial<Pick<NavPlace, 'search'>>) | null = getPlace(),
): string {
  const search = new URLSearchParams(from?.search)
  for (const [name, value] of Object.entries(change)) {
    if (value === null) search.delete(name)
    else search.set(name, value)
  }
  const text = search.toString()
  return `${from?.pathname ?? '/'}${text === '' ? '' : `?${text}`}`
}

export const setSearch = (change: Record<string, string | null>, options: { replace?: boolean } = {}): void =>
  navigate(withSearch(change), options)

export const getPlace = (): NavPlace | null => placeStore.getState().place

/** The place, or the last one on this screen inside of a PlaceProvider; null while prerendered. */
export const useLocation = (): NavPlace | null => useStore(useContext(PlaceContext), (state) => state.place)

/** One search parameter, or null; renders again only when it changes. */
export const useSearchParam = (name: string): string | null =>
  useStore(useContext(PlaceContext), (state) => state.place?.search.get(name) ?? null)

/** Gives its children the place of `useScreenPlace`. */
export const PlaceProvider = PlaceContext.Provider

/**
 * The place of one screen: follows the address while it belongs to the screen, and keeps its last value afterwards.
 *
 * in      screen: any value that is equal for all addresses of a screen; screenOf: finds it
 * out     store: for <PlaceProvider value={store}>; place: the last address on this screen
 */
export function useScreenPlace<Screen>(
  screen: Screen,
  screenOf: (place: NavPlace) => Screen,
  at: NavPlace,
): { store: PlaceStore; place: NavPlace } {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `at` is its first value only; it follows the address by itself.
  const own = useMemo(() => {
    const store: PlaceStore = createStore<{ place: NavPlace | null }>()(() => ({ place: at }))
    const follow = (): void => {
      const { place } = placeStore.getState()
      if (place !== null && screenOf(place) === screen) store.setState({ place })
    }
    return { store, follow }
  }, [screen])
  useEffect(() => {
    // Joins the address.
    own.follow()
    return placeStore.subscribe(own.follow)
  }, [own])
  return { store: own.store, place: useStore(own.store, ({ place }) => place ?? at) }
}
