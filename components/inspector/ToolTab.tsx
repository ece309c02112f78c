/**
 * A tool's call and what came of it: server, arguments, who approved, the result as text, picture or structure.
 *
 * Owns: how they look. Not here: reading the result (toolContent.ts).
 */
import { CircleX, ShieldCheck } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { JsonView } from '@/components/ui/JsonView'
import { formatBytes } from '@/lib/format'
import type { StepRecord } from '@/lib/mas/records'
import type { ToolAnswer } from '@/lib/wire'
import { Fetched, Pair, Pairs, Title, Written } from './parts'
import { type ToolPart, toolParts } from './toolContent'
import { useAnswer } from './useAnswer'

export function ToolTab({ step }: { step: StepRecord }) {
  const t = useTranslations('inspector')
  // Asked anew when the call was written, decided about, or came back.
  const version = [step.instruction?.kind, step.approvedBy?.digest, step.endedSeq].join(' ')
  const { answer, retry } = useAnswer<ToolAnswer>(`/api/steps/${step.id}/tool`, version)
  return (
    <Fetched answer={answer} onRetry={retry}>
      {(tool) => (
        <>
          {tool.isError ? (
            <p className="flex gap-2 rounded-control bg-failed-b px-3 py-2 text-table break-words text-failed">
              <CircleX aria-hidden className="mt-0.5 size-4" />
              <span className="min-w-0">
                <b>{t('toolFailed')}</b> {step.reason}
              </span>
            </p>
          ) : null}
          <Pairs>
            <Pair name={t('server')}>{tool.server}</Pair>
            {tool.name === null ? null : <Pair name={t('toolName')}>{tool.name}</Pair>}
            {tool.approvedBy === null ? null : (
              <Pair name={t('approval')}>
                <span className="inline-flex items-center gap-1.5">
                  <ShieldCheck aria-hidden className="size-4 text-done" />
                  {t(tool.approvedBy.edited ? 'approvedEdited' : 'approvedBy', { name: tool.approvedBy.name })}
                </span>
              </Pair>
            )}
          </Pairs>
          <Title>{t('arguments')}</Title>
          {tool.name === null ? (
            <p className="text-table text-t3">{instructionWords(step, t)}</p>
          ) : (
            <JsonView value={tool.arguments} name={t('argumentsOf', { tool: tool.name })} />
          )}
          <Title>{t('result')}</Title>
          {tool.result === null ? (
            <p className="text-table text-t3">{t(step.state === 'running' ? 'toolRuns' : 'noToolResult')}</p>
          ) : (
            <Parts parts={toolParts(tool.result)} name={t('resultOf', { step: tool.name ?? tool.server })} />
          )}
          {tool.cut ? <p className="text-meta text-t3">{t('cut')}</p> : null}
        </>
      )}
    </Fetched>
  )
}

function instructionWords(step: StepRecord, t: ReturnType<typeof useTranslations<'inspector'>>): string {
  switch (step.instruction?.kind) {
    case 'get_description':
      return t('asksDescription')
    case 'none':
      return t('notCalled', { reason: step.instruction.reason })
    default:
      return t('notWritten')
  }
}

function Parts({ parts, name }: { parts: readonly ToolPart[]; name: string }) {
  return parts.map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a result never changes; its parts have no names.
    <Part key={at} part={part} name={name} />
  ))
}

function Part({ part, name }: { part: ToolPart; name: string }) {
  const t = useTranslations('inspector')
  switch (part.kind) {
    case 'text':
      return <Written text={part.text} />
    case 'image':
      return (
        // biome-ignore lint/performance/noImgElement: a data: URL; there is nothing to fetch or to resize.
        <img
          src={part.src}
          alt={t('image', { mime: part.mime })}
          className="max-h-96 max-w-full self-start rounded-control border border-line bg-s3 object-contain"
        />
      )
    case 'resource':
      return (
        <div className="flex flex-col gap-1">
          <p className="font-mono text-meta break-all text-t2">{part.uri}</p>
          {part.text === null ? null : <Written text={part.text} />}
        </div>
      )
    case 'other':
      return (
        <p className="text-table text-t3">
          {t('notDrawn', { mime: part.mime, size: formatBytes(Math.floor((part.characters * 3) / 4)) })}
        </p>
      )
    case 'json':
      return <JsonView value={part.value} name={name} />
  }
}
