import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { type ApiResult, commandDeadline, newId } from '@/client/api'
import { useSendOnce } from '@/client/sendOnce'
import { useCommandToast } from '@/components/request/useCommandToast'
import { useFaultWords } from '@/components/ui/useFaultWords'
import type { CommandHead } from '@/lib/wire'
import type { Act } from './acts'

/** in: unanswered: what is said when no answer came */
export function useSendAct(unanswered?: string): {
  failure: string | null
  isSending: boolean
  /** The failure is no longer shown. */
  forget: () => void
  /** in: key: identifies the act with its values; out: true when it is stored. */
  send: (key: string, act: (head: CommandHead) => Promise<ApiResult<unknown>>) => Promise<boolean>
} {
  const t = useTranslations('error')
  const faultWords = useFaultWords()
  const [failure, setFailure] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const sendOnce = useSendOnce()
  return {
    failure,
    isSending,
    forget: () => setFailure(null),
    send: async (key, act) => {
      setFailure(null)
      setSending(true)
      const answer = await sendOnce(key, act)
      setSending(false)
      if (!answer.ok) setFailure(faultWords(answer.fault, unanswered ?? t('textKept')))
      return answer.ok
    },
  }
}

/** For an act without question and reason (resume); the result is shown in a toast. out: true when it is stored */
export function useActNow(): (act: Act, done: string) => Promise<boolean> {
  const run = useCommandToast()
  return (act, done) => run(act('', { id: newId(), until: commandDeadline() }), done)
}
