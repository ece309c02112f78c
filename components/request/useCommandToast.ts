import type { ApiResult } from '@/client/api'
import { showToast } from '@/components/ui/overlays/toast'
import { useFaultWords } from '@/components/ui/useFaultWords'

/**
 * in      command: its call; done: the toast when the server accepted it, if it has one (a refusal shows its own)
 * out     whether the server accepted it
 */
export function useCommandToast(): (command: Promise<ApiResult<unknown>>, done?: string) => Promise<boolean> {
  const faultWords = useFaultWords()
  return async (command, done) => {
    const answer = await command
    if (answer.ok && done !== undefined) showToast('done', done)
    if (!answer.ok) showToast('error', faultWords(answer.fault))
    return answer.ok
  }
}
