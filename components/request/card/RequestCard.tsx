import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useRow } from '@/client'
import { useMoment } from '@/client/moment'
import { questionText } from '@/client/readersWords'
import { DraftArea } from '@/components/ui/fields/OtherDraft'
import { ServerButton } from '@/components/ui/ServerButton'
import { PathText } from '@/components/ui/text/FileLink'
import { MessageText } from '@/components/ui/text/MessageText'
import { firstWords } from '@/lib/format/plainText'
import { isOpen } from '@/lib/mas/statuses'
import { AttachedFiles } from '../AttachedFiles'
import { AnswerBody } from '../bodies/AnswerBody'
import { DecisionBody, LazyCardPart } from '../lazy'
import { type RequestShown, splitQuestion } from '../shown'
import { type Answering, type AnswerSending, useAnswering } from '../useAnswering'
import { useSenderName } from '../useNames'
import { CardFacts } from './CardFacts'
import { CardFrame, type CardPlace } from './CardFrame'
import { RequestOutcome } from './Outcome'

export type RequestCardProps = {
  shown: RequestShown
  place: CardPlace
  /** The reader may answer it: they are asked, or answer for somebody. */
  isMine: boolean
  /** Names of those who are asked, when the reader answers for them. */
  answersFor?: string
  /** A card for the whole transfer is above it and has the buttons. */
  isOfferAbove?: boolean
  /** Just drawn over the page: presses do not count yet. */
  isInactive?: boolean
  /** It is in a list of lines and can be collapsed to a line. */
  onFold?: () => void
  onAnswered?: () => void
}

/** "Request from Coder: Which database…", "Your part of stage 2: check the report". */
export function useRequestName(): (shown: RequestShown) => string {
  const t = useTranslations('request')
  const senderName = useSenderName()
  return ({ request, asker, stage }) =>
    request.kind === 'part'
      ? t('partArticle', { number: stage?.number ?? 0, goal: firstWords(questionText(request)) })
      : t('article', { who: senderName(asker), text: firstWords(questionText(request)) })
}

export function RequestCard({ onAnswered, ...props }: RequestCardProps) {
  const answering = useAnswering(props.shown, onAnswered, props.answersFor !== undefined)
  // A task's log holds no locks: only the reader's row knows who waits for the answer.
  const row = useRow('me', props.shown.request.id)
  const shown = row?.kind === 'request' ? { ...props.shown, holdsUp: row.holdsUp } : props.shown
  return <RequestCardView {...props} shown={shown} answering={answering} />
}

type RequestCardViewProps = Omit<RequestCardProps, 'onAnswered'> & {
  answering: Answering
}

/** The card from its props alone. */
export function RequestCardView({
  shown,
  place,
  isMine,
  answersFor,
  isOfferAbove,
  isInactive,
  onFold,
  answering,
}: RequestCardViewProps) {
  const nameOf = useRequestName()
  const { request } = shown
  const isAnswerable = isOpen(request)
  // A card of an earlier moment is frozen.
  const isThen = useMoment() !== null
  const { sending } = answering
  const { text, code } = answering.unsent
  // An unsent answer outlives the request: its box stays until it is sent elsewhere or discarded.
  const isUnsent = !isThen && !isAnswerable && isMine && (text !== '' || code !== '')
  const isLate = isUnsent && request.kind === 'answer'
  // While an answer is on its way it may be the one that is stored.
  const isOver = isLate && sending.state !== 'sending'
  return (
    <CardFrame shown={shown} name={nameOf(shown)} place={place} answersFor={answersFor} onFold={onFold}>
      <Title shown={shown} />
      {place === 'bubble' || request.message === null ? null : (
        // A bubble shows the files of its message itself.
        <AttachedFiles message={request.message} files={shown.attachments ?? []} />
      )}
      {isAnswerable ? (
        <>
          <CardFacts shown={shown} place={place} />
          {isMine && answersFor ? <AnswersFor names={answersFor} answering={answering} /> : null}
          {request.transfer ? (
            <LazyCardPart part="transfer" task={request.task} transfer={request.transfer} isOfferAbove={isOfferAbove} />
          ) : null}
          {isMine && request.draft && (request.kind === 'answer' || request.kind === 'part') ? (
            <LazyCardPart
              part="draft"
              task={request.task}
              draft={request.draft}
              text={answering.text}
              onUse={answering.setText}
            />
          ) : null}
          {request.claimed ? <LazyCardPart part="claim" shown={shown} /> : null}
        </>
      ) : (
        <>
          <RequestOutcome shown={shown} />
          {request.kind === 'confirm' ? <LazyCardPart part="settled" shown={shown} /> : null}
          {request.kind === 'plan' ? <LazyCardPart part="plan" shown={shown} /> : null}
          {request.state === 'superseded' && request.call !== null ? (
            <LazyCardPart part="byHand" id={request.id} call={request.call} isEdited={code !== ''} />
          ) : null}
        </>
      )}
      {isThen ? (
        isAnswerable && isMine ? (
          <FrozenAnswer />
        ) : null
      ) : sending.state === 'lost' ? (
        <LazyCardPart part="lost" shown={shown} answering={answering} lost={sending} />
      ) : (isAnswerable && isMine) || isLate ? (
        // The same element while open and late: typing keeps the focus.
        <Body shown={shown} place={place} answering={answering} isInactive={isInactive} isOver={isOver} />
      ) : isUnsent ? (
        <LazyCardPart part="lost" shown={shown} answering={answering} lost={endOf(shown)} />
      ) : null}
    </CardFrame>
  )
}

