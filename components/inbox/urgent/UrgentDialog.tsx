/** The dialog in which an Urgent is read and answered, over any page. */
import { Clock } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { navigate, pathTo } from '@/client/nav'
import { messageText, taskTitle } from '@/client/readersWords'
import { announcer } from '@/components/announce/announcer'
import { RequestCard, type RequestShown, useNames, useSenderName } from '@/components/request'
import { ActionSlot } from '@/components/request/bodies/ActionRow'
import { REMINDERS, sendReminder } from '@/components/request/commands'
import { useCommandToast } from '@/components/request/useCommandToast'
import { Button, IconButton, LinkButton } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { Avatar } from '@/components/ui/marks/Avatar'
import { TypeBadge } from '@/components/ui/marks/Badges'
import { Elapsed } from '@/components/ui/marks/Time'
import { WaitLine } from '@/components/ui/marks/WaitLine'
import { AlertDialog } from '@/components/ui/overlays/Dialog'
import { Menu } from '@/components/ui/overlays/Menu'
import { MessageText } from '@/components/ui/text/MessageText'
import { useIsNarrow } from '@/components/ui/useIsNarrow'
import { selectAwaitingAsker } from '@/lib/mas/asks/requests'
import { itemOf, type OpenRow, reminderOf, rowSender, rowTask, rowText } from '../rows'
import { UrgentAnswer } from './UrgentAnswer'

/** Presses meant for the page underneath must not decide anything. */
const INACTIVE_MS = 500

type UrgentDialogProps = {
  row: OpenRow
  /** From 1, of the items that alert now. */
  place: number
  of: number
  onFold: () => void
  onSnoozed: (minutes: number) => void
}

export default function UrgentDialog({ row, place, of, onFold, onSnoozed }: UrgentDialogProps) {
  const t = useTranslations()
  const senderName = useSenderName()
  const [isInactive, setInactive] = useState(true)
  const who = rowSender(row)
  const name = t('inbox.urgentFrom', { who: senderName(who) })
  const said = `${name}: ${rowText(row)}`
  const item = itemOf(row)
  useEffect(() => {
    // Joins the clock: buttons count half a second after they appeared.
    const timer = setTimeout(() => setInactive(false), INACTIVE_MS)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    announcer.urgent(item, said.slice(0, 160))
  }, [item, said])
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  return (
    <AlertDialog
      isOpen
      isUrgent
      onOpenChange={onFold}
      title={name}
      icon={<Avatar who={who} size={28} />}
      subtitle={
        <>
          {taskTitle(row.taskName)}
          {row.kind === 'request' && row.stage ? ` · ${row.stage.number} ${row.stage.name}` : ''}
          {row.kind === 'request' ? ` · ${t('request.number', { number: row.request.number })}` : ''}
        </>
      }
      head={
        <>
          {of > 1 ? (
            <span className="text-meta whitespace-nowrap text-t3">{t('inbox.nOf', { n: place, of })}</span>
          ) : null}
          <TypeBadge type="urgent" isOpen />
        </>
      }
      foot={
        <>
          {/* On a phone all of it fits in one row. */}
          <span ref={setSlot} className="contents max-md:[&_button:not([aria-label])]:px-2" />
          <UrgentFoot row={row} onFold={onFold} onSnoozed={onSnoozed} />
        </>
      }
      className={row.kind === 'request' && row.request.kind === 'confirm' ? 'w-[52rem]' : 'w-[40rem]'}
    >
      <ActionSlot value={slot}>
        {row.kind === 'request' ? (
          <>
            <RequestCard shown={row} place="dialog" isMine isInactive={isInactive} />
            <IdleTime {...row} />
          </>
        ) : (
          <div data-id={row.message.id}>
            <div className={cx(messageText(row.message).length < 160 && 'text-question')}>
              <MessageText text={messageText(row.message)} />
            </div>
            <UrgentAnswer row={row} isInactive={isInactive} />
          </div>
        )}
      </ActionSlot>
    </AlertDialog>
  )
}

/** Beside the answer: where it was asked, and later. On a phone all of it is one menu. */
function UrgentFoot({ row, onFold, onSnoozed }: Pick<UrgentDialogProps, 'row' | 'onFold' | 'onSnoozed'>) {
  const t = useTranslations()
  const run = useCommandToast()
  const isNarrow = useIsNarrow()
  const message = row.kind === 'request' ? row.request.message : row.message.id
  const taskId = rowTask(row)
  const href = message ? pathTo('message', { taskId, messageId: message }) : pathTo('task', { taskId })
  const remind = async (minutes: number): Promise<void> => {
    if (await run(sendReminder(reminderOf(row), minutes), t('request.didRemind', { minutes }))) onSnoozed(minutes)
  }
  const reminders = REMINDERS.map((minutes) => ({
    label: t('request.remindIn', { minutes }),
    onSelect: () => void remind(minutes),
  }))
  if (isNarrow) {
    return (
      <Menu
        label={t('inbox.laterMenu')}
        trigger={<IconButton icon={<Clock />} label={t('inbox.laterMenu')} className="ml-auto" />}
        entries={[
          {
            label: t('inbox.openInTask'),
            onSelect: () => {
              onFold()
              navigate(href)
            },
          },
          { label: t('inbox.later'), onSelect: onFold },
          { kind: 'line' },
          ...reminders,
        ]}
      />
    )
  }
  return (
    <span className="ml-auto flex flex-wrap items-center gap-1">
      <LinkButton href={href} look="quiet" onClick={onFold}>
        {t('inbox.openInTask')}
      </LinkButton>
      <Button look="quiet" onClick={onFold}>
        {t('inbox.later')}
      </Button>
      <Menu
        label={t('inbox.remindMe')}
        trigger={<Button look="quiet">{t('inbox.remindMe')}</Button>}
        entries={reminders}
      />
    </span>
  )
}

/** How long the asker has been idle for the answer, and who waits with them. */
function IdleTime({ request, asker, holdsUp }: Pick<RequestShown, 'request' | 'asker' | 'holdsUp'>) {
  const t = useTranslations('request')
  const names = useNames()
  if (selectAwaitingAsker(request) === null) return null
  const who = asker.name
  const time = (): ReactNode => <Elapsed key="t" since={request.openedAt} />
  const others = names(holdsUp.agents.filter(({ id }) => id !== asker.id).map(({ name }) => name))
  return (
    <WaitLine reach="full" className="mt-3">
      {others === '' ? t.rich('stoodStill', { who, time }) : t.rich('stoodStillWith', { who, others, time })}
    </WaitLine>
  )
}
