import { Check, CircleX, Hourglass } from 'lucide-react'
import { memo } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import type { Who } from '@/lib/wire/rows'
import type { TreeFilter } from './model/treeFilter'
import { TreeFilters } from './TreeFilters'
import type { TreeJumps } from './useTreeJumps'

/** Beside the filters, if the inspector takes the space, the icon is alone. */
const BESIDE_FILTERS = '@min-[481px]/tree:@max-[50rem]/tree:sr-only'

export const JumpButtons = memo(function JumpButtons({ jump }: Pick<TreeJumps, 'jump'>) {
  const t = useTranslations('tree')
  return (
    <>
      <Button look="quiet" icon={<CircleX aria-hidden />} title={t('nextError')} onClick={() => jump('error', 1)}>
        <span className={BESIDE_FILTERS}>{t('nextError')}</span>
      </Button>
      <Button look="quiet" icon={<Hourglass aria-hidden />} title={t('nextWait')} onClick={() => jump('wait', 1)}>
        <span className={BESIDE_FILTERS}>{t('nextWait')}</span>
      </Button>
    </>
  )
})

/** It takes what it shows as props, not the tree, so that running steps do not render it; a new line renders the count. */
export const TreeToolbar = memo(function TreeToolbar({
  members,
  count,
  filter,
  isFollowing,
  setFollowing,
  jump,
}: TreeJumps & {
  members: readonly Who[]
  /** Of all lines. */
  count: number
  filter: TreeFilter
}) {
  const t = useTranslations('tree')
  return (
    <div
      role="toolbar"
      aria-label={t('tools')}
      className={cx(
        'flex shrink-0 flex-wrap items-center justify-end gap-x-1 py-1 px-5 @max-[480px]/tree:justify-between',
        '@max-[480px]/tree:gap-x-0 @max-[480px]/tree:px-3',
        '@max-[480px]/tree:[&>button]:px-1',
      )}
    >
      <TreeFilters filter={filter} members={members} />
      <span className="grow pl-2 text-meta text-t3 @max-[900px]/tree:hidden">{t('rows', { count })}</span>
      <JumpButtons jump={jump} />
      <Button
        look="quiet"
        aria-pressed={isFollowing}
        icon={
          <span
            aria-hidden
            className={cx(
              'grid size-4 place-items-center rounded-control border',
              isFollowing ? 'border-accent bg-accent text-on-accent' : 'border-line-strong bg-s2',
            )}
          >
            {isFollowing ? <Check className="size-3 stroke-3" /> : null}
          </span>
        }
        onClick={() => setFollowing(!isFollowing)}
      >
        {t('followLive')}
      </Button>
    </div>
  )
})
