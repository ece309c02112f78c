/**
 * What else can be done with a request that is open: ask back, take it, be reminded, hand it over.
 *
 * Owns: the menu. The request stays open through all of these. Not here: its two dialogs (CardDialogs.tsx), what was offered (HandingBar.tsx).
 */
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useMe } from '@/client/account/session'
import { pageClock } from '@/client/clock'
import { cardDialogs } from '@/components/shell/lateParts'
import { IconButton } from '@/components/ui/Button'
import { useLate } from '@/components/ui/late'
import { Menu } from '@/components/ui/Menu'
import { SYSTEM_TASK } from '@/lib/mas/ids'
import type { CardDialog } from './CardDialogs'
import { claimRequest, REMINDERS, remindMe } from './commands'
import type { RequestShown } from './shown'
import { useSaid } from './useSaid'

export function CardMore({ shown }: { shown: RequestShown }) {
  const t = useTranslations('request')
  const said = useSaid()
  const [open, setOpen] = useState<CardDialog | null>(null)
  const close = (): void => setOpen(null)
  const dialogs = useLate(cardDialogs, open !== null, close)
  const me = useMe()?.person.agent_id ?? null
  const { request, asker } = shown
  const isMine = me !== null && request.asked.includes(me)
  if (!isMine) return null
  const isTakenByMe = request.claimed?.by === me
  // From somebody who is at it, it is taken over by its own line, which asks for the reason.
  const isTaken = request.claimed !== null && request.claimed.until > pageClock.now()
  return (
    <>
      <Menu
        label={t('more')}
        align="end"
        trigger={<IconButton icon={<Ellipsis aria-hidden />} label={t('more')} />}
        entries={[
          ...(asker.id === SYSTEM_TASK
            ? []
            : [{ kind: 'action' as const, label: t('askBack'), onSelect: () => setOpen('ask') }]),
          {
            kind: 'action',
            label: t('takeIt'),
            isDisabled: isTaken,
            reason: isTaken ? (isTakenByMe ? t('takenByYou') : t('takenByOther')) : undefined,
            onSelect: () => void said(claimRequest(request.id), t('didTake')),
          },
          { kind: 'action', label: t('handOver'), onSelect: () => setOpen('hand') },
          { kind: 'line' },
          ...REMINDERS.map((minutes) => ({
            kind: 'action' as const,
            label: t('remindIn', { minutes }),
            onSelect: () =>
              void said(remindMe({ request: request.id, message: null }, minutes), t('didRemind', { minutes })),
          })),
        ]}
      />
      {open !== null && dialogs !== null ? <dialogs.default open={open} shown={shown} onClose={close} /> : null}
    </>
  )
}
