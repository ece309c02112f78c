/**
 * The table “Agents”: a row per agent and person, a link each; on a phone the rows are cards.
 *
 * Owns: columns, moving between rows by keys, how many rows are drawn at first.
 */
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { useRowKeys } from '@/components/shell/useRowKeys'
import { useKindName } from '@/components/ui/Avatar'
import { Button } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { LiveAvatar } from '@/components/ui/presence'
import type { AgentRow } from '@/lib/wire'
import { PauseButton } from './AgentActs'
import { AgentState, CostCell, NowCell, TasksCell } from './AgentCells'

const ROWS_AT_FIRST = 150

type ColumnName = 'who' | 'state' | 'now' | 'tasks' | 'queue' | 'cost' | 'act'
const COLUMNS: readonly { name: ColumnName; className: string }[] = [
  { name: 'who', className: 'w-[22%] pl-5' },
  { name: 'state', className: 'w-[22%]' },
  { name: 'now', className: '@max-[700px]/main:hidden' },
  { name: 'tasks', className: 'w-[18%] @max-[900px]/main:hidden' },
  { name: 'queue', className: 'w-16 text-right' },
  { name: 'cost', className: 'w-20 text-right @max-[800px]/main:hidden' },
  { name: 'act', className: 'w-28 pr-5 text-right' },
]

export function AgentTable({ rows, isNarrow }: { rows: readonly AgentRow[]; isNarrow: boolean }) {
  const t = useTranslations('agents')
  const { table, onKeyDown } = useRowKeys({ next: t('nextRow'), previous: t('previousRow') }, rows.length === 0)
  const [limit, setLimit] = useState(ROWS_AT_FIRST)
  const columns = isNarrow ? COLUMNS.slice(0, 1) : COLUMNS
  return (
    <>
      <table
        ref={table}
        onKeyDown={onKeyDown}
        aria-label={t('title')}
        aria-rowcount={rows.length + 1}
        className="w-full table-fixed border-collapse text-table"
      >
        <thead className={isNarrow ? 'sr-only' : 'sticky top-0 z-sticky bg-s1'}>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <th
                key={column.name}
                scope="col"
                className={cx(
                  'h-8 border-b border-line pr-3 text-left text-meta font-medium text-t3',
                  column.className,
                )}
              >
                {column.name === 'act' ? (
                  <span className="sr-only">{t('column.act')}</span>
                ) : (
                  t(`column.${column.name}`)
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, limit).map((row, at) => (
            <tr
              key={row.id}
              aria-rowindex={at + 2}
              data-id={row.id}
              data-kind="agent"
              data-state={row.state}
              className="relative h-row border-b border-line hover:bg-hover"
            >
              {isNarrow ? <Card row={row} /> : <Cells row={row} />}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > limit ? (
        <div className="px-5 py-3">
          <Button onClick={() => setLimit(limit + ROWS_AT_FIRST)}>{t('more', { count: rows.length - limit })}</Button>
        </div>
      ) : null}
    </>
  )
}

/** The name as a link whose target is the whole row. */
function NameLink({ row, children }: { row: AgentRow; children?: ReactNode }) {
  const nameOf = useKindName()
  return (
    <span className="flex min-w-0 items-center gap-2">
      <LiveAvatar who={row.who} size={24} />
      <Link
        data-row
        href={pathTo('agent', { agentId: row.id })}
        aria-label={nameOf(row.who)}
        className="cut font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus"
      >
        {row.who.name}
      </Link>
      {row.who.role.toLocaleLowerCase() === row.who.name.toLocaleLowerCase() ? null : (
        <span className="cut text-meta text-t3">{row.who.role}</span>
      )}
      {children}
    </span>
  )
}

const actedOf = (row: AgentRow) => ({
  id: row.agent,
  name: row.who.name,
  kind: row.who.kind,
  isPaused: row.paused !== null,
})

function Cells({ row }: { row: AgentRow }) {
  const contents: Record<ColumnName, ReactNode> = {
    who: <NameLink row={row} />,
    state: (
      <span className="flex min-w-0">
        <AgentState row={row} />
      </span>
    ),
    now: <NowCell row={row} />,
    tasks: <TasksCell row={row} />,
    queue: row.queue === 0 ? <span className="text-t3">—</span> : row.queue,
    cost: <CostCell row={row} />,
    act: (
      <span className="relative inline-flex justify-end">
        <PauseButton agent={actedOf(row)} isQuiet />
      </span>
    ),
  }
  return COLUMNS.map((column) => (
    <td
      key={column.name}
      className={cx(
        'h-row overflow-hidden pr-3 whitespace-nowrap',
        column.name === 'who' ? '' : 'text-t2',
        column.className,
      )}
    >
      {contents[column.name]}
    </td>
  ))
}

function Card({ row }: { row: AgentRow }) {
  const t = useTranslations('agents')
  return (
    <td className="px-4 py-3">
      <NameLink row={row}>
        <span className="grow" />
        {row.queue > 0 && row.who.kind !== 'human' ? (
          <span className="shrink-0 text-meta text-t3">{t('queueOf', { count: row.queue })}</span>
        ) : null}
      </NameLink>
      <span className="mt-1 flex min-w-0 items-center gap-3 text-t2">
        <AgentState row={row} />
        <span className="grow" />
      </span>
      {row.now ? (
        <span className="mt-1 block min-w-0 text-t2">
          <NowCell row={row} />
        </span>
      ) : null}
    </td>
  )
}
