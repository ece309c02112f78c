import { useTranslations } from 'use-intl'
import { useApiQuery } from '@/client/queries'
import { Sparkline } from '@/components/ui/marks/Sparkline'
import type { RecentActivity } from '@/lib/wire'
import { NUMBERS_EVERY_MS } from './range'

/** The steps that each task or member ended of late, as a picture for a line of a table. */
export function useActivity(of: 'tasks' | 'members'): (id: string) => React.ReactNode {
  const t = useTranslations('numbers')
  const { data } = useApiQuery<RecentActivity>(`/api/numbers/activity?of=${of}`, { everyMs: NUMBERS_EVERY_MS })
  const rows = data?.rows ?? {}
  return (id) => {
    const values = Object.hasOwn(rows, id) ? rows[id] : undefined
    const count = values?.reduce((sum, value) => sum + value, 0) ?? 0
    return <Sparkline values={values} label={t(of === 'tasks' ? 'activityOfTask' : 'activityOfMember', { count })} />
  }
}
