/** For operators: who did what when and from where; filters in the address, pages, and all of it as a file. */
import { ListChecks } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useLanguage } from '@/client/account/language'
import { useRows } from '@/client/hooks'
import { pathTo, setSearch, useSearchParam } from '@/client/nav'
import { type Paging, useApiPages } from '@/client/queries'
import { HelpLink } from '@/components/help/HelpLink'
import { memberOptions, useTeam } from '@/components/operate/MemberDialogs'
import { Button } from '@/components/ui/Button'
import { OptionalSelect } from '@/components/ui/fields/Choice'
import { TextField } from '@/components/ui/fields/TextField'
import { TimeText, useTimeStyle } from '@/components/ui/marks/Time'
import { ServerDownload } from '@/components/ui/ServerDownload'
import { EmptyState, FaultState, Skeleton } from '@/components/ui/States'
import { DataTable, RowLink } from '@/components/ui/Table'
import { startOfDay } from '@/lib/format'
import { browserIn } from '@/lib/format/browserIn'
import type { AuditPage, AuditRow } from '@/lib/wire'
import { ACT_KINDS, type ActKind } from '@/lib/wire/acts'

const PAGING: Paging<AuditPage> = {
  cursor: 'after',
  next: ({ next }) => next,
  append: (held, { rows, next }) => ({ rows: [...held.rows, ...rows], next }),
}
const FILTERS = ['who', 'act', 'task', 'from', 'to'] as const
const NO_FILTERS: Readonly<Record<string, null>> = Object.fromEntries(FILTERS.map((name) => [name, null]))

export function AuditPart() {
  const t = useTranslations('audit')
  const { path, isFiltered, isPossible, fields } = useFilters()
  const { data, error, isFetching, more, refetch } = useApiPages(isPossible ? path : null, PAGING)
  const clear = isFiltered ? <Button onClick={() => setSearch(NO_FILTERS)}>{t('clear')}</Button> : null
  return (
    <section aria-label={t('list')}>
      <p className="text-meta text-t3">{t('why')}</p>
      {fields}
      <div className="mt-3 flex flex-wrap items-center gap-2">
        {clear}
        <span className="grow" />
        <Button look="quiet" isDisabled={isFetching || !isPossible} onClick={refetch}>
          {t('refresh')}
        </Button>
        {(isPossible ? (['csv', 'json'] as const) : []).map((format) => (
          <ServerDownload
            key={format}
            href={`${path}&format=${format}`}
            aria-label={t(format === 'csv' ? 'downloadCsv' : 'downloadJson')}
          >
            {t(format)}
          </ServerDownload>
        ))}
      </div>
      <div className="mt-4" aria-busy={isFetching}>
        {!isPossible ? null : data === undefined ? (
          error === null ? (
            <Skeleton lines={8} />
          ) : (
            <FaultState title={t('failed')} fault={error} onRetry={refetch} />
          )
        ) : (
          <>
            {data.rows.length === 0 ? (
              <Nothing isFiltered={isFiltered} isOver={data.next === null} />
            ) : (
              <Rows rows={data.rows} />
            )}
            {error !== null ? (
              <FaultState title={t('failed')} fault={error} onRetry={more ?? refetch} />
            ) : more === null ? null : (
              <Button className="mt-3" isDisabled={isFetching} onClick={more}>
                {t(data.rows.length === 0 ? 'furtherBack' : 'more')}
              </Button>
            )}
          </>
        )}
      </div>
      <p role="status" className="sr-only">
        {data === undefined || isFetching ? '' : t('count', { count: data.rows.length })}
      </p>
    </section>
  )
}

function Nothing({ isFiltered, isOver }: { isFiltered: boolean; isOver: boolean }) {
  const t = useTranslations('audit')
  const [title, why] = !isOver
    ? (['notSoFar', 'notSoFarWhy'] as const)
    : isFiltered
      ? (['noFit', 'noFitWhy'] as const)
      : (['nothing', 'nothingWhy'] as const)
  return (
    <EmptyState isInColumn title={t(title)} icon={<ListChecks />} action={<HelpLink part="docs" />}>
      {t(why)}
    </EmptyState>
  )
}

