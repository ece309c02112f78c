/**
 * The inspector of a task and of one of its stages: goals, who has which part, what was said at the end.
 */
import { Layers, Milestone } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useLog, useViewStatus } from '@/client'
import { Link, pathTo, useLocation, withSearch } from '@/client/nav'
import { Avatar } from '@/components/ui/Avatar'
import type { Who } from '@/components/ui/identity'
import { LongText } from '@/components/ui/JsonView'
import { Markdown } from '@/components/ui/Markdown'
import { chipStateOf, StatusChip } from '@/components/ui/StatusChip'
import { TimeText } from '@/components/ui/Time'
import type { AgentId, StageId, TaskId } from '@/lib/mas/ids'
import type { AgentRecord, StageRecord, TaskRecord } from '@/lib/mas/records'
import { Pair, Pairs, Title, Written } from './parts'
import { NoRecord, RecordFrame } from './Record'

export type DetailsProps = { id: string; tab: string | null; onClose: () => void }

const taskPlace = (task: string, stateId: string): string =>
  `${pathTo('tree', { taskId: task })}?inspect=${encodeURIComponent(stateId)}`

function Person({ agent, id }: { agent: AgentRecord | undefined; id: string }) {
  if (!agent) return <span className="font-mono text-meta">{id}</span>
  const who: Who = agent
  return (
    <Link
      href={withSearch({ inspect: `${PREFIX[agent.kind]}_${id}`, tab: null })}
      className="inline-flex min-w-0 items-center gap-1.5 hover:underline"
    >
      <Avatar who={who} size={20} />
      <span className="cut">{agent.name}</span>
    </Link>
  )
}
const INFO_SHOWN = 200
const PREFIX = { llm: 'LLMAgent', human: 'HumanAgent', outside: 'OutsideAgent' } as const

export function TaskDetails({ id, tab, onClose }: DetailsProps) {
  const t = useTranslations()
  const taskId = id as TaskId
  const view = `task:${taskId}` as const
  const status = useViewStatus(view)
  const task: TaskRecord | undefined = useLog(view, (world) => [world.tasks[taskId]])[0]
  const agents = useLog(view, (world) => [world.agents])[0]
  const stages = useLog(view, (world) => [world.stages[taskId]])[0]
  const info = useLog(view, (world) => [world.info[taskId]])[0] ?? []
  if (!task) return <NoRecord status={status} onClose={onClose} />
  return (
    <RecordFrame
      kind="task"
      id={id}
      state={task.state}
      name={task.name}
      tab={tab}
      icon={<Layers aria-hidden className="size-4 text-t2" />}
      chip={
        <StatusChip
          state={task.paused ? 'blocked' : chipStateOf(task.state)}
          raw={task.state}
          since={task.state === 'running' ? task.createdAt : null}
        />
      }
      below={t('inspector.aTask', { count: task.group.length })}
      record={task}
      href={taskPlace(id, `TaskState_${id}`)}
      place={taskPlace(id, `TaskState_${id}`)}
    >
      <Title>{t('inspector.intention')}</Title>
      <Markdown text={task.intention} className="text-body" headingLevel={4} />
      {task.summary === null ? null : (
        <>
          <Title>{t('inspector.completion')}</Title>
          <Markdown text={task.summary} className="text-body" headingLevel={4} />
        </>
      )}
      <Title>{t('inspector.members')}</Title>
      <ul className="flex flex-col gap-1.5 text-table">
        {task.group.map((member) => (
          <li key={member} className="flex min-w-0 items-center gap-2">
            <Person agent={agents?.[member]} id={member} />
            <span className="cut text-meta text-t3">
              {member === task.manager ? t('kind.manager') : agents?.[member]?.role}
            </span>
          </li>
        ))}
      </ul>
      {task.stageOrder.length === 0 ? null : (
        <>
          <Title>{t('inspector.stages')}</Title>
          <ol className="flex flex-col gap-1.5 text-table">
            {task.stageOrder.map((stage, at) => {
              const record = (stages as Partial<Record<StageId, StageRecord>> | undefined)?.[stage]
              return record ? (
                <li key={stage} className="flex min-w-0 items-center gap-2">
                  <Link href={withSearch({ inspect: `StageState_${stage}`, tab: null })} className="link cut grow">
                    {at + 1} {record.intention}
                  </Link>
                  <StatusChip state={chipStateOf(record.state)} raw={record.state} />
                </li>
              ) : null
            })}
          </ol>
        </>
      )}
      {info.length === 0 ? null : (
        <details className="rounded-control border border-line">
          <summary className="h-8 px-2.5 text-table leading-8 touch:h-11 touch:leading-11">
            {t('inspector.shared', { count: info.length })}
          </summary>
          <ul className="flex max-h-80 flex-col gap-1 overflow-y-auto border-t border-line px-3 py-2 text-table">
            {info.slice(-INFO_SHOWN).map((line) => (
              <li key={`${line.at} ${line.agent} ${line.content.slice(0, 40)}`} className="break-words">
                <b>{agents?.[line.agent]?.name}</b> <LongText text={line.content} />
              </li>
            ))}
          </ul>
        </details>
      )}
      <Title>{t('inspector.about')}</Title>
      <Pairs>
        {task.requestedBy === null ? null : (
          <Pair name={t('inspector.requestedBy')}>
            <Person agent={agents?.[task.requestedBy]} id={task.requestedBy} />
          </Pair>
        )}
        <Pair name={t('inspector.made')}>
          <TimeText at={task.createdAt} isClock />
        </Pair>
        {task.endedAt === null ? null : (
          <Pair name={t('inspector.ended')}>
            <TimeText at={task.endedAt} isClock />
          </Pair>
        )}
        {task.paused === null ? null : <Pair name={t('inspector.paused')}>{task.paused.reason}</Pair>}
      </Pairs>
    </RecordFrame>
  )
}

