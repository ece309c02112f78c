/**
 * The table “Waits”: who stands still, for whom, since when, and what can be done; on a phone the rows are cards.
 *
 * Owns: columns, moving between rows by keys. Not here: the dialogs (WaitActs.tsx), the picture (WaitGraph.tsx).
 */
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { useRowKeys } from '@/components/shell/useRowKeys'
import { Avatar, AvatarRow } from '@/components/ui/Avatar'
import { cx } from '@/components/ui/cx'
import { StatusChip } from '@/components/ui/StatusChip'
import { Dash } from '@/components/ui/WaitLine'
import type { WaitRow } from '@/lib/wire'
import { WaitActs } from './WaitActs'
import { chipOf, useHoldsUp, useWhyStuck } from './waitWords'

type ColumnName = 'who' | 'forWhom' | 'task' | 'what' | 'since' | 'holdsUp' | 'act'
const COLUMNS: readonly { name: ColumnName; className: string }[] = [
  { name: 'who', className: 'w-[14%] pl-5' },
  { name: 'forWhom', className: 'w-[15%]' },
  { name: 'task', className: 'w-[15%] @max-[1000px]/main:hidden' },
  { name: 'what', className: '@max-[1250px]/main:hidden' },
  { name: 'since', className: 'w-52' },
  { name: 'holdsUp', className: '@max-[850px]/main:hidden @min-[1250px]/main:w-[14%]' },
  { name: 'act', className: 'w-72 pr-5' },
]

export function WaitTable({
  rows,
  isNarrow,
  isOfTask,
}: {
  rows: readonly WaitRow[]
  isNarrow: boolean
  /** All are of the task that is open. */
  isOfTask: boolean
}) {
  const t = useTranslations('waits')
  const { table, onKeyDown } = useRowKeys({ next: t('nextRow'), previous: t('previousRow') }, rows.length === 0)
  const shown = isOfTask ? COLUMNS.filter(({ name }) => name !== 'task') : COLUMNS
  const columns = isNarrow ? shown.slice(0, 1) : shown
  return (
    <table
      ref={table}
      onKeyDown={onKeyDown}
      aria-label={t('title')}
      className="w-full table-fixed border-collapse border-y border-line text-table"
    >
      <thead className={isNarrow ? 'sr-only' : undefined}>
        <tr>
          {columns.map((column) => (
            <th
              key={column.name}
              scope="col"
              className={cx('h-8 border-b border-line pr-3 text-left text-meta font-medium text-t3', column.className)}
            >
              {column.name === 'act' ? <span className="sr-only">{t('column.act')}</span> : t(`column.${column.name}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr
            key={row.id}
            data-id={row.id}
            data-kind="wait"
            data-state={row.state}
            className="relative h-row border-b border-line hover:bg-hover"
          >
            {isNarrow ? (
              <Card row={row} isOfTask={isOfTask} />
            ) : (
              <Cells row={row} columns={shown} isOfTask={isOfTask} />
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Who waits, as a link to the step that asked. */
function Asker({ row }: { row: WaitRow }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Avatar who={row.who} size={24} />
      <Link
        data-row
        href={`${pathTo('tree', { taskId: row.task })}?inspect=StepState_${row.step}`}
        className="cut relative font-medium hover:underline"
      >
        {row.who.name}
      </Link>
    </span>
  )
}

function ForWhom({ row }: { row: WaitRow }) {
  const t = useTranslations('waits')
  const [first, ...others] = row.forWhom
  if (!first) return <span className="text-t3">{t('nobody')}</span>
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Dash className="w-6 shrink-0" />
      <AvatarRow people={row.forWhom} size={24} max={3} />
      <span className="cut" title={row.forWhom.map((who) => who.name).join(', ')}>
        {others.length === 0 ? first.name : t('andMore', { who: first.name, count: others.length })}
      </span>
    </span>
  )
}

function Since({ row }: { row: WaitRow }) {
  const whyOf = useWhyStuck()
  return (
    <span className="flex min-w-0" title={whyOf(row)}>
      <StatusChip
        state={chipOf(row)}
        raw={row.state}
        detail={whyOf(row)}
        since={row.since}
        className="max-w-full shrink!"
      />
    </span>
  )
}

function Cells({ row, columns, isOfTask }: { row: WaitRow; columns: typeof COLUMNS; isOfTask: boolean }) {
  const holdsUp = useHoldsUp()
  const contents: Record<ColumnName, ReactNode> = {
    who: <Asker row={row} />,
    forWhom: <ForWhom row={row} />,
    task: (
      <Link href={pathTo('task', { taskId: row.task })} className="cut block hover:underline">
        {row.taskName}
      </Link>
    ),
    what: (
      <span className="cut block" title={row.what}>
        {row.what}
      </span>
    ),
    since: <Since row={row} />,
    holdsUp: (
      <span className="cut block" title={holdsUp(row)}>
        {holdsUp(row) || '—'}
      </span>
    ),
    act: <WaitActs row={row} isOfTask={isOfTask} />,
  }
  return columns.map((column) => (
    <td
      key={column.name}
      className={cx(
        'h-row overflow-hidden py-1 pr-3 whitespace-nowrap',
        column.name === 'who' ? '' : 'text-t2',
        column.className,
      )}
    >
      {contents[column.name]}
    </td>
  ))
}

function Card({ row, isOfTask }: { row: WaitRow; isOfTask: boolean }) {
  const t = useTranslations('waits')
  const holdsUp = useHoldsUp()
  return (
    <td className="px-4 py-3">
      <Asker row={row} />
      <span className="mt-1.5 block min-w-0 text-t2">
        <ForWhom row={row} />
      </span>
      <span className="mt-1.5 flex min-w-0">
        <Since row={row} />
      </span>
      {row.what === '' ? null : <p className="mt-1.5 line-clamp-3 break-words text-t2">{row.what}</p>}
      <p className="mt-1 text-meta text-t3">
        {isOfTask ? null : (
          <Link href={pathTo('task', { taskId: row.task })} className="link">
            {row.taskName}
          </Link>
        )}
        {isOfTask || holdsUp(row) === '' ? null : ' · '}
        {holdsUp(row) === '' ? null : t('holdsUp', { what: holdsUp(row) })}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <WaitActs row={row} isCard isOfTask={isOfTask} />
      </div>
    </td>
  )
}
