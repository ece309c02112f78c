/** A dead step is never approved; what it would have run can still be run by whoever may. */
import { useTranslations } from 'use-intl'
import { RunByHandLink } from '@/components/tools/RunByHandLink'
import type { RequestRecord } from '@/lib/mas/records'

export function ByHandInstead({
  id,
  call: { server, tool },
  isEdited,
}: {
  id: RequestRecord['id']
  call: NonNullable<RequestRecord['call']>
  isEdited: boolean
}) {
  const t = useTranslations('tools')
  return (
    <div className="mt-2">
      <RunByHandLink server={server} tool={tool} like={{ request: id, isEdited }} label={t('byHandThese')} />
    </div>
  )
}
