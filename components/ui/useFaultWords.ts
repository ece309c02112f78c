import { useCallback } from 'react'
import { useTranslations } from 'use-intl'
import type { CallRefused } from '@/client/api'

/**
 * Why a call failed, in the reader's language: the only place where a fault becomes a text.
 *
 * in      unanswered: the text when no answer came, where more is known than that it may be tried again
 */
export function useFaultWords(): (fault: CallRefused, unanswered?: string) => string {
  const t = useTranslations('error')
  return useCallback(
    (fault, unanswered = t('noAnswer')) => {
      switch (fault.error) {
        case 'NO_ANSWER':
          return unanswered
        // The server names who was first, which is not always a person.
        case 'REQUEST_OVER':
          return t('requestOver')
        default:
          return fault.message
      }
    },
    [t],
  )
}
