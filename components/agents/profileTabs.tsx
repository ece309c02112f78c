import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRows } from '@/client'
import { useStaleSince } from '@/client/connection/stale'
import { Link, pathTo, withSearch } from '@/client/nav'
import { taskTitle } from '@/client/readersWords'
import { useStepTitle } from '@/client/stepTitle'
import { NamedValue } from '@/components/inspector/parts'
import { stepOf, tookMs } from '@/components/inspector/steps'
import { useNames } from '@/components/request/useNames'
import { ChangesList } from '@/components/setup/ChangesList'
import { useSetupQuery } from '@/components/setup/useSetupQuery'
import { Button } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { Avatar } from '@/components/ui/marks/Avatar'
import { chipStateOf, StatusChip } from '@/components/ui/marks/StatusChip'
import { StepIcon } from '@/components/ui/marks/StepIcon'
import { Elapsed, TimeText } from '@/components/ui/marks/Time'
import { WaitLine } from '@/components/ui/marks/WaitLine'
import { LongText } from '@/components/ui/text/LongText'
import { Markdown } from '@/components/ui/text/Markdown'
import { useList } from '@/components/ui/useList'
import type { TaskId } from '@/lib/mas/ids'
import type { AgentRecord, MemoryNote, StepRecord, WorkRecord, World } from '@/lib/mas/records'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import type { AgentRow } from '@/lib/wire'

const SHOWN = 100

/** Names of the tasks that the reader may see. */
function useTaskName(): (task: TaskId) => string {
  const rows = useRows('overview')
  const names = new Map(rows.map((row) => [row.task, taskTitle(row.name)]))
  return (task) => names.get(task) ?? '—'
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-2">
      <h2 className="text-meta font-medium text-t3">{title}</h2>
      {children}
    </section>
  )
}

const Nothing = ({ children }: { children: ReactNode }) => <p className="text-table text-t3">{children}</p>

type StepLineProps = { step: StepRecord | undefined; id: string; task: string; className?: string }

function StepLine({ step, id, task, className }: StepLineProps) {
  const titleOf = useStepTitle()
  return (
    // It takes the room that there is: half of it for the task's name, as long as that is needed.
    <span className={cx('flex min-w-0 grow items-center gap-1.5', className)}>
      <StepIcon skill={step?.type === 'tool' ? 'tool' : (step?.executor ?? '')} className="size-3.5 shrink-0 text-t3" />
      <span className="flex min-w-0 grow items-center gap-x-1.5 max-md:flex-wrap">
        <Link href={withSearch({ inspect: `StepState_${id}`, tab: null })} className="cut hover:underline">
          {step ? titleOf(step) : id}
        </Link>
        <span className="cut shrink text-meta text-t3 md:max-w-[50%]">{task}</span>
      </span>
    </span>
  )
}

export type ProfileTabProps = {
  agent: AgentRecord
  work: WorkRecord
  memory: readonly MemoryNote[]
  steps: World['steps']
  row: AgentRow | null
}

