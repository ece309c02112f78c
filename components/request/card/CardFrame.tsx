import { ChevronUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { useSightRef } from '@/client/onScreen'
import { taskTitle } from '@/client/readersWords'
import { IconButton } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { Avatar } from '@/components/ui/marks/Avatar'
import { TypeBadge } from '@/components/ui/marks/Badges'
import { Elapsed } from '@/components/ui/marks/Time'
import { WaitLine } from '@/components/ui/marks/WaitLine'
import { requestAlerts } from '@/lib/mas/asks/alerts'
import { isAwaited } from '@/lib/mas/asks/requests'
import type { RequestType } from '@/lib/mas/records'
import { isOpen } from '@/lib/mas/statuses'
import { LazyCardPart } from '../lazy'
import type { RequestShown } from '../shown'

/** list: alone · bubble: inside a message · dialog: in the urgent dialog */
export type CardPlace = 'list' | 'bubble' | 'dialog'

const EDGES: Record<RequestType, string> = {
  urgent: 'border-l-4 border-urgent',
  approval: 'border-line border-l-[3px] border-l-accent',
  action: 'border-line border-l-[3px] border-l-action',
}

export function edgeOf(shown: RequestShown): string {
  if (!isOpen(shown.request)) return 'border border-line bg-s2'
  if (requestAlerts(shown.request)) return 'border-2 border-l-4 border-urgent bg-urgent-b animate-urgent'
  return `border bg-s2 ${EDGES[shown.request.type]}`
}

type CardFrameProps = {
  shown: RequestShown
  name: string
  place: CardPlace
  /** Names of those who are asked, when the reader answers for them. */
  answersFor?: string
  /** It is in a list of lines and can be collapsed to a line. */
  onFold?: () => void
  children: ReactNode
}

export function CardFrame({ shown, name, place, answersFor, onFold, children }: CardFrameProps) {
  const { request, asked } = shown
  return (
    <article
      ref={useSightRef(request.id)}
      aria-label={name}
      tabIndex={-1}
      data-id={request.id}
      data-href={pathTo('request', { requestId: request.id })}
      data-kind={request.kind}
      data-state={request.state}
      data-seq={request.answer?.seq ?? request.openedSeq}
      data-needs-me={isOpen(request) ? '' : undefined}
      className={cx(
        'min-w-0',
        place === 'list' && 'rounded-card rounded-l-bar px-4 py-3 max-md:px-3.5',
        place === 'list' && edgeOf(shown),
      )}
    >
      {place === 'list' ? <CardHead shown={shown} answersFor={answersFor} onFold={onFold} /> : null}
      {children}
      {/* Those of a message are with its deliveries. */}
      {request.attempts && request.message === null ? (
        <LazyCardPart
          part="attempts"
          attempts={request.attempts}
          nameOf={({ person }) => asked.find(({ id }) => id === person)?.name ?? ''}
        />
      ) : null}
    </article>
  )
}

function CardHead({ shown, answersFor, onFold }: { shown: RequestShown; answersFor?: string; onFold?: () => void }) {
  const t = useTranslations('request')
  const common = useTranslations('common')
  const { request, asker, stage, taskName } = shown
  const taskLink = (name: ReactNode): ReactNode => (
    <Link key="a" href={pathTo('task', { taskId: request.task })} className="text-t2 hover:underline">
      {name}
    </Link>
  )
  return (
    <header className="mb-2.5 flex flex-wrap items-center gap-x-3 gap-y-1">
      <div className="flex min-w-0 grow basis-56 items-center gap-2.5">
        <Avatar who={asker} size={28} />
        <div className="min-w-0">
          <p className="cut">
            {asker.kind === 'system'
              ? taskLink(<b>{taskTitle(taskName)}</b>)
              : t.rich('inTask', {
                  who: asker.name,
                  task: taskTitle(taskName),
                  b: (text) => <b key="b">{text}</b>,
                  a: taskLink,
                })}
          </p>
          {/* What a person asks has no number, and stands in no stage. */}
          {request.number === null ? null : (
            <p className="cut text-meta text-t3">
              {stage
                ? t('stageAndNumber', { stage: stage.number, name: stage.name, number: request.number })
                : t('number', { number: request.number })}
            </p>
          )}
        </div>
      </div>
      <div className={cx('flex min-w-0 items-center gap-2.5', onFold ? 'max-md:ml-auto' : 'max-md:pl-[2.375rem]')}>
        {isOpen(request) ? <WaitsForYou shown={shown} names={answersFor} /> : null}
        {request.type === 'action' ? null : <TypeBadge type={request.type} isOpen={requestAlerts(request)} />}
        {onFold ? (
          <IconButton
            data-fold="open"
            aria-expanded
            className="-mr-1.5"
            icon={<ChevronUp />}
            label={common('showLess')}
            onClick={onFold}
          />
        ) : null}
      </div>
    </header>
  )
}

/** Since when it is open; on a dashed line where the answer is waited for. names: whom it waits for, when not for the reader */
export function WaitsForYou({ shown, names }: { shown: RequestShown; names?: string }) {
  const t = useTranslations()
  const { request } = shown
  const time = (): ReactNode => <Elapsed key="t" since={request.openedAt} />
  if (isAwaited(request)) {
    return (
      <WaitLine reach="short">
        {names ? t.rich('request.waitsForOthers', { names, time }) : t.rich('request.waitsForYou', { time })}
      </WaitLine>
    )
  }
  return <span className="text-meta text-t3">{t.rich('request.openFor', { time })}</span>
}
