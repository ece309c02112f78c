/** The same numbers by member, model and task, and the longest waits. A row narrows the page to itself. */
import { useLocale, useTranslations } from 'use-intl'
import { Link, pathTo, setSearch } from '@/client/nav'
import { taskTitle } from '@/client/readersWords'
import { cx } from '@/components/ui/cx'
import { Elapsed } from '@/components/ui/marks/Time'
import { DataTable } from '@/components/ui/Table'
import { formatCost, formatCount, formatDuration, formatTokens } from '@/lib/format'
import type { Figures, Numbers } from '@/lib/wire'
import { usdOf } from './charts'

type Row = Figures & { id: string; name: string }
const RIGHT = 'w-24 text-right'

type BreakdownProps = { kind: 'agent' | 'model' | 'task'; rows: readonly Row[]; href?: (row: Row) => string }

/** One table: what each used and did. */
function Breakdown({ kind, rows, href }: BreakdownProps) {
  const t = useTranslations('numbers')
  const locale = useLocale()
  if (rows.length === 0) return null
  return (
    <section aria-label={t(`by.${kind}`)}>
      <h2 className="mb-2 font-bold">{t(`by.${kind}`)}</h2>
      <DataTable
        label={t(`by.${kind}`)}
        kind="numbers"
        rows={rows}
        isFramed
        isSecond={kind !== 'agent'}
        columns={{
          name: {
            head: t(`filter.${kind}`),
            cell: (row) => (
              <button
                type="button"
                data-row
                aria-label={t('narrowTo', { name: row.name })}
                className="cut block w-full rounded-control text-left hover:underline"
                onClick={() => setSearch({ [kind]: row.id })}
              >
                {row.name}
              </button>
            ),
          },
          cost: {
            className: RIGHT,
            cell: (row) => (
              <span title={row.unpricedCalls > 0 ? t('unpriced', { count: row.unpricedCalls }) : undefined}>
                {formatCost(usdOf(row.nanoUsd))}
                {row.unpricedCalls > 0 ? '*' : ''}
              </span>
            ),
          },
          tokens: {
            className: RIGHT,
            cell: (row) => formatTokens(row.promptTokens + row.completionTokens, locale),
          },
          calls: { className: cx(RIGHT, '@max-[700px]/main:hidden'), cell: (row) => formatCount(row.calls) },
          steps: {
            className: cx(RIGHT, '@max-[800px]/main:hidden'),
            cell: (row) => (kind === 'model' ? '—' : formatCount(row.steps)),
          },
          errors: { className: cx(RIGHT, '@max-[600px]/main:hidden'), cell: (row) => formatCount(errorsOf(row)) },
          waits: {
            className: 'w-32 pr-5 text-right @max-[900px]/main:hidden',
            cell: (row) => (kind === 'model' || row.waits === 0 ? '—' : formatDuration(row.waitMs, locale)),
          },
        }}
        headOf={(name) => t(`column.${name}`)}
        idOf={({ id }) => id}
        stateOf={() => kind}
        card={(row) => (
          <>
            {href ? (
              <Link href={href(row)} data-row className="font-medium">
                {row.name}
              </Link>
            ) : (
              <span className="font-medium">{row.name}</span>
            )}
            <span className="mt-1 flex flex-wrap gap-x-3 text-t2 tabular-nums">
              <span>{formatCost(usdOf(row.nanoUsd))}</span>
              <span>
                {formatTokens(row.promptTokens + row.completionTokens, locale)} {t('column.tokens')}
              </span>
              <span>{t('stepsOf', { count: row.steps })}</span>
            </span>
          </>
        )}
      />
    </section>
  )
}

const errorsOf = ({ failedSteps, failedCalls }: Figures): number => failedSteps + failedCalls

export function MemberNumbers({ numbers }: { numbers: Numbers }) {
  const t = useTranslations('numbers')
  const rows = numbers.members.map((row) => ({ ...row, name: row.name || t('unknownMember') }))
  return <Breakdown kind="agent" rows={rows} href={(row) => pathTo('agent', { agentId: row.id })} />
}

export function ModelNumbers({ numbers }: { numbers: Numbers }) {
  const rows = numbers.models.map((row) => ({ ...row, id: row.model, name: row.model }))
  return <Breakdown kind="model" rows={rows} />
}

export function TaskNumbers({ numbers }: { numbers: Numbers }) {
  const t = useTranslations('numbers')
  const rows = numbers.tasks.map((row) => ({ ...row, name: row.name === '' ? t('unknownTask') : taskTitle(row.name) }))
  return (
    <div>
      <Breakdown kind="task" rows={rows} href={(row) => pathTo('task', { taskId: row.id })} />
      {numbers.otherTasks > 0 ? (
        <p className="mt-2 text-meta text-t2">{t('otherTasks', { count: numbers.otherTasks })}</p>
      ) : null}
    </div>
  )
}

/** Who was waited for longest, and who is now. */
export function WaitNumbers({ numbers: { waits, waitingNow } }: { numbers: Numbers }) {
  const t = useTranslations('numbers')
  const locale = useLocale()
  if (waits.length === 0 && waitingNow.length === 0) return null
  return (
    <section aria-label={t('longestWaits')}>
      <h2 className="mb-2 font-bold">{t('longestWaits')}</h2>
      <ul className="border-y border-line text-table">
        {waitingNow.map((wait) => (
          <WaitRow key={`${wait.task} ${wait.by} ${wait.since}`} on={wait.on} task={wait.task} taskName={wait.taskName}>
            <span className="text-waiting">
              {t('waitsNow', { who: wait.by })} <Elapsed since={wait.since} />
            </span>
          </WaitRow>
        ))}
        {waits.map((wait) => (
          <WaitRow key={`${wait.task} ${wait.on}`} on={wait.on} task={wait.task} taskName={wait.taskName}>
            <span className="tabular-nums">
              {formatDuration(wait.longestWaitMs, locale)}
              {wait.waits > 1
                ? ` · ${t('waitsInAll', { count: wait.waits, time: formatDuration(wait.waitMs, locale) })}`
                : ''}
            </span>
          </WaitRow>
        ))}
      </ul>
    </section>
  )
}

type WaitRowProps = { on: string; task: string; taskName: string; children: React.ReactNode }

function WaitRow({ on, task, taskName, children }: WaitRowProps) {
  const t = useTranslations('numbers')
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-b border-line px-5 py-2 last:border-0 max-md:px-0">
      <b className="font-medium">{on || t('unknownMember')}</b>
      <Link href={pathTo('task', { taskId: task })} className="cut min-w-0 text-t2 hover:underline">
        {taskName === '' ? t('unknownTask') : taskTitle(taskName)}
      </Link>
      <span className="grow" />
      {children}
    </li>
  )
}
