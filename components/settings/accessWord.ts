import { useTranslations } from 'use-intl'
import type { Me } from '@/lib/wire'

const WORDS = {
  participant: 'accessParticipant',
  operator: 'accessOperator',
  developer: 'accessDeveloper',
  none: 'accessNone',
} as const

export function useAccessWord(): (access: Me['person']['access']) => string {
  const t = useTranslations('settings')
  return (access) => t(WORDS[access])
}
