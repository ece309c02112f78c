/** The screen /numbers: what the team did, used and waited for, as charts and tables; budgets. */
import { useMemo } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { useTotals } from '@/client'
import { useNow, zoneHere } from '@/client/clock'
import { setSearch, useSearchParam } from '@/client/nav'
import type { ScreenProps } from '@/client/nav/screenProps'
import { useApiQuery } from '@/client/queries'
import { taskTitle } from '@/client/readersWords'
import { Select } from '@/components/ui/fields/Choice'
import { FilterSelect } from '@/components/ui/fields/FilterBox'
import { useTimeStyle } from '@/components/ui/marks/Time'
import { PageHeading } from '@/components/ui/PageHeading'
import { FaultState, Loading } from '@/components/ui/States'
import { dayIn, formatCost, formatCount, formatDuration, formatTokens } from '@/lib/format'
import type { Numbers } from '@/lib/wire'
import { MemberNumbers, ModelNumbers, TaskNumbers, WaitNumbers } from './Breakdowns'
import { Budgets } from './Budgets'
import { ChartCard } from './ChartCard'
import { type Chart, chartsOf, firstTokenWithin, usdOf } from './charts'
import { daysOf, NUMBERS_EVERY_MS, numbersPath, RANGES, readRange } from './range'

export default function NumbersScreen({ person }: ScreenProps) {
  const t = useTranslations('numbers')
  const range = readRange(useSearchParam('days'))
  const filter = { task: useSearchParam('task'), agent: useSearchParam('agent'), model: useSearchParam('model') }
  const { style, zone: chosen } = useTimeStyle()
  const zone = style === 'utc' ? 'UTC' : (chosen ?? zoneHere())
  const today = dayIn(useNow('minutes'), zone)
  const days = useMemo(() => daysOf(today, range), [today, range])
  // What is counted comes with each step, and a view of its own would cost more than it tells.
  const { data, error, isFetching, refetch } = useApiQuery<Numbers>(numbersPath(days, zone, filter), {
    everyMs: NUMBERS_EVERY_MS,
    keepsLast: true,
  })
  const isFiltered = Object.values(filter).some((one) => one !== null)
  return (
    <div className="page-scroll px-5 pb-12 max-md:px-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pt-4 pb-3">
        <div className="min-w-0 grow">
          <PageHeading title={[t('title')]}>{t('title')}</PageHeading>
          {person.access === 'participant' ? <p className="text-table text-t2">{t('ofYourTasks')}</p> : null}
        </div>
        <Select
          label={t('range')}
          isLabelHidden
          className="w-36"
          value={range}
          options={RANGES.map((value) => ({ value, label: t('lastDays', { count: value }) }))}
          onChange={(next) => setSearch({ days: next === '30' ? null : next }, { replace: true })}
        />
      </div>
      {error !== null ? (
        <FaultState title={t('broken')} fault={error} onRetry={refetch} />
      ) : data === undefined ? (
        <Loading lines={8} />
      ) : (
        // The filters stay where they are while another choice loads.
        <div aria-busy={isFetching}>
          <Shown numbers={data} days={days} filter={filter} isFiltered={isFiltered} />
        </div>
      )}
      <div className="mt-8">
        <Budgets />
      </div>
    </div>
  )
}

type ShownProps = {
  numbers: Numbers
  days: readonly string[]
  filter: Record<'task' | 'agent' | 'model', string | null>
  isFiltered: boolean
}

function Shown({ numbers, days, filter, isFiltered }: ShownProps) {
  const t = useTranslations('numbers')
  const charts = useMemo(() => chartsOf(numbers, days), [numbers, days])
  const { counted, total, hoursFrom } = numbers
  return (
    <div className="flex flex-col gap-5">
      {counted.upTo < counted.head ? (
        <p role="status" className="rounded-card bg-waiting-b px-4 py-2 text-waiting">
          {t('recount', { percent: String(Math.floor((100 * counted.upTo) / Math.max(1, counted.head))) })}
        </p>
      ) : null}
      <Filters numbers={numbers} filter={filter} />
      <Tiles numbers={numbers} today={days.at(-1) ?? ''} isFiltered={isFiltered} />
      <div className="grid gap-4 @3xl/main:grid-cols-2 @3xl/main:[&>:last-child:nth-child(odd)]:col-span-2">
        {charts.map((chart) => (
          <ChartCard key={chart.name} chart={chart} note={noteOf(t, chart, numbers)} />
        ))}
      </div>
      {(days[0] ?? '') < hoursFrom ? <p className="text-meta text-t2">{t('utcBefore', { day: hoursFrom })}</p> : null}
      {total.estimatedCalls > 0 ? (
        <p className="text-meta text-t2">{t('estimated', { count: total.estimatedCalls })}</p>
      ) : null}
      <MemberNumbers numbers={numbers} />
      <ModelNumbers numbers={numbers} />
      <TaskNumbers numbers={numbers} />
      <WaitNumbers numbers={numbers} />
    </div>
  )
}

