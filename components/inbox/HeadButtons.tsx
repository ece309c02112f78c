import { ListChecks, ListFilter } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useNow } from '@/client/clock'
import { Link } from '@/client/nav'
import { Button, buttonClass, IconButton } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { useLazy } from '@/components/ui/lazyFile'
import type { AgentId } from '@/lib/mas/ids'
import { transferDialog } from './lazy'
import { filterHref } from './rowFilter'
import { type OpenRow, snoozedUntil, transferableRows } from './rows'

type HeadButtonsProps = {
  open: readonly OpenRow[]
  me: AgentId
  isFilterOpen: boolean
  onFilter: () => void
  isSelecting: boolean
  onSelect: () => void
}

/** open: all that need the reader */
export function HeadButtons({ open, me, isFilterOpen, onFilter, isSelecting, onSelect }: HeadButtonsProps) {
  const t = useTranslations('inbox')
  const now = useNow('minutes')
  const [isHanding, setHanding] = useState(false)
  const dialog = useLazy(transferDialog, isHanding, () => setHanding(false))
  const items = transferableRows(open, me)
  const snoozed = open.filter((row) => snoozedUntil(row, me) > now).length
  if (open.length === 0) return null
  return (
    <div className="-mr-2.5 flex flex-wrap items-center justify-end gap-1">
      {snoozed > 0 ? (
        <Link href={filterHref({ snoozed: true })} className={cx(buttonClass('quiet'), 'max-md:order-last')}>
          {t('snoozed', { count: snoozed })}
        </Link>
      ) : null}
      <IconButton icon={<ListFilter />} label={t('filter')} aria-expanded={isFilterOpen} onClick={onFilter} />
      <IconButton icon={<ListChecks />} label={t('select')} aria-pressed={isSelecting} onClick={onSelect} />
      {items.length > 0 ? (
        <Button look="quiet" onClick={() => setHanding(true)}>
          {t('handOver')}
        </Button>
      ) : null}
      {isHanding && dialog ? <dialog.default items={items} person={me} onClose={() => setHanding(false)} /> : null}
    </div>
  )
}
