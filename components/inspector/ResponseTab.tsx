/** The model's answer: streaming while it runs, then as stored; as text or as parsed. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { useStepText } from '@/client'
import { useApiQuery } from '@/client/queries'
import { announcer } from '@/components/announce/announcer'
import { JsonView } from '@/components/ui/lazy'
import { pulse } from '@/components/ui/marks/pulse'
import { Segmented } from '@/components/ui/Tabs'
import { LongText } from '@/components/ui/text/LongText'
import { formatBytes, formatDuration, formatTokens } from '@/lib/format'
import { jsonValueOf } from '@/lib/json'
import type { ModelCall, StepRecord } from '@/lib/mas/records'
import type { ResponseAnswer, ResultAnswer } from '@/lib/wire'
import { Fetched, WrittenBlock } from './parts'
import { useUsageWords } from './Usage'
import { useCall } from './useCall'

/** Pixels from the end within which the pane follows. */
const AT_END = 40

export function ResponseTab({ step, agentName }: { step: StepRecord; agentName: string }) {
  const t = useTranslations('inspector')
  const [look, setLook] = useState<'text' | 'parsed'>('text')
  const { call, isChosen, picker } = useCall(step)
  const isRunning = step.state === 'running'
  const streamed = useStepText(isRunning ? step.id : null)
  // While the step runs its newest text is the stream's, unless an earlier call is chosen.
  const isStream = isRunning && !isChosen && streamed !== null
  // The streamed text stays until the stored answer is loaded: no blank between the two.
  const [seen, setSeen] = useState<string | null>(null)
  if (isStream && streamed.text !== seen) setSeen(streamed.text)
  useAnnounceWriting(agentName, isStream)
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Segmented
          label={t('responseAs')}
          value={look}
          onChange={setLook}
          segments={{ text: t('text'), parsed: t('parsed') }}
        />
        {call ? <CallNumbers call={call} /> : null}
      </div>
      {picker}
      {look === 'parsed' ? (
        <Parsed step={step} />
      ) : isStream ? (
        <Streaming text={streamed.text} />
      ) : call ? (
        <Stored step={step} call={call} meanwhile={isChosen ? null : seen} />
      ) : seen !== null ? (
        <div className="text-body break-words whitespace-pre-wrap">{seen}</div>
      ) : (
        <p className="text-table text-t3">{isRunning ? t('responseRunning') : t('noResponse')}</p>
      )}
    </>
  )
}

function CallNumbers({ call }: { call: ModelCall }) {
  const t = useTranslations('inspector')
  const locale = useLocale()
  const words = useUsageWords([call])
  return (
    <span className="text-meta text-t3">
      {[
        ...words,
        call.waitedMs ? t('waited', { time: formatDuration(call.waitedMs, locale) }) : null,
        call.leftOutTokens ? t('leftOut', { tokens: formatTokens(call.leftOutTokens, locale) }) : null,
      ]
        .filter((part) => part !== null)
        .join(' · ')}
    </span>
  )
}

/** Streamed text. Not announced: the tab says that it is running. */
function Streaming({ text }: { text: string }) {
  const t = useTranslations('inspector')
  const box = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  // Joins the scroll position of the pane, which follows the text while the reader is at its end.
  // biome-ignore lint/correctness/useExhaustiveDependencies: more text is another end.
  useLayoutEffect(() => {
    const pane = box.current?.closest<HTMLElement>('[role=tabpanel]')
    if (pane && isAtEnd.current) pane.scrollTop = pane.scrollHeight
  }, [text])
  // Joins the scroll position: where the reader is decides whether it follows.
  useLayoutEffect(() => {
    const pane = box.current?.closest<HTMLElement>('[role=tabpanel]')
    if (!pane) return
    const read = (): void => {
      isAtEnd.current = pane.scrollHeight - pane.scrollTop - pane.clientHeight < AT_END
    }
    pane.addEventListener('scroll', read, { passive: true })
    return () => pane.removeEventListener('scroll', read)
  }, [])
  return (
    <div ref={box} aria-busy="true" className="text-body break-words whitespace-pre-wrap">
      <span className="sr-only">{t('streaming')}</span>
      {text}
      <span
        ref={pulse}
        aria-hidden
        className="ml-0.5 inline-block h-4 w-2 bg-running align-text-bottom still:opacity-100!"
      />
    </div>
  )
}

