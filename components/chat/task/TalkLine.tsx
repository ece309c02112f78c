import { Lock } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { AgentId } from '@/lib/mas/ids'
import type { TaskRecord } from '@/lib/mas/records'
import { otherIn } from '@/lib/mas/tasks/talks'
import type { TaskWorld } from '../useTaskWorld'

/** Who reads a private conversation. */
export function TalkLine({ task, me, who }: { task: TaskRecord; me: AgentId; who: TaskWorld['who'] }) {
  const t = useTranslations('chat')
  const other = otherIn(task, me)
  return other === null ? null : (
    <p data-kind="talk" className="flex items-center gap-2 py-1.5 text-table text-t2">
      <Lock aria-hidden className="size-4 shrink-0 text-t3" />
      {t('talkReaders', { name: who(other).name })}
    </p>
  )
}
