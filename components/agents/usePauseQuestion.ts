/** The question before an agent is paused. Owns: its words. Used by: buttons of agents, the command palette. */
import { useTranslations } from 'use-intl'
import type { Asked } from '@/components/operate/ActDialog'
import { pauseAgent } from '@/components/operate/acts'
import type { AgentId } from '@/lib/mas/ids'

export function usePauseQuestion(): (agent: { id: AgentId; name: string }) => Asked {
  const t = useTranslations('agents')
  return ({ id, name: who }) => ({
    title: t('pauseTitle', { who }),
    what: t('pauseWhat', { who }),
    action: t('pause'),
    act: pauseAgent(id),
    done: t('paused', { who }),
  })
}
