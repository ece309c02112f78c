/** What the fields of a set-up accept; the page's forms and the server ask the same. */

/** Ids of members, tool servers and groups. */
export const SETUP_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/
/** Of an HTTP header. */
export const HEADER_NAME = /^[A-Za-z0-9-]{1,100}$/
/** What a model may have. */
export const CONTEXT_TOKENS = { least: 1_000, most: 10_000_000 } as const
/** Letters of an address. */
export const ADDRESS_LENGTH = 1_000

/** http or https, without a name or password in it. */
export function isWebAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

/** A web address without a key in it: keys have a field of their own. */
export const isKeylessAddress = (text: string): boolean =>
  isWebAddress(text) && ![...new URL(text).searchParams.keys()].some((name) => /key|token|secret|password/i.test(name))
