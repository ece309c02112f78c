import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { FaultState, Loading } from '@/components/ui/States'
import { DataTable, type TableProps } from '@/components/ui/Table'
import type { DirectoryPage } from '@/lib/wire'
import { useDirectory } from './useDirectory'

type RecordTableProps<Row> = Pick<TableProps<Row>, 'label' | 'kind' | 'rows' | 'columns' | 'idOf' | 'stateOf'> & {
  total: number
  more: (() => void) | null
}

export function RecordTable<Row>({ more, ...table }: RecordTableProps<Row>) {
  const t = useTranslations('directory')
  return (
    <DataTable
      {...table}
      isFramed
      more={more && { label: t('more', { count: table.total - table.rows.length }), onPress: more }}
    />
  )
}

type RecordsProps<Row, Page> = {
  path: string
  idOf: (row: Row) => string
  table: (props: { page: Page; more: (() => void) | null }) => ReactNode
  empty: ReactNode
  loading?: ReactNode
  head?: (page: Page) => ReactNode
}

/** One list of the directory: loading, broken, empty, or its table. */
export function Records<Row, Page extends DirectoryPage<Row>>({
  path,
  idOf,
  table: Table,
  empty,
  loading = <Loading lines={6} />,
  head: Head,
}: RecordsProps<Row, Page>) {
  const t = useTranslations('directory')
  const { fault, page, more, retry } = useDirectory<Row, Page>(path, idOf)
  if (fault !== null) return <FaultState title={t('broken')} fault={fault} onRetry={retry} />
  if (page === null) return loading
  return (
    <>
      {Head === undefined ? null : <Head {...page} />}
      {page.rows.length > 0 ? <Table page={page} more={more} /> : empty}
    </>
  )
}
