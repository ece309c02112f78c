import { useTranslations } from 'use-intl'
import type { ApiResult, CallRefused } from '@/client/api'
import { showToast } from '@/components/ui/overlays/toast'

/** A refusal as a sentence in the reader's language. */
export function useRefusalText(): (fault: CallRefused) => string {
  const t = useTranslations()
  return ({ error, message }) => {
    switch (error) {
      case 'REQUEST_OVER':
        return t('request.isOver')
      case 'NO_ANSWER':
        return t('error.server')
      case 'DIGEST_CHANGED':
        return t('request.digestChanged')
      default:
        return t('error.refused', { reason: message })
    }
  }
}

/**
 * in      command: its call; done: the toast when the server accepted it, if it has one (a refusal shows its own)
 * out     whether the server accepted it
 */
export function useCommandToast(): (command: Promise<ApiResult<unknown>>, done?: string) => Promise<boolean> {
  const sayRefusal = useRefusalText()
  return async (command, done) => {
    const answer = await command
    if (answer.ok && done !== undefined) showToast('done', done)
    if (!answer.ok) showToast('error', sayRefusal(answer.fault))
    return answer.ok
  }
}
