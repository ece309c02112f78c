/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** A text or file stored outside the world by its SHA-256; preview is its first 400 characters at most. */
export type BodyRef = { sha: string; bytes: number; preview: string; mime: string }

/** The number of the entry that changed the record last: a page that was away is sent what has changed since. */
export type Changed = number

export type { Language } from '@/lib/language'
