import { useTranslations } from 'use-intl'
import * as z from 'zod/mini'
import { ChangesList } from '@/components/setup/ChangesList'
import type { SetupShown } from '@/lib/wire'

const Named = z.object({ name: z.string() })

/** The name that the last change took away. */
const nameOf = ({ id, changes }: SetupShown<'people'>): string =>
  Named.safeParse(changes.findLast(({ before }) => before !== null)?.before).data?.name ?? id

type RemovedPeopleProps = { records: readonly SetupShown<'people'>[]; onUndone: () => void }

export function RemovedPeople({ records, onUndone }: RemovedPeopleProps) {
  const t = useTranslations('people')
  const removed = records.filter(({ value, changes }) => value === null && changes.length > 0)
  if (removed.length === 0) return null
  const label = t('removedPeople', { count: removed.length })
  return (
    <details className="mt-6">
      <summary className="text-table text-t2">{label}</summary>
      <ul aria-label={label}>
        {removed.map((record) => (
          <li key={record.id} className="py-2">
            <p className="mb-1 text-table font-medium">{nameOf(record)}</p>
            <ChangesList kind="human" record={record} value={null} onUndone={onUndone} />
          </li>
        ))}
      </ul>
    </details>
  )
}
