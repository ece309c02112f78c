/** Sending one act: the same act keeps its head until the server has said something about it. */
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { type ApiResult, commandDeadline, newId } from '@/client/api'
import { pageClock } from '@/client/clock'
import { showToast } from '@/components/ui/toast'
import type { CommandAnswer, CommandHead } from '@/lib/wire'
import type { Act } from './acts'

export function useActing(): {
  failure: string | null
  isSending: boolean
  /** in: wish: what tells this act from another; out: true when it is stored. */
  send: (wish: string, act: (head: CommandHead) => Promise<ApiResult<CommandAnswer>>) => Promise<boolean>
} {
  const t = useTranslations('operate')
  const [failure, setFailure] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const last = useRef<{ wish: string; head: CommandHead } | null>(null)
  return {
    failure,
    isSending,
    send: async (wish, act) => {
      if (last.current?.wish !== wish || last.current.head.until < pageClock.now())
        last.current = { wish, head: { id: newId(), until: commandDeadline() } }
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

/** An act that needs no question and no reason: letting something go on. What came of it is said in a toast. */
export function useActNow(): (act: Act, done: string) => void {
  const t = useTranslations('operate')
  return (act, done) => {
    void act('', { id: newId(), until: commandDeadline() }).then((answer) => {
      if (answer.ok) showToast('done', done)
      else showToast('error', answer.fault.error === 'NO_ANSWER' ? t('noAnswer') : answer.fault.message)
    })
  }
}
