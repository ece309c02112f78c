import { Check, CheckCheck } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { cx } from '@/components/ui/cx'
import { bubbleOutcomes, countOutcomes } from '../fns/deliveries'
import type { Bubble } from '../fns/lines'
import { DeliveriesDialog } from '../lazy'
import type { TaskWorld } from '../useTaskWorld'

/** Read by all of its receivers: nothing is left to look for. */
export function isReadByAll(bubble: Bubble, { sources }: TaskWorld): boolean {
  const { n, of } = countOutcomes(bubble.type, bubbleOutcomes(bubble, sources))
  return bubble.type === 'fyi' && of > 0 && n === of
}

type DeliveriesProps = { bubble: Bubble; task: TaskWorld; isQuiet?: boolean }

/** isQuiet: the words come with the pointer or the focus. */
export function Deliveries({ bubble, task, isQuiet = false }: DeliveriesProps) {
  const t = useTranslations('chat')
  const [isOpen, setOpen] = useState(false)
  const rows = bubbleOutcomes(bubble, task.sources)
  // Archived messages come without deliveries.
  if (rows.every(({ outcome }) => outcome === null))
    return (
      <span className="inline-flex items-center gap-1 text-meta text-t3">
        <Check className="size-3.5" />
        {t('sent')}
      </span>
    )
  const words = t(`count.${bubble.type}`, countOutcomes(bubble.type, rows))
  return (
    <>
      <button
        type="button"
        data-act="deliveries"
        aria-label={t('deliveriesOf', { words })}
        onClick={() => setOpen(true)}
        title={isQuiet ? words : undefined}
        className={cx(
          'inline-flex min-h-6 items-center gap-1 rounded-control text-meta text-t2 hover:underline touch:min-h-11',
          isQuiet && '-my-1 min-w-6 justify-end touch:-my-3 touch:min-w-11',
        )}
      >
        <span className={cx(isQuiet && 'hidden group-hover/card:inline group-focus-within/card:inline touch:hidden')}>
          {words}
        </span>
        <CheckCheck className={cx('size-3.5 text-t3', !isQuiet && 'order-first')} />
      </button>
      {isOpen ? <DeliveriesDialog bubble={bubble} task={task} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
