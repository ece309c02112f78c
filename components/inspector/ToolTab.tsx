/** A tool's call and its result: server, arguments, who approved, the result as text, picture or structure. */
import { CircleX, ShieldCheck } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useStepText } from '@/client'
import { useApiQuery } from '@/client/queries'
import { JsonView } from '@/components/ui/lazy'
import type { StepRecord } from '@/lib/mas/records'
import type { ToolAnswer } from '@/lib/wire'
import { FailureReason } from './FailureReason'
import { DetailsTitle, Fetched, NamedValue, NamedValues } from './parts'
import { ToolResultView } from './ToolResult'
import { saysOnly } from './toolContent'

export function ToolTab({ step }: { step: StepRecord }) {
  const t = useTranslations('inspector')
  // Fetched again when the call was written, decided about, or returned.
  const version = [step.instruction?.kind, step.approvedBy?.digest, step.endedSeq].join(' ')
  const query = useApiQuery<ToolAnswer>(`/api/steps/${step.id}/tool`, { version })
  return (
    <Fetched query={query}>
      {(tool) => (
        <>
          {tool.isError ? (
            <div className="flex gap-2 rounded-control bg-failed-b px-3 py-2 text-table text-failed">
              <CircleX className="mt-0.5 size-4 shrink-0" />
              <div className="flex min-w-0 flex-col gap-1 break-words">
                <b>{t('toolFailed')}</b>
                {step.reason === null ? null : <FailureReason reason={step.reason} />}
              </div>
            </div>
          ) : null}
          <NamedValues>
            <NamedValue name={t('server')}>{tool.server}</NamedValue>
            {tool.name === null ? null : <NamedValue name={t('toolName')}>{tool.name}</NamedValue>}
            {tool.approvedBy === null ? null : (
              <NamedValue name={t('approval')}>
                <span className="inline-flex items-center gap-1.5">
                  <ShieldCheck className="size-4 text-done" />
                  {t(approvalWord(tool.approvedBy), { name: tool.approvedBy.name })}
                </span>
              </NamedValue>
            )}
            <NamedValue name={t('arguments')}>
              {tool.editedBy === null ? null : t('argumentsBy', { name: tool.editedBy })}
            </NamedValue>
          </NamedValues>
          <DetailsTitle>{t('arguments')}</DetailsTitle>
          {tool.name === null ? (
            <p className="text-table text-t3">{instructionWords(step, t)}</p>
          ) : (
            <JsonView value={tool.arguments} name={t('argumentsOf', { tool: tool.name })} />
          )}
          {tool.isError && saysOnly(tool.result, step.reason) ? null : (
            <>
              <DetailsTitle>{t('result')}</DetailsTitle>
              {tool.result === null ? (
                <Meanwhile step={step} />
              ) : (
                <ToolResultView result={tool.result} name={t('resultOf', { step: tool.name ?? tool.server })} />
              )}
            </>
          )}
          {tool.cut ? <p className="text-meta text-t3">{t('cut')}</p> : null}
        </>
      )}
    </Fetched>
  )
}

const approvalWord = ({ edited, allowed }: NonNullable<ToolAnswer['approvedBy']>) =>
  allowed === 'agent' ? 'allowedForAgent' : allowed ? 'allowedBy' : edited ? 'approvedEdited' : 'approvedBy'

/** The progress that a running call reported. */
function Meanwhile({ step }: { step: StepRecord }) {
  const t = useTranslations('inspector')
  const isRunning = step.state === 'running'
  const told = useStepText(isRunning ? step.id : null)
  return (
    <>
      <p className="text-table text-t3">{t(isRunning ? 'toolRuns' : 'noToolResult')}</p>
      {told === null || told.text === '' ? null : (
        <p data-literal className="font-mono text-table break-words whitespace-pre-wrap">
          {told.text}
        </p>
      )}
    </>
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
