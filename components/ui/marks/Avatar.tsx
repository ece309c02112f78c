import {
  BookOpen,
  Bot,
  ChartColumn,
  CodeXml,
  Compass,
  FilePenLine,
  FlaskConical,
  Globe,
  Layers,
  Palette,
  ShieldAlert,
  X,
} from 'lucide-react'
import { type ComponentType, type CSSProperties, memo, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { shallow } from 'zustand/shallow'
import { cx } from '../cx'
import { hueOf, type Identity, initials, type RoleIcon, roleIconOf } from './identity'

export type AvatarPresence = 'online' | 'away' | 'quiet'

const ICONS: Record<RoleIcon, typeof Bot> = {
  manager: Compass,
  code: CodeXml,
  test: FlaskConical,
  data: ChartColumn,
  read: BookOpen,
  write: FilePenLine,
  design: Palette,
  bot: Bot,
}

const SIZES = {
  20: { box: 'size-5 text-[.5625rem]', icon: 'size-[.8125rem]' },
  24: { box: 'size-6 text-[.625rem]', icon: 'size-[.9375rem]' },
  28: { box: 'size-7 text-[.6875rem]', icon: 'size-[1.0625rem]' },
} as const

const hueStyle = (who: Identity): CSSProperties => ({ ['--hue' as string]: hueOf(who) })

/** "Ana, person" or "Coder, agent": a name with its kind, in the reader's language. */
export function useKindName(): (who: Pick<Identity, 'name' | 'kind'>) => string {
  const t = useTranslations('kind')
  return ({ name, kind }) =>
    kind === 'system' ? name : t(kind === 'human' ? 'person' : kind === 'outside' ? 'outside' : 'agent', { name })
}

const PRESENCE: Record<AvatarPresence, string> = {
  online: 'bg-done',
  away: 'bg-s1 ring-[1.5px] ring-line-strong ring-inset',
  quiet: 'bg-stale',
}

type AvatarProps = {
  who: Identity
  size?: 20 | 24 | 28
  presence?: AvatarPresence
  isNamed?: boolean
  className?: string
}

/** A row that comes again brings an equal `who`. */
const isSameAvatar = ({ who, ...rest }: AvatarProps, { who: other, ...others }: AvatarProps): boolean =>
  shallow(who, other) && shallow(rest, others)

/** isNamed: with tooltip and accessible name; omitted if the name is beside it. */
export const Avatar = memo(function Avatar({ who, size = 28, presence, isNamed = false, className }: AvatarProps) {
  const t = useTranslations('presence')
  const nameOf = useKindName()
  const isPerson = who.kind === 'human'
  const Icon = who.kind === 'outside' ? Globe : who.kind === 'system' ? Layers : ICONS[roleIconOf(who)]
  const kindName = isNamed ? nameOf(who) : undefined
  const name = kindName && presence ? `${kindName}, ${t(presence)}` : kindName
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: it has a name only together with the role.
    <span
      role={isNamed ? 'img' : undefined}
      aria-label={name}
      aria-hidden={isNamed ? undefined : true}
      title={name}
      style={hueStyle(who)}
      className={cx(
        'relative inline-grid shrink-0 place-items-center leading-none font-bold',
        SIZES[size].box,
        isPerson ? 'hue-person rounded-person' : who.kind === 'system' ? 'bg-idle-b text-idle' : 'hue-agent',
        !isPerson && (size === 20 ? 'rounded-[5px]' : 'rounded-avatar'),
        who.kind === 'outside' && 'border border-dashed border-current',
        className,
      )}
    >
      {isPerson ? initials(who.name, size === 20) : <Icon aria-hidden className={SIZES[size].icon} />}
      {isPerson && presence ? (
        <span
          className={cx(
            'absolute -right-0.5 -bottom-0.5 size-2.5 rounded-person border-2 border-s1',
            PRESENCE[presence],
          )}
        />
      ) : null}
      {isPerson && who.access === 'operator' && size === 28 ? (
        <ShieldAlert className="absolute -top-1 -right-1 size-3 rounded-control bg-s1" />
      ) : null}
    </span>
  )
}, isSameAvatar)

type AvatarRowProps = {
  people: readonly Identity[]
  size?: 20 | 24 | 28
  max?: number
  /** LiveAvatar where presence matters. */
  Face?: ComponentType<{ who: Identity; size: 20 | 24 | 28; isNamed: boolean }>
}

/** Several avatars side by side without overlap; the rest as a number. */
export function AvatarRow({ people, size = 24, max = 5, Face = Avatar }: AvatarRowProps) {
  const shown = people.length > max ? people.slice(0, max - 1) : people
  return (
    <span className="inline-flex items-center gap-[3px]">
      {shown.map((who) => (
        <Face key={who.id} who={who} size={size} isNamed />
      ))}
      {people.length > shown.length ? <span className="text-meta text-t3">+{people.length - shown.length}</span> : null}
    </span>
  )
}

const CAPSULE = 'inline-flex h-5 max-w-full items-center gap-1 text-meta font-medium whitespace-nowrap'

type NameCapsuleProps = {
  /** Null: everyone in the task. */
  who: Identity | null
  isMe?: boolean
  /** A CapsuleRemoveButton. */
  removeButton?: ReactNode
}

/** A name in a bubble's head or the composer: round for people and for me, squared for agents, grey for everyone. */
export function NameCapsule({ who, isMe = false, removeButton }: NameCapsuleProps) {
  const t = useTranslations()
  const nameOf = useKindName()
  const isRound = isMe || who?.kind === 'human'
  return (
    <span
      title={who ? nameOf(who) : undefined}
      className={cx(
        CAPSULE,
        isRound ? 'rounded-person px-2' : 'rounded-control px-1.5',
        isMe
          ? 'bg-accent text-on-accent'
          : who === null
            ? 'bg-idle-b text-t2'
            : who.kind === 'human'
              ? 'bg-human-b text-human'
              : 'bg-agent-b text-agent',
        who?.kind === 'outside' && 'border border-dashed border-agent',
        removeButton ? 'touch:h-7' : null,
      )}
    >
      <span className="cut">
        {isMe ? t('kind.me') : who === null ? t('common.all') : who.kind === 'human' ? `@${who.name}` : who.name}
      </span>
      {removeButton}
    </span>
  )
}

export const CapsuleRemoveButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    onClick={onClick}
    className="relative after:absolute after:-inset-1.5"
  >
    <X className="size-3" />
  </button>
)