/** A stage belongs to the task of the address: its id alone does not name one. */
export function StageDetails({ id, tab, onClose }: DetailsProps) {
  const t = useTranslations()
  const task = useLocation()?.params.taskId ?? null
  const taskId = task as TaskId | null
  const view = taskId === null ? null : (`task:${taskId}` as const)
  const status = useViewStatus(view)
  const stage: StageRecord | undefined = useLog(view, (world) => [
    taskId === null ? undefined : world.stages[taskId]?.[id as StageId],
  ])[0]
  const agents = useLog(view, (world) => [world.agents])[0]
  const number = useLog(view, (world) => [
    taskId === null ? 0 : (world.tasks[taskId]?.stageOrder.indexOf(id as StageId) ?? -1) + 1,
  ])[0]
  if (!stage || taskId === null) {
    const none = taskId === null ? { ...status, status: 'closed' as const } : status
    return <NoRecord status={none} onClose={onClose} />
  }
  const href = taskPlace(taskId, `StageState_${id}`)
  const shares = Object.keys({ ...stage.allocation, ...stage.parts }) as AgentId[]
  return (
    <RecordFrame
      kind="stage"
      id={id}
      state={stage.state}
      name={stage.intention}
      tab={tab}
      icon={<Milestone aria-hidden className="size-4 text-t2" />}
      chip={
        <StatusChip
          state={chipStateOf(stage.state)}
          raw={stage.state}
          since={stage.state === 'running' ? stage.startedAt : null}
          ms={stage.startedAt !== null && stage.endedAt !== null ? stage.endedAt - stage.startedAt : null}
        />
      }
      below={t('inspector.aStage', { number: number ?? 0, count: shares.length })}
      record={stage}
      href={href}
      place={href}
    >
      <Title>{t('inspector.goal')}</Title>
      <Markdown text={stage.intention} className="text-body" headingLevel={4} />
      {stage.reason === null ? null : <Written text={stage.reason} />}
      <Title>{t('inspector.shares')}</Title>
      {shares.map((member) => {
        const part = (stage.parts as Partial<typeof stage.parts>)[member]
        const summary = (stage.summaries as Partial<typeof stage.summaries>)[member]
        const why = (stage.partReasons as Partial<typeof stage.partReasons>)[member]
        return (
          <div key={member} className="flex flex-col gap-1 rounded-control border border-line px-3 py-2">
            <div className="flex min-w-0 items-center justify-between gap-2 text-table font-medium">
              <Person agent={agents?.[member]} id={member} />
              {part ? <StatusChip state={chipStateOf(part)} raw={part} /> : null}
            </div>
            <p className="text-table break-words whitespace-pre-wrap text-t2">
              <LongText text={stage.allocation[member] ?? ''} />
            </p>
            {summary ? <Markdown text={summary} className="text-table" headingLevel={4} /> : null}
            {why ? <p className="text-table break-words text-failed">{why}</p> : null}
          </div>
        )
      })}
    </RecordFrame>
  )
}
