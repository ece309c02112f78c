/** The inspector of a task and of its stages: goals, members, parts, shared information, cost. */

import { Layers, Milestone } from 'lucide-react'
import { useLocale, useTranslations } from 'use-intl'
import { useRecords, useRow, useRows, useViewStatus } from '@/client'
import { Link, pathTo, useLocation, withSearch } from '@/client/nav'
import { taskTitle } from '@/client/readersWords'
import { TaskChip, useStageChip } from '@/components/tasks/progress'
import { Avatar } from '@/components/ui/marks/Avatar'
import { QuietNote } from '@/components/ui/marks/presence'
import { chipStateOf, StatusChip } from '@/components/ui/marks/StatusChip'
import { TimeText } from '@/components/ui/marks/Time'
import { LongText } from '@/components/ui/text/LongText'
import { Markdown } from '@/components/ui/text/Markdown'
import { formatCost, formatTokens } from '@/lib/format'
import { withoutNotes } from '@/lib/mas/builtInNotes'
import type { AgentId, StageId, TaskId } from '@/lib/mas/ids'
import type { AgentRecord, InfoLine, StageRecord, TaskRecord, World } from '@/lib/mas/records'
import { placeInPlan, selectPlan, selectStagePlace } from '@/lib/mas/stages/plan'
import { stageName } from '@/lib/mas/tasks/taskTitle'
import { plusKnown } from '@/lib/sumKnown'
import type { Who } from '@/lib/wire/rows'
import { DetailsTitle, NamedValue, NamedValues, WrittenBlock } from './parts'
import { type DetailsProps, NoRecord, RecordFrame } from './Record'
import { stateIdOfAgent } from './stateIds'
import { tookMs } from './steps'
import { TokenMeter } from './Usage'

const taskPlace = (task: string, stateId: string): string =>
  `${pathTo('tree', { taskId: task })}?inspect=${encodeURIComponent(stateId)}`

function Person({ agent, id }: { agent: AgentRecord | undefined; id: string }) {
  if (!agent)
    return (
      <span data-literal className="font-mono text-meta">
        {id}
      </span>
    )
  return (
    <Link
      href={withSearch({ inspect: stateIdOfAgent(agent.kind, id), tab: null })}
      className="inline-flex min-w-0 items-center gap-1.5 hover:underline"
    >
      <Avatar who={agent} size={20} />
      <span className="cut">{agent.name}</span>
    </Link>
  )
}
const INFO_SHOWN = 200

export function TaskDetails({ id, tab, onClose }: DetailsProps) {
  const t = useTranslations()
  const taskId = id as TaskId
  const view = `task:${taskId}` as const
  const status = useViewStatus(view)
  const {
    task,
    agents,
    info = [],
  } = useRecords(view, (world) => ({ task: world.tasks[taskId], agents: world.agents, info: world.info[taskId] }))
  const plan = useRecords(view, (world) => selectPlan(world, taskId))
  const row = useRow('overview', taskId)
  const chipOf = useStageChip(taskId)
  if (!task) return <NoRecord status={status} onClose={onClose} />
  return (
    <RecordFrame
      kind="task"
      id={id}
      state={task.state}
      name={taskTitle(task.name)}
      tab={tab}
      icon={<Layers className="size-4 text-t2" />}
      chip={row === null ? null : <TaskChip row={row} />}
      below={t('inspector.aTask', { count: task.group.length })}
      record={task}
      href={taskPlace(id, `TaskState_${id}`)}
      more={[
        { value: 'people', body: <People task={task} agents={agents} /> },
        { value: 'shared', body: <Shared info={info} agents={agents} /> },
        { value: 'cost', body: <TaskCost task={taskId} /> },
      ]}
    >
      <DetailsTitle>{t('inspector.intention')}</DetailsTitle>
      <Markdown text={task.intention} className="text-body" headingLevel={4} />
      {task.summary === null ? null : (
        <>
          <DetailsTitle>{t('inspector.completion')}</DetailsTitle>
          <Markdown text={task.summary} className="text-body" headingLevel={4} />
        </>
      )}
      {plan.length === 0 ? null : (
        <>
          <DetailsTitle>{t('inspector.stages')}</DetailsTitle>
          <ol className="flex flex-col gap-1.5 text-table">
            {plan.map((record) => (
              <li key={record.id} className="flex min-w-0 items-center gap-2">
                <Link href={withSearch({ inspect: `StageState_${record.id}`, tab: null })} className="link cut grow">
                  {placeInPlan(plan, record.id).number} {stageName(record)}
                </Link>
                <StatusChip
                  state={chipOf(record)}
                  raw={record.state}
                  detail={record.state === 'failed' ? (record.reason ?? undefined) : undefined}
                  className="max-w-1/2"
                />
              </li>
            ))}
          </ol>
        </>
      )}
      <DetailsTitle>{t('inspector.about')}</DetailsTitle>
      <NamedValues>
        <NamedValue name={t('inspector.requestedBy')}>
          {task.requestedBy && <Person agent={agents[task.requestedBy]} id={task.requestedBy} />}
        </NamedValue>
        <NamedValue name={t('inspector.made')}>
          <TimeText at={task.createdAt} isClock />
        </NamedValue>
        <NamedValue name={t('inspector.ended')}>
          {task.endedAt === null ? null : <TimeText at={task.endedAt} isClock />}
        </NamedValue>
        <NamedValue name={t('inspector.paused')}>{task.paused?.reason}</NamedValue>
      </NamedValues>
    </RecordFrame>
  )
}

