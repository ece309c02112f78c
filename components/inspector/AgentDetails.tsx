/** The inspector of an agent or a person: what it does now, what comes next, its memory. */
import { UserRound } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Link, pathTo, useLocation, withSearch } from '@/client/nav'
import { useStepTitle } from '@/client/stepTitle'
import { PauseButton } from '@/components/agents/AgentButtons'
import { useAgentRecords } from '@/components/agents/useAgentRecords'
import { LinkButton } from '@/components/ui/Button'
import { Avatar } from '@/components/ui/marks/Avatar'
import { StatusChip } from '@/components/ui/marks/StatusChip'
import { StepIcon } from '@/components/ui/marks/StepIcon'
import { TimeText } from '@/components/ui/marks/Time'
import { LongText } from '@/components/ui/text/LongText'
import { Markdown } from '@/components/ui/text/Markdown'
import { useList } from '@/components/ui/useList'
import type { AgentId } from '@/lib/mas/ids'
import type { AgentRecord, MemoryNote, StepRecord, WorkRecord, World } from '@/lib/mas/records'
import { DetailsTitle, NamedValue, NamedValues } from './parts'
import { type DetailsProps, NoRecord, RecordFrame } from './Record'
import { stateIdOfAgent } from './stateIds'
import { stepOf } from './steps'

const QUEUE_SHOWN = 20

function StepLink({ step, id }: { step: StepRecord | undefined; id: string }) {
  const titleOf = useStepTitle()
  return (
    <Link
      href={withSearch({ inspect: `StepState_${id}`, tab: null })}
      className="flex min-w-0 items-center gap-1.5 hover:underline"
    >
      <StepIcon skill={step?.type === 'tool' ? 'tool' : (step?.executor ?? '')} className="size-3.5 text-t3" />
      <span className="cut">{step ? titleOf(step) : id}</span>
    </Link>
  )
}

export function AgentDetails({ id, tab, onClose }: DetailsProps) {
  const t = useTranslations()
  const listOf = useList()
  const agentId = id as AgentId
  const { status, agent, work, memory, steps, row, chip } = useAgentRecords(agentId)
  const pathname = useLocation()?.pathname ?? '/'
  if (!agent) return <NoRecord status={status} onClose={onClose} />
  const lock = work.locks[0]
  const state = lock ? 'waiting' : work.running !== null || work.todo.length > 0 ? 'working' : 'idle'
  const href = `${pathname}?inspect=${stateIdOfAgent(agent.kind, id)}`
  return (
    <RecordFrame
      kind="agent"
      id={id}
      state={state}
      name={agent.name}
      tab={tab}
      icon={<Avatar who={agent} size={24} />}
      chip={
        <StatusChip
          state={chip}
          raw={state}
          on={row === null || row.waitsFor.length === 0 ? undefined : listOf(row.waitsFor.map(({ name }) => name))}
          since={row?.since ?? agent.paused?.at ?? lock?.at ?? null}
        />
      }
      below={[t(agent.kind === 'human' ? 'inspector.aPerson' : 'inspector.anAgent'), agent.role]
        .filter((part) => part)
        .join(' · ')}
      record={{ agent, work, memory }}
      href={href}
      acts={
        <>
          <LinkButton href={pathTo('agent', { agentId: id })}>
            <UserRound />
            {t('inspector.openProfile')}
          </LinkButton>
          <PauseButton
            agent={{ id: agentId, name: agent.name, kind: agent.kind, isPaused: agent.paused !== null }}
            isQuiet
          />
        </>
      }
    >
      {agent.profile === '' ? null : (
        <>
          <DetailsTitle>{t('inspector.profile')}</DetailsTitle>
          <p className="text-table break-words whitespace-pre-wrap">
            <LongText text={agent.profile} />
          </p>
        </>
      )}
      <WorkNow agent={agentId} work={work} steps={steps} />
      <Memory notes={memory} />
      <About agent={agent} />
    </RecordFrame>
  )
}

function WorkNow({ agent, work, steps }: { agent: AgentId; work: WorkRecord; steps: World['steps'] }) {
  const t = useTranslations('inspector')
  const lock = work.locks[0]
  return (
    <>
      <DetailsTitle>{t('now')}</DetailsTitle>
      {work.running ? (
        <div className="text-table">
          <StepLink step={stepOf(steps, agent, work.running)} id={work.running.step} />
        </div>
      ) : lock ? (
        <div className="flex min-w-0 flex-col gap-1 text-table">
          <StepLink step={stepOf(steps, agent, lock)} id={lock.step} />
          <span className="text-meta text-waiting">
            {t('waitsSince')} <TimeText at={lock.at} isClock />
          </span>
        </div>
      ) : (
        <p className="text-table text-t3">{t('nothingNow')}</p>
      )}
      <DetailsTitle>{t('queue', { count: work.todo.length })}</DetailsTitle>
      {work.todo.length === 0 ? (
        <p className="text-table text-t3">{t('noQueue')}</p>
      ) : (
        <ol className="flex flex-col gap-1 text-table">
          {work.todo.slice(0, QUEUE_SHOWN).map((ref) => (
            <li key={ref.step}>
              <StepLink step={stepOf(steps, agent, ref)} id={ref.step} />
            </li>
          ))}
          {work.todo.length > QUEUE_SHOWN ? (
            <li className="text-t3">{t('andMore', { count: work.todo.length - QUEUE_SHOWN })}</li>
          ) : null}
        </ol>
      )}
    </>
  )
}

function Memory({ notes }: { notes: readonly MemoryNote[] }) {
  const t = useTranslations('inspector')
  return (
    <>
      <DetailsTitle>{t('memory', { count: notes.length })}</DetailsTitle>
      {notes.length === 0 ? (
        <p className="text-table text-t3">{t('noMemory')}</p>
      ) : (
        notes.map((note) => (
          <div key={note.key} className="rounded-control border border-line px-3 py-2">
            <p className="text-meta text-t3">
              {note.key} · <TimeText at={note.at} isClock />
            </p>
            <Markdown text={note.text} className="text-table" headingLevel={4} />
          </div>
        ))
      )}
    </>
  )
}

function About({ agent }: { agent: AgentRecord }) {
  const t = useTranslations('inspector')
  const listOf = useList()
  return (
    <>
      <DetailsTitle>{t('about')}</DetailsTitle>
      <NamedValues>
        <NamedValue name={t('skills')}>{listOf(agent.skills)}</NamedValue>
        <NamedValue name={t('tools')}>{listOf(agent.tools)}</NamedValue>
        <NamedValue name={t('model')}>{agent.model}</NamedValue>
        <NamedValue name={t('groups')}>{listOf(agent.groups)}</NamedValue>
        <NamedValue name={t('paused')}>{agent.paused?.reason}</NamedValue>
      </NamedValues>
    </>
  )
}
