/** The prompt: each call of the model, in its sections, with sizes. */

import { useLocale, useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { useApiQuery } from '@/client/queries'
import { cx } from '@/components/ui/cx'
import { LongText } from '@/components/ui/text/LongText'
import { Scrolled } from '@/components/ui/text/Scrolled'
import { formatBytes, formatDuration, formatTokens } from '@/lib/format'
import type { MessageId, TaskId } from '@/lib/mas/ids'
import type { ModelCall, StepRecord } from '@/lib/mas/records'
import type { PromptAnswer } from '@/lib/wire'
import { Fetched } from './parts'
import { reasonBefore } from './steps'
import { TryPrompt } from './TryPrompt'
import { useCall } from './useCall'

/** Sections up to this size are open at first. */
const OPEN_UP_TO = 600

export function PromptTab({ step }: { step: StepRecord }) {
  const t = useTranslations('inspector')
  const { call, picker } = useCall(step)
  const path = call ? `/api/steps/${step.id}/prompt?call=${encodeURIComponent(call.id)}` : null
  const query = useApiQuery<PromptAnswer>(path)
  if (!call)
    return <p className="text-table text-t3">{step.state === 'running' ? t('promptRunning') : t('noPrompt')}</p>
  return (
    <>
      {picker}
      <CallLine call={call} />
      <Repair step={step} call={call} />
      <Fetched query={query} goneText={t('noPrompt')}>
        {({ sections }) => (
          <div className="flex flex-col gap-2">
            <TryPrompt key={call.id} step={step} call={call} sections={sections} />
            <p className="text-meta text-t3">
              {t('sections', {
                count: sections.length,
                size: sizeOf(sections),
              })}
            </p>
            <Before sections={sections.slice(0, stepBegins(sections))} task={step.task} />
            {sections.slice(stepBegins(sections)).map((section, at, own) => (
              <Section
                // biome-ignore lint/suspicious/noArrayIndexKey: sections of one prompt never change places.
                key={`${call.id} ${at}`}
                section={section}
                task={step.task}
                isOpen={section.bytes <= OPEN_UP_TO || at === own.length - 1}
              />
            ))}
          </div>
        )}
      </Fetched>
    </>
  )
}

type PromptSection = PromptAnswer['sections'][number]

/** Where the turn of the step itself begins: all before it was sent with an earlier step. */
function stepBegins(sections: readonly PromptSection[]): number {
  const step = sections.findLastIndex(({ name }) => name === 'current_step')
  return sections.slice(0, Math.max(0, step)).findLastIndex(({ role }) => role === 'assistant') + 1
}

/** The turns of earlier steps, closed: they can be many. */
function Before({ sections, task }: { sections: readonly PromptSection[]; task: TaskId }) {
  const t = useTranslations('inspector')
  if (sections.length === 0) return null
  return (
    <details className="rounded-control border border-line">
      <summary className="flex min-h-8 items-center px-2.5 text-table touch:min-h-11">
        {t('sectionsBefore', { count: sections.length, size: sizeOf(sections) })}
      </summary>
      <div className="flex flex-col gap-2 border-t border-line p-2">
        {sections.map((section, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: sections of one prompt never change places.
          <Section key={at} section={section} task={task} isOpen={false} />
        ))}
      </div>
    </details>
  )
}

const sizeOf = (sections: readonly PromptSection[]): string =>
  formatBytes(sections.reduce((all, { bytes }) => all + bytes, 0))

function Section({ section, task, isOpen }: { section: PromptSection; task: TaskId; isOpen: boolean }) {
  const t = useTranslations('inspector')
  return (
    <details open={isOpen} className="rounded-control border border-line">
      <summary className="flex h-8 items-center gap-2 px-2.5 text-table touch:h-11">
        <span data-literal className="cut font-mono">
          {section.name}
        </span>
        <span className="text-meta text-t3">{t(`role.${section.role}`)}</span>
        <span className="grow" />
        <span className="text-meta text-t3">{formatBytes(section.bytes)}</span>
      </summary>
      <Held task={task} messages={section.messages} />
      <Scrolled
        as="pre"
        className={cx(
          'max-h-[60vh] overflow-y-auto border-t border-line bg-s3 px-3 py-2 font-mono text-meta break-words',
          'whitespace-pre-wrap',
        )}
      >
        <LongText text={section.text} />
      </Scrolled>
    </details>
  )
}

/** The messages whose text the section holds. */
function Held({ task, messages }: { task: TaskId; messages: readonly MessageId[] }) {
  const t = useTranslations('inspector')
  if (messages.length === 0) return null
  return (
    <p className="flex flex-wrap gap-x-2 border-t border-line px-3 py-1 text-meta text-t3">
      {t('messagesIn', { count: messages.length })}
      {[...new Set(messages)].map((id) => (
        <Link
          data-literal
          key={id}
          href={pathTo('message', { taskId: task, messageId: id })}
          className="link font-mono"
        >
          {id.slice(0, 8)}
        </Link>
      ))}
    </p>
  )
}

function CallLine({ call }: { call: ModelCall }) {
  const t = useTranslations('inspector')
  const locale = useLocale()
  const cached = call.cachedTokens ? [t('fromCache', { tokens: formatTokens(call.cachedTokens, locale) })] : []
  const said = [call.model, t(`outcome.${call.outcome}`), formatDuration(call.totalMs, locale), ...cached]
  return <p className="text-meta text-t3">{said.join(' · ')}</p>
}

/** Why this call was made again, and what was wrong with its own answer. */
function Repair({ step, call }: { step: StepRecord; call: ModelCall }) {
  const t = useTranslations('inspector')
  const why = reasonBefore(step, call)
  return (
    <>
      {why === null ? null : (
        <div className="rounded-control bg-waiting-b px-3 py-2 text-table break-words whitespace-pre-wrap text-waiting">
          <b>{t('repaired')}</b> <LongText text={why} />
        </div>
      )}
      {call.error === null ? null : (
        <div className="rounded-control bg-failed-b px-3 py-2 text-table break-words whitespace-pre-wrap text-failed">
          <LongText text={call.error} />
        </div>
      )}
    </>
  )
}
