/** out: the path in `?next=`, else "/"; never another site or the sign-in page */
export function nextPath(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '/'
  return /^\/(?![/\\])/.test(next) && !/^\/login(?:[/?#]|$)/.test(next) ? next : '/'
}

/** The token of a sign-in link; behind # it reaches no server's log. */
export const linkTokenOf = (search: string, hash: string): string | null =>
  new URLSearchParams(hash.replace(/^#/, '')).get('link') ?? new URLSearchParams(search).get('link')

/** Takes the token out of the address bar and the history. */
export function takeToken(): string | null {
  const { search, hash, pathname } = window.location
  const token = linkTokenOf(search, hash)
  if (token === null) return null
  const rest = new URLSearchParams(search)
  rest.delete('link')
  window.history.replaceState(null, '', rest.size > 0 ? `${pathname}?${rest}` : pathname)
  return token
}

export const continueToConsole = (): void => window.location.assign(nextPath(window.location.search))
