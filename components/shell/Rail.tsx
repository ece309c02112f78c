/**
 * The links between screens: a rail at the left, tabs at the lower edge below 768 px.
 *
 * Owns: their look, the count on Inbox and its words. Not here: which links there are (screens.ts).
 */
import { useTranslations } from 'use-intl'
import { Link, type ScreenName } from '@/client/nav'
import { Badge } from '@/components/ui/Badges'
import { cx } from '@/components/ui/cx'
import { RAIL, type RailRow } from './screens'
import type { Counts } from './useShellData'

function countOf(row: RailRow, counts: Counts): number | null {
  switch (row.screen) {
    case 'inbox':
      return counts.needsMe
    case 'waits':
      return counts.blockedWaits
    case 'direct':
      return counts.unreadDirect
    default:
      return null
  }
}

function RailLink({ row, isCurrent, counts }: { row: RailRow; isCurrent: boolean; counts: Counts }) {
  const t = useTranslations('shell')
  const Icon = row.icon
  const count = countOf(row, counts)
  const word = t(row.word)
  const name =
    row.screen === 'inbox' && count !== null
      ? t('inboxNeeds', { count })
      : row.screen === 'waits' && count
        ? t('waitsBlocked', { count })
        : row.screen === 'direct' && count
          ? t('directUnread', { count })
          : word
  return (
    <Link
      href={row.href}
      data-needs-me={row.screen === 'inbox' ? '' : undefined}
      aria-current={isCurrent ? 'page' : undefined}
      aria-label={name}
      title={word}
      className={cx(
        'relative flex flex-col items-center justify-center gap-0.5 rounded-avatar text-rail text-t2 max-md:h-14 max-md:min-w-0 max-md:grow max-md:basis-0',
        'md:h-11 xl:h-[3.25rem] hover:text-t1',
        isCurrent && 'max-md:font-bold max-md:text-accent md:bg-sel md:font-medium md:text-t1',
        row.isLast && 'md:mt-auto',
      )}
    >
      <Icon aria-hidden className="size-5" />
      <span className="max-md:max-w-full max-md:overflow-x-clip max-md:whitespace-nowrap md:max-xl:sr-only">
        {word}
      </span>
      {count ? (
        <Badge
          count={count}
          look={
            row.screen === 'waits'
              ? 'blocked'
              : row.screen === 'direct'
                ? 'soft'
                : counts.urgentUnacknowledged > 0
                  ? 'urgent'
                  : 'accent'
          }
          className="absolute top-1 left-1/2 ml-1 ring-2 ring-bg"
        />
      ) : null}
    </Link>
  )
}

export function Rail({
  screen,
  counts,
  isWatcher,
}: {
  screen: ScreenName | null
  counts: Counts
  /** Sees all tasks. */
  isWatcher: boolean
}) {
  const t = useTranslations('shell')
  return (
    <nav
      data-pane="nav"
      tabIndex={-1}
      aria-label={t('main')}
      className="flex shrink-0 border-line bg-bg px-1 max-md:overflow-x-clip pb-[env(safe-area-inset-bottom)] focus-visible:-outline-offset-2 max-md:border-t md:w-14 md:flex-col md:gap-0.5 md:overflow-y-auto md:border-r md:py-2 xl:w-[4.5rem] xl:px-1.5"
    >
      {RAIL.filter((row) => isWatcher || !row.isForWatchers).map((row) => (
        <RailLink
          key={row.screen}
          row={row}
          isCurrent={screen !== null && row.holds.includes(screen)}
          counts={counts}
        />
      ))}
    </nav>
  )
}
