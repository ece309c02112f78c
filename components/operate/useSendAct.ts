/** Sending one act: a repeat keeps the command's head until the server has answered. */
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { type ApiResult, commandDeadline, newId } from '@/client/api'
import { pageClock } from '@/client/clock'
import { showToast } from '@/components/ui/overlays/toast'
import type { CommandAnswer, CommandHead } from '@/lib/wire'
import type { Act } from './acts'

export function useSendAct(): {
  failure: string | null
  isSending: boolean
  /** in: key: identifies the act with its values; out: true when it is stored. */
  send: (key: string, act: (head: CommandHead) => Promise<ApiResult<CommandAnswer>>) => Promise<boolean>
} {
  const t = useTranslations('operate')
  const [failure, setFailure] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const last = useRef<{ key: string; head: CommandHead } | null>(null)
  return {
    failure,
    isSending,
    send: async (key, act) => {
      if (last.current?.key !== key || last.current.head.until < pageClock.now())
        last.current = { key, head: { id: newId(), until: commandDeadline() } }
      setFailure(null)
      setSending(true)
      const answer = await act(last.current.head)
      setSending(false)
      if (answer.ok) return true
      const isUnanswered = answer.fault.error === 'NO_ANSWER'
      if (!isUnanswered) last.current = null
      setFailure(isUnanswered ? t('unreachable') : answer.fault.message)
      return false
    },
  }
}

/** For an act without question and reason (resume); the result is shown in a toast. out: true when it is stored */
export function useActNow(): (act: Act, done: string) => Promise<boolean> {
  const t = useTranslations('operate')
  return async (act, done) => {
    const answer = await act('', { id: newId(), until: commandDeadline() })
    if (answer.ok) showToast('done', done)
    else showToast('error', answer.fault.error === 'NO_ANSWER' ? t('noAnswer') : answer.fault.message)
    return answer.ok
  }
}
