import { Ellipsis } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useMe } from '@/client/account/session'
import { pageClock } from '@/client/clock'
import { useMoment } from '@/client/moment'
import { pathTo } from '@/client/nav'
import { Button, IconButton } from '@/components/ui/Button'
import { Menu } from '@/components/ui/overlays/Menu'
import { useCopyLinkEntry } from '@/components/ui/useCopyLink'
import { SYSTEM_TASK } from '@/lib/mas/ids'
import { isOpen } from '@/lib/mas/statuses'
import { REMINDERS, sendClaim, sendReminder, sendUrge } from '../commands'
import { CardDialogs } from '../lazy'
import type { RequestShown } from '../shown'
import { useCommandToast } from '../useCommandToast'
import type { CardDialog } from './CardDialogs'

export function CardMore({ shown }: { shown: RequestShown }) {
  const t = useTranslations('request')
  const operate = useTranslations('operate')
  const copyLink = useCopyLinkEntry()
  const run = useCommandToast()
  const [open, setOpen] = useState<CardDialog | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const person = useMe()?.person ?? null
  const me = person?.agent_id ?? null
  const { request, asker } = shown
  const isMine = me !== null && request.asked.includes(me)
  const isThen = useMoment() !== null
  const isWide = useIsCardWide(button, isMine)
  const canRule = person?.access === 'operator' && request.kind === 'confirm' && request.call !== null
  if (isThen || (!isMine && !canRule)) return null
  const isTakenByMe = request.claimed?.by === me
  // A claim of somebody else is taken over in ClaimLine, which asks for a reason.
  const isTaken = request.claimed !== null && request.claimed.until > pageClock.now()
  const acts: readonly AnswerDialog[] = !isMine ? [] : asker.id === SYSTEM_TASK ? ['hand'] : ['ask', 'hand']
  return (
    <>
      {isWide
        ? acts.map((act) => (
            <Button key={act} look="quiet" onClick={() => setOpen(act)}>
              {t(WORD[act])}
            </Button>
          ))
        : null}
      <Menu
        label={t('more')}
        trigger={<IconButton ref={button} icon={<Ellipsis />} label={t('more')} />}
        entries={[
          ...(isWide ? [] : acts).map((act) => ({
            label: `${t(WORD[act])}…`,
            onSelect: () => setOpen(act),
          })),
          isMine
            ? {
                label: t('takeIt'),
                isDisabled: isTaken,
                reason: isTaken ? (isTakenByMe ? t('takenByYou') : t('takenByOther')) : undefined,
                onSelect: () => void run(sendClaim(request.id), t('didTake')),
              }
            : null,
          request.type === 'approval' && isOpen(request)
            ? { label: t('makeUrgent'), onSelect: () => void run(sendUrge(request.id), t('didMakeUrgent')) }
            : null,
          copyLink(pathTo('request', { requestId: request.id })),
          ...(canRule ? [LINE, { label: operate('act.toolRules'), onSelect: () => setOpen('rule') }] : []),
          ...(isMine ? [LINE] : []),
          ...(isMine ? REMINDERS : []).map((minutes) => ({
            label: t('remindIn', { minutes }),
            onSelect: () =>
              void run(sendReminder({ request: request.id, message: null }, minutes), t('didRemind', { minutes })),
          })),
        ]}
      />
      {open === null ? null : <CardDialogs open={open} shown={shown} onClose={() => setOpen(null)} />}
    </>
  )
}

const LINE = { kind: 'line' as const }

type AnswerDialog = Exclude<CardDialog, 'rule'>

const WORD = {
  ask: 'askBack',
  hand: 'handOver',
} as const satisfies Record<AnswerDialog, string>

/** px; both buttons have room beside the answer. The urgent dialog and phones are narrower. */
const WIDE = 560

/** Whether the card around this element is wide. */
function useIsCardWide(part: RefObject<HTMLElement | null>, isDrawn: boolean): boolean {
  const [isWide, setWide] = useState(false)
  useEffect(() => {
    // Joins the card's width: panes are drawn wider and narrower.
    const card = isDrawn ? part.current?.closest('article') : null
    if (!card) return
    const observer = new ResizeObserver(([entry]) => setWide((entry?.contentRect.width ?? 0) >= WIDE))
    observer.observe(card)
    return () => observer.disconnect()
  }, [part, isDrawn])
  return isWide
}
