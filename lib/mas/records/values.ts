/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** A text or file stored outside the world by its SHA-256; preview is its first 400 characters at most. */
export type BodyRef = { sha: string; bytes: number; preview: string; mime: string }

export type { Language } from '@/lib/language'
