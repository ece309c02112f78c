import { PenLine } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useHasDraft } from '@/client/drafts'

/** in: place: key of the draft: `task:<id>` */
export function DraftMark({ place }: { place: string }) {
  const t = useTranslations('common')
  if (!useHasDraft(place)) return null
  return (
    <span className="inline-flex shrink-0 items-center gap-1 text-meta font-normal text-t3">
      <PenLine className="size-3" />
      {t('draft')}
    </span>
  )
}