function noteOf(t: ReturnType<typeof useTranslations<'numbers'>>, { name }: Chart, { total }: Numbers): string | null {
  if (name === 'cost' && total.unpricedCalls > 0) return t('unpriced', { count: total.unpricedCalls })
  if (name === 'work') return t('mostOfADay')
  return null
}

/** What the page is narrowed to: any member, model or task that is in it. */
function Filters({ numbers, filter }: Pick<ShownProps, 'numbers' | 'filter'>) {
  const t = useTranslations('numbers')
  const options = {
    agent: numbers.members.map(({ id, name }) => ({ value: id, label: name || t('unknownMember') })),
    model: numbers.models.map(({ model }) => ({ value: model, label: model })),
    task: numbers.tasks.map(({ id, name }) => ({ value: id, label: name === '' ? t('unknownTask') : taskTitle(name) })),
  }
  return (
    <search className="flex flex-wrap gap-x-3 gap-y-2">
      {(['agent', 'model', 'task'] as const).map((name) => (
        <FilterSelect
          key={name}
          name={name}
          label={t(`filter.${name}`)}
          none={t(`all.${name}`)}
          className="w-44 max-md:w-36 max-md:grow"
          value={options[name].some(({ value }) => value === filter[name]) ? filter[name] : null}
          options={options[name]}
        />
      ))}
    </search>
  )
}

/** The team now and today, and the sums of the range. */
function Tiles({ numbers, today, isFiltered }: { numbers: Numbers; today: string; isFiltered: boolean }) {
  const t = useTranslations('numbers')
  const locale = useLocale()
  const totals = useTotals('overview')
  const { total, days, firstTokenBoundsMs } = numbers
  const ofToday = days.find(({ day }) => day === today)
  const half = firstTokenWithin(total, firstTokenBoundsMs, 0.5)
  const most = firstTokenWithin(total, firstTokenBoundsMs, 0.9)
  const within = (ms: number | null): string => (ms === null ? '—' : `≤ ${formatDuration(ms, locale)}`)
  return (
    <dl className="grid grid-cols-2 gap-3 @xl/main:grid-cols-3 @4xl/main:grid-cols-6">
      {isFiltered ? null : (
        <Tile name={t('tile.now')} value={formatCount(totals?.tasks ?? null)}>
          {totals ? t('tile.waiting', { count: totals.waiting }) : null}
        </Tile>
      )}
      <Tile name={t('tile.done')} value={formatCount(total.tasksFinished)}>
        {t('tile.today', { value: formatCount(ofToday?.tasksFinished ?? 0) })}
      </Tile>
      <Tile name={t('tile.cost')} value={formatCost(usdOf(total.nanoUsd))}>
        {t('tile.today', { value: formatCost(usdOf(ofToday?.nanoUsd ?? 0)) })}
      </Tile>
      <Tile name={t('tile.tokens')} value={formatTokens(total.promptTokens + total.completionTokens, locale)}>
        {t('tile.calls', { count: total.calls })}
      </Tile>
      <Tile name={t('tile.firstToken')} value={within(half)}>
        {t('tile.ofNine', { value: within(most) })}
      </Tile>
      <Tile name={t('tile.errors')} value={formatCount(total.failedSteps + total.failedCalls)}>
        {t('tile.ofSteps', { count: total.steps })}
      </Tile>
    </dl>
  )
}

const Tile = ({ name, value, children }: { name: string; value: string; children?: React.ReactNode }) => (
  <div className="rounded-card border border-line bg-s2 px-4 py-3">
    <dt className="text-meta text-t3">{name}</dt>
    <dd className="text-title font-bold tabular-nums">{value}</dd>
    <dd className="min-h-[1lh] text-meta text-t2">{children}</dd>
  </div>
)
