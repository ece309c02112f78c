/** The screen /agents/<id>: one agent or person, what they do, what comes next, what they know and did. */
import type { ComponentType } from 'react'
import { useTranslations } from 'use-intl'
import { usePresence } from '@/client'
import { pathTo, setSearch, useSearchParam } from '@/client/nav'
import type { ScreenProps } from '@/client/nav/screenProps'
import { CheckpointsTab } from '@/components/directory/CheckpointRows'
import { AgentSetupButtons } from '@/components/setup/AgentSetupButtons'
import { LinkButton } from '@/components/ui/Button'
import { JsonView } from '@/components/ui/lazy'
import { LiveAvatar, usePresenceWord } from '@/components/ui/marks/presence'
import { PageHeading } from '@/components/ui/PageHeading'
import { ErrorState, Loading } from '@/components/ui/States'
import { TabList } from '@/components/ui/Tabs'
import { CopyLinkButton } from '@/components/ui/useCopyLink'
import { formatCost } from '@/lib/format'
import type { AgentId } from '@/lib/mas/ids'
import { MessageButton, PauseButton, RemoveButton, TalkButton } from './AgentButtons'
import { AgentChip } from './AgentCells'
import { ConfigTab, HistoryTab, MemoryTab, NowTab, type ProfileTabProps, QueueTab } from './profileTabs'
import { useAgentRecords } from './useAgentRecords'

const TABS = {
  now: NowTab,
  queue: QueueTab,
  memory: MemoryTab,
  history: HistoryTab,
  checkpoints: ({ agent }) => <CheckpointsTab agent={agent.id} />,
  config: ConfigTab,
  state: ({ agent, work, memory }) => <JsonView value={{ agent, work, memory }} name={agent.name} />,
} satisfies Record<string, ComponentType<ProfileTabProps>>
type TabName = keyof typeof TABS
const AGENT_TABS = Object.keys(TABS) as TabName[]
/** People have no queue of steps and no memory here. */
const PERSON_TABS: readonly TabName[] = ['now', 'history', 'config', 'state']

export default function AgentProfile({ params }: ScreenProps) {
  const t = useTranslations()
  const id = (params.agentId ?? '') as AgentId
  const { status, agent, work, memory, steps, state, isWatcher, row, chip } = useAgentRecords(id)
  const show = useSearchParam('show')
  const presence = usePresence(id)
  const presenceWord = usePresenceWord()
  if (!agent) return <NoAgent isLoading={status.status === 'loading'} reason={status.reason} />

  const { todo } = work
  const isPerson = agent.kind === 'human'
  // Checkpoints and other systems are shown to operators and developers only.
  const tabs = (isPerson ? PERSON_TABS : AGENT_TABS).filter((name) => name !== 'checkpoints' || isWatcher)
  const value = tabs.find((name) => name === show) ?? 'now'
  const Tab: ComponentType<ProfileTabProps> = TABS[value]
  const acted = { id, name: agent.name, kind: agent.kind, isPaused: agent.paused !== null }
  return (
    <>
      <header className="shrink-0 px-5 pt-3 max-md:px-4">
        <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
          <div className="min-w-0 grow basis-72">
            <div className="flex min-h-9 flex-wrap items-center gap-x-3">
              <LiveAvatar who={agent} size={28} />
              <PageHeading
                title={[agent.name, t('agents.title')]}
                className="cut max-w-full max-md:break-words max-md:whitespace-normal"
              >
                {agent.name}
              </PageHeading>
              <AgentChip agent={agent} work={work} row={row} chip={chip} state={state} />
            </div>
            <p className="mt-0.5 text-meta text-t3">
              {[
                t(isPerson ? 'inspector.aPerson' : 'inspector.anAgent'),
                isPerson ? presenceWord(presence) : null,
                agent.role,
                row ? t('agents.inTasks', { count: row.tasks.length }) : null,
                isPerson || todo.length === 0 ? null : t('agents.queueOf', { count: todo.length }),
                row?.costUsd ? formatCost(row.costUsd) : null,
              ]
                .filter((part) => part)
                .join(' · ')}
            </p>
          </div>
          <span className="flex flex-wrap gap-2">
            {agent.removed ? null : <TalkButton agent={acted} />}
            <MessageButton agent={acted} />
            <PauseButton agent={acted} hasKey />
            {agent.kind === 'llm' && !agent.removed ? (
              <AgentSetupButtons agent={id} configId={agent.configId} name={agent.name} />
            ) : null}
            {agent.kind === 'llm' && agent.configId === null && !agent.removed ? <RemoveButton agent={acted} /> : null}
            <CopyLinkButton href={pathTo('agent', { agentId: id })} />
          </span>
        </div>
      </header>
      <TabList
        label={t('agents.profileOf', { who: agent.name })}
        tabs={tabs.map((name) => ({
          value: name,
          label: t(`agents.tab.${name}`),
          count: name === 'queue' ? todo.length : name === 'memory' ? memory.length : undefined,
        }))}
        value={value}
        onChange={(next) => setSearch({ show: next === 'now' ? null : next }, { replace: true })}
        className="flex min-h-0 grow flex-col"
        listClassName="mt-1 shrink-0 fade-on overflow-x-auto overflow-y-hidden px-5 max-md:px-4 [&>button]:focus-visible:-outline-offset-2"
        panelClassName="min-h-0 grow overflow-y-auto outline-none focus-visible:-outline-offset-2"
      >
        <div className="flex max-w-column min-w-0 flex-col gap-3 px-5 py-4 max-md:px-4">
          <Tab agent={agent} work={work} memory={memory} steps={steps} row={row} />
        </div>
      </TabList>
    </>
  )
}

function NoAgent({ isLoading, reason }: { isLoading: boolean; reason: string | null }) {
  const t = useTranslations()
  if (isLoading) return <Loading lines={8} />
  const isRefused = reason === 'not-allowed'
  return (
    <ErrorState
      isHeading
      title={t(isRefused ? 'agents.refused' : 'agents.notFound')}
      action={<LinkButton href={pathTo('agents')}>{t('agents.everyone')}</LinkButton>}
    >
      {t(isRefused ? 'agents.refusedWhy' : 'agents.notFoundWhy')}
    </ErrorState>
  )
}
