/** Rows of cells as a table; more of them with each press. */
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '@/components/ui/Button'
import { Scrolled } from '@/components/ui/text/Scrolled'

/** Rows that are drawn at first, and more with each press. */
const ROWS_AT_ONCE = 200
const MOST_COLUMNS = 50

/** The first row is the head. */
export function RowsTable({ rows: all, name }: { rows: readonly (readonly string[])[]; name: string }) {
  const t = useTranslations('files')
  const [count, setCount] = useState(ROWS_AT_ONCE)
  const [head = [], ...rows] = all
  const width = Math.max(head.length, ...rows.slice(0, count).map((row) => row.length))
  const columns = Array.from({ length: Math.min(width, MOST_COLUMNS) }, (_, at) => at)
  return (
    <>
      <Scrolled as="div" className="w-fit max-w-full overflow-x-auto rounded-card border border-line bg-s2">
        <table aria-label={name} aria-rowcount={rows.length + 1} className="w-max border-collapse text-table">
          <thead>
            <tr>
              {columns.map((at) => (
                <th
                  key={at}
                  scope="col"
                  className="border-b border-line px-3 py-1.5 max-w-[min(30rem,75vw)] text-left font-medium"
                >
                  {head[at]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, count).map((row, line) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of one text never change places.
              <tr key={line} className="border-b border-line last:border-0">
                {columns.map((at) => (
                  <td key={at} className="max-w-[min(30rem,75vw)] px-3 py-1 align-top break-words">
                    {row[at]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
      <p className="flex flex-wrap items-center gap-2 pt-2 text-table text-t3">
        {t('rows', { shown: Math.min(count, rows.length), all: rows.length })}
        {width > MOST_COLUMNS ? <span>{t('columns', { shown: MOST_COLUMNS, all: width })}</span> : null}
        {count < rows.length ? (
          <Button look="quiet" onClick={() => setCount(count + ROWS_AT_ONCE)}>
            {t('moreRows')}
          </Button>
        ) : null}
      </p>
    </>
  )
}