type Agents = World['agents']

function People({ task, agents }: { task: TaskRecord; agents: Agents }) {
  const t = useTranslations()
  const rank = (id: AgentId): number => (id === task.manager ? 0 : agents[id]?.kind === 'human' ? 1 : 2)
  const members = [...task.group].sort((a, b) => rank(a) - rank(b))
  const people = members.filter((id) => agents[id]?.kind === 'human').length
  return (
    <>
      <p className="text-meta text-t3">{t('chat.whoIsIn', { agents: members.length - people, people })}</p>
      <ul className="flex flex-col gap-1.5 text-table">
        {members.map((member) => (
          <li key={member} data-id={member} className="flex min-w-0 items-center gap-2">
            <Person agent={agents[member]} id={member} />
            <span className="cut text-meta text-t3">
              {member === task.manager ? t('kind.manager') : agents[member]?.role}
            </span>
            {agents[member]?.kind === 'human' ? <QuietNote person={member} /> : null}
          </li>
        ))}
      </ul>
    </>
  )
}

/** What agents shared with all others, the newest last. */
function Shared({ info, agents }: { info: readonly InfoLine[]; agents: Agents }) {
  const t = useTranslations('inspector')
  if (info.length === 0) return <p className="text-table text-t3">{t('noShared')}</p>
  return (
    <>
      <p className="text-meta text-t3">{t('shared', { count: info.length })}</p>
      <ul className="flex flex-col gap-2 text-table">
        {info.slice(-INFO_SHOWN).map((line) => (
          <li key={`${line.at} ${line.agent} ${line.content.slice(0, 40)}`} className="break-words">
            <b>{agents[line.agent]?.name}</b> <TimeText at={line.at} isClock className="text-meta text-t3" />{' '}
            <LongText text={line.content} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** The cost of the task with what led to it, against its limits, and of each agent in it. */
function TaskCost({ task }: { task: TaskId }) {
  const t = useTranslations('inspector')
  const locale = useLocale()
  const row = useRow('overview', task)
  const limits = useRecords(`task:${task}`, (world) => [world.team.limits])[0]
  const shares = useRows(`tree:${task}`).filter(({ kind, tokens }) => kind === 'agent' && tokens !== null)
  const byAgent = new Map<string, { who: Who | null; tokens: number; costUsd: number | null }>()
  for (const { agent, who, tokens, costUsd } of shares) {
    const had = byAgent.get(agent ?? '')
    byAgent.set(agent ?? '', {
      who,
      tokens: (had?.tokens ?? 0) + (tokens ?? 0),
      costUsd: plusKnown(had?.costUsd, costUsd),
    })
  }
  if ((row?.tokens ?? null) === null && byAgent.size === 0) return <p className="text-table text-t3">{t('noCost')}</p>
  return (
    <>
      <TokenMeter
        spent={{
          promptTokens: row?.promptTokens ?? undefined,
          cachedTokens: row?.cachedTokens,
          tokens: row?.tokens ?? null,
          costUsd: row?.costUsd ?? null,
        }}
        limits={{ tokens: limits?.tokensPerTask, costUsd: limits?.costPerTask }}
      />
      {row?.setUp ? (
        <NamedValues>
          <NamedValue name={t('setUp')}>
            {t('tokens', { tokens: formatTokens(row.setUp.tokens, locale) })} · {formatCost(row.setUp.costUsd)}
          </NamedValue>
        </NamedValues>
      ) : null}
      {byAgent.size === 0 ? null : <DetailsTitle>{t('byAgents')}</DetailsTitle>}
      <ul className="flex flex-col gap-1.5 text-table">
        {[...byAgent].map(([id, { who, tokens, costUsd }]) => (
          <li key={id} className="flex min-w-0 items-center gap-2">
            {who ? <Avatar who={who} size={20} /> : null}
            <span className="cut grow">{who?.name}</span>
            <span className="shrink-0 text-t2">
              {t('tokens', { tokens: formatTokens(tokens, locale) })} · {formatCost(costUsd)}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The stage is looked up in the task of the address: its id alone does not name one. */
export function StageDetails({ id, tab, onClose }: DetailsProps) {
  const t = useTranslations()
  const task = useLocation()?.params.taskId ?? null
  const taskId = task as TaskId | null
  const view = taskId === null ? null : (`task:${taskId}` as const)
  const status = useViewStatus(view)
  const stageId = id as StageId
  const { stage, agents, number } = useRecords(view, (world) => ({
    stage: taskId === null ? undefined : world.stages[taskId]?.[stageId],
    agents: world.agents,
    number: taskId === null ? 0 : selectStagePlace(world, taskId, stageId).number,
  }))
  const chipOf = useStageChip(taskId)
  if (!stage || taskId === null) {
    const none = taskId === null ? { ...status, status: 'closed' as const } : status
    return <NoRecord status={none} onClose={onClose} />
  }
  const href = taskPlace(taskId, `StageState_${id}`)
  const chip = chipOf(stage)
  const shares = Object.keys({ ...stage.allocation, ...stage.parts }) as AgentId[]
  const summaries = (Object.keys(stage.summaries) as AgentId[]).filter((member) => stage.summaries[member] !== '')
  return (
    <RecordFrame
      kind="stage"
      id={id}
      state={stage.state}
      name={stageName(stage)}
      tab={tab}
      icon={<Milestone className="size-4 text-t2" />}
      chip={
        <StatusChip
          state={chip}
          raw={stage.state}
          since={chip === 'running' ? stage.startedAt : null}
          ms={tookMs(stage)}
        />
      }
      below={t('inspector.aStage', { number, count: shares.length })}
      record={stage}
      href={href}
      more={[{ value: 'agents', body: <Shares stage={stage} shares={shares} agents={agents} /> }]}
    >
      <DetailsTitle>{t('inspector.goal')}</DetailsTitle>
      <Markdown text={stage.intention} className="text-body" headingLevel={4} />
      {stage.reason === null ? null : <WrittenBlock text={stage.reason} />}
      {summaries.length === 0 ? null : (
        <>
          <DetailsTitle>{t('inspector.completion')}</DetailsTitle>
          {summaries.map((member) => (
            <div key={member} className="flex flex-col gap-1 rounded-control border border-line px-3 py-2">
              <Person agent={agents[member]} id={member} />
              <Markdown text={withoutNotes(stage.summaries[member] ?? '')} className="text-table" headingLevel={4} />
            </div>
          ))}
        </>
      )}
    </RecordFrame>
  )
}

function Shares({ stage, shares, agents }: { stage: StageRecord; shares: readonly AgentId[]; agents: Agents }) {
  return (
    <>
      {shares.map((member) => {
        const part = (stage.parts as Partial<typeof stage.parts>)[member]
        const why = (stage.partReasons as Partial<typeof stage.partReasons>)[member]
        return (
          <div key={member} className="flex flex-col gap-1 rounded-control border border-line px-3 py-2">
            <div className="flex min-w-0 items-center justify-between gap-2 text-table font-medium">
              <Person agent={agents[member]} id={member} />
              {part ? <StatusChip state={chipStateOf(part)} raw={part} /> : null}
            </div>
            <p className="text-table break-words whitespace-pre-wrap text-t2">
              <LongText text={withoutNotes(stage.allocation[member] ?? '')} />
            </p>
            {why ? <p className="text-table break-words text-failed">{why}</p> : null}
          </div>
        )
      })}
    </>
  )
}