function Stored({ step, call, meanwhile }: { step: StepRecord; call: ModelCall; meanwhile: string | null }) {
  const t = useTranslations('inspector')
  const query = useApiQuery<ResponseAnswer>(`/api/steps/${step.id}/response?call=${encodeURIComponent(call.id)}`)
  if (query.data === undefined && query.error === null && meanwhile !== null) {
    return <div className="text-body break-words whitespace-pre-wrap">{meanwhile}</div>
  }
  return (
    <Fetched query={query} goneText={t('noResponse')}>
      {({ text, calls, reasoning }) => (
        <>
          {reasoning === null ? null : <Reasoning text={reasoning} />}
          {text === '' && calls.length > 0 ? null : text === '' ? (
            <p className="text-table text-t3">{t('noResponse')}</p>
          ) : (
            <div className="text-body break-words whitespace-pre-wrap">
              <LongText text={text} />
            </div>
          )}
          {calls.map(({ name, arguments: written }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the calls of one answer never change places.
            <Called key={at} name={name} written={written} />
          ))}
        </>
      )}
    </Fetched>
  )
}

/** A function that the answer calls, with its arguments. */
function Called({ name, written }: { name: string; written: string }) {
  return (
    <div className="rounded-control border border-line">
      <p data-literal className="border-b border-line px-2.5 py-1.5 font-mono text-table break-words">
        {name}
      </p>
      <div className="px-3 py-2 text-table break-words whitespace-pre-wrap">
        {jsonValueOf(written) === undefined ? <LongText text={written} /> : <JsonView text={written} name={name} />}
      </div>
    </div>
  )
}

/** What the model's server gave apart from the answer: closed, since the answer is what counts. */
function Reasoning({ text }: { text: string }) {
  const t = useTranslations('inspector')
  return (
    <details className="rounded-control border border-line">
      <summary className="flex h-8 items-center gap-2 px-2.5 text-table touch:h-11">
        {t('reasoning')}
        <span className="grow" />
        <span className="text-meta text-t3">{formatBytes(new TextEncoder().encode(text).length)}</span>
      </summary>
      <div className="border-t border-line px-3 py-2 text-table break-words whitespace-pre-wrap text-t2">
        <LongText text={text} />
      </div>
    </details>
  )
}

/** The parsed answer: the step's result. */
function Parsed({ step }: { step: StepRecord }) {
  const t = useTranslations('inspector')
  const path = step.result === null ? null : `/api/steps/${step.id}/result`
  const query = useApiQuery<ResultAnswer>(path, { version: step.endedSeq ?? 0 })
  if (path === null) return <p className="text-table text-t3">{t('noResult')}</p>
  return (
    <Fetched query={query} goneText={t('noResult')}>
      {({ json, text }) =>
        typeof json === 'object' && json !== null ? (
          <JsonView text={text} name={t('resultOf', { step: step.executor })} />
        ) : (
          <WrittenBlock text={text} />
        )
      }
    </Fetched>
  )
}

/** Announces that somebody begins and finishes writing, never what they write. */
function useAnnounceWriting(who: string, isWriting: boolean): void {
  const t = useTranslations('announce')
  const was = useRef(false)
  useEffect(() => {
    // Joins the announcer to a text that streams.
    if (was.current === isWriting) return
    was.current = isWriting
    announcer.writing(who, t(isWriting ? 'writing' : 'finished', { who }))
  }, [who, isWriting, t])
}
