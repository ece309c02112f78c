import { CircleX } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { useApiQuery } from '@/client/queries'
import { FailureHelp } from '@/components/failure/FailureHelp'
import { JsonView } from '@/components/ui/lazy'
import { useTimeStyle } from '@/components/ui/marks/Time'
import { WithHandoff } from '@/components/ui/text/Handoff'
import { LongText } from '@/components/ui/text/LongText'
import { Markdown } from '@/components/ui/text/Markdown'
import { useList } from '@/components/ui/useList'
import { formatDuration, formatFull } from '@/lib/format'
import { jsonValueOf } from '@/lib/json'
import { withoutNotes } from '@/lib/mas/builtInNotes'
import { fixupOf } from '@/lib/mas/formats/fixups'
import type { StepRecord } from '@/lib/mas/records'
import type { ResultAnswer, TreeRow } from '@/lib/wire'
import { FailureReason } from './FailureReason'
import { DetailsTitle, Fetched, InspectLink, NamedValue, NamedValues, WrittenBlock } from './parts'
import { useMayDirect } from './StepButtons'
import { whyNoCall } from './steps'
import { ToolResultView } from './ToolResult'
import { saysOnly } from './toolContent'
import { useUsageWords } from './Usage'

export function SummaryTab({ step, agentName, row }: { step: StepRecord; agentName: string; row: TreeRow | null }) {
  const t = useTranslations('inspector')
  const listOf = useList()
  const how = useTimeStyle()
  const { locale } = how
  const text = withoutNotes(step.text)
  const full = (at: number): string => formatFull(at, how)
  const stepLink = (id: string, word: string) => <InspectLink record={`StepState_${id}`}>{word}</InspectLink>
  return (
    <>
      {step.state === 'failed' && step.reason ? <Failure step={step} reason={step.reason} row={row} /> : null}
      <DetailsTitle>{t('intention')}</DetailsTitle>
      <p className="text-body break-words whitespace-pre-wrap">
        <LongText text={step.intention} />
      </p>
      {text === '' || text === step.intention ? null : (
        <>
          <DetailsTitle>{t('content')}</DetailsTitle>
          <WithHandoff text={text}>{(words) => <WrittenBlock text={words} />}</WithHandoff>
        </>
      )}
      {isShownAbove(step) ? null : (
        <>
          <DetailsTitle>{t('result')}</DetailsTitle>
          <Result step={step} />
        </>
      )}
      <Repairs repairs={step.repairs} />
      <DetailsTitle>{t('about')}</DetailsTitle>
      <NamedValues>
        <NamedValue name={t('by')}>{step.byHand ? t('byHandOf', { name: agentName }) : agentName}</NamedValue>
        <NamedValue name={t('waitsFor')}>{listOf((row?.waitsFor ?? []).map((who) => who.name))}</NamedValue>
        {step.cause.message ? (
          <NamedValue name={t('askedBy')}>
            <Link href={pathTo('message', { taskId: step.task, messageId: step.cause.message })} className="link">
              {t('aMessage')}
            </Link>
          </NamedValue>
        ) : step.cause.step ? (
          <NamedValue name={t('askedBy')}>{stepLink(step.cause.step, t('aStep'))}</NamedValue>
        ) : step.byHand ? null : (
          <NamedValue name={t('askedBy')}>{t('theStage')}</NamedValue>
        )}
        {step.boundTo ? (
          <NamedValue name={t(step.type === 'tool' ? 'writtenBy' : 'writesFor')}>
            {stepLink(step.boundTo, t(step.type === 'tool' ? 'instructionStep' : 'toolStep'))}
          </NamedValue>
        ) : null}
        <NamedValue name={t('retryOf')}>{step.retryOf && stepLink(step.retryOf, t('tryBefore'))}</NamedValue>
        <NamedValue name={t('made')}>{full(step.createdAt)}</NamedValue>
        <NamedValue name={t('started')}>{step.startedAt === null ? null : full(step.startedAt)}</NamedValue>
        <NamedValue name={t('ended')}>{step.endedAt === null ? null : full(step.endedAt)}</NamedValue>
        {step.startedAt === null || step.endedAt === null ? null : (
          <NamedValue name={t('took')}>{formatDuration(step.endedAt - step.startedAt, locale)}</NamedValue>
        )}
        <NamedValue name={t('cost')}>
          <CostLine step={step} />
        </NamedValue>
      </NamedValues>
    </>
  )
}

/** Equal lines as one, with how often it came, in the order in which they came first. */
function countedLines(lines: readonly string[]): { line: string; times: number }[] {
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  return [...counts].map(([line, times]) => ({ line, times }))
}

