/** The links between screens: a rail at the left, five places at the lower edge below 768 px. */
import { Ellipsis, type LucideIcon } from 'lucide-react'
import { type ComponentProps, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link, pathTo, type ScreenName } from '@/client/nav'
import { cx } from '@/components/ui/cx'
import { Badge, type BadgeLook } from '@/components/ui/marks/Badges'
import { MoreSheet } from '../lazy'
import type { Counts } from '../useShellData'
import { badgeLook, behindMore, isThere, placeCount, placesSum, RAIL, type RailRow, usePlaceLook } from './railRows'

const PLACE = cx(
  'relative flex flex-col items-center justify-center gap-0.5 rounded-avatar text-rail text-t2',
  'hover:text-t1 max-md:h-14 max-md:min-w-0 max-md:grow max-md:basis-0',
)
const CURRENT = 'max-md:font-bold max-md:text-accent md:bg-sel md:font-medium md:text-t1'

type PlaceContentProps = { icon: LucideIcon; word: string; count: number | null; look: BadgeLook }

function PlaceContent({ icon: Icon, word, count, look }: PlaceContentProps) {
  return (
    <>
      <Icon aria-hidden className="size-5" />
      <span className="max-md:max-w-full max-md:overflow-x-clip max-md:whitespace-nowrap md:max-xl:sr-only">
        {word}
      </span>
      {count ? <Badge count={count} look={look} className="absolute top-1 left-1/2 ml-1 ring-2 ring-bg" /> : null}
    </>
  )
}

type RailLinkProps = { row: RailRow; screen: ScreenName | null; counts: Counts; isBehindMore: boolean }

function RailLink({ row, screen, counts, isBehindMore }: RailLinkProps) {
  const { icon, word, name } = usePlaceLook(row, counts)
  const isCurrent = isThere(row, screen)
  return (
    <Link
      href={pathTo(row.screen)}
      data-needs-me={row.screen === 'inbox' ? '' : undefined}
      aria-current={isCurrent ? 'page' : undefined}
      aria-label={name}
      title={word}
      className={cx(
        PLACE,
        'md:h-11 xl:h-[3.25rem]',
        isCurrent && CURRENT,
        row.isLast && 'md:mt-auto',
        isBehindMore && 'max-md:hidden',
      )}
    >
      <PlaceContent icon={icon} word={word} count={placeCount(row, counts)} look={badgeLook(row, counts)} />
    </Link>
  )
}

export type MoreProps = { rows: readonly RailRow[]; screen: ScreenName | null; counts: Counts }

/** The last place of the bar, for the others: marked while one of them is open. */
function MoreButton({ rows, screen, counts, ...rest }: ComponentProps<'button'> & MoreProps) {
  const t = useTranslations('shell')
  const count = placesSum(rows, counts)
  const isCurrent = rows.some((row) => isThere(row, screen))
  const pressing = rows.find((row) => placeCount(row, counts))
  return (
    <button
      {...rest}
      type="button"
      aria-current={isCurrent ? true : undefined}
      aria-label={count > 0 ? t('moreWaits', { count }) : t('more')}
      className={cx(PLACE, 'md:hidden', isCurrent && CURRENT)}
    >
      <PlaceContent
        icon={Ellipsis}
        word={t('more')}
        count={count}
        look={pressing ? badgeLook(pressing, counts) : 'soft'}
      />
    </button>
  )
}

type RailProps = {
  screen: ScreenName | null
  counts: Counts
  /** Sees all tasks. */
  isWatcher: boolean
}

export function Rail({ screen, counts, isWatcher }: RailProps) {
  const t = useTranslations('shell')
  const rows = RAIL.filter((row) => isWatcher || !row.isForWatchers)
  const more = behindMore(rows)
  const [isMoreOpen, setMoreOpen] = useState(false)
  const moreButton = useRef<HTMLButtonElement>(null)
  const moreProps: MoreProps = { rows: more, screen, counts }
  return (
    <nav
      data-pane="nav"
      tabIndex={-1}
      aria-label={t('main')}
      className={cx(
        'flex shrink-0 border-line bg-bg px-1 [anchor-name:--nav] max-md:overflow-x-clip pb-[env(safe-area-inset-bottom)]',
        'focus-visible:-outline-offset-2 max-md:border-t md:w-14 md:flex-col md:gap-0.5 md:overflow-y-auto',
        'md:border-r md:py-2 xl:w-[4.5rem] xl:px-1.5',
      )}
    >
      {rows.map((row) => (
        <RailLink key={row.screen} row={row} screen={screen} counts={counts} isBehindMore={more.includes(row)} />
      ))}
      {more.length > 0 ? (
        <MoreButton
          {...moreProps}
          ref={moreButton}
          aria-haspopup="dialog"
          aria-expanded={isMoreOpen}
          onClick={() => setMoreOpen(true)}
        />
      ) : null}
      {isMoreOpen ? (
        <MoreSheet {...moreProps} focusAfter={() => moreButton.current} onClose={() => setMoreOpen(false)} />
      ) : null}
    </nav>
  )
}
