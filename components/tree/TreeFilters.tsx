/** The filters above a tree: words, a state, a member; kept in the address. */
import { SlidersHorizontal } from 'lucide-react'
import { memo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { setSearch } from '@/client/nav'
import { Button, IconButton } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { FilterBox, FilterSelect } from '@/components/ui/fields/FilterBox'
import type { Who } from '@/lib/wire/rows'
import { FILTER_STATES, isFilter, type TreeFilter } from './model/treeFilter'

type TreeFiltersProps = { filter: TreeFilter; members: readonly Who[] }

export const TreeFilters = memo(function TreeFilters({ filter, members }: TreeFiltersProps) {
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
