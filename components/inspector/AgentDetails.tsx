/** The inspector of an agent or a person: as its profile. */
import { UserRound } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { pathTo, useLocation } from '@/client/nav'
import { PauseButton } from '@/components/agents/AgentButtons'
import { AgentChip } from '@/components/agents/AgentCells'
import { ConfigTab, HistoryTab, MemoryTab, NowTab, QueueTab } from '@/components/agents/profileTabs'
import { useAgentRecords } from '@/components/agents/useAgentRecords'
import { LinkButton } from '@/components/ui/Button'
import { Avatar } from '@/components/ui/marks/Avatar'
import type { AgentId } from '@/lib/mas/ids'
import { type DetailsProps, NoRecord, RecordFrame } from './Record'
import { stateIdOfAgent } from './stateIds'

export function AgentDetails({ id, tab, onClose }: DetailsProps) {
  const t = useTranslations('inspector')
  const agentId = id as AgentId
  const { status, agent, work, memory, steps, state, row, chip } = useAgentRecords(agentId)
  const pathname = useLocation()?.pathname ?? '/'
  if (!agent) return <NoRecord status={status} onClose={onClose} />
  const shown = { agent, work, memory, steps, row }
  const isPerson = agent.kind === 'human'
  return (
    <RecordFrame
      kind="agent"
      id={id}
      state={state}
      name={agent.name}
      tab={tab}
      icon={<Avatar who={agent} size={24} />}
      chip={<AgentChip agent={agent} work={work} row={row} chip={chip} state={state} />}
      below={[t(isPerson ? 'aPerson' : 'anAgent'), agent.role].filter((part) => part).join(' · ')}
      record={{ agent, work, memory }}
      href={`${pathname}?inspect=${stateIdOfAgent(agent.kind, id)}`}
      acts={
        <>
          <LinkButton href={pathTo('agent', { agentId: id })}>
            <UserRound />
            {t('openProfile')}
          </LinkButton>
          <PauseButton
            agent={{ id: agentId, name: agent.name, kind: agent.kind, isPaused: agent.paused !== null }}
            isQuiet
          />
        </>
      }
      more={[
        // People have no queue of steps and no memory here.
        ...(isPerson
          ? []
          : ([
              { value: 'queue', body: <QueueTab {...shown} /> },
              { value: 'memory', body: <MemoryTab {...shown} /> },
            ] as const)),
        { value: 'history', body: <HistoryTab {...shown} /> },
        { value: 'config', body: <ConfigTab {...shown} /> },
      ]}
    >
      <NowTab {...shown} />
    </RecordFrame>
  )
}
