/** Running a tool: one press is one command, however often it is sent. */
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { command, commandDeadline, newId } from '@/client'
import { pageClock } from '@/client/clock'
import type { CommandAnswer, CommandHead, PostRunTool } from '@/lib/wire'

type RunInput = Omit<PostRunTool, keyof CommandHead>

export function useRun(server: string): {
  isSending: boolean
  failure: string | null
  forget: () => void
  /** out: the step that runs it; null: refused, or unanswered. */
  run: (input: RunInput) => Promise<string | null>
} {
  const t = useTranslations('tools')
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  /** The last unanswered command: the same arguments again are the same command. */
  const unanswered = useRef<{ text: string; head: CommandHead } | null>(null)
  return {
    isSending,
    failure,
    forget: () => setFailure(null),
    async run(input) {
      const text = JSON.stringify(input)
      const last = unanswered.current
      const head =
        last?.text === text && last.head.until > pageClock.now() ? last.head : { id: newId(), until: commandDeadline() }
      setFailure(null)
      setSending(true)
      const answer = await command<CommandAnswer>(`/api/tools/${encodeURIComponent(server)}/run`, input, head)
      setSending(false)
      if (answer.ok) {
        unanswered.current = null
        return stepIn(answer.value.reply)
      }
      const isUnanswered = answer.fault.error === 'NO_ANSWER'
      unanswered.current = isUnanswered ? { text, head } : null
      setFailure(isUnanswered ? t('unheard') : answer.fault.message)
      return null
    },
  }
}

const stepIn = (reply: CommandAnswer['reply']): string | null =>
  typeof reply === 'object' && reply !== null && !Array.isArray(reply) && typeof reply.step === 'string'
    ? reply.step
    : null
