/** Allowing a risky call: exactly what would run, and three ways to decide. Approving is never the default. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '@/components/ui/Button'
import { isComposing } from '@/components/ui/keyboard'
import { OtherDraft } from '@/components/ui/OtherDraft'
import { ServerButton } from '@/components/ui/ServerButton'
import { Skeleton } from '@/components/ui/States'
import { useServerAway } from '@/components/ui/serverAway'
import { TextArea } from '@/components/ui/TextField'
import type { ArgumentsAnswer } from '@/lib/wire'
import { AcknowledgeButton } from './AcknowledgeButton'
import { ArgumentsView } from './ArgumentsView'
import { CardMore } from './CardMore'
import { type CallOutcome, getArguments } from './commands'
import { Drafters } from './Drafters'
import { checkJson, prettyJson } from './jsonText'
import { FailedLine, useRefusalText } from './Outcome'
import { canAcknowledge, type RequestShown } from './shown'
import type { Answering } from './useAnswering'

type Mode = 'look' | 'edit' | 'refuse'

/** What would run, fetched when the card is shown and again when its digest turns out to be another; not where it is known. */
function useArguments(
  request: RequestShown['request'],
  known: ArgumentsAnswer | undefined,
): [CallOutcome<ArgumentsAnswer> | null, () => void] {
  const [came, setCame] = useState<CallOutcome<ArgumentsAnswer> | null>(known ? { ok: true, value: known } : null)
  const [attempt, setAttempt] = useState(0)
  const isAway = useServerAway() !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: another digest or another try asks anew.
  useEffect(() => {
    // Joins the server: the arguments are a body of their own.
    if (known) return
    let isWanted = true
    void getArguments(request.id).then((next) => {
      if (isWanted) setCame(next)
    })
    return () => {
      isWanted = false
    }
  }, [request.id, request.call?.digest, attempt, known])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the server's return asks anew.
  useEffect(() => {
    // Joins the connection: whoever decides need not ask again for what the silence of the server kept away.
    if (!isAway && came && !came.ok && came.refusal.kind === 'unreachable') setAttempt((times) => times + 1)
  }, [isAway])
  return [came, () => setAttempt(attempt + 1)]
}

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
  const t = useTranslations()
  const sayRefusal = useRefusalText()
  const [came, fetchAgain] = useArguments(shown.request, known)
  const [chosen, setMode] = useState<Mode | null>(null)
  const [isEmptied, setEmptied] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const { request } = shown
  const { call } = request
  const isSending = answering.sending.state === 'sending'
  const given = came?.ok ? came.value : null
  const { draft, edited } = answering
  // What was begun before a reload is where one goes on: arguments that were edited must not be passed over unseen.
  const mode = chosen ?? (edited.text !== '' ? 'edit' : draft.text !== '' ? 'refuse' : 'look')
  // Emptied to be written anew: it stays empty while the card is here.
  const json = edited.text !== '' || isEmptied ? edited.text : prettyJson(given?.text ?? '')

  // Joins the focus: the box that was asked for is there only after it is drawn.
  useEffect(() => {
    if (chosen !== null && chosen !== 'look') box.current?.focus()
  }, [chosen])

  const isFree = !areButtonsDead && !isSending
  const decide = async (wish: Parameters<Answering['submit']>[0]): Promise<void> => {
    if (isFree && !(await answering.submit(wish))) fetchAgain()
  }
  const approve = (): void => {
    if (given) void decide({ decision: 'approve', text: '', digest: given.digest })
  }
  const approveEdited = (): void => {
    const check = checkJson(json)
    setProblem(check.ok ? null : t('request.badJson', { why: check.why }))
    if (check.ok && given) void decide({ decision: 'approve_edited', text: '', arguments: json, digest: given.digest })
  }
  const refuse = (): void => {
    if (answering.text.trim() === '') setProblem(t('request.reasonNeeded'))
    else void decide({ decision: 'refuse', text: answering.text, digest: given?.digest ?? call?.digest })
  }
  const go = (next: Mode): void => {
    if (areButtonsDead) return
    setProblem(null)
    setMode(next)
  }
  const onChord = (act: () => void) => (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || isComposing(event) || !(event.metaKey || event.ctrlKey)) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }

  return (
    <div>
      <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-table">
        <dt className="text-t3">{t('request.tool')}</dt>
        <dd className="min-w-0 font-mono break-words">
          {call?.server}.{call?.tool}
        </dd>
        {call && call.changes.trim() !== '' ? (
          <>
            <dt className="text-t3">{t('request.changes')}</dt>
            <dd className="min-w-0 break-words">{call.changes}</dd>
          </>
        ) : null}
      </dl>
      {mode === 'edit' ? (
        <div className="mt-2">
          <TextArea
            ref={box}
            label={t('request.argumentsJson')}
            value={json}
            error={problem}
            spellCheck={false}
            minLines={4}
            maxLines={16}
            className="font-mono text-table!"
            onChange={(event) => {
              edited.setText(event.target.value)
              setEmptied(event.target.value === '')
              setProblem(null)
            }}
            onKeyDown={onChord(approveEdited)}
          />
          <OtherDraft draft={edited} className="mt-1" />
        </div>
      ) : (
        <div className="mt-2">
          <p className="mb-1 text-table text-t3">{t('request.arguments')}</p>
          {came === null ? (
            <div aria-busy="true" className="rounded-control bg-s3">
              <Skeleton lines={2} className="p-3!" />
            </div>
          ) : given ? (
            <section
              // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by itself, so keys must reach it.
              tabIndex={0}
              aria-label={t('request.arguments')}
              className="max-h-72 overflow-auto max-md:max-h-44 rounded-control bg-s3 px-3 py-2"
            >
              <ArgumentsView given={given} />
            </section>
          ) : (
            <p role="alert" className="text-table text-failed">
              {came.ok || came.refusal.kind === 'over'
                ? t('request.isOver')
                : came.refusal.kind === 'unreachable'
                  ? t('request.noArguments')
                  : sayRefusal(came.refusal)}{' '}
              <Button look="quiet" onClick={fetchAgain}>
                {t('common.tryAgain')}
              </Button>
            </p>
          )}
        </div>
      )}
      {mode === 'refuse' ? (
        <div className="mt-2">
          <TextArea
            ref={box}
            label={t('request.reasonRefuse')}
            hint={t('request.reasonSeen')}
            error={problem}
            value={answering.text}
            onChange={(event) => {
              answering.setText(event.target.value)
              setProblem(null)
            }}
            onKeyDown={onChord(refuse)}
          />
          <OtherDraft draft={draft} className="mt-1" />
        </div>
      ) : null}
      <FailedLine sending={answering.sending} className="mt-1.5" />
      <div className="mt-2.5 flex flex-wrap items-center gap-2">
        {mode === 'look' ? (
          <>
            <Button isDisabled={isSending} onClick={() => go('refuse')} data-act="reply">
              {t('request.refuse')}
            </Button>
            <Button isDisabled={isSending || !given} onClick={() => go('edit')}>
              {t('request.editApprove')}
            </Button>
            <ServerButton isDisabled={isSending || !given} onClick={approve}>
              {isSending ? t('request.sending') : t('request.approve')}
            </ServerButton>
          </>
        ) : (
          <>
            {mode === 'edit' ? (
              <ServerButton isDisabled={isSending || !given} onClick={approveEdited}>
                {isSending ? t('request.sending') : t('request.editApprove')}
              </ServerButton>
            ) : (
              <ServerButton look="danger" isDisabled={isSending} onClick={refuse}>
                {isSending ? t('request.sending') : t('request.refuse')}
              </ServerButton>
            )}
            <Button look="quiet" onClick={() => go('look')}>
              {t('common.back')}
            </Button>
          </>
        )}
        {/* The menu never stands alone in a line. */}
        <span className="flex flex-wrap items-center gap-2">
          {canAcknowledge(shown) ? (
            <AcknowledgeButton
              message={shown.receipt ? request.message : null}
              request={request.id}
              isDead={areButtonsDead}
              look="quiet"
            />
          ) : null}
          <CardMore shown={shown} />
        </span>
        <Drafters request={request.id} />
      </div>
    </div>
  )
}
