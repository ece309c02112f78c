/** A file of values separated by commas as a table. A lazy file. */

import Papa from 'papaparse'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { RowsTable } from './RowsTable'

export default function CsvTable({ text, name }: { text: string; name: string }) {
  const t = useTranslations('files')
  const { rows, brokenLine } = useMemo(() => readTable(text), [text])
  return (
    <>
      {brokenLine === null ? null : (
        <p role="alert" className="pb-2 text-table text-waiting">
          {t('brokenQuotes', { line: brokenLine })}
        </p>
      )}
      <RowsTable rows={rows} name={name} />
    </>
  )
}

/** Spreadsheets read the separator from such a first line, and do not show it. */
const SEPARATOR_LINE = /^sep=(.)(?:\r\n|\r|\n)/i

/** brokenLine: where the first quotation mark stands that is not closed, or not doubled; null: there is none */
export function readTable(text: string): { rows: string[][]; brokenLine: number | null } {
  const [lead = '', separator] = SEPARATOR_LINE.exec(text) ?? []
  const { data, errors } = Papa.parse<string[]>(text.slice(lead.length), {
    skipEmptyLines: 'greedy',
    ...(separator === undefined ? {} : { delimiter: separator }),
  })
  const broken = errors.find(({ type }) => type === 'Quotes')
  const before = broken === undefined ? null : text.slice(0, lead.length + (broken.index ?? 0))
  return { rows: data, brokenLine: before === null ? null : before.split(/\r\n|\r|\n/).length }
}
