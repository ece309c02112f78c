import { useTranslations } from 'use-intl'
import { DataTable, type TableProps } from '@/components/ui/Table'

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
