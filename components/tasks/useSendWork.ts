/** Sending new work: as a request, at set times, or as a task with its members. The draft is gone once it was accepted. */
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { type ApiResult, draftAt, useRows } from '@/client'
import { navigate, pathTo } from '@/client/nav'
import { useSendOnce } from '@/client/sendOnce'
import { showToast } from '@/components/ui/overlays/toast'
import { useFaultWords } from '@/components/ui/useFaultWords'
import { firstWords } from '@/lib/format/plainText'
import type { NewWork } from './newWork'
import type { useTaskForm } from './TaskFields'

/** What is to be reached says why the task is made. */
const REASON_LENGTH = 200

export function useSendWork(work: NewWork, onSent: () => void) {
  const t = useTranslations()
  const faultWords = useFaultWords()
  const baseTask = useRows('overview').find((row) => row.base)?.task ?? null
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const sendOnce = useSendOnce()
  /** out: the answer, if it was accepted */
  const send = async <Answer>(sent: Promise<ApiResult<Answer>>): Promise<Answer | null> => {
    setSending(true)
    setProblem(null)
    const answer = await sent
    setSending(false)
    if (answer.ok) {
      onSent()
      return answer.value
    }
    setProblem(faultWords(answer.fault, t('error.textKept')))
    return null
  }
  return {
    isSending,
    problem,
    forget: () => setProblem(null),
    ask: async (): Promise<void> => {
      const answer = await send(work.ask())
      if (answer === null) return
      const open = {
        label: t('tasks.openChat'),
        onPress: () => baseTask && navigate(pathTo('task', { taskId: baseTask })),
      }
      showToast('done', t('tasks.asked', { count: answer.saved.length }), { actions: baseTask ? [open] : [] })
    },
    schedule: async (cron: string, zone: string): Promise<void> => {
      if ((await send(work.schedule(cron, zone))) === null) return
      const open = { label: t('tasks.openSchedules'), onPress: () => navigate('/settings/templates') }
      showToast('done', t('tasks.scheduled'), { actions: [open] })
    },
    makeTask: async ({ actOf, place }: ReturnType<typeof useTaskForm>): Promise<void> => {
      const act = actOf(work.text.text)
      const key = JSON.stringify([work.text.text, draftAt(place).state.getState().more])
      if ((await send(sendOnce(key, (head) => act(firstWords(work.text.text, REASON_LENGTH), head)))) === null) return
      work.text.clear()
      draftAt(place).clear()
      showToast('done', t('tasks.made'))
    },
  }
}
