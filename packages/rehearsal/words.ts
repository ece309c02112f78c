import type { Language } from '@/lib/mas/records'
import { DEMO_EN } from './messages/en'
import { DEMO_ZH } from './messages/zh'

export type Words = typeof DEMO_EN

export const WORDS: Record<Language, Words> = { en: DEMO_EN, zh: DEMO_ZH }
