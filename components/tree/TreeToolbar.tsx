import { Check, SlidersHorizontal } from 'lucide-react'
import { memo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useActionLook } from '@/client/actions/actionLook'
import { setSearch } from '@/client/nav'
import { Button, IconButton } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { FilterBox, FilterSelect } from '@/components/ui/fields/FilterBox'
import type { Who } from '@/lib/wire/rows'
import { FILTER_STATES, isFilter, type TreeFilter } from './model/treeFilter'
import type { TreeJumps } from './useTreeJumps'

/** Beside the filters, if the inspector takes the space, the icon is alone. */
const BESIDE_FILTERS = '@min-[481px]/tree:@max-[50rem]/tree:sr-only'

export const JumpButtons = memo(function JumpButtons({ jump }: Pick<TreeJumps, 'jump'>) {
  return (
    <>
      <JumpButton action="nextError" onClick={() => jump('error', 1)} />
      <JumpButton action="nextWait" onClick={() => jump('wait', 1)} />
    </>
  )
})

function JumpButton({ action, onClick }: { action: 'nextError' | 'nextWait'; onClick: () => void }) {
  const { icon: Icon, label, shortcuts } = useActionLook()(action, 'tree')
  return (
    <Button
      look="quiet"
      icon={Icon && <Icon aria-hidden />}
      title={label}
      aria-keyshortcuts={shortcuts}
      onClick={onClick}
    >
      <span className={BESIDE_FILTERS}>{label}</span>
    </Button>
  )
}

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
  /** Of all lines, and of the steps that they stand for. */
  count: number
  filter: TreeFilter
}) {
  const t = useTranslations('tree')
  const follow = useActionLook()('follow', 'tree')
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
        aria-keyshortcuts={follow.shortcuts}
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
        {follow.label}
      </Button>
    </div>
  )
})

type TreeFiltersProps = { filter: TreeFilter; members: readonly Who[] }

/** Words, a state, a member; kept in the address. */
const TreeFilters = memo(function TreeFilters({ filter, members }: TreeFiltersProps) {
  const t = useTranslations()
  // On a phone they would take a third of the lines.
  const [isWanted, setWanted] = useState(false)
  const isShown = isWanted || isFilter(filter)
  return (
    <search className="mr-auto flex min-w-0 flex-wrap items-center gap-2">
      {isShown ? null : (
        <IconButton
          className="@min-[481px]/tree:hidden"
          icon={<SlidersHorizontal aria-hidden />}
          label={t('tree.filter')}
          onClick={() => setWanted(true)}
        />
      )}
      <span className={cx('contents', !isShown && '@max-[480px]/tree:hidden')}>
        <span className="w-48 max-w-full @max-[50rem]/tree:w-32 @max-[480px]/tree:grow">
          <FilterBox label={t('tree.filter')} />
        </span>
        <FilterSelect
          name="state"
          value={filter.state}
          label={t('tree.filterState')}
          className="w-32 @max-[50rem]/tree:w-28"
          none={t('tree.anyState')}
          options={FILTER_STATES.map((state) => ({ value: state, label: t(`state.${state}`) }))}
        />
        <FilterSelect
          name="agent"
          value={filter.agent}
          label={t('tree.filterMember')}
          className="w-36 @max-[50rem]/tree:w-28"
          none={t('tree.anyMember')}
          options={members.map((who) => ({ value: who.id, label: who.name }))}
        />
        {isFilter(filter) ? (
          <Button
            look="quiet"
            onClick={() => {
              setWanted(false)
              setSearch({ q: null, state: null, agent: null }, { replace: true })
            }}
          >
            {t('tree.clear')}
          </Button>
        ) : null}
      </span>
    </search>
  )
})
