/** Do not disturb in the top bar: its state, and a lazy panel. */
import { Moon } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useDnd } from '@/client/notify/useDnd'
import { buttonClass } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { useClockText } from '@/components/ui/marks/Time'
import { Popover } from '@/components/ui/overlays/Popover'
import { DndPanel } from './lazy'

export function DndButton() {
  const t = useTranslations('notify')
  const clock = useClockText()
  const { isResting, until } = useDnd()
  const name = !isResting
    ? t('disturbOff')
    : until === null
      ? t('disturbOn')
      : t('disturbUntil', { clock: clock(until) })
  return (
    <Popover
      content={(onClose) => <DndPanel onClose={onClose} />}
      label={t('disturb')}
      align="end"
      className="w-72"
      trigger={
        <button type="button" aria-label={name} title={name} className={cx(buttonClass('quiet'), 'px-2!')}>
          <Moon className={cx('size-4', isResting ? 'fill-current text-waiting' : 'text-t3')} />
          <span className="max-xl:sr-only">{name}</span>
        </button>
      }
    />
  )
}
