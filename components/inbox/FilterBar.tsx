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
import { Checkbox, OptionalSelect } from '@/components/ui/fields/Choice'
import { TextField } from '@/components/ui/fields/TextField'
import { showToast } from '@/components/ui/overlays/toast'
import { EmptyState } from '@/components/ui/States'
import { useSaveSettings } from '@/components/ui/useSaveSettings'
import type { InboxView } from '@/lib/wire'
import { INBOX_KINDS, type InboxFilter, type InboxKind, MOST_VIEWS, VIEW_NAME_LENGTH } from '@/lib/wire/inboxFilter'
import { filterHref, filterParams, isFiltered, kindOfRow } from './rowFilter'
import { type OpenRow, rowSender, rowTask } from './rows'

const isSameFilter = (a: InboxFilter, b: InboxFilter): boolean => filterHref(a) === filterHref(b)

type FilterChoice = { value: string; label: string }

/** What there is to choose from: each task, asker and kind of these rows once, in their order. */
export function filterChoices(rows: readonly OpenRow[]): {
  tasks: FilterChoice[]
  askers: FilterChoice[]
  kinds: InboxKind[]
} {
  const unique = (choices: FilterChoice[]): FilterChoice[] => [
    ...new Map(choices.map((choice) => [choice.value, choice])).values(),
  ]
  const kinds = new Set(rows.map(kindOfRow))
  return {
    tasks: unique(rows.map((row) => ({ value: rowTask(row), label: row.taskName }))),
    askers: unique(rows.map((row) => ({ value: rowSender(row).id, label: rowSender(row).name }))),
    kinds: INBOX_KINDS.filter((kind) => kinds.has(kind)),
  }
}

type FilterBarProps = { rows: readonly OpenRow[]; filter: InboxFilter; isEmpty: boolean; isOpen: boolean }

/** rows: all that need the reader; isEmpty: none of them passes; isOpen: the filters are shown, not only the saved views */
export default function FilterBar({ rows, filter, isEmpty, isOpen }: FilterBarProps) {
  const t = useTranslations('triage')
  const tasks = useRows('overview')
  const [isNaming, setNaming] = useState(false)
  const { views, keep } = useViews()
  const choices = filterChoices(rows)
  const change = (next: { [Name in keyof InboxFilter]?: InboxFilter[Name] | undefined }): void =>
    setSearch(filterParams({ ...filter, ...next }), { replace: true })
  const kinds = INBOX_KINDS.filter((kind) => choices.kinds.includes(kind) || kind === filter.kind)
  return (
    <search aria-label={t('filters')} className="mt-4 flex flex-col gap-2">
      <Views views={views} filter={filter} onKeep={keep} />
      {isOpen ? (
        <div className="flex flex-wrap items-center gap-2">
          <OptionalSelect
            label={t('task')}
            isLabelHidden
            className="w-44 max-md:w-36"
            none={t('anyTask')}
            value={filter.task ?? null}
            options={withChosen(choices.tasks, filter.task, tasks.find(({ task }) => task === filter.task)?.name).map(
              ({ value, label }) => ({ value, label: taskTitle(label) }),
            )}
            onChange={(task) => change({ task: task ?? undefined })}
          />
          <OptionalSelect
            label={t('asker')}
            isLabelHidden
            className="w-36"
            none={t('anyAsker')}
            value={filter.from ?? null}
            options={withChosen(choices.askers, filter.from)}
            onChange={(from) => change({ from: from ?? undefined })}
          />
          <OptionalSelect
            label={t('kind')}
            isLabelHidden
            className="w-36"
            none={t('anyKind')}
            value={filter.kind ?? null}
            options={kinds.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) }))}
            onChange={(kind) => change({ kind: kind ?? undefined })}
          />
          <Checkbox
            label={t('snoozedOnly')}
            isChecked={filter.snoozed === true}
            onChange={(isOn) => change({ snoozed: isOn ? true : undefined })}
          />
          {isFiltered(filter) && !isEmpty ? <ClearButton /> : null}
          {isFiltered(filter) && !views.some((view) => isSameFilter(view.filter, filter)) ? (
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
      ) : isFiltered(filter) && !isEmpty ? (
        <p className="flex items-center gap-1 text-table text-t2">
          {t('filtered')} <ClearButton />
        </p>
      ) : null}
      {isOpen && isNaming ? (
        <NameView
          onName={(name) => {
            setNaming(false)
            keep([...views.filter((view) => view.name !== name), { name, filter }], t('didSaveView', { name }))
          }}
        />
      ) : null}
      {isEmpty && isFiltered(filter) ? (
        <EmptyState
          isInColumn
          title={t('noneFit')}
          action={<Button onClick={() => setSearch(filterParams({}), { replace: true })}>{t('clear')}</Button>}
        >
          {t('noneFitWhy')}
        </EmptyState>
      ) : null}
    </search>
  )
}

function ClearButton() {
  const t = useTranslations('triage')
  return (
    <Button look="quiet" onClick={() => setSearch(filterParams({}), { replace: true })}>
      {t('clear')}
    </Button>
  )
}

/** The chosen one stays a choice when no row of it is left. */
const withChosen = (choices: readonly FilterChoice[], chosen: string | undefined, name = '—'): FilterChoice[] =>
  chosen === undefined || choices.some(({ value }) => value === chosen)
    ? [...choices]
    : [...choices, { value: chosen, label: name }]

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
  onKeep: (views: InboxView[], done: string) => void
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
            onClick={() =>
              onKeep(
                views.filter((one) => one !== view),
                t('didRemoveView', { name: view.name }),
              )
            }
          />
        </li>
      ))}
    </ul>
  )
}

/** out: the member's views; keep: stores others in their place, with a toast that takes it back */
function useViews(): { views: readonly InboxView[]; keep: (views: InboxView[], done: string) => void } {
  const t = useTranslations()
  const views = useMe()?.settings.views ?? []
  const save = useSaveSettings()
  const put = (next: readonly InboxView[]): Promise<boolean> => save({ views: [...next] })
  return {
    views,
    keep: (next, done) =>
      void put(next).then((isKept) => {
        if (!isKept) return
        showToast('done', done, { actions: [{ label: t('common.undo'), onPress: () => void put(views) }] })
      }),
  }
}
