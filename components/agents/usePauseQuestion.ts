import { useTranslations } from 'use-intl'
import type { ActQuestion } from '@/components/operate/ActDialog'
import { pauseAgentAct } from '@/components/operate/acts'
import type { AgentId } from '@/lib/mas/ids'

export function usePauseQuestion(): (agent: { id: AgentId; name: string }) => ActQuestion {
  const t = useTranslations('agents')
  return ({ id, name: who }) => ({
    title: t('pauseTitle', { who }),
    what: t('pauseWhat', { who }),
    action: t('pause'),
    act: pauseAgentAct(id),
    done: t('paused', { who }),
  })
}
