/** Allowing a risky call: exactly what would run, and three ways to decide. Approving is never the default. */
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '@/components/ui/Button'
import { OtherDraft } from '@/components/ui/OtherDraft'
import { ServerButton } from '@/components/ui/ServerButton'
import { Skeleton } from '@/components/ui/States'
import { TextArea } from '@/components/ui/TextField'
import type { ArgumentsAnswer } from '@/lib/wire'
import { AcknowledgeRequest } from './AcknowledgeButton'
import { ArgumentsView } from './ArgumentsView'
import { CardMore } from './CardMore'
import type { AnswerInput, CallOutcome } from './commands'
import { Drafters } from './Drafters'
import { checkJson, prettyJson } from './jsonText'
import { FailedLine, useRefusalText } from './Outcome'
import type { RequestShown } from './shown'
import type { Answering } from './useAnswering'
import { useArguments } from './useArguments'
import { onSubmitChord } from './useCardKeys'

type Mode = 'look' | 'edit' | 'refuse'

export function ConfirmationBody({
  shown,
  answering,
  areButtonsDead = false,
  known,
}: {
  shown: RequestShown
  answering: Answering
  areButtonsDead?: boolean
  known?: ArgumentsAnswer
}) {
  const t = useTranslations('request')
  const [fetched, fetchAgain] = useArguments(shown.request, known)
  const [chosen, setMode] = useState<Mode | null>(null)
  const [isEmptied, setEmptied] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const isSending = answering.sending.state === 'sending'
  const given = fetched?.ok ? fetched.value : null
  const { draft, edited } = answering
  // After a reload the mode follows the drafts, so that edited arguments are not overlooked.
  const mode = chosen ?? (edited.text !== '' ? 'edit' : draft.text !== '' ? 'refuse' : 'look')
  // A box that was emptied stays empty while the card is here.
  const json = edited.text !== '' || isEmptied ? edited.text : prettyJson(given?.text ?? '')

  useEffect(() => {
    // Joins the focus: the box of a mode exists only after it is drawn.
    if (chosen !== null && chosen !== 'look') box.current?.focus()
  }, [chosen])

  const decide = async (answer: AnswerInput): Promise<void> => {
    if (!areButtonsDead && !isSending && !(await answering.submit(answer))) fetchAgain()
  }
  const approve = (): void => {
    if (given) void decide({ decision: 'approve', text: '', digest: given.digest })
  }
  const approveEdited = (): void => {
    const check = checkJson(json)
    setProblem(check.ok ? null : t('badJson', { why: check.why }))
    if (check.ok && given) void decide({ decision: 'approve_edited', text: '', arguments: json, digest: given.digest })
  }
  const refuse = (): void => {
    const digest = given?.digest ?? shown.request.call?.digest
    if (answering.text.trim() === '') setProblem(t('reasonNeeded'))
    else void decide({ decision: 'refuse', text: answering.text, digest })
  }
  const go = (next: Mode): void => {
    if (areButtonsDead) return
    setProblem(null)
    setMode(next)
  }
  const edit = (text: string): void => {
    edited.setText(text)
    setEmptied(text === '')
    setProblem(null)
  }

  return (
    <div>
      <CallFacts call={shown.request.call} />
      <div className="mt-2">
        {mode === 'edit' ? (
          <>
            <JsonBox ref={box} value={json} error={problem} onChange={edit} onSubmit={approveEdited} />
            <OtherDraft draft={edited} className="mt-1" />
          </>
        ) : (
          <Arguments fetched={fetched} fetchAgain={fetchAgain} />
        )}
      </div>
      {mode === 'refuse' ? (
        <div className="mt-2">
          <TextArea
            ref={box}
            label={t('reasonRefuse')}
            hint={t('reasonSeen')}
            error={problem}
            value={answering.text}
            onChange={({ target }) => {
              answering.setText(target.value)
              setProblem(null)
            }}
            onKeyDown={onSubmitChord(refuse)}
          />
          <OtherDraft draft={draft} className="mt-1" />
        </div>
      ) : null}
      <FailedLine sending={answering.sending} className="mt-1.5" />
      <div className="mt-2.5 flex flex-wrap items-center gap-2">
        <DecisionButtons {...{ mode, go, approve, approveEdited, refuse, isSending }} isReady={given !== null} />
        {/* The menu never stands alone in a line. */}
        <span className="flex flex-wrap items-center gap-2">
          <AcknowledgeRequest shown={shown} isDead={areButtonsDead} look="quiet" />
          <CardMore shown={shown} />
        </span>
        <Drafters request={shown.request.id} />
      </div>
    </div>
  )
}

