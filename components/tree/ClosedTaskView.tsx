/** A view of a task that is closed to this person: not allowed, gone, or broken. */
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { buttonClass } from '@/components/ui/Button'
import { ErrorState } from '@/components/ui/States'
import type { ClosedReason } from '@/lib/wire/views'

/** broken: the title where no other reason is known */
export function ClosedTaskView({ reason, broken }: { reason: ClosedReason | null; broken: string }) {
  const t = useTranslations('tree')
  const toTasks = (
    <Link href={pathTo('tasks')} className={buttonClass('plain')}>
      {t('toTasks')}
    </Link>
  )
  const [title, why] =
    reason === 'not-allowed'
      ? [t('notAllowed'), t('notAllowedWhy')]
      : reason === 'not-found' || reason === 'erased'
        ? [t('notFound'), t('notFoundWhy')]
        : [broken, t('brokenWhy')]
  return (
    <ErrorState title={title} action={toTasks}>
      {why}
    </ErrorState>
  )
}
