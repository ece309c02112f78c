/** The receipts of a message as one line with counts; opens their dialog. */
import { CheckCheck } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useLazy } from '@/components/ui/lazyFile'
import type { AgentId, SenderId } from '@/lib/mas/ids'
import type { Who } from '@/lib/wire/rows'
import type { Bubble } from './fns/lines'
import { countReceipts, type ReceiptsOfTask, receiptRows } from './fns/receipts'
import { receiptsDialog } from './lazy'

export function Receipts({
  bubble,
  receipts,
  who,
  me,
}: {
  bubble: Bubble
  receipts: ReceiptsOfTask
  who: (id: SenderId) => Who
  me: AgentId
}) {
  const t = useTranslations('chat')
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  const dialog = useLazy(receiptsDialog, isOpen, close)
  const rows = receiptRows(bubble, receipts)
  // Archived messages come without receipts.
  if (rows.every(({ receipt }) => receipt === null)) return null
  const words = t(`count.${bubble.type}`, countReceipts(bubble.type, rows))
  return (
    <>
      <button
        type="button"
        data-act="receipts"
        aria-label={t('receiptsOf', { words })}
        onClick={() => setOpen(true)}
        className="inline-flex min-h-6 items-center gap-1 rounded-control text-meta text-t2 hover:underline touch:min-h-11"
      >
        <CheckCheck aria-hidden className="size-3.5 text-t3" />
        {words}
      </button>
      {isOpen && dialog !== null ? <dialog.default {...{ bubble, rows, who, me }} onClose={close} /> : null}
    </>
  )
}
