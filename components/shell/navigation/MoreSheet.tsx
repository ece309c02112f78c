/** “More” of the bar on a phone: a sheet with the places that have no room in the bar. A lazy file. */
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { cx } from '@/components/ui/cx'
import { Badge } from '@/components/ui/marks/Badges'
import { Sheet } from '@/components/ui/overlays/Dialog'
import type { MoreProps } from './Rail'
import { badgeLook, isThere, placeCount, usePlaceLook } from './railRows'

type MoreSheetProps = MoreProps & { focusAfter: () => HTMLElement | null; onClose: () => void }

export default function MoreSheet({ rows, screen, counts, focusAfter, onClose }: MoreSheetProps) {
  const t = useTranslations('shell')
  return (
    <Sheet
      isOpen
      onOpenChange={onClose}
      title={t('more')}
      focusAfter={focusAfter}
      className="max-md:top-auto! max-md:rounded-t-dialog max-md:pb-[env(safe-area-inset-bottom)]"
    >
      <ul className="p-2">
        {rows.map((row) => (
          <li key={row.screen}>
            <PlaceLink row={row} screen={screen} counts={counts} onGo={onClose} />
          </li>
        ))}
      </ul>
    </Sheet>
  )
}

type PlaceLinkProps = {
  row: MoreProps['rows'][number]
  screen: MoreProps['screen']
  counts: MoreProps['counts']
  onGo: () => void
}

function PlaceLink({ row, screen, counts, onGo }: PlaceLinkProps) {
  const { icon: Icon, word, name } = usePlaceLook(row, counts)
  const count = placeCount(row, counts)
  const isCurrent = isThere(row, screen)
  return (
    <Link
      href={pathTo(row.screen)}
      aria-current={isCurrent ? 'page' : undefined}
      aria-label={name}
      onClick={onGo}
      className={cx(
        'flex min-h-12 items-center gap-3 rounded-card px-3 text-t1 hover:bg-hover',
        isCurrent && 'bg-sel font-bold',
      )}
    >
      <Icon aria-hidden className={cx('size-5', isCurrent ? 'text-accent' : 'text-t3')} />
      <span className="grow">{word}</span>
      {count ? <Badge count={count} look={badgeLook(row, counts)} /> : null}
    </Link>
  )
}
