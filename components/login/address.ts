/** out: the path in `?next=`, else "/"; never another site or the sign-in page */
export function nextPath(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '/'
  return /^\/(?![/\\])/.test(next) && !/^\/login(?:[/?#]|$)/.test(next) ? next : '/'
}

/** Why a sign-in at a provider failed, as the server puts it into the address; the page has words for each. */
const PROBLEMS = [
  'SIGN_IN_STALE',
  'SIGN_IN_UNFIT',
  'PROVIDER_REFUSED',
  'PROVIDER_UNREACHABLE',
  'NOT_ADMITTED',
  'OTHER',
] as const

/** out: null: none is named. by: the id of the provider */
export function signInProblemOf(search: string): { code: (typeof PROBLEMS)[number]; by: string } | null {
  const named = new URLSearchParams(search)
  const code = named.get('problem')
  return code === null
    ? null
    : { code: PROBLEMS.find((one) => one === code) ?? 'OTHER', by: (named.get('by') ?? '').slice(0, 64) }
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
