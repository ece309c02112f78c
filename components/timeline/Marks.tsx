/** The words over the bars of a row: its state, and who was waited for. BarCanvas places them; the row's name has them too. */
import { memo } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { cx } from '@/components/ui/cx'
import { Avatar } from '@/components/ui/marks/Avatar'
import { StateIcon } from '@/components/ui/marks/StatusChip'
import { Elapsed } from '@/components/ui/marks/Time'
import { useList } from '@/components/ui/useList'
import { formatElapsed } from '@/lib/format'
import type { Chip, TimelineBar, TimelineWait } from '@/lib/wire/rows'

/** At the left edge of the time; its `translate` is set when the bars are drawn. */
const MARK = 'pointer-events-none absolute left-(--list) top-0 flex h-full items-center overflow-hidden text-meta'

const INKS: Record<Chip, string> = {
  idle: 'text-idle',
  redone: 'text-idle',
  running: 'text-running',
  waiting: 'text-waiting',
  blocked: 'text-blocked',
  done: 'text-done',
  failed: 'text-failed',
}

/** Faces beside one wait at most. */
const MOST_FACES = 3

export const Marks = memo(function Marks({ bar, isSelected }: { bar: TimelineBar; isSelected: boolean }) {
  const t = useTranslations('state')
  return (
    <>
      <span aria-hidden data-mark="state" hidden className={cx(MARK, 'gap-1', INKS[bar.chip])}>
        <StateIcon state={bar.chip} className="size-[.8125rem] shrink-0" />
        <span className="in-data-short:hidden">{t(bar.chip)}</span>
      </span>
      {bar.waits.map((wait, at) => (
        <WaitMark key={wait.from} wait={wait} at={at} isSelected={isSelected} />
      ))}
    </>
  )
})

function WaitMark({ wait, at, isSelected }: { wait: TimelineWait; at: number; isSelected: boolean }) {
  const locale = useLocale()
  const listOf = useList()
  return (
    <span aria-hidden data-mark={at} hidden className={cx(MARK, 'text-waiting')}>
      <span className={cx('flex min-w-0 items-center gap-1 px-1', isSelected ? 'bg-sel' : 'bg-s1')}>
        {wait.on.slice(0, MOST_FACES).map((who) => (
          <Avatar key={who.id} who={who} size={20} className="shrink-0" />
        ))}
        <span className="cut in-data-short:hidden">{listOf(wait.on.map(({ name }) => name))}</span>
        <span className="shrink-0 in-data-short:hidden">
          {'· '}
          {wait.to === null ? <Elapsed since={wait.from} /> : formatElapsed(wait.to - wait.from, locale)}
        </span>
      </span>
    </span>
  )
}
