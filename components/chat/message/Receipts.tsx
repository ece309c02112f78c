import { Check, CheckCheck } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { cx } from '@/components/ui/cx'
import { LazyOpen } from '@/components/ui/lazyFile'
import type { Bubble } from '../fns/lines'
import { countReceipts, receiptRows } from '../fns/receipts'
import { receiptsDialog } from '../lazy'
import type { TaskWorld } from '../useTaskWorld'

/** Read by all of its receivers: nothing is left to look for. */
export function isReadByAll(bubble: Bubble, { receipts }: TaskWorld): boolean {
  const { n, of } = countReceipts(bubble.type, receiptRows(bubble, receipts))
  return bubble.type === 'fyi' && of > 0 && n === of
}

type ReceiptsProps = { bubble: Bubble; task: TaskWorld; isQuiet?: boolean }

/** isQuiet: the words come with the pointer or the focus. */
export function Receipts({ bubble, task, isQuiet = false }: ReceiptsProps) {
  const t = useTranslations('chat')
  const [isOpen, setOpen] = useState(false)
  const rows = receiptRows(bubble, task.receipts)
  // Archived messages come without receipts.
  if (rows.every(({ receipt }) => receipt === null))
    return (
      <span className="inline-flex items-center gap-1 text-meta text-t3">
        <Check className="size-3.5" />
        {t('sent')}
      </span>
    )
  const words = t(`count.${bubble.type}`, countReceipts(bubble.type, rows))
  return (
    <>
      <button
        type="button"
        data-act="receipts"
        aria-label={t('receiptsOf', { words })}
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
      {isOpen ? <LazyOpen file={receiptsDialog} partProps={{ bubble, task, onClose: () => setOpen(false) }} /> : null}
    </>
  )
}
