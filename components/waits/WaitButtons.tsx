import { Unlink } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRecords } from '@/client'
import { useMe } from '@/client/account/session'
import { pathTo } from '@/client/nav'
import { waitText } from '@/client/readersWords'
import { ActDialog, type ActQuestion } from '@/components/operate/ActDialog'
import { releaseWaitAct } from '@/components/operate/acts'
import { RequestCard, shownFromWorld, useNames } from '@/components/request'
import { LinkButton } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { Dialog } from '@/components/ui/overlays/Dialog'
import { ServerButton } from '@/components/ui/ServerButton'
import { Skeleton } from '@/components/ui/States'
import type { AgentId, RequestId, WaitingId } from '@/lib/mas/ids'
import type { WaitRow } from '@/lib/wire'

type WaitButtonsProps = {
  row: WaitRow
  isCard?: boolean
  /** In a task the strip above has the only primary button. */
  isOfTask?: boolean
}

/** `isCard`: on a phone each button has an edge, which aligns with the text. */
export function WaitButtons({ row, isCard = false, isOfTask = false }: WaitButtonsProps) {
  const t = useTranslations('waits')
  const namesOf = useNames()
  const person = useMe()?.person ?? null
  const [asked, setAsked] = useState<ActQuestion | null>(null)
  const [isAnswering, setAnswering] = useState(false)
  if (person === null) return null
  const isOperator = person.access === 'operator'
  const isMine = row.forWhom.some((who) => who.id === person.agent_id)
  const names = namesOf(row.forWhom.map((who) => who.name))
  const release = (): void =>
    setAsked({
      title: t('releaseTitle'),
      what: (
        <>
          <p>{t('releaseWhat', { who: row.who.name })}</p>
          {row.what === '' ? null : <p className="mt-2 line-clamp-4 break-words text-t2">{waitText(row)}</p>}
          <p className="mt-2 text-t2">{t('noUndo')}</p>
        </>
      ),
      action: t('releaseAct'),
      act: releaseWaitAct(row.who.id as AgentId, row.id as WaitingId),
      done: t('released', { who: row.who.name }),
    })
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-1.5 md:justify-end">
      {row.request === null ? null : isMine ? (
        <LinkButton href={pathTo('request', { requestId: row.request })} look={isOfTask ? 'plain' : 'primary'}>
          {row.lock === 'confirm' ? t('review') : t('answer')}
        </LinkButton>
      ) : isOperator ? (
        <ServerButton
          look={isCard || row.isBlocked ? 'plain' : 'quiet'}
          title={t('answerFor', { names })}
          onClick={() => setAnswering(true)}
        >
          <span className={cx('cut', isCard ? 'max-w-64' : 'max-w-36')}>{t('answerFor', { names })}</span>
        </ServerButton>
      ) : null}
      {isOperator && row.lock !== null ? (
        <ServerButton
          look={isCard || (row.isBlocked && row.request === null) ? 'plain' : 'quiet'}
          icon={<Unlink />}
          onClick={release}
        >
          {t('release')}
        </ServerButton>
      ) : null}
      <ActDialog asked={asked} onClose={() => setAsked(null)} focusAfter={nextWait} />
      {isAnswering && row.request !== null ? (
        <AnswerDialog
          row={row}
          request={row.request}
          me={person.agent_id}
          names={names}
          onClose={() => setAnswering(false)}
        />
      ) : null}
    </span>
  )
}

/** The row is gone with its wait: the focus moves to the first row left. */
const nextWait = (): HTMLElement | null => document.querySelector<HTMLElement>('main a[data-row]')

type AnswerDialogProps = { row: WaitRow; request: RequestId; me: AgentId; names: string; onClose: () => void }

/** The card of the request, in a dialog; it stays until the answer is stored. */
function AnswerDialog({ row, request, me, names, onClose }: AnswerDialogProps) {
  const t = useTranslations('waits')
  const world = useRecords(`task:${row.task}`, (whole) => whole)
  const record = world.requests[row.task]?.[request]
  return (
    <Dialog isOpen onOpenChange={onClose} title={t('answerFor', { names })} focusAfter={nextWait}>
      {record ? (
        <RequestCard
          shown={shownFromWorld(world, record, me)}
          place="list"
          isMine
          answersFor={names}
          onAnswered={onClose}
        />
      ) : (
        <Skeleton lines={4} className="px-0!" />
      )}
    </Dialog>
  )
}
