/**
 * Names of conversations. The envelope has none of its own: where the other side gives one it is used; before that we keep
 * one for ourselves, which is never sent.
 */

const PREFIX = 'a2a-unnamed-'

export const madeUpName = (id: string): string => PREFIX + id
export const isMadeUp = (shared: string | null): boolean => shared?.startsWith(PREFIX) ?? false
