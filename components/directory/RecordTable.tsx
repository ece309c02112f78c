import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { FaultState, Loading } from '@/components/ui/States'
import { DataTable, type TableProps } from '@/components/ui/Table'
import type { MessageCatalogue } from '@/lib/i18n/messages'
import type { DirectoryList, DirectoryPage } from '@/lib/wire'
import { type DirectoryRow, idOfRow } from './pages'
import { useDirectoryPages } from './useDirectoryPages'

type ColumnName = keyof MessageCatalogue['directory']['column'] | 'details'

/** in: more: shows the next page; null: there is none */
export type ListProps<Row> = { page: DirectoryPage<Row>; more: (() => void) | null }

type RecordTableProps<Row extends DirectoryRow, Name extends ColumnName> = ListProps<Row> &
  Pick<TableProps<Row, Name>, 'kind' | 'columns' | 'stateOf'> & { list: DirectoryList }

export function RecordTable<Row extends DirectoryRow, Name extends ColumnName>({
  list,
  page,
  more,
  ...table
}: RecordTableProps<Row, Name>) {
  const t = useTranslations('directory')
  const { rows, total } = page
  const headOf = (name: ColumnName): string => (name === 'details' ? t('peer.details') : t(`column.${name}`))
  return (
    <DataTable
      {...table}
      label={t(`list.${list}`)}
      rows={rows}
      total={total}
      isFramed
      idOf={idOfRow}
      headOf={headOf}
      more={more && { label: t('more', { count: total - rows.length }), onPress: more }}
    />
  )
}

type RecordsProps<Page> = {
  path: string
  table: (props: { page: Page; more: (() => void) | null }) => ReactNode
  empty: ReactNode
  loading?: ReactNode
  head?: (page: Page) => ReactNode
}

/** One list of the directory: loading, broken, empty, or its table. */
export function Records<Page extends DirectoryPage<DirectoryRow>>({
  path,
  table: Table,
  empty,
  loading = <Loading lines={6} />,
  head: Head,
}: RecordsProps<Page>) {
  const t = useTranslations('directory')
  const { data: page, error, more, refetch } = useDirectoryPages<Page>(path)
  if (page === undefined)
    return error === null ? loading : <FaultState title={t('broken')} fault={error} onRetry={refetch} />
  return (
    <>
      {Head === undefined ? null : <Head {...page} />}
      {page.rows.length > 0 ? <Table page={page} more={more} /> : empty}
    </>
  )
}
