/** Allowing a risky call: exactly what would run, and three ways to decide. Approving is filled, but has neither the focus nor Enter. */

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { ApiQuery } from '@/client/queries'
import { Button } from '@/components/ui/Button'
import { DraftArea, OtherDraft } from '@/components/ui/fields/OtherDraft'
import { Skeleton } from '@/components/ui/States'
import { Scrolled } from '@/components/ui/text/Scrolled'
import { useToolWords } from '@/components/ui/text/toolWords'
import { useFaultWords } from '@/components/ui/useFaultWords'
import { isSameValue } from '@/lib/json'
import type { ArgumentsAnswer } from '@/lib/wire'
import { AcknowledgeRequest } from '../AcknowledgeButton'
import { CardMore } from '../card/CardMore'
import { Drafters } from '../card/Drafters'
import { FailedLine } from '../card/Outcome'
import { onSubmitChord } from '../card/useCardKeys'
import type { AnswerInput } from '../commands'
import type { RequestShown } from '../shown'
import type { Answering } from '../useAnswering'
import { ActionRow } from './ActionRow'
import { ArgumentsView } from './ArgumentsView'
import { CallEditor, useComparedFile, WithComparisons } from './CallEditor'
import { DecisionButtons, type DecisionMode } from './DecisionButtons'
import { useArguments } from './useArguments'
import { useEditing } from './useEditing'

type ConfirmationBodyProps = { shown: RequestShown; answering: Answering; isInactive?: boolean }

export function ConfirmationBody({ shown, answering, isInactive = false }: ConfirmationBodyProps) {
  const t = useTranslations('request')
  const query = useArguments(shown.request)
  const [chosen, setMode] = useState<DecisionMode | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const isSending = answering.sending.state === 'sending'
  const { data: given = null, refetch } = query
  const { draft, edited } = answering
  const editing = useEditing(edited, given)
  // After a reload the mode follows the drafts, so that edited arguments are not overlooked.
  const mode = chosen ?? (edited.text !== '' ? 'edit' : draft.text !== '' ? 'refuse' : 'look')
  const compared = useComparedFile(mode === 'edit' ? editing.args : (given?.json ?? null))
  // Nothing is allowed that cannot be read yet, and no button moves under a press.
  const isReady = given !== null && (mode === 'edit' || !compared.isFetching)

  useEffect(() => {
    // Joins the focus: the box of a mode exists only after it is drawn.
    if (chosen === 'refuse') box.current?.focus()
  }, [chosen])

  const decide = async (answer: AnswerInput): Promise<void> => {
    if (!isInactive && !isSending && !(await answering.submit(answer))) refetch()
  }
  const approve = (): void => {
    if (given) void decide({ decision: 'approve', text: '', digest: given.digest })
  }
  const approveEdited = (): void => {
    const args = editing.read()
    if (args === null || !given) return
    const { digest } = given
    // What was put back as it was is no change.
    if (isSameValue(args, given.json)) void decide({ decision: 'approve', text: '', digest })
    else void decide({ decision: 'approve_edited', text: '', arguments: JSON.stringify(args, null, 2), digest })
  }
  const refuse = (): void => {
    const digest = given?.digest ?? shown.request.call?.digest
    if (answering.text.trim() === '') setProblem(t('reasonNeeded'))
    else void decide({ decision: 'refuse', text: answering.text, digest })
  }
  const go = (next: DecisionMode): void => {
    if (isInactive) return
    setProblem(null)
    setMode(next)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: one chord for every field in it; each field is reachable by itself.
    <div onKeyDown={mode === 'edit' ? onSubmitChord(approveEdited) : undefined}>
      <CallFacts call={shown.request.call} />
      <div className="mt-2">
        {mode === 'edit' && given ? (
          <WithComparisons {...compared} args={editing.args} proposed={given.json}>
            <CallEditor {...editing} hasFocus={chosen === 'edit'} />
            <OtherDraft draft={edited} className="mt-1" />
          </WithComparisons>
        ) : (
          <Arguments query={query} compared={compared} />
        )}
      </div>
      {mode === 'refuse' ? (
        <div className="mt-2">
          <DraftArea
            draft={draft}
            ref={box}
            label={t('reasonRefuse')}
            hint={t('reasonSeen')}
            error={problem}
            onText={(text) => {
              answering.setText(text)
              setProblem(null)
            }}
            onKeyDown={onSubmitChord(refuse)}
          />
        </div>
      ) : null}
      <FailedLine sending={answering.sending} />
      <ActionRow>
        <DecisionButtons
          {...{ mode, go, approve, approveEdited, refuse, isSending, isReady }}
          words={{
            approve: t('approve'),
            edit: t('editApprove'),
            approveChanged: t('approveChanged'),
            refuse: t('refuse'),
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

function CallFacts({ call }: Pick<RequestShown['request'], 'call'>) {
  const t = useTranslations('request')
  const toReader = useToolWords()
  return (
    <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-table">
      <dt className="text-t3">{t('tool')}</dt>
      <dd data-literal className="min-w-0 font-mono break-words">
        {call?.server}.{call?.tool}
      </dd>
      {call && call.changes.trim() !== '' ? (
        <>
          <dt className="text-t3">{t('changes')}</dt>
          <dd className="min-w-0 break-words">{toReader(call.changes)}</dd>
        </>
      ) : null}
    </dl>
  )
}

type ArgumentsProps = {
  query: ApiQuery<ArgumentsAnswer>
  compared: ReturnType<typeof useComparedFile>
}

/** The arguments to read, or why they are not here. */
function Arguments({ query: { data, error, refetch }, compared }: ArgumentsProps): ReactNode {
  const t = useTranslations()
  const faultWords = useFaultWords()
  const label = t('request.arguments')
  return (
    <>
      <p className="mb-1 text-table text-t3">{label}</p>
      {error !== null ? (
        <p role="alert" className="text-table text-failed">
          {error.error === 'NO_ANSWER' ? t('request.noArguments') : faultWords(error)}{' '}
          <Button look="quiet" onClick={refetch}>
            {t('common.tryAgain')}
          </Button>
        </p>
      ) : data === undefined ? (
        <div aria-busy="true" className="rounded-control bg-s3">
          <Skeleton lines={2} className="p-3!" />
        </div>
      ) : (
        <Scrolled label={label} className="rounded-control bg-s3 px-3 py-2">
          {compared.isFetching ? (
            <div aria-busy="true">
              <Skeleton lines={4} />
            </div>
          ) : (
            <WithComparisons {...compared} args={data.json}>
              <ArgumentsView given={data} />
            </WithComparisons>
          )}
        </Scrolled>
      )}
    </>
  )
}
