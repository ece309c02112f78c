/** An open request as one line of a list: what it asks, who asks it and since when. It opens in place. */
import { useTranslations } from 'use-intl'
import { pathTo } from '@/client/nav'
import { questionText, taskTitle } from '@/client/readersWords'
import { Button } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { Avatar } from '@/components/ui/marks/Avatar'
import { TypeBadge } from '@/components/ui/marks/Badges'
import { DraftMark } from '@/components/ui/marks/DraftMark'
import { Elapsed } from '@/components/ui/marks/Time'
import { firstWords } from '@/lib/format/plainText'
import { requestAlerts } from '@/lib/mas/asks/alerts'
import { isAwaited } from '@/lib/mas/asks/requests'
import type { NumberedRequest } from '@/lib/mas/records'
import { AcknowledgeRequest } from '../AcknowledgeButton'
import type { RequestShown } from '../shown'
import { edgeOf, WaitsForYou } from './CardFrame'
import { Drafters } from './Drafters'
import { DueTime } from './DueTime'
import { useRequestName } from './RequestCard'

/** Letters of the question; the rest is cut by the width. */
const QUESTION_LENGTH = 160

/** onOpen: isByKey: by a key, so that the focus goes into the answer box */
export function RequestLine({
  shown,
  onOpen,
}: {
  shown: RequestShown<NumberedRequest>
  onOpen: (isByKey: boolean) => void
}) {
  const t = useTranslations('request')
  const nameOf = useRequestName()
  const { request, asker, stage, taskName, about } = shown
  const question = firstWords(questionText(request), QUESTION_LENGTH)
  const facts = [
    ...(asker.kind === 'system' ? [] : [asker.name]),
    taskTitle(taskName),
    t('number', { number: request.number }),
    ...(about?.kind === 'message' ? [t('about', { text: about.text })] : []),
  ]
  return (
    <article
      aria-label={nameOf(shown)}
      tabIndex={-1}
      data-id={request.id}
      data-href={pathTo('request', { requestId: request.id })}
      data-kind={request.kind}
      data-state={request.state}
      data-seq={request.openedSeq}
      data-needs-me=""
      className={cx(
        '@container relative flex min-w-0 items-center gap-x-3 rounded-card rounded-l-bar px-4 py-1.5 max-md:px-3.5',
        edgeOf(shown),
      )}
    >
      <Avatar who={asker} size={28} />
      {/* One line of text, in a narrow list the question alone; on a phone two, which are no higher than the button beside them. */}
      <div className="min-w-0 grow items-baseline gap-x-3 overflow-hidden md:flex">
        <p className="cut font-medium">
          {request.kind === 'part' ? (
            <span className="font-normal text-t2">{t('yourPart', { number: stage?.number ?? 0 })} · </span>
          ) : null}
          {question}
        </p>
        <p className="cut text-meta text-t3 md:w-0 md:min-w-32 md:grow md:@max-2xl:hidden">
          <span className={cx('md:hidden', isAwaited(request) && 'text-waiting')}>
            <Elapsed since={request.openedAt} />
            {' · '}
            {request.due === undefined ? null : (
              <>
                <DueTime at={request.due} />
                {' · '}
              </>
            )}
          </span>
          {facts.join(' · ')}
        </p>
      </div>
      <div className="flex shrink-0 items-center gap-2.5">
        <span className="contents max-md:hidden md:@max-2xl:hidden">
          <Drafters request={request.id} />
        </span>
        <DraftMark place={`request:${request.id}`} />
        <span className="max-md:hidden">
          <WaitsForYou shown={shown} />
        </span>
        {request.due === undefined ? null : (
          <span className="text-meta text-t2 max-md:hidden">
            <DueTime at={request.due} />
          </span>
        )}
        {request.type === 'action' ? null : (
          <span className="flex max-md:hidden">
            <TypeBadge type={request.type} isOpen={requestAlerts(request)} />
          </span>
        )}
        {/* Above the cover of the button beside it. */}
        <span className="relative z-1 flex empty:hidden max-md:hidden">
          <AcknowledgeRequest shown={shown} />
        </span>
        {/* The whole line opens it. */}
        <Button
          data-act="reply"
          data-fold="closed"
          aria-expanded={false}
          aria-description={question}
          className="after:absolute after:inset-0"
          onClick={({ detail }) => onOpen(detail === 0)}
        >
          {t('review')}
        </Button>
      </div>
    </article>
  )
}
