/** What the sign-in page reads from its address: where to go on, and the token of a sign-in link. */

/** Where to go after signing in: an address of this console, else "/". Never another site, never the sign-in page. */
export function nextPath(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '/'
  return /^\/(?![/\\])/.test(next) && !/^\/login(?:[/?#]|$)/.test(next) ? next : '/'
}

/** The token of a sign-in link; the part after # never reaches a server's log. */
export const linkTokenOf = (search: string, hash: string): string | null =>
  new URLSearchParams(hash.replace(/^#/, '')).get('link') ?? new URLSearchParams(search).get('link')

/** Take the token out of the address bar and the history. */
export function takeToken(): string | null {
  const { search, hash, pathname } = window.location
  const token = linkTokenOf(search, hash)
  if (token === null) return null
  const rest = new URLSearchParams(search)
  rest.delete('link')
  window.history.replaceState(null, '', rest.size > 0 ? `${pathname}?${rest}` : pathname)
  return token
}

/** Signed in: to the console. */
export const continueToConsole = (): void => window.location.assign(nextPath(window.location.search))
