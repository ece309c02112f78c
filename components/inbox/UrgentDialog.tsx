/**
 * The urgent layer: a dialog over the page, or the red bar it folds to.
 *
 * The frame draws <UrgentLayer/> once, above the top bar.
 */
import { firstWords } from '@/lib/format/plainText'
import { Siren } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRows } from '@/client'
import { pageClock } from '@/client/clock'
import { Link, pathTo } from '@/client/nav'
import { useDnd } from '@/client/notify/useDnd'
import { announcer } from '@/components/announce/announcer'
import { AcknowledgeButton, cardOnScreen, isAlerting, RequestCard, usePinnedCards } from '@/components/request'
import { REMINDERS, sendReminder } from '@/components/request/commands'
import { IdleTime } from '@/components/request/IdleTime'
import { useCommandToast } from '@/components/request/useCommandToast'
import type { EverywhereProps } from '@/components/shell/screens'
import { Avatar } from '@/components/ui/Avatar'
import { TypeBadge } from '@/components/ui/Badges'
import { Button, buttonClass } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { AlertDialog } from '@/components/ui/Dialog'
import { LongText } from '@/components/ui/JsonView'
import { Menu } from '@/components/ui/Menu'
import type { AgentId } from '@/lib/mas/ids'
import { type InboxRow, isOpenRow, itemOf, type OpenRow } from './rows'
import { type AlertingItem, chooseUrgent } from './urgentChoice'

const LOOK_EVERY_MS = 300
/** Presses meant for the page underneath must not decide anything. */
const DEAD_MS = 500
const FOLDED_KEY = 'convene.urgent.folded'
/** On a phone all three stand in one line. */
const FOOT_BUTTON = 'max-md:px-2!'

const ringsNow = (row: InboxRow): row is OpenRow =>
  isOpenRow(row) && (row.kind === 'request' ? isAlerting(row) : row.group === 'urgent')
const sinceOf = (row: OpenRow): number => (row.kind === 'request' ? row.request.openedAt : row.message.at)
const textOf = (row: OpenRow): string => (row.kind === 'request' ? row.request.question : row.message.text)
const senderOf = (row: OpenRow) => (row.kind === 'request' ? row.asker : row.sender)

function readFolded(): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(FOLDED_KEY) ?? '[]')
    return new Set(Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : [])
  } catch {
    return new Set()
  }
}

/** Until when the member wants not to be asked again, epoch ms; 0: they did not say. */
const snoozedUntil = (row: OpenRow, me: AgentId): number =>
  (row.kind === 'request' ? row.request.snoozed?.[me] : row.receipt.remindAt) ?? 0

