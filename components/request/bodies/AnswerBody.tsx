import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useMe } from '@/client/account/session'
import { RadioChoice } from '@/components/ui/fields/Choice'
import { DraftArea } from '@/components/ui/fields/OtherDraft'
import { ServerButton } from '@/components/ui/ServerButton'
import { isAwaited, isQuestion } from '@/lib/mas/asks/requests'
import { SYSTEM_TASK } from '@/lib/mas/ids'
import { draftTextIn } from '@/lib/wire/drafts'
import { AcknowledgeRequest, DoneButton } from '../AcknowledgeButton'
import type { CardPlace } from '../card/CardFrame'
import { CardMore } from '../card/CardMore'
import { Drafters } from '../card/Drafters'
import { ChangedBar, FailedLine } from '../card/Outcome'
import { onSubmitChord } from '../card/useCardKeys'
import { LazyCardPart } from '../lazy'
import { answerOf, type RequestShown } from '../shown'
import type { Answering } from '../useAnswering'
import { ActionRow } from './ActionRow'

type AnswerBodyProps = {
  shown: RequestShown
  answering: Answering
  place: CardPlace
  isInactive?: boolean
  /** The request ended with an unsent text or choice here; both are kept. */
  isOver?: boolean
}

export function AnswerBody({ shown, answering, place, isInactive = false, isOver = false }: AnswerBodyProps) {
  const t = useTranslations()
  const box = useRef<HTMLTextAreaElement>(null)
  const { request, changed } = shown
  const me = useMe()?.person.agent_id ?? null
  const isAsked = me !== null && request.asked.includes(me)
  const isSending = answering.sending.state === 'sending'
  const choice = draftTextIn(answering.draft.more, 'choice')
  const answer = answerOf(choice, answering.text)
  const isOff = answer === '' || isSending
  const send = (): void => {
    if (isInactive || isSending || isOver) return
    if (answer === '') box.current?.focus()
    else void answering.submit({ decision: 'answer', text: answer })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: one chord for every field in it; each field is reachable by itself.
    <div
      onKeyDown={onSubmitChord(send)}
      // What is kept of a late answer; only its first sentence is read out, not what is typed.
      {...(isOver ? { role: 'status', 'aria-live': 'off' as const } : {})}
    >
      {place === 'list' && !isOver ? <Effects shown={shown} /> : null}
      {changed && !isOver ? <ChangedBar changes={shown.changes ?? []} /> : null}
      {isOver ? (
        <p aria-live="polite" className="mt-2 text-table text-waiting">
          {request.state === 'answered'
            ? t('request.lostEarlier', { by: shown.answeredBy?.name ?? '—' })
            : t('request.lateNote')}
        </p>
      ) : null}
      {request.choices.length > 0 && (!isOver || choice !== null) ? (
        <RadioChoice
          className="mt-3"
          label={t('request.choices')}
          choices={request.choices.map((one) => ({ value: one, label: one }))}
          value={choice}
          onChange={(next) => answering.draft.setMore({ choice: next })}
        />
      ) : null}
      <div className="mt-2.5">
        <DraftArea
          draft={answering.draft}
          ref={box}
          data-act="reply"
          label={t('request.yourAnswer')}
          isLabelHidden
          placeholder={t('request.yourAnswer')}
          minLines={place === 'bubble' ? 1 : 2}
          maxLines={10}
          onText={answering.setText}
        />
      </div>
      <FailedLine sending={answering.sending} />
      <ActionRow>
        {isOver ? (
          <LazyCardPart part="late" shown={shown} answering={answering} />
        ) : (
          <>
            <ServerButton
              look="primary"
              isDisabled={isOff}
              reason={isSending ? t('request.sending') : t('request.answerFirst')}
              onClick={send}
            >
              {isSending ? t('request.sending') : changed ? t('request.answerAnyway') : t('request.sendAnswer')}
            </ServerButton>
            <AcknowledgeRequest shown={shown} isInactive={isInactive} />
            {request.message !== null && isAsked && !isQuestion(request) ? (
              <DoneButton message={request.message} />
            ) : null}
            <CardMore shown={shown} />
            <Drafters request={request.id} />
          </>
        )}
      </ActionRow>
    </div>
  )
}

/** What an answer would do, and what happens without one. */
function Effects({ shown }: { shown: RequestShown }) {
  const t = useTranslations('request')
  const { request, asker, stage, holdsUp } = shown
  if (asker.id === SYSTEM_TASK) return null
  const isHeld = isAwaited(request)
  const values = { who: asker.name, stage: stage?.number ?? 0 }
  return (
    <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-table max-md:grid-cols-1 max-md:gap-y-0">
      <dt className="text-t3">{t('ifAnswer')}</dt>
      <dd>
        {!isHeld
          ? t('ifAnswerMessage', values)
          : holdsUp.stage
            ? t('ifAnswerStage', values)
            : t('ifAnswerGoes', values)}
      </dd>
      <dt className="text-t3 max-md:mt-1">{t('ifNobody')}</dt>
      <dd>{isHeld ? t('ifNobodyStands', values) : t('ifNobodyGoes', values)}</dd>
    </dl>
  )
}
