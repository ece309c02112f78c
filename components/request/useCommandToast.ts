import { showToast } from '@/components/ui/overlays/toast'
import { useRefusalText } from './card/Outcome'
import type { CallOutcome } from './commands'

/**
 * in      command: its call; done: the toast when the server accepted it, if it has one (a refusal shows its own)
 * out     whether the server accepted it
 */
export function useCommandToast(): (command: Promise<CallOutcome<unknown>>, done?: string) => Promise<boolean> {
  const sayRefusal = useRefusalText()
  return async (command, done) => {
    const outcome = await command
    if (outcome.ok && done !== undefined) showToast('done', done)
    if (!outcome.ok) showToast('error', sayRefusal(outcome.refusal))
    return outcome.ok
  }
}
