/** Running a tool: one press is one command, however often it is sent. */
import { useTranslations } from 'use-intl'
import { command } from '@/client'
import { useSendAct } from '@/components/operate/useSendAct'
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
  const { send, ...sending } = useSendAct(t('unheard'))
  return {
    ...sending,
    async run(input) {
      let step: string | null = null
      await send(JSON.stringify(input), async (head) => {
        const answer = await command(`/api/tools/${encodeURIComponent(server)}/run`, input, head)
        if (answer.ok) step = stepIn(answer.value.reply)
        return answer
      })
      return step
    },
  }
}

const stepIn = (reply: CommandAnswer['reply']): string | null =>
  typeof reply === 'object' && reply !== null && !Array.isArray(reply) && typeof reply.step === 'string'
    ? reply.step
    : null