/** In place of the answer at an earlier moment. */
function FrozenAnswer() {
  const t = useTranslations('request')
  return (
    <ServerButton look="primary" className="mt-2">
      {t('sendAnswer')}
    </ServerButton>
  )
}

/** How it ended before this answer was sent. */
const endOf = ({ request, answeredBy }: RequestShown): Extract<AnswerSending, { state: 'lost' }> => ({
  state: 'lost',
  by: (request.state === 'answered' ? answeredBy?.name : request.endReason) ?? '—',
  how: request.state,
  ms: null,
})

/** That the reader answers for somebody else, and the reason why. */
function AnswersFor({ names, answering }: { names: string; answering: Answering }) {
  const t = useTranslations()
  const box = useRef<HTMLTextAreaElement>(null)
  const { reason } = answering
  const isMissing = reason?.isMissing === true
  useEffect(() => {
    // Joins the focus: the missing reason is asked for.
    if (isMissing) box.current?.focus()
  }, [isMissing])
  return (
    <div className="mt-2 flex flex-col gap-2">
      <p className="text-table text-waiting">{t('request.answersFor', { names })}</p>
      {reason ? (
        <DraftArea
          draft={reason.draft}
          ref={box}
          label={t('operate.reason')}
          minLines={1}
          maxLength={1_000}
          error={reason.isMissing ? t('operate.reasonNeeded') : null}
          onText={reason.setText}
        />
      ) : null}
    </div>
  )
}

function Title({ shown }: { shown: RequestShown }) {
  const t = useTranslations('request')
  const { request, stage } = shown
  if (request.kind !== 'part') return <QuestionText text={questionText(request)} />
  return (
    <div className="mb-1">
      <p className="text-meta text-t3">{t('yourPart', { number: stage?.number ?? 0 })}</p>
      <QuestionText text={questionText(request)} />
    </div>
  )
}

type BodyProps = Pick<RequestCardViewProps, 'shown' | 'place' | 'answering' | 'isInactive'> & {
  /** It ended with an unsent text; of kind answer only. */
  isOver: boolean
}

function Body({ shown, place, answering, isInactive, isOver }: BodyProps) {
  const { kind } = shown.request
  return kind === 'answer' ? (
    <AnswerBody shown={shown} answering={answering} place={place} isInactive={isInactive} isOver={isOver} />
  ) : (
    <DecisionBody key={shown.request.id} kind={kind} shown={shown} answering={answering} isInactive={isInactive} />
  )
}

function QuestionText({ text }: { text: string }) {
  const { head, rest } = splitQuestion(text)
  return (
    <div className="max-w-[68ch] min-w-0 break-words">
      {head === '' ? null : (
        <p className="text-question font-bold" data-part="question">
          <PathText text={head} />
        </p>
      )}
      {rest === '' ? null : (
        <div className="mt-1 text-t2">
          <MessageText text={rest} />
        </div>
      )}
    </div>
  )
}
