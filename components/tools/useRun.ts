/** Running a tool: one press is one command, however often it has to be sent. */
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { command, commandDeadline, newId } from '@/client'
import { pageClock } from '@/client/clock'
import type { CommandAnswer, CommandHead, PostRunTool } from '@/lib/wire'

export type RunInput = Omit<PostRunTool, keyof CommandHead>

export function useRun(server: string): {
  isSending: boolean
  failure: string | null
  forget: () => void
  /** out: the step that runs it; null: it was refused, or nobody knows. */
  run: (wish: RunInput) => Promise<string | null>
} {
  const t = useTranslations('tools')
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  /** Of a wish that nothing was heard of: the same again is the same act. */
  const unheard = useRef<{ wish: string; head: CommandHead } | null>(null)
  return {
    isSending,
    failure,
    forget: () => setFailure(null),
    async run(wish) {
      const text = JSON.stringify(wish)
      const last = unheard.current
      const head =
        last?.wish === text && last.head.until > pageClock.now() ? last.head : { id: newId(), until: commandDeadline() }
      setFailure(null)
      setSending(true)
      const answer = await command<CommandAnswer>(`/api/tools/${encodeURIComponent(server)}/run`, wish, head)
      setSending(false)
      if (answer.ok) {
        unheard.current = null
        return stepIn(answer.value.reply)
      }
      const isUnheard = answer.fault.error === 'NO_ANSWER'
      unheard.current = isUnheard ? { wish: text, head } : null
      setFailure(isUnheard ? t('unheard') : answer.fault.message)
      return null
    },
  }
}

const stepIn = (reply: CommandAnswer['reply']): string | null =>
  typeof reply === 'object' && reply !== null && !Array.isArray(reply) && typeof reply.step === 'string'
    ? reply.step
    : null
