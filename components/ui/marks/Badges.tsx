import { Megaphone, Siren, SquareCheck, Stamp } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { MessageType, RequestType } from '@/lib/mas/records'
import { cx } from '../cx'

export type BadgeLook = 'accent' | 'urgent' | 'soft' | 'blocked'
const BADGE: Record<BadgeLook, string> = {
  accent: 'bg-accent text-on-accent',
  urgent: 'bg-urgent-fill text-on-urgent',
  soft: 'bg-idle-b text-t2',
  blocked: 'bg-blocked-b text-blocked',
}

/** A count. `urgent` is solid red: only while an Urgent is unacknowledged. The link's own name has the count as text. */
export function Badge({ count, look = 'accent', className }: { count: number; look?: BadgeLook; className?: string }) {
  return (
    <span
      aria-hidden
      className={cx(
        'grid h-[1.125rem] min-w-[1.125rem] place-items-center rounded-control px-1 text-rail font-bold',
        BADGE[look],
        className,
      )}
    >
      {count > 99 ? '99+' : count}
    </span>
  )
}

type AskType = MessageType | RequestType

const TYPES: Record<AskType, { icon: typeof Siren; look: string }> = {
  fyi: { icon: Megaphone, look: 'bg-fyi-b text-fyi' },
  action: { icon: SquareCheck, look: 'bg-action-b text-action' },
  urgent: { icon: Siren, look: 'bg-urgent-b text-urgent' },
  approval: { icon: Stamp, look: 'bg-accent-soft text-accent' },
}

export function TypeIcon({ type, className }: { type: AskType; className?: string }) {
  const { icon: Icon } = TYPES[type]
  return <Icon aria-hidden className={className} />
}

/** The type of a message or a request. `isOpen`: an Urgent that none of mine acknowledged yet; only then it is solid. */
export function TypeBadge({ type, isOpen = false }: { type: AskType; isOpen?: boolean }) {
  const t = useTranslations('type')
  return (
    <span
      className={cx(
        'inline-flex h-5 shrink-0 items-center gap-1 rounded-control border border-transparent px-1.5',
        'text-meta font-medium whitespace-nowrap',
        type === 'urgent' && isOpen ? 'bg-urgent-fill text-on-urgent' : TYPES[type].look,
      )}
    >
      <TypeIcon type={type} className="size-[.8125rem] stroke-2!" />
      {t(type)}
    </span>
  )
}

export const Kbd = ({ children }: { children: ReactNode }) => (
  <kbd className="inline-block rounded-control border border-line bg-s1 px-1 font-mono text-meta text-t2">
    {children}
  </kbd>
)
