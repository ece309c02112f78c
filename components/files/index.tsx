import { File, Folder, FolderOpen } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { setSearch, useSearchParam } from '@/client/nav'
import type { ScreenProps } from '@/client/nav/screenProps'
import { useApiQuery } from '@/client/queries'
import { HelpLink } from '@/components/help/HelpLink'
import { Button } from '@/components/ui/Button'
import { FilterBox } from '@/components/ui/fields/FilterBox'
import { TimeText } from '@/components/ui/marks/Time'
import { PageHeading } from '@/components/ui/PageHeading'
import { EmptyState, ErrorState, FaultState, Loading } from '@/components/ui/States'
import { type Column, DataTable, RowLink } from '@/components/ui/Table'
import { formatBytes } from '@/lib/format'
import type { FileEntry, FilesPage } from '@/lib/wire'
import { Breadcrumb } from './Breadcrumb'
import { ByLine } from './ByLine'
import { FilePage } from './FilePage'
import { nameOf } from './fileKinds'
import { fileHref, folderHref } from './places'

export default function FilesScreen({ params }: ScreenProps) {
  const folder = useSearchParam('folder') ?? ''
  const { path } = params
  return (
    <div data-scroll className="page-scroll pb-12">
      {path === undefined ? <FolderPage key={folder} folder={folder} /> : <FilePage key={path} path={path} />}
    </div>
  )
}

/** From the last letter of a search to the request. */
const PAUSE_MS = 200
const ORDERS = ['changed', 'name', 'size'] as const
type Order = (typeof ORDERS)[number]
const readOrder = (text: string | null): Order => ORDERS.find((order) => order === text) ?? 'changed'

const COMPARE: Record<Order, (a: FileEntry, b: FileEntry) => number> = {
  changed: (a, b) => b.changedAt - a.changedAt,
  name: (a, b) => nameOf(a.path).localeCompare(nameOf(b.path)),
  size: (a, b) => b.bytes - a.bytes,
}
const sorted = (entries: readonly FileEntry[], order: Order): FileEntry[] =>
  [...entries].sort((a, b) => Number(b.kind === 'folder') - Number(a.kind === 'folder') || COMPARE[order](a, b))

export function FolderPage({ folder }: { folder: string }) {
  const t = useTranslations('files')
  const title = folder === '' ? t('title') : nameOf(folder)
  const find = (useSearchParam('q') ?? '').trim()
  const { data, error, refetch } = useApiQuery<FilesPage>(
    `/api/files?${new URLSearchParams({ folder, ...(find === '' ? {} : { find }) })}`,
    { pauseMs: find === '' ? 0 : PAUSE_MS, keepsLast: true },
  )
  return (
    <>
      <div className="flex flex-col gap-0.5 px-5 pt-4 pb-3 max-md:px-4">
        {folder === '' ? null : <Breadcrumb to={folder} />}
        <PageHeading title={[title]} className="break-words">
          {title}
        </PageHeading>
        {folder === '' && data ? (
          <p className="text-table break-words text-t2">{t('about', { root: data.root })}</p>
        ) : null}
      </div>
      <search className="block w-70 max-w-full px-5 pb-3 max-md:w-full max-md:px-4">
        <FilterBox label={t('find')} />
      </search>
      {data ? (
        <Entries page={data} isFound={find !== ''} />
      ) : error === null ? (
        <Loading lines={8} />
      ) : error.error === 'NOT_FOUND' ? (
        <ErrorState title={t('folderGone')} onRetry={refetch}>
          {t('folderGoneWhy')}
        </ErrorState>
      ) : (
        <FaultState title={t('broken')} fault={error} onRetry={refetch} />
      )}
    </>
  )
}

/** isFound: by words, so that each is named by its path below the folder. */
function Entries({ page, isFound }: { page: FilesPage; isFound: boolean }) {
  const t = useTranslations('files')
  const order = readOrder(useSearchParam('sort'))
  const rows = sorted(page.entries, order)
  const sortBy = (name: Order): Column<FileEntry>['sort'] => ({
    direction: order !== name ? 'none' : name === 'name' ? 'ascending' : 'descending',
    onPress: () => setSearch({ sort: name === 'changed' ? null : name }, { replace: true }),
  })
  const nameIn = ({ path }: FileEntry): string =>
    isFound ? path.slice(page.folder === '' ? 0 : page.folder.length + 1) : nameOf(path)
  if (rows.length === 0 && isFound)
    return (
      <EmptyState
        title={t('notFound')}
        icon={<FolderOpen />}
        action={<Button onClick={() => setSearch({ q: null }, { replace: true })}>{t('showAll')}</Button>}
      >
        {t('notFoundWhy')}
      </EmptyState>
    )
  if (rows.length === 0) {
    return (
      <EmptyState title={t('empty')} icon={<FolderOpen />} action={<HelpLink part="start" />}>
        {t('emptyWhy')}
      </EmptyState>
    )
  }
  return (
    <>
      <DataTable
        label={t('list')}
        kind="file"
        rows={rows}
        columns={{
          name: { sort: sortBy('name'), cell: (entry) => <EntryName entry={entry} name={nameIn(entry)} /> },
          size: {
            className: 'w-28',
            sort: sortBy('size'),
            cell: ({ kind, bytes }) => (kind === 'file' ? formatBytes(bytes) : null),
          },
          by: { className: 'w-44 max-lg:hidden', cell: ({ by }) => (by === null ? null : <ByLine by={by} />) },
          changed: { className: 'w-40', sort: sortBy('changed'), cell: ({ changedAt }) => <TimeText at={changedAt} /> },
        }}
        headOf={(name) => t(name)}
        idOf={({ path }) => path}
        stateOf={({ kind }) => kind}
        total={rows.length + page.more}
        card={(entry) => <EntryCard entry={entry} name={nameIn(entry)} />}
      />
      {page.more > 0 ? (
        <p className="px-5 py-3 text-table text-t2 max-md:px-4">{t('more', { count: page.more })}</p>
      ) : null}
      {page.isWhole ? null : <p className="px-5 py-3 text-table text-t2 max-md:px-4">{t('notWhole')}</p>}
    </>
  )
}

type EntryProps = { entry: FileEntry; name: string }

function EntryName({ entry: { path, kind }, name }: EntryProps) {
  const Icon = kind === 'folder' ? Folder : File
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Icon aria-hidden className="size-4 shrink-0 text-t3" />
      <RowLink data-literal href={kind === 'folder' ? folderHref(path) : fileHref(path)}>
        {name}
      </RowLink>
    </span>
  )
}

function EntryCard({ entry, name }: EntryProps) {
  return (
    <div className="min-w-0">
      <EntryName entry={entry} name={name} />
      <p className="flex flex-wrap gap-x-2 pl-6 text-meta text-t3">
        {entry.kind === 'file' ? <span>{formatBytes(entry.bytes)}</span> : null}
        <TimeText at={entry.changedAt} />
        {entry.by === null ? null : <ByLine by={entry.by} />}
      </p>
    </div>
  )
}
