import { useTranslations } from 'use-intl'
import { pageClock } from '@/client/clock'
import { usePresence } from '@/client/hooks'
import type { PresenceState as KnownPresence, Quiet } from '@/lib/wire/views'
import { Avatar, type AvatarPresence } from './Avatar'
import { useClockText } from './Time'

/** The dot of somebody's presence; undefined: they are away from all pages. Do not disturb wins. */
export function presenceOf(known: KnownPresence | null): AvatarPresence | undefined {
  if (known === null) return undefined
  if (known.quiet !== null && isActive(known.quiet)) return 'quiet'
  return known.state === 'offline' ? undefined : known.state
}
const isActive = ({ until }: Quiet): boolean => until === null || until > pageClock.now()

/** Presence as text: "online", "away", "offline", "do not disturb until 15:00". */
export function usePresenceWord(): (known: KnownPresence | null) => string {
  const t = useTranslations('presence')
  const clock = useClockText()
  return (known) => {
    if (known?.quiet && isActive(known.quiet))
      return known.quiet.until === null ? t('quiet') : t('quietUntil', { clock: clock(known.quiet.until) })
    return t(known?.state ?? 'offline')
  }
}

/** “Do not disturb until 15:00”, while it is on. */
export function QuietNote({ person }: { person: string }) {
  const known = usePresence(person)
  const wordOf = usePresenceWord()
  return presenceOf(known) === 'quiet' ? <span className="block text-meta text-t3">{wordOf(known)}</span> : null
}

/** An avatar with its person's presence. */
export function LiveAvatar(props: Omit<Parameters<typeof Avatar>[0], 'presence'>) {
  const known = usePresence(props.who.kind === 'human' ? props.who.id : null)
  return <Avatar {...props} presence={presenceOf(known)} />
}