/** path: what is asked for; isPossible: false: the days exclude each other */
function useFilters() {
  const t = useTranslations('audit')
  const language = useLanguage()
  const how = useTimeStyle()
  const zone = how.style === 'utc' ? 'UTC' : how.zone
  const [who, act, task] = [useSearchParam('who'), useSearchParam('act'), useSearchParam('task')]
  const [from, to] = [useSearchParam('from') ?? '', useSearchParam('to') ?? '']
  const kind = ACT_KINDS.find((one) => one === act) ?? null
  const people = useTeam().filter((one) => one.kind === 'human')
  const tasks = useRows('overview').map((row) => ({ value: row.task as string, label: row.name }))
  const [begins, ends] = [startOfDay(from, zone), startOfDay(to, zone, 1)]
  const isPossible = begins === null || ends === null || begins < ends
  const wish = Object.entries({ who, act: kind, task, from: begins, to: ends })
  const asked = wish.flatMap(([name, one]) => (one === null ? [] : [[name, `${one}`] as [string, string]]))
  const path = `/api/audit?${new URLSearchParams([['language', language === 'zh' ? 'zh' : 'en'], ...asked])}`
  const put = (name: (typeof FILTERS)[number]) => (one: string | null) => setSearch({ [name]: one === '' ? null : one })
  const fields = (
    <search aria-label={t('filters')} className="mt-3 grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-3">
      <OptionalSelect
        label={t('who')}
        none={t('everybody')}
        value={who}
        onChange={put('who')}
        options={withChosen(memberOptions(people.map((one) => ({ ...one, id: one.id as string }))), who)}
      />
      <OptionalSelect<ActKind>
        label={t('act')}
        none={t('allActs')}
        value={kind}
        onChange={put('act')}
        options={ACT_KINDS.map((one) => ({ value: one, label: t(`acts.${one}`) }))}
      />
      <OptionalSelect
        label={t('task')}
        none={t('allTasks')}
        value={task}
        onChange={put('task')}
        options={withChosen(tasks, task)}
      />
      <TextField
        type="date"
        label={t('from')}
        value={from}
        max={to}
        onChange={({ target }) => put('from')(target.value)}
      />
      <TextField
        type="date"
        label={t('to')}
        value={to}
        min={from}
        error={isPossible ? null : t('daysWrong')}
        onChange={({ target }) => put('to')(target.value)}
      />
    </search>
  )
  return { path, isFiltered: asked.length > 0, isPossible, fields }
}

/** What the address names may be of somebody who left, or of an archived task. */
const withChosen = (options: readonly { value: string; label: string }[], chosen: string | null) =>
  chosen === null || options.some(({ value }) => value === chosen)
    ? options
    : [...options, { value: chosen, label: chosen }]

function Rows({ rows }: { rows: readonly AuditRow[] }) {
  const t = useTranslations('audit')
  return (
    <DataTable<AuditRow, 'what' | 'who' | 'task' | 'where' | 'when'>
      label={t('list')}
      kind="act"
      rows={rows}
      isFramed
      headOf={(name) => t(name)}
      idOf={({ seq }) => `${seq}`}
      stateOf={({ kind }) => kind}
      columns={{
        what: { className: 'w-[38%] whitespace-normal!', cell: (row) => <What row={row} /> },
        who: { className: 'w-[14%]', cell: ({ who }) => <Cut>{who.name}</Cut> },
        task: { className: 'w-[18%]', cell: ({ task }) => (task === null ? '—' : <Cut>{task.name}</Cut>) },
        where: { className: 'w-[18%]', cell: ({ session }) => <Where session={session} /> },
        when: { cell: ({ at }) => <TimeText at={at} isClock /> },
      }}
      card={(row) => (
        <>
          <What row={row} />
          <p className="mt-1 break-words text-table text-t2">
            {row.who.name}
            {row.task === null ? null : ` · ${row.task.name}`}
          </p>
          <div className="mt-1 flex flex-wrap gap-x-3 text-meta text-t3">
            <TimeText at={row.at} isClock />
            <Where session={row.session} />
          </div>
        </>
      )}
    />
  )
}

function What({ row: { what, task } }: { row: AuditRow }) {
  return task === null || task.name === '' ? (
    <span className="break-words font-medium">{what}</span>
  ) : (
    <RowLink href={pathTo('task', { taskId: task.id })}>
      <span className="break-words whitespace-normal">{what}</span>
    </RowLink>
  )
}

const Cut = ({ children }: { children: string }) => (
  <span className="cut block" title={children}>
    {children}
  </span>
)

/** Browser and address of the session. */
function Where({ session }: Pick<AuditRow, 'session'>) {
  const t = useTranslations('audit')
  const token = session?.token ?? null
  const browser = token === null ? browserIn(session?.browser ?? null) : t('token', { name: token })
  const address = session?.address ?? null
  if (browser === null && address === null) return <span title={t('notKnown')}>{t('unknown')}</span>
  return (
    <span className="block min-w-0" title={session?.browser ?? undefined}>
      <span className="cut block">{browser ?? t('unknown')}</span>
      <span data-literal className="cut block font-mono text-meta text-t3">
        {address ?? t('unknown')}
      </span>
    </span>
  )
}
