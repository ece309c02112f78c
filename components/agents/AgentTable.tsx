import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { pathTo } from '@/client/nav'
import { useActivity } from '@/components/numbers/useActivity'
import { useKindName } from '@/components/ui/marks/Avatar'
import { LiveAvatar } from '@/components/ui/marks/presence'
import { DataTable, RowLink } from '@/components/ui/Table'
import { formatCost } from '@/lib/format'
import type { AgentRow } from '@/lib/wire'
import { PauseButton } from './AgentButtons'
import { AgentState, NowCell, TasksCell } from './AgentCells'

const ROWS_AT_FIRST = 150

export function AgentTable({ rows }: { rows: readonly AgentRow[] }) {
  const t = useTranslations('agents')
  const activityOf = useActivity('members')
  const [limit, setLimit] = useState(ROWS_AT_FIRST)
  return (
    <DataTable
      label={t('title')}
      kind="agent"
      rows={rows.slice(0, limit)}
      columns={{
        who: { className: 'w-[22%]', cell: (row) => <NameLink row={row} /> },
        state: {
          className: 'w-[22%]',
          cell: (row) => (
            <span className="flex min-w-0">
              <AgentState row={row} />
            </span>
          ),
        },
        now: { className: '@max-[700px]/main:hidden', cell: (row) => <NowCell row={row} /> },
        tasks: { className: 'w-[18%] @max-[900px]/main:hidden', cell: (row) => <TasksCell row={row} /> },
        queue: {
          className: 'w-16 text-right',
          cell: (row) => (row.queue === 0 ? <span className="text-t3">—</span> : row.queue),
        },
        activity: { className: 'w-24 @max-[1200px]/main:hidden', cell: (row) => activityOf(row.agent) },
        cost: { className: 'w-20 text-right @max-[800px]/main:hidden', cell: (row) => formatCost(row.costUsd) },
        act: {
          isHeadHidden: true,
          className: 'w-28 pr-5 text-right',
          cell: (row) => (
            <span className="relative inline-flex justify-end">
              <PauseButton agent={actedOf(row)} isQuiet />
            </span>
          ),
        },
      }}
      headOf={(name) => t(`column.${name}`)}
      idOf={({ id }) => id}
      stateOf={({ state }) => state}
      card={(row) => <Card row={row} />}
      total={rows.length}
      more={
        rows.length > limit
          ? { label: t('more', { count: rows.length - limit }), onPress: () => setLimit(limit + ROWS_AT_FIRST) }
          : null
      }
    />
  )
}

function NameLink({ row, children }: { row: AgentRow; children?: ReactNode }) {
  const nameOf = useKindName()
  return (
    <span className="flex min-w-0 items-center gap-2">
      <LiveAvatar who={row.who} size={24} />
      <RowLink href={pathTo('agent', { agentId: row.id })} aria-label={nameOf(row.who)} title={row.who.name}>
        {row.who.name}
      </RowLink>
      {row.who.role.toLocaleLowerCase() === row.who.name.toLocaleLowerCase() ? null : (
        // A long name never hides the current step.
        <span className="cut max-w-[45%] shrink-0 text-meta text-t3" title={row.who.role}>
          {row.who.role}
        </span>
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

function Card({ row }: { row: AgentRow }) {
  const t = useTranslations('agents')
  return (
    <>
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
    </>
  )
}
