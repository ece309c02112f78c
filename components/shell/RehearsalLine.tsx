/**
 * Says that a built-in program plays the agents, while no model is set up. Inbox and Tasks draw it above their content.
 *
 * `children`: what can be done about it (the demo task's button).
 */
import { FlaskConical } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useTotals } from '@/client/hooks'

export function RehearsalLine({ children }: { children?: ReactNode }) {
  const t = useTranslations('shell')
  const isRehearsal = useTotals('me')?.rehearsal ?? false
  if (!isRehearsal) return null
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control border border-line bg-s2 px-3 py-2 text-table text-t2">
      <span className="flex min-w-0 grow items-center gap-2">
        <FlaskConical aria-hidden className="size-4 text-t3" />
        {t('rehearsal')}
      </span>
      {children}
    </div>
  )
}
