/** A manager's plan: read, changed, sent back with a comment, or approved. Approving is filled, but has neither the focus nor Enter. */
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '@/components/ui/Button'
import { DraftArea, OtherDraft } from '@/components/ui/fields/OtherDraft'
import { ServerButton } from '@/components/ui/ServerButton'
import { AlertText } from '@/components/ui/States'
import { Scrolled } from '@/components/ui/text/Scrolled'
import { AcknowledgeRequest } from '../AcknowledgeButton'
import { CardMore } from '../card/CardMore'
import { Drafters } from '../card/Drafters'
import { ChangedBar, FailedLine } from '../card/Outcome'
import { onSubmitChord } from '../card/useCardKeys'
import type { AnswerInput } from '../commands'
import type { RequestShown } from '../shown'
import type { Answering } from '../useAnswering'
import { ActionRow } from './ActionRow'
import { PlanFields } from './PlanFields'
import { PlanAim, PlanView } from './PlanView'
import { changedPlan, draftedPlan, planOf, unfitStage, writePlan } from './planDraft'

type Mode = 'look' | 'edit' | 'back'

type PlanBodyProps = { shown: RequestShown; answering: Answering; isInactive?: boolean }

export function PlanBody({ shown, answering, isInactive = false }: PlanBodyProps) {
  const t = useTranslations('plan')
  const [chosen, setMode] = useState<Mode | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const { draft, edited } = answering
  const given = planOf(shown.request.plan?.stages ?? [])
  const stages = draftedPlan(edited.text, given)
  const team = shown.team ?? []
  const isSending = answering.sending.state === 'sending'
  // After a reload the mode follows the drafts, so that a changed plan is not overlooked.
  const mode = chosen ?? (edited.text !== '' ? 'edit' : draft.text !== '' ? 'back' : 'look')

  useEffect(() => {
    // Joins the focus: the box of a mode exists only after it is drawn.
    if (chosen === 'back') box.current?.focus()
  }, [chosen])

  const decide = (answer: AnswerInput): void => {
    if (!isInactive && !isSending) void answering.submit(answer)
  }
  const approve = (): void => decide({ decision: 'approve', text: '' })
  const approveEdited = (): void => {
    const unfit = unfitStage(stages)
    if (unfit !== null) {
      setProblem(t(`unfit.${unfit.why}`, { number: unfit.at + 1 }))
      return
    }
    const changed = changedPlan(stages, given)
    // What was put back as it was is no change.
    if (changed === null) approve()
    else decide({ decision: 'approve_edited', text: '', arguments: changed })
  }
  const sendBack = (): void => {
    if (answering.text.trim() === '') setProblem(t('commentNeeded'))
    else decide({ decision: 'refuse', text: answering.text.trim() })
  }
  const go = (next: Mode): void => {
    if (isInactive) return
    setProblem(null)
    setMode(next)
  }

  return (
    <div>
      <PlanAim shown={shown} />
      {shown.changed ? <ChangedBar changes={shown.changes ?? []} /> : null}
      <div className="mt-2">
        {mode === 'edit' ? (
          <>
            <PlanFields
              stages={stages}
              team={team}
              onChange={(next) => {
                setProblem(null)
                edited.setText(writePlan(next))
              }}
            />
            <OtherDraft draft={edited} className="mt-1" />
          </>
        ) : (
          <Scrolled label={t('stages')} className="max-h-96">
            <PlanView stages={given} team={team} />
          </Scrolled>
        )}
      </div>
      {mode === 'back' ? (
        <div className="mt-2">
          <DraftArea
            draft={draft}
            ref={box}
            label={t('comment')}
            hint={t('commentSeen')}
            error={problem}
            onText={(text) => {
              answering.setText(text)
              setProblem(null)
            }}
            onKeyDown={onSubmitChord(sendBack)}
          />
        </div>
      ) : (
        <AlertText text={problem} className="mt-1.5 text-meta" />
      )}
      <FailedLine sending={answering.sending} />
      <ActionRow>
        <PlanButtons
          mode={mode}
          go={go}
          approve={approve}
          approveEdited={approveEdited}
          sendBack={sendBack}
          isSending={isSending}
        />
        {/* The menu is never alone in a line. */}
        <span className="flex flex-wrap items-center gap-2">
          <AcknowledgeRequest shown={shown} isInactive={isInactive} look="quiet" />
          <CardMore shown={shown} />
        </span>
        <Drafters request={shown.request.id} />
      </ActionRow>
    </div>
  )
}

type PlanButtonsProps = {
  mode: Mode
  go: (mode: Mode) => void
  approve: () => void
  approveEdited: () => void
  sendBack: () => void
  isSending: boolean
}

function PlanButtons({ mode, go, approve, approveEdited, sendBack, isSending }: PlanButtonsProps) {
  const t = useTranslations()
  const wordOf = (word: 'approve' | 'approveChanged' | 'sendBack'): string =>
    isSending ? t('request.sending') : t(`plan.${word}`)
  const back = (
    <Button look="quiet" onClick={() => go('look')}>
      {t('common.back')}
    </Button>
  )
  switch (mode) {
    case 'look':
      return (
        <>
          <Button isDisabled={isSending} onClick={() => go('back')} data-act="reply">
            {t('plan.sendBack')}
          </Button>
          <Button isDisabled={isSending} onClick={() => go('edit')}>
            {t('plan.change')}
          </Button>
          <ServerButton look="primary" isDisabled={isSending} onClick={approve} data-act="approve">
            {wordOf('approve')}
          </ServerButton>
        </>
      )
    case 'edit':
      return (
        <>
          <ServerButton look="primary" isDisabled={isSending} onClick={approveEdited}>
            {wordOf('approveChanged')}
          </ServerButton>
          {back}
        </>
      )
    case 'back':
      return (
        <>
          <ServerButton look="primary" isDisabled={isSending} onClick={sendBack}>
            {wordOf('sendBack')}
          </ServerButton>
          {back}
        </>
      )
  }
}