export function UrgentLayer({ person }: EverywhereProps) {
  const me = person.agent_id
  const t = useTranslations()
  const held = usePinnedCards()
  const rows = useRows('me')
  const ringing = rows.filter(ringsNow)
  const [folded, setFolded] = useState<ReadonlySet<string>>(readFolded)
  const [choice, setChoice] = useState<{ dialog: string | null; hasBar: boolean }>({ dialog: null, hasBar: false })
  const seen = useRef(new Map<string, Pick<AlertingItem, 'seenAt' | 'onScreenSince' | 'offScreenSince'>>())
  const lastInput = useRef(0)
  /** Said here a moment ago: the view brings it, but later than the next look. */
  const snoozed = useRef(new Map<string, number>())
  const isRingingAny = ringing.length > 0
  // Whoever does not want to be disturbed gets the bar; the dialog only where they let an Urgent break through.
  const { isResting, settings } = useDnd()
  const isHushed = isResting && !settings.urgentBreaksThrough

  useEffect(() => {
    // Joins every text field of the page: nobody is interrupted while typing.
    const onInput = (event: Event): void => {
      if (!(event.target instanceof Element) || !event.target.closest('[role=alertdialog]'))
        lastInput.current = Date.now()
    }
    window.addEventListener('input', onInput, true)
    return () => window.removeEventListener('input', onInput, true)
  }, [])

  const look = (): void => {
    const now = Date.now()
    const serverNow = pageClock.now()
    const isBeingDrawn = document.querySelector('[data-pane=main] [aria-busy=true]') !== null
    const all = ringing.map((row): AlertingItem => {
      const id = itemOf(row)
      const card = cardOnScreen(id)
      const known = seen.current.get(id) ?? { seenAt: now, onScreenSince: null, offScreenSince: now }
      const next = {
        seenAt: known.seenAt,
        onScreenSince: card ? (known.onScreenSince ?? now) : null,
        offScreenSince: card || isBeingDrawn ? now : known.offScreenSince,
      }
      seen.current.set(id, next)
      const isBeingAnswered = card !== null && (held[id] !== undefined || card.contains(document.activeElement))
      return { id, since: sinceOf(row), ...next, isBeingAnswered }
    })
    setChoice((old) => {
      const away = new Set([
        ...folded,
        ...ringing
          .filter((row) => {
            const until = Math.max(snoozedUntil(row, me), snoozed.current.get(itemOf(row)) ?? 0)
            return isHushed || until > serverNow
          })
          .map(itemOf),
      ])
      const next = chooseUrgent(all, away, old.dialog, lastInput.current, now)
      return next.dialog === old.dialog && next.hasBar === old.hasBar ? old : next
    })
  }
  const latest = useRef(look)
  latest.current = look
  const key = ringing.map(itemOf).join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: another set of ringing or folded ones is looked at anew at once.
  useEffect(() => {
    // Joins the clock and the screen: what is in view, and whether somebody types, change without a render.
    latest.current()
    if (!isRingingAny) return
    const timer = setInterval(() => latest.current(), LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [key, folded, isRingingAny, isHushed])

  const fold = (next: ReadonlySet<string>): void => {
    setFolded(next)
    sessionStorage.setItem(FOLDED_KEY, JSON.stringify([...next]))
  }
  const open = ringing.find((row) => itemOf(row) === choice.dialog)
  const first = [...ringing].sort((a, b) => sinceOf(a) - sinceOf(b))[0]

  return (
    <>
      {choice.hasBar && first ? (
        <section
          aria-label={t('inbox.urgentBar')}
          className="flex min-h-9 shrink-0 items-center gap-2.5 bg-urgent px-4 py-1 text-table text-on-urgent"
        >
          <Siren aria-hidden className="size-4" />
          <span className="cut grow">
            <b>{t('inbox.urgentBar')}</b> · {senderOf(first).name} · {firstWords(textOf(first), 160)}
          </span>
          {ringing.length > 1 ? <span className="shrink-0">{ringing.length}</span> : null}
          <Button
            className="border-on-urgent! bg-transparent! text-on-urgent!"
            onClick={() => {
              fold(new Set())
              setChoice({ dialog: itemOf(first), hasBar: false })
            }}
          >
            {t('common.show')}
          </Button>
        </section>
      ) : null}
      {open ? (
        <OpenUrgent
          key={itemOf(open)}
          row={open}
          place={ringing.indexOf(open) + 1}
          of={ringing.length}
          onFold={() => {
            fold(new Set([...folded, ...ringing.map(itemOf)]))
            setChoice({ dialog: null, hasBar: true })
          }}
          onSnoozed={(minutes) => {
            snoozed.current.set(itemOf(open), pageClock.now() + minutes * 60_000)
            setChoice({ dialog: null, hasBar: true })
          }}
        />
      ) : null}
    </>
  )
}

function OpenUrgent({
  row,
  place,
  of,
  onFold,
  onSnoozed,
}: {
  row: OpenRow
  place: number
  of: number
  onFold: () => void
  onSnoozed: (minutes: number) => void
}) {
  const t = useTranslations()
  const [isDead, setDead] = useState(true)
  const who = senderOf(row)
  const name = t('inbox.urgentFrom', { who: who.kind === 'system' ? t('request.theTask') : who.name })
  const taskId = row.kind === 'request' ? row.request.task : row.message.task
  const message = row.kind === 'request' ? row.request.message : row.message.id
  const said = `${name}: ${textOf(row)}`
  const item = itemOf(row)
  const doAndSay = useCommandToast()
  /** It hides the dialog until then, wherever the member looks; the bar stays. */
  const remind = (minutes: number): void => {
    const about =
      row.kind === 'request' ? { request: row.request.id, message: null } : { request: null, message: row.message.id }
    void doAndSay(sendReminder(about, minutes), t('request.didRemind', { minutes })).then((isTaken) => {
      if (isTaken) onSnoozed(minutes)
    })
  }
  useEffect(() => {
    // Joins the clock: buttons begin to count half a second after they appeared.
    const timer = setTimeout(() => setDead(false), DEAD_MS)
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
      foot={
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
              onSelect: () => remind(minutes),
            }))}
          />
          {of > 1 ? (
            <span className="ml-auto text-meta text-t3 max-md:hidden">{t('inbox.nOf', { n: place, of })}</span>
          ) : null}
        </>
      }
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
          <RequestCard shown={row} place="dialog" isMine areButtonsDead={isDead} />
          <IdleTime shown={row} className="mt-3" />
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
            <AcknowledgeButton look="primary" message={row.message.id} isDead={isDead} />
          </div>
        </div>
      )}
    </AlertDialog>
  )
}
