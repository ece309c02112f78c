/** Acts that are over with one call: do it, and say in a toast what came of it. */
import { useTranslations } from 'use-intl'
import { showToast } from '@/components/ui/toast'
import type { CallOutcome } from './commands'
import { useRefusalText } from './Outcome'

/** Wait for the act and say what came of it; true when the server took it. */
export function useCommandToast(): (act: Promise<CallOutcome<unknown>>, done: string) => Promise<boolean> {
  const t = useTranslations('request')
  const sayRefusal = useRefusalText()
  return async (act, done) => {
    const came = await act
    if (came.ok) showToast('done', done)
    else showToast('error', came.refusal.kind === 'over' ? t('isOver') : sayRefusal(came.refusal))
    return came.ok
  }
}