function JsonBox({
  onChange,
  onSubmit,
  ...props
}: {
  ref: RefObject<HTMLTextAreaElement | null>
  value: string
  error: string | null
  onChange: (text: string) => void
  onSubmit: () => void
}) {
  const t = useTranslations('request')
  return (
    <TextArea
      {...props}
      label={t('argumentsJson')}
      spellCheck={false}
      minLines={4}
      maxLines={16}
      className="font-mono text-table!"
      onChange={({ target }) => onChange(target.value)}
      onKeyDown={onSubmitChord(onSubmit)}
    />
  )
}

function CallFacts({ call }: Pick<RequestShown['request'], 'call'>) {
  const t = useTranslations('request')
  return (
    <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-table">
      <dt className="text-t3">{t('tool')}</dt>
      <dd className="min-w-0 font-mono break-words">
        {call?.server}.{call?.tool}
      </dd>
      {call && call.changes.trim() !== '' ? (
        <>
          <dt className="text-t3">{t('changes')}</dt>
          <dd className="min-w-0 break-words">{call.changes}</dd>
        </>
      ) : null}
    </dl>
  )
}

/** The arguments to read, or why they are not here. */
function Arguments({
  fetched,
  fetchAgain,
}: {
  fetched: CallOutcome<ArgumentsAnswer> | null
  fetchAgain: () => void
}): ReactNode {
  const t = useTranslations()
  const sayRefusal = useRefusalText()
  const label = t('request.arguments')
  return (
    <>
      <p className="mb-1 text-table text-t3">{label}</p>
      {fetched === null ? (
        <div aria-busy="true" className="rounded-control bg-s3">
          <Skeleton lines={2} className="p-3!" />
        </div>
      ) : fetched.ok ? (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by itself, so keys must reach it.
          tabIndex={0}
          aria-label={label}
          className="max-h-72 overflow-auto max-md:max-h-44 rounded-control bg-s3 px-3 py-2"
        >
          <ArgumentsView given={fetched.value} />
        </section>
      ) : (
        <p role="alert" className="text-table text-failed">
          {fetched.refusal.kind === 'unreachable' ? t('request.noArguments') : sayRefusal(fetched.refusal)}{' '}
          <Button look="quiet" onClick={fetchAgain}>
            {t('common.tryAgain')}
          </Button>
        </p>
      )}
    </>
  )
}

function DecisionButtons({
  mode,
  go,
  approve,
  approveEdited,
  refuse,
  isSending,
  isReady,
}: {
  mode: Mode
  go: (mode: Mode) => void
  approve: () => void
  approveEdited: () => void
  refuse: () => void
  isSending: boolean
  /** The arguments are known. */
  isReady: boolean
}) {
  const t = useTranslations()
  const isOff = isSending || !isReady
  const wordOf = (word: 'approve' | 'editApprove' | 'refuse'): string =>
    isSending ? t('request.sending') : t(`request.${word}`)
  const back = (
    <Button look="quiet" onClick={() => go('look')}>
      {t('common.back')}
    </Button>
  )
  switch (mode) {
    case 'look':
      return (
        <>
          <Button isDisabled={isSending} onClick={() => go('refuse')} data-act="reply">
            {t('request.refuse')}
          </Button>
          <Button isDisabled={isOff} onClick={() => go('edit')}>
            {t('request.editApprove')}
          </Button>
          <ServerButton isDisabled={isOff} onClick={approve}>
            {wordOf('approve')}
          </ServerButton>
        </>
      )
    case 'edit':
      return (
        <>
          <ServerButton isDisabled={isOff} onClick={approveEdited}>
            {wordOf('editApprove')}
          </ServerButton>
          {back}
        </>
      )
    case 'refuse':
      return (
        <>
          <ServerButton look="danger" isDisabled={isSending} onClick={refuse}>
            {wordOf('refuse')}
          </ServerButton>
          {back}
        </>
      )
  }
}
