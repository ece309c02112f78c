/** Filters of "Needs me" and the views that keep them under a name. A lazy file. */
import { X } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRows } from '@/client'
import { useMe } from '@/client/account/session'
import { Link, setSearch } from '@/client/nav'
import { taskTitle } from '@/client/readersWords'
import { Button, IconButton } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { Checkbox } from '@/components/ui/fields/Choice'
import { FilterSelect } from '@/components/ui/fields/FilterBox'
import { TextField } from '@/components/ui/fields/TextField'
import { showToast } from '@/components/ui/overlays/toast'
import { EmptyState } from '@/components/ui/States'
import { useSaveSettings } from '@/components/ui/useSaveSettings'
import type { InboxView } from '@/lib/wire'
import { INBOX_KINDS, type InboxFilter, MOST_VIEWS, VIEW_NAME_LENGTH } from '@/lib/wire/inboxFilter'
import { filterHref, filterParams, isFiltered, kindOfRow, withView } from './rowFilter'
import { type OpenRow, rowSender, rowTask } from './rows'

const isSameFilter = (a: InboxFilter, b: InboxFilter): boolean => filterHref(a) === filterHref(b)

type FilterChoice = { value: string; label: string }

/** What there is to choose from: each task, asker and kind of these rows once, in their order, and what the filter has chosen. */
export function filterChoices(rows: readonly OpenRow[], { task, from, kind }: InboxFilter = {}, taskName = '—') {
  const unique = (choices: FilterChoice[], chosen: string | undefined, label = '—'): FilterChoice[] => {
    const kept = new Map(choices.map((choice) => [choice.value, choice]))
    if (chosen !== undefined && !kept.has(chosen)) kept.set(chosen, { value: chosen, label })
    return [...kept.values()]
  }
  const kinds = new Set(rows.map(kindOfRow))
  return {
    tasks: unique(
      rows.map((row) => ({ value: rowTask(row), label: row.taskName })),
      task,
      taskName,
    ),
    askers: unique(
      rows.map((row) => ({ value: rowSender(row).id, label: rowSender(row).name })),
      from,
    ),
    kinds: INBOX_KINDS.filter((one) => kinds.has(one) || one === kind),
  }
}

type FilterBarProps = { rows: readonly OpenRow[]; filter: InboxFilter; isEmpty: boolean; isOpen: boolean }

/** rows: all that need the reader; isEmpty: none of them passes; isOpen: the filters are shown, not only the saved views */
export default function FilterBar({ rows, filter, isEmpty, isOpen }: FilterBarProps) {
  const t = useTranslations('triage')
  const chosenTask = useRows('overview').find(({ task }) => task === filter.task)
  const [isNaming, setNaming] = useState(false)
  const { views, keep } = useViews()
  const { tasks, askers, kinds } = filterChoices(rows, filter, chosenTask?.name)
  const isUsed = isFiltered(filter)
  const taskOptions = tasks.map(({ value, label }) => ({ value, label: taskTitle(label) }))
  const kindOptions = kinds.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) }))
  const selects = [
    { name: 'task', label: t('task'), none: t('anyTask'), options: taskOptions, className: 'w-44 max-md:w-36' },
    { name: 'from', label: t('asker'), none: t('anyAsker'), options: askers, className: 'w-36' },
    { name: 'kind', label: t('kind'), none: t('anyKind'), options: kindOptions, className: 'w-36' },
  ] as const
  return (
    <search aria-label={t('filters')} className="mt-4 flex flex-col gap-2">
      <Views views={views} filter={filter} onKeep={keep} />
      {isOpen ? (
        <div className="flex flex-wrap items-center gap-2">
          {selects.map(({ name, ...select }) => (
            <FilterSelect key={name} name={name} value={filter[name] ?? null} {...select} />
          ))}
          <Checkbox
            label={t('snoozedOnly')}
            isChecked={filter.snoozed === true}
            onChange={(isOn) => setSearch({ snoozed: isOn ? '1' : null }, { replace: true })}
          />
          {isUsed && !isEmpty ? <ClearButton look="quiet" /> : null}
          {isUsed && !views.some((view) => isSameFilter(view.filter, filter)) ? (
            <Button
              isDisabled={views.length >= MOST_VIEWS}
              reason={t('tooManyViews', { count: MOST_VIEWS })}
              aria-expanded={isNaming}
              onClick={() => setNaming(!isNaming)}
            >
              {t('saveView')}
            </Button>
          ) : null}
        </div>
      ) : isUsed && !isEmpty ? (
        <p className="flex items-center gap-1 text-table text-t2">
          {t('filtered')} <ClearButton look="quiet" />
        </p>
      ) : null}
      {isOpen && isNaming ? (
        <NameView
          onName={(name) => {
            setNaming(false)
            keep(name, filter, t('didSaveView', { name }))
          }}
        />
      ) : null}
      {isEmpty && isUsed ? (
        <EmptyState isInColumn title={t('noneFit')} action={<ClearButton />}>
          {t('noneFitWhy')}
        </EmptyState>
      ) : null}
    </search>
  )
}

