/** The region “Result” of a finished task: headline, facts, text, what was left out; then decisions, files and costs from records. */
import { RotateCcw } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useMoment } from '@/client/moment'
import { Link, pathTo } from '@/client/nav'
import { useApiQuery } from '@/client/queries'
import { taskTitle } from '@/client/readersWords'
import { FailureHelp } from '@/components/failure/FailureHelp'
import { againHref } from '@/components/tasks/askAgain'
import { LinkButton } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { PathText } from '@/components/ui/text/FileLink'
import { Markdown } from '@/components/ui/text/Markdown'
import type { TaskResult } from '@/lib/wire'
import { Costs } from './Costs'
import { Decisions } from './Decisions'
import { FactTable } from './FactTable'
import { LeftFiles } from './LeftFiles'
import { ChangeDialog } from './lazy'
import { MarkedPassage, Passage } from './Passages'
import { RatingBar } from './RatingBar'
import { ResultButtons } from './ResultButtons'

type TaskResultRegionProps = {
  task: string
  /** Another value fetches the result again. */
  version?: string | number
  className?: string
  /** In its place where the reader gets no result. */
  otherwise?: ReactNode
}

export default function TaskResultRegion({ task, version, className, otherwise = null }: TaskResultRegionProps) {
  const t = useTranslations('result')
  const region = useRef<HTMLElement>(null)
  /** The passage of which a change is asked; '': all of the result; null: none is asked. */
  const [changed, setChanged] = useState<string | null>(null)
  // Nothing is asked for from a moment.
  const isThen = useMoment() !== null
  const { data, error } = useApiQuery<TaskResult>(`/api/tasks/${task}/result`, { version })
  if (data === undefined) return error === null ? null : otherwise
  const {
    name,
    state,
    headline,
    facts,
    summary,
    leftOut,
    notDone,
    decisions,
    files,
    ratings,
    mayRate,
    opened,
    failure,
  } = data
  const ask = opened || isThen ? null : setChanged
  const again =
    ask === null ? null : (
      <span className="self-start print:hidden">
        <LinkButton href={againHref({ kind: 'task', id: task })}>
          <RotateCcw />
          {t('askAgain')}
        </LinkButton>
      </span>
    )
  return (
    <section
      ref={region}
      aria-label={t('title')}
      data-kind="result"
      data-state={state}
      data-print
      className={cx('@container relative flex max-w-[68rem] min-w-0 flex-col', className)}
    >
      <p className="hidden pb-2 text-title font-bold print:block">{name}</p>
      <h2 className="flex min-h-7 items-center text-table font-bold text-t2">{t('title')}</h2>
      {/* In a narrow place at its end: three buttons would push the headline down. */}
      <div className="order-last mt-3 @2xl:absolute @2xl:top-0 @2xl:right-0 @2xl:mt-0 print:hidden">
        <ResultButtons task={task} onAskChange={ask === null || state === 'failed' ? null : () => ask('')} />
      </div>
      {state === 'failed' ? (
        <div className="flex flex-col gap-1 rounded-control bg-failed-b px-3 py-2 text-table">
          <p className="font-medium text-failed">{t('failed')}</p>
          {failure === null ? (
            again
          ) : (
            <FailureHelp failure={failure}>
              {again}
              <Link href={pathTo('step', { taskId: task, stepId: failure.step })} className="link">
                {t('failedStep', { name: failure.name })}
              </Link>
            </FailureHelp>
          )}
        </div>
      ) : null}
      {headline === null ? null : (
        <Passage part="headline" text={headline} onAsk={ask} className="mt-0.5 max-w-[60ch]">
          <p className="text-question font-bold break-words text-balance">
            <PathText text={headline} />
          </p>
        </Passage>
      )}
      <div className="grid gap-x-8 @3xl:grid-cols-[minmax(0,1fr)_minmax(16rem,22rem)] print:block">
        <div className="min-w-0">
          {facts.length > 0 ? (
            <Passage part="facts" text={facts.map(factLine).join('\n')} onAsk={ask} className="mt-3 max-w-[68ch]">
              <FactTable task={task} facts={facts} />
            </Passage>
          ) : null}
          {summary ? (
            <Passage part="summary" text={summary} onAsk={ask} className="mt-3">
              <Markdown text={summary} headingLevel={3} />
            </Passage>
          ) : (
            <p className="mt-3 text-t2">{t('noSummary')}</p>
          )}
          {files.length > 0 ? (
            <Part title={t('files')}>
              <LeftFiles files={files} />
            </Part>
          ) : null}
          {leftOut.length > 0 ? (
            <Passage part="leftOut" text={leftOut.join('\n')} onAsk={ask} className="max-w-[68ch]">
              <Part title={t('leftOut')}>
                <Lines lines={leftOut} />
              </Part>
            </Passage>
          ) : null}
          {notDone.length > 0 ? (
            <Part title={t('notDone')}>
              <NotDone task={task} stages={notDone} />
            </Part>
          ) : null}
        </div>
        <div className="min-w-0">
          {decisions.length > 0 ? (
            <Part title={t('decisions')}>
              <Decisions decisions={decisions} />
            </Part>
          ) : null}
          <Part title={t('costs')}>
            <Costs result={data} />
          </Part>
        </div>
      </div>
      {(mayRate && !isThen) || ratings.length > 0 ? (
        <div className="mt-3 border-t border-line pt-2 print:hidden">
          <RatingBar task={task} ratings={ratings} mayRate={mayRate && !isThen} />
        </div>
      ) : null}
      {ask === null ? null : <MarkedPassage region={region} onAsk={ask} />}
      {changed === null ? null : (
        <ChangeDialog task={task} name={taskTitle(name)} passage={changed} onClose={() => setChanged(null)} />
      )}
    </section>
  )
}

const factLine = ({ label, value }: TaskResult['facts'][number]): string => `${label}: ${value}`

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mt-3 max-w-[68ch] break-inside-avoid">
      <h3 className="mb-0.5 text-meta font-medium text-t3">{title}</h3>
      {children}
    </div>
  )
}

const Lines = ({ lines }: { lines: readonly string[] }) => (
  <ul className="list-disc pl-5">
    {lines.map((line, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines of an ended task never change places.
      <li key={at} className="my-0.5 break-words">
        <PathText text={line} />
      </li>
    ))}
  </ul>
)

const NotDone = ({ task, stages }: { task: string; stages: TaskResult['notDone'] }) => (
  <ul className="list-disc pl-5">
    {stages.map(({ stage, stageName, name, reason }) => (
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
)
