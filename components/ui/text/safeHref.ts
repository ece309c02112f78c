/**
 * The address of a link in foreign text if it is safe to follow.
 *
 * out     the address to use, or null: http(s), mailto, and addresses of this console (one leading slash)
 */
export function safeHref(href: string): string | null {
  const trimmed = href.trim()
  if (/^\/(?![/\\])/.test(trimmed)) return trimmed
  try {
    const url = new URL(trimmed)
    return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null
  } catch {
    return null
  }
}