function ClearButton({ look }: { look?: 'quiet' }) {
  const t = useTranslations('triage')
  return (
    <Button look={look} onClick={() => setSearch(filterParams({}), { replace: true })}>
      {t('clear')}
    </Button>
  )
}

function NameView({ onName }: { onName: (name: string) => void }) {
  const t = useTranslations('triage')
  const [name, setName] = useState('')
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '') onName(name.trim())
      }}
    >
      <TextField
        label={t('viewName')}
        value={name}
        maxLength={VIEW_NAME_LENGTH}
        autoFocus
        onChange={({ target }) => setName(target.value)}
      />
      <Button type="submit" isDisabled={name.trim() === ''} reason={t('viewNameFirst')}>
        {t('save')}
      </Button>
    </form>
  )
}

type ViewsProps = {
  views: readonly InboxView[]
  filter: InboxFilter
  onKeep: KeepView
}

function Views({ views, filter, onKeep }: ViewsProps) {
  const t = useTranslations('triage')
  if (views.length === 0) return null
  return (
    <ul aria-label={t('views')} className="flex flex-wrap gap-2">
      {views.map((view) => (
        <li
          key={view.name}
          className={cx(
            'flex items-center rounded-control border pl-2.5 text-table',
            isSameFilter(view.filter, filter) ? 'border-accent bg-accent-soft' : 'border-line bg-s2',
          )}
        >
          <Link
            href={filterHref(view.filter)}
            aria-current={isSameFilter(view.filter, filter) || undefined}
            className="hover:underline"
          >
            {view.name}
          </Link>
          <IconButton
            icon={<X />}
            label={t('removeView', { name: view.name })}
            onClick={() => onKeep(view.name, null, t('didRemoveView', { name: view.name }))}
          />
        </li>
      ))}
    </ul>
  )
}

/** Stores a view, or removes it (null), with a toast that takes it back. */
type KeepView = (name: string, filter: InboxFilter | null, done: string) => void

function useViews(): { views: readonly InboxView[]; keep: KeepView } {
  const t = useTranslations()
  const views = useMe()?.settings.views ?? []
  const save = useSaveSettings()
  const put = (...[name, filter, place]: [string, InboxFilter | null, number?]): Promise<boolean> =>
    save(({ views = [] }) => ({ views: withView(views, name, filter, place) }))
  return {
    views,
    keep: (name, filter, done) => {
      const place = views.findIndex((view) => view.name === name)
      const before = views[place]?.filter ?? null
      void put(name, filter).then((isKept) => {
        const undo = { label: t('common.undo'), onPress: () => void put(name, before, place) }
        if (isKept) showToast('done', done, { actions: [undo] })
      })
    },
  }
}
