import { useTranslations } from 'use-intl'
import { useSearchParam } from '@/client/nav'
import { ErrorState, Skeleton } from '@/components/ui/States'
import type { CheckpointShown, DirectoryPage } from '@/lib/wire'
import { CheckpointRows, idOfCheckpoint } from './CheckpointRows'
import { CheckpointDialog } from './CheckpointView'
import { useDirectory } from './useDirectory'

export function CheckpointsTab({ agent }: { agent: string }) {
  const t = useTranslations('directory')
  const { status, page, more, retry, why } = useDirectory<CheckpointShown, DirectoryPage<CheckpointShown>>(
    `/api/directory/checkpoints?agent=${encodeURIComponent(agent)}`,
    idOfCheckpoint,
  )
  const opened = useSearchParam('checkpoint')
  return (
    <>
      {status === 'broken' ? (
        <ErrorState title={t('broken')} onRetry={retry} details={why || undefined}>
          {t('brokenWhy')}
        </ErrorState>
      ) : page === null ? (
        <div aria-busy="true">
          <Skeleton lines={4} className="px-0!" />
        </div>
      ) : page.rows.length === 0 ? (
        <p className="text-table text-t3">{t('noneOfAgent')}</p>
      ) : (
        <CheckpointRows page={page} more={more} isOfOne />
      )}
      {opened === null ? null : <CheckpointDialog key={opened} id={opened} />}
    </>
  )
}
