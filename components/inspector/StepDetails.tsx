/** The inspector of a step: its head, its tabs, its foot. */
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useRecords, useRow, useViewStatus } from '@/client'
import { useStaleSince } from '@/client/connection/stale'
import { FilesElsewhere } from '@/client/knownFiles'
import { pathTo } from '@/client/nav'
import { useApiQuery } from '@/client/queries'
import { useStepTitle } from '@/client/stepTitle'
import { RunByHandLink } from '@/components/tools/RunByHandLink'
import { chipStateOf, StatusChip } from '@/components/ui/marks/StatusChip'
import { StepIcon } from '@/components/ui/marks/StepIcon'
import { useTimeStyle } from '@/components/ui/marks/Time'
import { Loading } from '@/components/ui/States'
import { useList } from '@/components/ui/useList'
import { formatSeconds } from '@/lib/format'
import type { StepId } from '@/lib/mas/ids'
import type { StepRecord } from '@/lib/mas/records'
import { findStep } from '@/lib/mas/team/agents'
import type { StepAnswer } from '@/lib/wire'
import { hasAttempts } from './attempts'
import { CompareTab } from './CompareTab'
import { PromptTab } from './PromptTab'
import { Fetched, InspectLink } from './parts'
import { type DetailsProps, RecordFrame } from './Record'
import { ResponseTab } from './ResponseTab'
import { StepButtons } from './StepButtons'
import { SummaryTab } from './SummaryTab'
import { tookMs, writerOf } from './steps'
import { ToolTab } from './ToolTab'
import { CostTab } from './Usage'

export function StepDetails({ id: stepId, tab }: Pick<DetailsProps, 'id' | 'tab'>) {
  const view = `step:${stepId as StepId}` as const
  const status = useViewStatus(view)
  const live = useRecords(view, (world) => [findStep(world, stepId as StepId)])[0] ?? null
  const agentLive = useRecords(view, (world) => [live ? world.agents[live.agent]?.name : undefined])[0]
  const query = useApiQuery<StepAnswer>(`/api/steps/${stepId}`)
  const asked = query.data ?? null
  const step = live ?? asked?.step ?? null

  if (step === null) {
    if (status.status === 'loading') return <Loading lines={6} className="pt-12" />
    return <Fetched query={query}>{() => null}</Fetched>
  }
  return (
    <FilesElsewhere value={asked?.opened ?? false}>
      <OpenStep
        step={step}
        agentName={agentLive ?? asked?.agentName ?? ''}
        tab={tab}
        isArchived={asked?.archived ?? false}
        isOpened={asked?.opened ?? false}
      />
    </FilesElsewhere>
  )
}

type OpenStepProps = { step: StepRecord; agentName: string; tab: string | null; isArchived: boolean; isOpened: boolean }

function OpenStep({ step, agentName, tab, isArchived, isOpened }: OpenStepProps) {
  const t = useTranslations()
  const titleOf = useStepTitle()
  const listOf = useList()
  const how = useTimeStyle()
  const treeView = `tree:${step.task}` as const
  const row = useRow(treeView, step.id)
  const stage = useRow(treeView, step.stage)
  const isTool = step.type === 'tool'
  const writerId = writerOf(step)
  const writer = useRecords(writerId && `step:${writerId}`, (world) => [writerId && findStep(world, writerId)])[0]
  const asked = writer && (writer.calls.length > 0 || writer.state === 'running') ? writer : step
  const ofWriter = (body: ReactNode): ReactNode => (
    <>
      {asked === step ? null : (
        <p className="text-meta text-t3">
          {t.rich('inspector.ofWriter', {
            step: (words) => (
              <InspectLink key="s" record={`StepState_${asked.id}`}>
                {words}
              </InspectLink>
            ),
          })}
        </p>
      )}
      {body}
    </>
  )
  const name = isTool ? t('tree.tool', { name: step.executor }) : step.executor
  const at = step.startedAt ?? step.createdAt
  const place = stage?.name ? `${stage.number} ${stage.name}` : null
  const chip = row?.chip ?? (step.held ? 'waiting' : chipStateOf(step.state))
  const silent = useStaleSince(step.id, chip === 'running' ? step.startedAt : null)
  return (
    <RecordFrame
      kind="step"
      id={step.id}
      state={step.state}
      seq={row?.seq ?? step.endedSeq ?? step.startedSeq ?? step.createdSeq}
      name={name}
      title={titleOf(step)}
      label={t('inspector.stepNamed', { step: name })}
      tab={tab}
      icon={<StepIcon skill={step.byHand ? 'by_hand' : isTool ? 'tool' : step.executor} className="size-4 text-t2" />}
      chip={
        <StatusChip
          state={chip}
          raw={step.state}
          on={row && row.waitsFor.length > 0 ? listOf(row.waitsFor.map((who) => who.name)) : undefined}
          since={row?.waitingSince ?? (step.state === 'running' ? step.startedAt : null)}
          silentSince={silent}
          ms={tookMs(step)}
          className="max-w-full"
        />
      }
      below={
        <>
          {[t('tree.stepOf', { step: name, who: agentName }), place, formatSeconds(at, how)]
            .filter((part) => part)
            .join(' · ')}
          {isArchived ? ` · ${t('inbox.archived')}` : null}
        </>
      }
      record={step}
      href={pathTo('step', { taskId: step.task, stepId: step.id })}
      place={`${pathTo('tree', { taskId: step.task })}?inspect=StepState_${step.id}`}
      acts={
        isOpened ? null : (
          <>
            <StepButtons step={step} agentName={agentName} />
            {step.instruction?.kind === 'call' && step.instruction.target === 'tool' ? (
              <RunByHandLink
                server={step.executor}
                tool={step.instruction.name}
                like={{ step: step.id }}
                label={t('tools.byHand')}
              />
            ) : null}
          </>
        )
      }
      more={[
        { value: 'prompt', body: ofWriter(<PromptTab step={asked} />) },
        { value: 'response', body: ofWriter(<ResponseTab step={asked} agentName={agentName} />) },
        ...(isTool ? [{ value: 'tool' as const, body: <ToolTab step={step} /> }] : []),
        ...(hasAttempts(step, asked)
          ? [{ value: 'compare' as const, body: <CompareTab step={step} asked={asked} /> }]
          : []),
        { value: 'cost', body: ofWriter(<CostTab step={asked} />) },
      ]}
    >
      <SummaryTab step={step} agentName={agentName} row={row} />
    </RecordFrame>
  )
}
