/** The urgent layer, which the frame draws above the top bar: a dialog over the page, or the red bar it folds to. */
import { Siren } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { announcer } from '@/components/announce/announcer'
import { AcknowledgeButton, RequestCard, type RequestShown, useNames, useSenderName } from '@/components/request'
import { REMINDERS, sendReminder } from '@/components/request/commands'
import { useCommandToast } from '@/components/request/useCommandToast'
import type { EverywhereProps } from '@/components/shell/screenTypes'
import { Avatar } from '@/components/ui/Avatar'
import { TypeBadge } from '@/components/ui/Badges'
import { Button, buttonClass } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { AlertDialog } from '@/components/ui/Dialog'
import { LongText } from '@/components/ui/LongText'
import { Menu } from '@/components/ui/Menu'
import { Elapsed } from '@/components/ui/Time'
import { WaitLine } from '@/components/ui/WaitLine'
import { firstWords } from '@/lib/format/plainText'
import { itemOf, type OpenRow, rowSender, rowSince, rowTask, rowText } from './rows'
import { useUrgent } from './useUrgent'

/** Presses meant for the page underneath must not decide anything. */
const INACTIVE_MS = 500
/** On a phone all three buttons stand in one line. */
const FOOT_BUTTON = 'max-md:px-2!'

export function UrgentLayer({ person }: EverywhereProps) {
  const { alerting, open, hasBar, fold, unfold, snoozed } = useUrgent(person.agent_id)
  const oldest = [...alerting].sort((a, b) => rowSince(a) - rowSince(b))[0]
  return (
    <>
      {hasBar && oldest ? <UrgentBar row={oldest} count={alerting.length} onShow={() => unfold(oldest)} /> : null}
      {open ? (
        <UrgentDialog
          key={itemOf(open)}
          row={open}
          place={alerting.indexOf(open) + 1}
          of={alerting.length}
          onFold={fold}
          onSnoozed={(minutes) => snoozed(open, minutes)}
        />
      ) : null}
    </>
  )
}

function UrgentBar({ row, count, onShow }: { row: OpenRow; count: number; onShow: () => void }) {
  const t = useTranslations()
  return (
    <section
      aria-label={t('inbox.urgentBar')}
      className="flex min-h-9 shrink-0 items-center gap-2.5 bg-urgent px-4 py-1 text-table text-on-urgent"
    >
      <Siren aria-hidden className="size-4" />
      <span className="cut grow">
        <b>{t('inbox.urgentBar')}</b> · {rowSender(row).name} · {firstWords(rowText(row), 160)}
      </span>
      {count > 1 ? <span className="shrink-0">{count}</span> : null}
      <Button className="border-on-urgent! bg-transparent! text-on-urgent!" onClick={onShow}>
        {t('common.show')}
      </Button>
    </section>
  )
}

type UrgentDialogProps = {
  row: OpenRow
  /** From 1, of the items that alert now. */
  place: number
  of: number
  onFold: () => void
  onSnoozed: (minutes: number) => void
}

function UrgentDialog({ row, place, of, onFold, onSnoozed }: UrgentDialogProps) {
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
    // Joins the screen reader.
    announcer.urgent(item, said.slice(0, 160))
  }, [item, said])
  return (
    <AlertDialog
      isOpen
      isUrgent
      onOpenChange={() => undefined}
      onEscape={onFold}
      title={name}
      head={
        <>
          {of > 1 ? (
            <span className="text-meta whitespace-nowrap text-t3 md:hidden">{t('inbox.nOf', { n: place, of })}</span>
          ) : null}
          <TypeBadge type="urgent" isOpen />
        </>
      }
      foot={<UrgentFoot {...{ row, place, of, onFold, onSnoozed }} />}
    >
      <p className="mb-3 flex items-center gap-2.5 text-meta text-t2">
        <Avatar who={who} size={28} />
        <span className="min-w-0">
          {row.taskName}
          {row.kind === 'request' && row.stage ? ` · ${row.stage.number} ${row.stage.intention}` : ''}
          {row.kind === 'request' ? ` · ${t('request.number', { number: row.request.number })}` : ''}
        </span>
      </p>
      {row.kind === 'request' ? (
        <>
          <RequestCard shown={row} place="dialog" isMine areButtonsDead={isInactive} />
          <IdleTime {...row} />
        </>
      ) : (
        <div data-id={row.message.id}>
          <p
            className={cx(
              'max-w-[68ch] break-words whitespace-pre-wrap',
              row.message.text.length < 160 && 'text-question',
            )}
          >
            <LongText text={row.message.text} />
          </p>
          <div className="mt-3 flex gap-2">
            <AcknowledgeButton look="primary" message={row.message.id} isDead={isInactive} />
          </div>
        </div>
      )}
    </AlertDialog>
  )
}

function UrgentFoot({ row, place, of, onFold, onSnoozed }: UrgentDialogProps) {
  const t = useTranslations()
  const run = useCommandToast()
  const message = row.kind === 'request' ? row.request.message : row.message.id
  const taskId = rowTask(row)
  const remind = async (minutes: number): Promise<void> => {
    const about =
      row.kind === 'request' ? { request: row.request.id, message: null } : { request: null, message: row.message.id }
    if (await run(sendReminder(about, minutes), t('request.didRemind', { minutes }))) onSnoozed(minutes)
  }
  return (
    <>
      <Link
        href={message ? pathTo('message', { taskId, messageId: message }) : pathTo('task', { taskId })}
        className={cx(buttonClass('quiet'), FOOT_BUTTON, 'md:-ml-2.5')}
        onClick={onFold}
      >
        {t('inbox.openInTask')}
      </Link>
      <Button look="quiet" className={FOOT_BUTTON} onClick={onFold}>
        {t('inbox.later')}
      </Button>
      <Menu
        label={t('inbox.remindMe')}
        trigger={
          <Button look="quiet" className={FOOT_BUTTON}>
            {t('inbox.remindMe')}
          </Button>
        }
        entries={REMINDERS.map((minutes) => ({
          kind: 'action',
          label: t('request.remindIn', { minutes }),
          onSelect: () => void remind(minutes),
        }))}
      />
      {of > 1 ? (
        <span className="ml-auto text-meta text-t3 max-md:hidden">{t('inbox.nOf', { n: place, of })}</span>
      ) : null}
    </>
  )
}

/** How long the asker has been idle for the answer, and who waits with them. */
function IdleTime({ request, asker, holdsUp }: Pick<RequestShown, 'request' | 'asker' | 'holdsUp'>) {
  const t = useTranslations('request')
  const names = useNames()
  if (request.lock === null) return null
  const who = asker.name
  const time = (): ReactNode => <Elapsed key="t" since={request.openedAt} />
  const others = names(holdsUp.agents.filter(({ id }) => id !== asker.id).map(({ name }) => name))
  return (
    <WaitLine reach="full" className="mt-3">
      {others === '' ? t.rich('stoodStill', { who, time }) : t.rich('stoodStillWith', { who, others, time })}
    </WaitLine>
  )
}
