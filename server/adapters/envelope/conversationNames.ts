/**
 * Names of conversations. The envelope has no field for one: a name that the peer gives is used; until then a local one, which
 * is never sent.
 */

const PREFIX = 'a2a-unnamed-'

export const madeUpName = (id: string): string => PREFIX + id
export const isMadeUp = (shared: string | null): boolean => shared?.startsWith(PREFIX) ?? false
