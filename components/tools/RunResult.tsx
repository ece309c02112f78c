/** The state of a call run by hand: queued, running with its progress, or its result. */
import { CircleSlash, PenLine } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { call, command, useRecords, useRows, useStepText } from '@/client'
import { Link, pathTo } from '@/client/nav'
import { useApiQuery } from '@/client/queries'
import { Fetched } from '@/components/inspector/parts'
import { tookMs } from '@/components/inspector/steps'
import { ToolResultView } from '@/components/inspector/ToolResult'
import { saysOnly } from '@/components/inspector/toolContent'
import { RequestCard } from '@/components/request'
import { announce } from '@/components/ui/announce'
import { Button } from '@/components/ui/Button'
import { chipStateOf, StatusChip } from '@/components/ui/marks/StatusChip'
import { showToast } from '@/components/ui/overlays/toast'
import { ServerButton } from '@/components/ui/ServerButton'
import { CopyLinkButton } from '@/components/ui/useCopyLink'
import { useFaultWords } from '@/components/ui/useFaultWords'
import type { AgentId, StepId } from '@/lib/mas/ids'
import type { StepRecord } from '@/lib/mas/records'
import { isStepOver } from '@/lib/mas/statuses'
import { findStep } from '@/lib/mas/team/agents'
import type { ResultAnswer, StepAnswer, ToolAnswer } from '@/lib/wire'

export function RunResult({ step: id, me }: { step: string; me: AgentId }) {
  const t = useTranslations('tools')
  const live = useRecords(`step:${id as StepId}`, (world) => [findStep(world, id as StepId)])[0] ?? null
  const query = useApiQuery<StepAnswer>(`/api/steps/${encodeURIComponent(id)}`)
  const step = live ?? query.data?.step ?? null
  const isOver = step !== null && isStepOver(step)
  useAnnouncedEnd(step, isOver)
  return (
    <section
      aria-label={t('result')}
      aria-busy={!isOver}
      data-id={id}
      data-kind="step"
      data-state={step?.state}
      className="mt-4 flex min-w-0 flex-col gap-3 rounded-card border border-line bg-s1 p-4"
    >
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-question font-bold">{t('result')}</h2>
        {step === null ? null : (
          <StatusChip
            state={chipStateOf(step.state)}
            raw={step.state}
            since={step.state === 'running' ? step.startedAt : null}
            ms={tookMs(step)}
          />
        )}
        <span className="grow" />
        {step === null ? null : <Recorded step={step} />}
      </div>
      {step === null ? (
        <Fetched query={query}>{() => null}</Fetched>
      ) : isOver ? (
        <Outcome step={step} />
      ) : (
        <Meanwhile step={step} me={me} />
      )}
    </section>
  )
}

function Recorded({ step }: { step: StepRecord }) {
  const t = useTranslations()
  const href = pathTo('step', { taskId: step.task, stepId: step.id })
  return (
    <>
      <Link href={href} className="link inline-flex items-center gap-1 text-table">
        <PenLine className="size-3.5" />
        {t('tools.recorded')}
      </Link>
      <CopyLinkButton href={href} />
    </>
  )
}

/** Announced once, when it ends. */
function useAnnouncedEnd(step: StepRecord | null, isOver: boolean): void {
  const t = useTranslations('tools')
  const [wasOpen, setWasOpen] = useState(false)
  const sentence = step === null ? '' : t(step.state === 'failed' ? 'saidFailed' : 'saidDone', { name: step.intention })
  useEffect(() => {
    // Joins the live region.
    if (!isOver && step !== null) setWasOpen(true)
    else if (wasOpen && sentence !== '') announce(sentence)
  }, [isOver, step, wasOpen, sentence])
}

function Meanwhile({ step, me }: { step: StepRecord; me: AgentId }) {
  const t = useTranslations('tools')
  const isRunning = step.state === 'running'
  const told = useStepText(isRunning ? step.id : null)
  const asks = useRows('me').find(
    (row) => row.kind === 'request' && row.request.step === step.id && row.group !== 'done',
  )
  const faultWords = useFaultWords()
  const [isCancelling, setCancelling] = useState(false)
  const cancel = async (): Promise<void> => {
    setCancelling(true)
    const answer = await command(`/api/steps/${encodeURIComponent(step.id)}/cancel`, { reason: '' })
    setCancelling(false)
    if (!answer.ok) showToast('error', faultWords(answer.fault, t('unheard')))
  }
  return (
    <>
      <p className="text-table text-t2">{isRunning ? t('waitsFor', { server: step.executor }) : t('queued')}</p>
      {told === null || told.text === '' ? null : (
        <p data-literal className="max-h-48 overflow-y-auto font-mono text-table break-words whitespace-pre-wrap">
          {told.text}
        </p>
      )}
      {asks?.kind === 'request' ? (
        <RequestCard key={asks.request.id} shown={asks} place="list" isMine={asks.request.asked.includes(me)} />
      ) : null}
      <ServerButton
        className="self-start"
        icon={<CircleSlash />}
        isDisabled={isCancelling}
        onClick={() => void cancel()}
      >
        {t('cancel')}
      </ServerButton>
    </>
  )
}

function Outcome({ step }: { step: StepRecord }) {
  const t = useTranslations('tools')
  const query = useApiQuery<ToolAnswer>(`/api/steps/${encodeURIComponent(step.id)}/tool`, {
    version: step.endedSeq ?? 0,
  })
  const faultWords = useFaultWords()
  const [whole, setWhole] = useState<ResultAnswer['json']>(null)
  const fetchWhole = async (): Promise<void> => {
    const came = await call<ResultAnswer>('GET', `/api/steps/${encodeURIComponent(step.id)}/result`)
    if (came.ok) setWhole(came.value.json ?? came.value.text)
    else showToast('error', faultWords(came.fault))
  }
  const name = t('resultOf', { name: step.intention })
  return (
    <>
      {step.state === 'failed' ? (
        <p
          role="alert"
          className="rounded-control bg-failed-b px-3 py-2 text-table break-words whitespace-pre-line text-failed"
        >
          <b>{t('failed')}</b> {step.reason}
        </p>
      ) : null}
      <Fetched query={query}>
        {(tool) => {
          // A result that only repeats the reason of the failure is not shown.
          if (step.state === 'failed' && (step.result?.body == null || saysOnly(tool.result, step.reason))) return null
          const isCut = tool.cut && typeof tool.result === 'string'
          return (
            <div className="flex min-w-0 flex-col gap-3">
              {isCut && whole === null ? (
                <p className="flex flex-wrap items-center gap-2 text-table text-t2">
                  {t('tooLong')}
                  <Button onClick={() => void fetchWhole()}>{t('showWhole')}</Button>
                </p>
              ) : null}
              {tool.result === null ? (
                <p className="text-table text-t3">{t('noResult')}</p>
              ) : (
                // A cut result is no JSON any more: its text is shown.
                <ToolResultView result={whole ?? (isCut ? (step.result?.text ?? null) : tool.result)} name={name} />
              )}
            </div>
          )
        }}
      </Fetched>
    </>
  )
}
