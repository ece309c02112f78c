import { Link } from '@/client/nav'
import { Avatar, AvatarRow } from '@/components/ui/marks/Avatar'
import type { Identity } from '@/components/ui/marks/identity'
import { Dash } from '@/components/ui/marks/WaitLine'
import type { Who } from '@/lib/wire'

/** Who waits: the row's link. */
export const WaiterCell = ({ who, href }: { who: Identity; href: string }) => (
  <span className="flex min-w-0 items-center gap-2">
    <Avatar who={who} size={24} />
    <Link data-row href={href} className="cut relative font-medium hover:underline">
      {who.name}
    </Link>
  </span>
)

/** For whom; names: all of them; children: those that are shown. */
export const AwaitedCell = ({
  people,
  names,
  children,
}: {
  people: readonly Who[]
  names: string
  children: string
}) => (
  <span className="flex min-w-0 items-center gap-2">
    <Dash className="w-6 shrink-0" />
    <AvatarRow people={people} size={24} max={3} />
    <span className="cut" title={names}>
      {children}
    </span>
  </span>
)
