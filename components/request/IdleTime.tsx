/** How long somebody has stood still for a question, and who with them: the dashed line at the foot of the urgent dialog. */
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Elapsed } from '@/components/ui/Time'
import { WaitLine } from '@/components/ui/WaitLine'
import type { RequestShown } from './shown'
import { useNames } from './useNames'

export function IdleTime({
  shown: { request, asker, holdsUp },
  className,
}: {
  shown: RequestShown
  className?: string
}) {
  const t = useTranslations('request')
  const names = useNames()
  if (request.lock === null) return null
  const who = asker.name
  const time = (): ReactNode => <Elapsed key="t" since={request.openedAt} />
  const others = names(holdsUp.agents.filter(({ id }) => id !== asker.id).map(({ name }) => name))
  return (
    <WaitLine reach="full" className={className}>
      {others === '' ? t.rich('stoodStill', { who, time }) : t.rich('stoodStillWith', { who, others, time })}
    </WaitLine>
  )
}
