import { useTranslations } from 'use-intl'
import { useNow } from '@/client/clock'
import { useFetched } from '@/client/useFetched'
import { useKeptAnswer } from '@/components/ui/hooks/useKeptAnswer'
import { Sparkline } from '@/components/ui/marks/Sparkline'
import type { RecentActivity } from '@/lib/wire'

/** The steps that each task or member ended of late, as a picture for a line of a table; fetched every 15 s. */
export function useActivity(of: 'tasks' | 'members'): (id: string) => React.ReactNode {
  const t = useTranslations('numbers')
  const { answer } = useFetched<RecentActivity>(`/api/numbers/activity?of=${of}`, useNow('minutes'))
  const rows = useKeptAnswer(answer).value?.rows ?? {}
  return (id) => {
    const values = Object.hasOwn(rows, id) ? rows[id] : undefined
    const count = values?.reduce((sum, value) => sum + value, 0) ?? 0
    return <Sparkline values={values} label={t(of === 'tasks' ? 'activityOfTask' : 'activityOfMember', { count })} />
  }
}
