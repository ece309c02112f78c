import type { Language } from '@/lib/mas/records'
import { DEMO_EN } from '@/messages/demo.en'
import { DEMO_ZH } from '@/messages/demo.zh'

export type Words = typeof DEMO_EN

export const WORDS: Record<Language, Words> = { en: DEMO_EN, zh: DEMO_ZH }
