/** A manager's plan: read, changed, sent back with a comment, or approved. Approving is filled, but has neither the focus nor Enter. */
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { DraftArea, OtherDraft } from '@/components/ui/fields/OtherDraft'
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
import { DecisionButtons, type DecisionMode } from './DecisionButtons'
import { PlanFields } from './PlanFields'
import { PlanAim, PlanView } from './PlanView'
import { changedPlan, draftedPlan, planOf, unfitStage, writePlan } from './planDraft'

type PlanBodyProps = { shown: RequestShown; answering: Answering; isInactive?: boolean }

export function PlanBody({ shown, answering, isInactive = false }: PlanBodyProps) {
  const t = useTranslations('plan')
  const [chosen, setMode] = useState<DecisionMode | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const { draft, edited } = answering
  const given = planOf(shown.request.plan?.stages ?? [])
  const stages = draftedPlan(edited.text, given)
  const team = shown.team ?? []
  const isSending = answering.sending.state === 'sending'
  // After a reload the mode follows the drafts, so that a changed plan is not overlooked.
  const mode = chosen ?? (edited.text !== '' ? 'edit' : draft.text !== '' ? 'refuse' : 'look')

  useEffect(() => {
    // Joins the focus: the box of a mode exists only after it is drawn.
    if (chosen === 'refuse') box.current?.focus()
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
  const go = (next: DecisionMode): void => {
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
      {mode === 'refuse' ? (
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
        <DecisionButtons
          {...{ mode, go, approve, approveEdited, isSending }}
          refuse={sendBack}
          refuseLook="primary"
          words={{
            approve: t('approve'),
            edit: t('change'),
            approveChanged: t('approveChanged'),
            refuse: t('sendBack'),
          }}
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
