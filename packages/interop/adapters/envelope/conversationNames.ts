/** Names of conversations: the one that the peer gives, and until then a local one, which is never sent. */

const PREFIX = 'envelope-unnamed-'

export const madeUpName = (id: string): string => PREFIX + id
export const isMadeUp = (shared: string | null): boolean => shared?.startsWith(PREFIX) ?? false
