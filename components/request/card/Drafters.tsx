/** Who else is writing here now. No lock: the first stored answer counts. */
import { useTranslations } from 'use-intl'
import { useDrafting } from '@/client'
import { Avatar } from '@/components/ui/marks/Avatar'
import { useNames } from '../useNames'

export function Drafters({ request }: { request: string }) {
  const t = useTranslations('request')
  const namesOf = useNames()
  const drafters = useDrafting(request)
  if (drafters.length === 0) return null
  return (
    <span className="ml-auto flex min-w-0 items-center gap-1.5 text-meta text-t2">
      {drafters.map(({ person, name }) => (
        <Avatar key={person} size={20} who={{ id: person, name, kind: 'human' }} />
      ))}
      {t('writing', { names: namesOf(drafters.map(({ name }) => name)), count: drafters.length })}
    </span>
  )
}