/** Faults of the model's answers: repaired by the runtime, or sent back to the model. */
function Repairs({ repairs }: { repairs: readonly string[] }) {
  const t = useTranslations('inspector')
  if (repairs.length === 0) return null
  return (
    <>
      <DetailsTitle>{t('repairs')}</DetailsTitle>
      <ul className="list-disc pl-5 text-table">
        {countedLines(repairs).map(({ line: repair, times }) => {
          const fixup = fixupOf(repair)
          return (
            <li key={repair} className="break-words whitespace-pre-wrap">
              {fixup === null ? t('shownBack', { reason: repair }) : t(`fixups.${fixup}`)}
              {times > 1 ? <b className="ml-1.5 font-medium tabular-nums">×{times}</b> : null}
            </li>
          )
        })}
      </ul>
    </>
  )
}

/** "1,284 tokens in, 214 out · $0.0031 · first token 420 ms · 2 calls". */
function CostLine({ step }: { step: StepRecord }) {
  const t = useTranslations('inspector')
  const { calls } = step
  const words = useUsageWords(calls, true)
  if (calls.length === 0) return <>{t(whyNoCall(step))}</>
  return [...words, ...(calls.length > 1 ? [t('calls', { count: calls.length })] : [])].join(' · ')
}

/** A failure without more result than its reason. A long result is cut in the record, so there is more. */
function isShownAbove({ state, reason, result }: StepRecord): boolean {
  if (state !== 'failed' || result === null) return false
  const value = result.body === null ? (jsonValueOf(result.text) ?? result.text) : jsonValueOf(result.body.preview)
  return value !== undefined && saysOnly(value, reason)
}

function Result({ step }: { step: StepRecord }) {
  const t = useTranslations('inspector')
  // A result that is whole in the record is not fetched; of a longer one the record holds the beginning.
  const isLong = step.result !== null && step.result.body !== null
  const path = isLong ? `/api/steps/${step.id}/result` : null
  const query = useApiQuery<ResultAnswer>(path, { version: step.endedSeq ?? 0 })
  if (step.result === null)
    return <p className="text-table text-t3">{t(step.state === 'running' ? 'resultRunning' : 'noResult')}</p>
  if (!isLong) return <ResultValue kind={step.result.kind} text={step.result.text} name={step.executor} />
  return (
    <Fetched query={query}>{({ kind, text }) => <ResultValue kind={kind} text={text} name={step.executor} />}</Fetched>
  )
}

function ResultValue({ kind, text, name }: { kind: string; text: string; name: string }) {
  const t = useTranslations('inspector')
  if (text === '') return <p className="text-table text-t3">{t('emptyResult')}</p>
  const value = kind === 'text' || kind === 'none' ? undefined : jsonValueOf(text)
  // Our own form of a result: a number in it that would change was made a text when it came.
  if (kind === 'tool' && value !== undefined)
    return <ToolResultView result={value} name={t('resultOf', { step: name })} />
  if (typeof value === 'object' && value !== null) return <JsonView text={text} name={t('resultOf', { step: name })} />
  const shown = kind === 'tool' ? text : withoutNotes(text)
  return shown.length > 4_000 ? (
    <WrittenBlock text={shown} />
  ) : (
    <Markdown text={shown} className="text-body" headingLevel={4} />
  )
}

function Failure({ step, reason, row }: { step: StepRecord; reason: string; row: TreeRow | null }) {
  const t = useTranslations('inspector')
  const { task, mayDirect } = useMayDirect(step)
  const isMended = row !== null && row.counts.failed === 0
  const next = isMended
    ? t('failedOver')
    : task === null || task.endedAt !== null || step.retired
      ? t('failedEnded')
      : step.byHand
        ? t('failedByHand')
        : mayDirect
          ? t('failedRetry')
          : t('failedAsk')
  return (
    <div className="flex gap-2 rounded-control bg-failed-b px-3 py-2 text-table text-failed">
      <CircleX className="mt-0.5 size-4" />
      <div className="flex min-w-0 flex-col gap-1 break-words">
        <FailureReason reason={reason}>
          <p className="text-t1">{next}</p>
          {step.failureCause === undefined || isMended ? null : (
            <FailureHelp
              failure={{
                cause: step.failureCause,
                agent: step.agent,
                model: step.calls.at(-1)?.model ?? null,
                server: step.type === 'tool' ? step.executor : null,
              }}
            />
          )}
        </FailureReason>
      </div>
    </div>
  )
}
