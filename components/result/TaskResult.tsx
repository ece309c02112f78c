/** The region “Result” of a finished task: its summary, the files that it left, figures, what was not done. */
import { FileText, FileX } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { useFetched } from '@/client/useFetched'
import { fileHref } from '@/components/files/places'
import { cx } from '@/components/ui/cx'
import { PathText } from '@/components/ui/text/FileLink'
import { Markdown } from '@/components/ui/text/Markdown'
import { formatBytes, formatCost, formatCount, formatDuration, formatTokens } from '@/lib/format'
import type { TaskResult } from '@/lib/wire'

type TaskResultRegionProps = { task: string; isShort?: boolean; className?: string }

/** isShort: beside the message that tells the summary. A task without a result that the reader may see has no region. */
export default function TaskResultRegion({ task, isShort = false, className }: TaskResultRegionProps) {
  const t = useTranslations('result')
  const { answer } = useFetched<TaskResult>(`/api/tasks/${task}/result`)
  if (!answer?.ok) return null
  const { state, summary, files, notDone } = answer.value
  return (
    <section aria-label={t('title')} data-kind="result" data-state={state} className={cx('min-w-0', className)}>
      {isShort ? null : (
        <>
          <h2 className="text-table font-bold">{t('title')}</h2>
          {state === 'failed' ? <p className="text-failed">{t('failed')}</p> : null}
          {summary ? <Markdown text={summary} headingLevel={3} /> : <p className="text-t2">{t('noSummary')}</p>}
        </>
      )}
      {files.length > 0 ? (
        <ul aria-label={t('files')} className="mt-2 flex flex-wrap gap-1.5">
          {files.map((file) => (
            <li key={file.path} className="max-w-full">
              <FileChip file={file} />
            </li>
          ))}
        </ul>
      ) : null}
      {notDone.length > 0 ? (
        <Part title={t('notDone')}>
          <ul className="list-disc pl-5">
            {notDone.map(({ stage, stageName, name, reason }) => (
              <li key={`${stage} ${name}`} className="my-0.5 break-words">
                <Link href={pathTo('stage', { taskId: task, stageId: stage })} className="link">
                  {stageName}
                </Link>
                {name === null ? null : ` · ${name}`}
                {reason === '' ? null : (
                  <>
                    {': '}
                    <PathText text={reason} />
                  </>
                )}
              </li>
            ))}
          </ul>
        </Part>
      ) : null}
      <Figures result={answer.value} />
    </section>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mt-2 max-w-[68ch]">
      <h3 className="text-meta font-medium text-t3">{title}</h3>
      {children}
    </div>
  )
}

function FileChip({ file: { path, change, bytes } }: { file: TaskResult['files'][number] }) {
  const t = useTranslations('result')
  const name = path.slice(path.lastIndexOf('/') + 1)
  const Icon = change === 'removed' ? FileX : FileText
  return (
    <span className="flex h-8 max-w-full items-center gap-1.5 rounded-control border border-line bg-s2 px-2 text-table touch:h-11">
      <Icon aria-hidden className="size-4 shrink-0 text-t3" />
      <Link data-literal href={fileHref(path)} title={path} className="link cut min-w-0">
        {change === 'removed' ? t('removedFile', { name }) : name}
      </Link>
      {bytes === null ? null : <span className="shrink-0 text-meta text-t3">{formatBytes(bytes)}</span>}
    </span>
  )
}

function Figures({ result: { tookMs, calls, tokens, costUsd } }: { result: TaskResult }) {
  const t = useTranslations('result')
  const locale = useLocale()
  const figures = [
    { name: t('took'), value: formatDuration(tookMs, locale) },
    { name: t('calls'), value: formatCount(calls) },
    { name: t('tokens'), value: formatTokens(tokens, locale) },
    { name: t('cost'), value: formatCost(costUsd) },
  ]
  return (
    <dl aria-label={t('figures')} className="mt-2 flex flex-wrap gap-x-4 gap-y-0.5 text-meta text-t3">
      {figures.map(({ name, value }) => (
        <div key={name} className="flex gap-1">
          <dt>{name}</dt>
          <dd className="text-t2">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
