/** The inspector of a step: its head, its tabs, its foot. */
import type { ComponentType } from 'react'
import { useTranslations } from 'use-intl'
import { useLog, useRow, useViewStatus } from '@/client'
import { useStaleSince } from '@/client/connection/stale'
import { pathTo } from '@/client/nav'
import { useStepTitle } from '@/client/stepTitle'
import { useDisplay } from '@/client/theme'
import { useFetched } from '@/client/useFetched'
import { RunByHandLink } from '@/components/tools/RunByHandLink'
import { chipStateOf, StatusChip } from '@/components/ui/marks/StatusChip'
import { StepIcon } from '@/components/ui/marks/StepIcon'
import { Loading } from '@/components/ui/States'
import { JsonView } from '@/components/ui/text/JsonView'
import { useList } from '@/components/ui/useList'
import { formatSeconds } from '@/lib/format'
import type { StepId } from '@/lib/mas/ids'
import type { StepRecord } from '@/lib/mas/records'
import { findStep } from '@/lib/mas/selectors/agents/agents'
import type { StepAnswer, TreeRow } from '@/lib/wire'
import { CostTab } from './CostTab'
import { PromptTab } from './PromptTab'
import { DetailsFoot, DetailsHead, DetailsTabs, Fetched, InspectLink } from './parts'
import { ResponseTab } from './ResponseTab'
import { StepButtons } from './StepButtons'
import { SummaryTab } from './SummaryTab'
import { tookMs, writerOf } from './steps'
import type { DetailsProps } from './TaskDetails'
import { ToolTab } from './ToolTab'

type TabProps = {
  step: StepRecord
  /** The step whose model call is shown. */
  asked: StepRecord
  agentName: string
  row: TreeRow | null
  /** Of the step, as text. */
  name: string
}

const TABS = {
  summary: SummaryTab,
  prompt: ({ asked }) => <PromptTab step={asked} />,
  response: ({ asked, agentName }) => <ResponseTab step={asked} agentName={agentName} />,
  tool: ToolTab,
  cost: ({ asked }) => <CostTab step={asked} />,
  json: ({ step, name }) => <JsonView value={step} name={name} />,
} satisfies Record<string, ComponentType<TabProps>>
type TabName = keyof typeof TABS
const TAB_NAMES = Object.keys(TABS) as TabName[]

export function StepDetails({ id: stepId, tab }: Pick<DetailsProps, 'id' | 'tab'>) {
  const view = `step:${stepId as StepId}` as const
  const status = useViewStatus(view)
  const live = useLog(view, (world) => [findStep(world, stepId as StepId)])[0] ?? null
  const agentLive = useLog(view, (world) => [live ? world.agents[live.agent]?.name : undefined])[0]
  const { answer, reload } = useFetched<StepAnswer>(`/api/steps/${stepId}`)
  const asked = answer?.ok ? answer.value : null
  const step = live ?? asked?.step ?? null

  if (step === null) {
    if (answer === null || status.status === 'loading') return <Loading lines={6} className="pt-12" />
    return (
      <Fetched answer={answer} onRetry={reload}>
        {() => null}
      </Fetched>
    )
  }
  return (
    <OpenStep
      step={step}
      agentName={agentLive ?? asked?.agentName ?? ''}
      tab={tab}
      isArchived={asked?.archived ?? false}
    />
  )
}

type OpenStepProps = { step: StepRecord; agentName: string; tab: string | null; isArchived: boolean }

function OpenStep({ step, agentName, tab, isArchived }: OpenStepProps) {
  const t = useTranslations()
  const titleOf = useStepTitle()
  const listOf = useList()
  const style = useDisplay((display) => display.time)
  const treeView = `tree:${step.task}` as const
  const row = useRow(treeView, step.id)
  const stage = useRow(treeView, step.stage)
  const isTool = step.type === 'tool'
  const writerId = writerOf(step)
  const writer = useLog(writerId && `step:${writerId}`, (world) => [writerId && findStep(world, writerId)])[0]
  const asked = writer && (writer.calls.length > 0 || writer.state === 'running') ? writer : step
  const shown = TAB_NAMES.filter((name) => name !== 'tool' || isTool)
  const value: TabName = shown.find((name) => name === tab) ?? 'summary'
  const name = isTool ? t('tree.tool', { name: step.executor }) : step.executor

  const words = t('inspector.stepNamed', { step: name })
  const Tab: ComponentType<TabProps> = TABS[value]
  const at = step.startedAt ?? step.createdAt
  const place = stage?.name ? `${stage.number} ${stage.name}` : null
  const chip = row?.chip ?? (step.held ? 'waiting' : chipStateOf(step.state))
  const silent = useStaleSince(step.id, chip === 'running' ? step.startedAt : null)
  const link = `${pathTo('step', { taskId: step.task, stepId: step.id })}${value === 'summary' ? '' : `?tab=${value}`}`
  return (
    <section
      aria-label={words}
      data-id={step.id}
      data-kind="step"
      data-state={step.state}
      data-seq={row?.seq ?? step.endedSeq ?? step.startedSeq ?? step.createdSeq}
      className="flex min-h-0 grow flex-col"
    >
      <DetailsHead
        icon={<StepIcon skill={step.byHand ? 'by_hand' : isTool ? 'tool' : step.executor} className="size-4 text-t2" />}
        title={titleOf(step)}
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
            {[t('tree.stepOf', { step: name, who: agentName }), place, formatSeconds(at, { style })]
              .filter((part) => part)
              .join(' · ')}
            {isArchived ? ` · ${t('inbox.archived')}` : null}
          </>
        }
      />
      <DetailsTabs
        name={name}
        tabs={shown.map((one) => ({ value: one, label: t(`inspector.tab.${one}`) }))}
        value={value}
      >
        {asked !== step && (value === 'prompt' || value === 'response' || value === 'cost') ? (
          <p className="text-meta text-t3">
            {t.rich('inspector.ofWriter', {
              step: (words) => (
                <InspectLink key="s" record={`StepState_${asked.id}`}>
                  {words}
                </InspectLink>
              ),
            })}
          </p>
        ) : null}
        <Tab step={step} asked={asked} agentName={agentName} row={row} name={words} />
      </DetailsTabs>
      <DetailsFoot href={link} place={`${pathTo('tree', { taskId: step.task })}?inspect=StepState_${step.id}`}>
        <StepButtons step={step} agentName={agentName} />
        {step.instruction?.kind === 'call' && step.instruction.target === 'tool' ? (
          <RunByHandLink
            server={step.executor}
            tool={step.instruction.name}
            like={{ step: step.id }}
            label={t('tools.byHand')}
          />
        ) : null}
      </DetailsFoot>
    </section>
  )
}
