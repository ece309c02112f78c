/** Do not disturb in the top bar: its state, and a lazy panel. */
import { Moon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useTranslations } from 'use-intl'
import { useDnd } from '@/client/notify/useDnd'
import { buttonClass } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { laterFile } from '@/components/ui/lazyFile'
import { useClockText } from '@/components/ui/marks/Time'
import { LazyTrigger } from '@/components/ui/overlays/LazyTrigger'

const panel = laterFile(() => import('./DndPanel'))

export function DndButton() {
  return <LazyTrigger file={panel} partProps={{}} opens="dialog" button={(props) => <DndTrigger {...props} />} />
}

export function DndTrigger(props: ComponentProps<'button'>) {
  const t = useTranslations('notify')
  const clock = useClockText()
  const { isResting, until } = useDnd()
  const name = !isResting
    ? t('disturbOff')
    : until === null
      ? t('disturbOn')
      : t('disturbUntil', { clock: clock(until) })
  return (
    <button {...props} type="button" aria-label={name} title={name} className={cx(buttonClass('quiet'), 'px-2!')}>
      <Moon className={cx('size-4', isResting ? 'fill-current text-waiting' : 'text-t3')} />
      <span className="max-xl:sr-only">{name}</span>
    </button>
  )
}
