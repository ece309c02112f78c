/**
 * A table of the directory; on a phone each row is a card of its cells.
 *
 * Owns: head, rows, moving between them by keys, reading on. Not here: what the cells say (each list).
 */
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useRowKeys } from '@/components/shell/useRowKeys'
import { useIsNarrow } from '@/components/tasks/useIsNarrow'
import { Button } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'

/** The first column holds the row's link, marked `data-row`. */
export type Column<Row> = {
  name: string
  head: string
  className?: string
  cell: (row: Row) => ReactNode
}

export function RecordTable<Row>({
  label,
  kind,
  rows,
  columns,
  idOf,
  stateOf,
  total,
  more,
}: {
  label: string
  kind: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  idOf: (row: Row) => string
  stateOf: (row: Row) => string
  total: number
  more: (() => void) | null
}) {
  const t = useTranslations('directory')
  const isNarrow = useIsNarrow()
  const { table, onKeyDown } = useRowKeys({ next: t('nextRow'), previous: t('previousRow') }, rows.length === 0)
  const [first, ...others] = columns
  const heads = isNarrow ? columns.slice(0, 1) : columns
  return (
    <>
      <table
        ref={table}
        onKeyDown={onKeyDown}
        aria-label={label}
        aria-rowcount={total + 1}
        className="w-full table-fixed border-collapse border-y border-line text-table"
      >
        <thead className={isNarrow ? 'sr-only' : undefined}>
          <tr aria-rowindex={1}>
            {heads.map((column) => (
              <th
                key={column.name}
                scope="col"
                className={cx(
                  'h-8 border-b border-line pr-3 text-left text-meta font-medium text-t3 first:pl-5',
                  column.className,
                )}
              >
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr
              key={idOf(row)}
              aria-rowindex={at + 2}
              data-id={idOf(row)}
              data-kind={kind}
              data-state={stateOf(row)}
              className="h-row border-b border-line hover:bg-hover"
            >
              {isNarrow ? (
                <td className="px-4 py-3">
                  {first?.cell(row)}
                  <dl className="mt-1.5 grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3 gap-y-1 text-t2">
                    {others.map(({ name, head, cell }) => (
                      <div key={name} className="contents">
                        <dt className="text-t3">{head}</dt>
                        <dd className="min-w-0 break-words">{cell(row)}</dd>
                      </div>
                    ))}
                  </dl>
                </td>
              ) : (
                columns.map(({ name, cell, className }) => (
                  <td
                    key={name}
                    className={cx('h-row overflow-hidden py-1 pr-3 text-t2 whitespace-nowrap first:pl-5', className)}
                  >
                    {cell(row)}
                  </td>
                ))
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {more ? (
        <div className="px-5 py-3 max-md:px-4">
          <Button onClick={more}>{t('more', { count: total - rows.length })}</Button>
        </div>
      ) : null}
    </>
  )
}