/** The running step, whom it waits for, its tasks, who paused it and why. */
export function NowTab({ agent, work, steps, row }: ProfileTabProps) {
  const t = useTranslations('agents')
  const nameOf = useTaskName()
  const namesOf = useNames()
  const overview = useRows('overview')
  const { running, locks } = work
  const tasks = overview.filter((one) => one.members.some((who) => who.id === agent.id) && one.endedAt === null)
  const step = running ? stepOf(steps, agent.id, running) : undefined
  const silent = useStaleSince(running?.step ?? '', step?.startedAt ?? null)
  return (
    <>
      {agent.paused ? (
        <Section title={t('whyPaused')}>
          <p className="rounded-control bg-s3 px-3 py-2 text-table break-words">
            {row?.paused ? <b>{row.paused.by.name}: </b> : null}
            {agent.paused.reason}
          </p>
        </Section>
      ) : null}
      <Section title={t('doesNow')}>
        {running ? (
          <div className="flex min-w-0 items-center gap-3 text-table">
            <StepLine step={step} id={running.step} task={nameOf(running.task)} />
            <StatusChip
              state="running"
              raw={step?.state ?? 'running'}
              since={step?.startedAt ?? null}
              silentSince={silent}
            />
          </div>
        ) : (
          <Nothing>{t(locks.length > 0 ? 'standsStill' : 'nothingNow')}</Nothing>
        )}
      </Section>
      {locks.length === 0 ? null : (
        <Section title={t('waits', { count: locks.length })}>
          <ul className="flex flex-col gap-2 text-table">
            {locks.map((lock) => {
              // The row names all receivers of a forwarded message, also those of other waits.
              const on = (row?.waitsFor ?? []).filter((who) => locks.length === 1 || who.id === lock.on)
              return (
                <li key={lock.id} className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
                  <StepLine step={stepOf(steps, agent.id, lock)} id={lock.step} task={nameOf(lock.task)} />
                  <WaitLine reach="short">
                    <span className="inline-flex items-center gap-1.5">
                      {on.map((who) => (
                        <Avatar key={who.id} who={who} size={20} />
                      ))}
                      {on.length > 0 ? <>{namesOf(on.map(({ name }) => name))} ·</> : null}
                      <Elapsed since={lock.at} />
                    </span>
                  </WaitLine>
                </li>
              )
            })}
          </ul>
        </Section>
      )}
      <Section title={t('column.tasks')}>
        {tasks.length === 0 ? (
          <Nothing>{t('noTasks')}</Nothing>
        ) : (
          <ul className="flex flex-col gap-1.5 text-table">
            {tasks.map((task) => (
              <li key={task.id} className="flex min-w-0 items-center gap-2">
                <Link href={pathTo('task', { taskId: task.task })} className="link cut">
                  {taskTitle(task.name)}
                </Link>
                {task.manager.id === agent.id ? <span className="text-meta text-t3">{t('manages')}</span> : null}
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  )
}

export function QueueTab({ agent: { id: agent }, work, steps }: ProfileTabProps) {
  const t = useTranslations('agents')
  const nameOf = useTaskName()
  if (work.todo.length === 0) return <Nothing>{t('noQueue')}</Nothing>
  return (
    <ol aria-label={t('tab.queue')} className="flex flex-col gap-1.5 text-table">
      {work.todo.slice(0, SHOWN).map((ref, at) => (
        <li key={ref.step} className="flex min-w-0 items-center gap-2">
          <span className="w-6 shrink-0 text-right text-meta text-t3">{at + 1}</span>
          <StepLine step={stepOf(steps, agent, ref)} id={ref.step} task={nameOf(ref.task)} />
        </li>
      ))}
      {work.todo.length > SHOWN ? (
        <li className="text-t3">{t('andMore', { count: work.todo.length - SHOWN })}</li>
      ) : null}
    </ol>
  )
}

export function MemoryTab({ memory: notes }: ProfileTabProps) {
  const t = useTranslations('agents')
  const nameOf = useTaskName()
  if (notes.length === 0) return <Nothing>{t('noMemory')}</Nothing>
  return notes.map((note) => (
    <article key={note.key} className="rounded-control border border-line px-3 py-2">
      <p className="text-meta text-t3">
        {note.key} · <TimeText at={note.at} isClock />
        {note.task ? ` · ${nameOf(note.task)}` : null}
      </p>
      <Markdown text={note.text} className="text-table" headingLevel={3} />
    </article>
  ))
}

/** Steps, the newest first; archived ones are found in their tasks. */
export function HistoryTab({ agent: { id: agent }, steps }: ProfileTabProps) {
  const t = useTranslations('agents')
  const nameOf = useTaskName()
  const [limit, setLimit] = useState(SHOWN)
  const over = Object.values(steps)
    .flatMap((agents): StepRecord[] => stepsIn(agents[agent]))
    .filter((step) => step.endedAt !== null)
    .sort((a, b) => (b.endedSeq ?? 0) - (a.endedSeq ?? 0))
  return (
    <>
      {over.length === 0 ? <Nothing>{t('noHistory')}</Nothing> : null}
      <ol aria-label={t('tab.history')} className="flex flex-col gap-1.5 text-table empty:hidden">
        {over.slice(0, limit).map((step) => (
          <li key={step.id} className="flex min-w-0 items-center gap-x-3 max-md:flex-wrap">
            <TimeText at={step.endedAt ?? step.createdAt} isClock className="shrink-0 text-meta text-t3" />
            <StepLine
              step={step}
              id={step.id}
              task={nameOf(step.task)}
              className="max-md:order-last max-md:basis-full"
            />
            <StatusChip state={chipStateOf(step.state)} raw={step.state} ms={tookMs(step)} />
          </li>
        ))}
      </ol>
      {over.length > limit ? (
        <Button className="self-start" onClick={() => setLimit(limit + SHOWN)}>
          {t('more', { count: over.length - limit })}
        </Button>
      ) : null}
      <p className="text-meta text-t3">{t('historyRest')}</p>
    </>
  )
}

export function ConfigTab({ agent }: ProfileTabProps) {
  const t = useTranslations('agents')
  const listOf = useList()
  return (
    <>
      {agent.profile === '' ? null : (
        <p className="text-body break-words whitespace-pre-wrap">
          <LongText text={agent.profile} />
        </p>
      )}
      <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-table">
        <NamedValue name={t('config.role')}>{agent.role}</NamedValue>
        <NamedValue name={t('config.groups')}>{listOf(agent.groups)}</NamedValue>
        <NamedValue name={t('config.manager')}>{agent.manager ? t('config.yes') : null}</NamedValue>
        <NamedValue name={t('config.mayWait')}>{agent.mayWait ? t('config.yes') : null}</NamedValue>
        <NamedValue name={t('config.model')}>{agent.model}</NamedValue>
        <NamedValue name={t('config.skills')}>{listOf(agent.skills)}</NamedValue>
        <NamedValue name={t('config.tools')}>{listOf(agent.tools)}</NamedValue>
        <NamedValue name={t('config.access')}>{agent.kind === 'human' ? agent.access : null}</NamedValue>
        <NamedValue name={t('config.configId')}>{agent.configId ?? t('config.atRunTime')}</NamedValue>
        <NamedValue name={t('config.made')}>
          <TimeText at={agent.createdAt} isClock />
        </NamedValue>
      </dl>
      <AgentChanges agent={agent} />
    </>
  )
}

function AgentChanges({ agent }: { agent: AgentRecord }) {
  const record = useSetupQuery().data?.agents.find(({ id }) => id === agent.configId)
  return record === undefined ? null : <ChangesList kind="agent" record={record} value={record.value} />
}
