/** What can be done with an item at once, by key or beside its row: done, hand over, snooze. */
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useActionLook } from '@/client/actions/actionLook'
import { useSettle } from '@/components/request/AcknowledgeButton'
import { sendReminder, sendShown } from '@/components/request/commands'
import { useCommandToast } from '@/components/request/useCommandToast'
import { IconButton } from '@/components/ui/Button'
import { showToast } from '@/components/ui/overlays/toast'
import type { AgentId } from '@/lib/mas/ids'
import { canDo } from './bulk/bulk'
import { TransferDialog } from './lazy'
import { type InboxRow, isOpenRow, messageOf, type OpenRow, reminderOf } from './rows'

/** Minutes. */
const SNOOZE = 60

const ACTS = ['settle', 'handOver', 'snooze'] as const
type ItemAct = (typeof ACTS)[number]

export type ItemActions = Record<ItemAct, (row: InboxRow) => void> & {
  can: (act: ItemAct, row: InboxRow) => boolean
  /** The dialog that is open. */
  dialog: ReactNode
}

export function useItemActs(me: AgentId): ItemActions {
  const t = useTranslations('request')
  const common = useTranslations('common')
  const run = useCommandToast()
  const settle = useSettle()
  const [given, setGiven] = useState<OpenRow | null>(null)
  const can = (act: ItemAct, row: InboxRow): row is OpenRow => {
    if (!isOpenRow(row)) return false
    switch (act) {
      case 'settle':
        return canDo('done', row, me) || canDo('read', row, me)
      case 'handOver':
        return canDo('handOver', row, me)
      case 'snooze':
        return canDo('remind', row, me)
    }
  }
  return {
    can,
    settle: (row) => {
      if (!can('settle', row)) return
      const message = messageOf(row)
      if (message === null) return
      if (canDo('done', row, me)) void settle(message, 'done')
      else void run(sendShown([message]))
    },
    handOver: (row) => {
      if (can('handOver', row)) setGiven(row)
    },
    snooze: (row) => {
      if (!can('snooze', row)) return
      void run(sendReminder(reminderOf(row), SNOOZE)).then((isSent) => {
        const undo = { label: common('undo'), onPress: () => void run(sendReminder(reminderOf(row), 0)) }
        if (isSent) showToast('done', t('didRemind', { minutes: SNOOZE }), { actions: [undo] })
      })
    },
    dialog: given ? <TransferDialog items={[given]} person={me} onClose={() => setGiven(null)} /> : null,
  }
}

/** Buttons over the end of a row. */
export function ItemActs({ row, acts }: { row: OpenRow; acts: ItemActions }) {
  const lookOf = useActionLook()
  return ACTS.filter((act) => acts.can(act, row)).map((act) => {
    const { icon: Icon, label, shortcuts } = lookOf(act, 'inbox')
    return (
      <IconButton
        key={act}
        icon={Icon ? <Icon /> : null}
        label={label}
        tabIndex={-1}
        aria-keyshortcuts={shortcuts}
        onClick={() => acts[act](row)}
      />
    )
  })
}
