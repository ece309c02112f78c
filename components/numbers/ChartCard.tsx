/** A chart with its name, its sum, what the pointed place says, and the same as a table. */
import { Table2 } from 'lucide-react'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { Button } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { formatCost, formatCount, formatDuration, formatElapsed, formatShortDay, formatTokens } from '@/lib/format'
import type { Locale } from '@/lib/i18n'
import { BarChart } from './BarChart'
import { type Chart, type ChartColour, type ChartUnit, isSideBySide } from './charts'

const DOTS: Record<ChartColour, string> = {
  accent: 'bg-accent',
  done: 'bg-done',
  failed: 'bg-failed',
  waiting: 'bg-waiting',
  idle: 'bg-idle',
  running: 'bg-running',
  action: 'bg-action',
}

const FORMATS: Record<ChartUnit, (value: number, locale: Locale) => string> = {
  usd: (value) => formatCost(value),
  tokens: formatTokens,
  count: (value) => (Number.isInteger(value) ? formatCount(value) : ''),
  ms: (value, locale) => (value === 0 ? '0' : formatElapsed(value, locale)),
}

export function ChartCard({ chart, note }: { chart: Chart; note?: string | null }) {
  const t = useTranslations('numbers')
  const locale = useLocale()
  const [isTable, setTable] = useState(false)
  const [place, setPlace] = useState<number | null>(null)
  const { name, by, unit, labels, series } = chart
  const title = t(`chart.${name}`)
  const format = (value: number): string => FORMATS[unit](value, locale)
  const labelOf = (label: string): string =>
    by === 'day' ? formatShortDay(label, locale) : label === '' ? t('more') : formatDuration(Number(label), locale)
  const pointed = place === null ? null : labels[place]
  const seriesName = (key: string): string => t(`series.${name}.${key}` as 'series.cost.cost')
  return (
    <section aria-label={title} className="min-w-0 rounded-card border border-line bg-s2 p-4">
      <div className="flex min-h-7 items-start gap-2">
        <h2 className="min-w-0 grow font-bold">{title}</h2>
        <Button
          look="quiet"
          icon={<Table2 />}
          aria-pressed={isTable}
          aria-label={t('tableOf', { name: title })}
          onClick={() => setTable(!isTable)}
        >
          {t('table')}
        </Button>
      </div>
      <p className="mb-2 flex min-h-5 flex-wrap items-center gap-x-3 text-meta text-t2">
        {series.map(({ key, colour, values }) => (
          <span key={key} className="inline-flex items-center gap-1.5 whitespace-nowrap">
            <span aria-hidden className={cx('size-2.5 rounded-[2px]', DOTS[colour])} />
            {seriesName(key)}
            <b className="font-medium text-t1 tabular-nums">
              {format(place === null ? sumOf(chart, values) : (values[place] ?? 0))}
            </b>
          </span>
        ))}
        <span className="text-t3">{pointed === null || pointed === undefined ? t('inAll') : labelOf(pointed)}</span>
      </p>
      {isTable ? (
        <ChartTable chart={chart} title={title} seriesName={seriesName} labelOf={labelOf} format={format} />
      ) : (
        <BarChart
          chart={chart}
          isSideBySide={isSideBySide(name)}
          formatValue={format}
          formatLabel={labelOf}
          onPoint={setPlace}
        />
      )}
      {note ? <p className="mt-2 text-meta text-t2">{note}</p> : null}
    </section>
  )
}

/** Tasks of several days may be the same ones: of them the most of a day is said. */
const sumOf = ({ name }: Chart, values: readonly number[]): number =>
  isSideBySide(name) ? Math.max(0, ...values) : values.reduce((sum, value) => sum + value, 0)

type ChartTableProps = {
  chart: Chart
  title: string
  seriesName: (key: string) => string
  labelOf: (label: string) => string
  format: (value: number) => string
}

/** The newest day first; days without anything are left out. */
function ChartTable({ chart: { by, labels, series }, title, seriesName, labelOf, format }: ChartTableProps) {
  const t = useTranslations('numbers')
  const places = labels.map((_, n) => n).filter((n) => series.some(({ values }) => (values[n] ?? 0) > 0))
  const rows = by === 'day' ? places.reverse() : places
  const cell = 'border-b border-line px-2 py-1 text-right tabular-nums'
  return (
    <div className="h-40 overflow-y-auto">
      <table aria-label={title} className="w-full border-collapse text-table">
        <thead className="sticky top-0 bg-s2 text-meta text-t3">
          <tr>
            <th scope="col" className="border-b border-line px-2 py-1 text-left font-medium">
              {t(by === 'day' ? 'day' : 'within')}
            </th>
            {series.map(({ key }) => (
              <th key={key} scope="col" className={cx(cell, 'font-medium')}>
                {seriesName(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((n) => (
            <tr key={n}>
              <th scope="row" className="border-b border-line px-2 py-1 text-left font-normal">
                {labelOf(labels[n] ?? '')}
              </th>
              {series.map(({ key, values }) => (
                <td key={key} className={cell}>
                  {format(values[n] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
          {rows.length === 0 ? (
            <tr>
              <td colSpan={series.length + 1} className="px-2 py-3 text-t3">
                {t('nothing')}
              </td>
            </tr>
          ) : null}
        </tbody>
      </table>
    </div>
  )
}
