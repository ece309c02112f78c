/** What can be done with the chosen rows of "Needs me", and what became of it. A lazy file. */
import { X } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useDraft } from '@/client'
import { commandDeadline, newId, noAnswer } from '@/client/api'
import { draftAt } from '@/client/drafts'
import { REMINDERS, sendAnswer, sendClaim, sendReminder, sendShown, settleMessage } from '@/components/request/commands'
import { answerOf } from '@/components/request/shown'
import { ActionDialog } from '@/components/ui/ActionDialog'
import { Button, IconButton } from '@/components/ui/Button'
import { RadioChoice } from '@/components/ui/fields/Choice'
import { DraftArea } from '@/components/ui/fields/OtherDraft'
import { Menu } from '@/components/ui/overlays/Menu'
import { ServerButton } from '@/components/ui/ServerButton'
import { useFaultWords } from '@/components/ui/useFaultWords'
import { useIsNarrow } from '@/components/ui/useIsNarrow'
import type { AgentId } from '@/lib/mas/ids'
import { draftTextIn } from '@/lib/wire/drafts'
import { rowName } from '../rowName'
import { itemOf, messageOf, type OpenRow, reminderOf } from '../rows'
import TransferDialog from '../transfer/TransferDialog'
import {
  actOnAll,
  BULK_ACTS,
  type BulkAct,
  type BulkResult,
  canDo,
  commonChoices,
  MOST_BUTTONS,
  splitActs,
} from './bulk'

type SelectionActionsProps = {
  shown: readonly OpenRow[]
  chosen: ReadonlySet<string>
  me: AgentId
  /** The list has an item beside it. */
  isBeside: boolean
  /** null: selecting is over */
  onChoose: (chosen: ReadonlySet<string> | null) => void
}

/** shown: the rows of the list; chosen: ids of items */
export default function SelectionActions({ shown, chosen, me, isBeside, onChoose }: SelectionActionsProps) {
  const t = useTranslations('triage')
  const common = useTranslations('common')
  const isNarrow = useIsNarrow()
  const [result, setResult] = useState<BulkResult | null>(null)
  const [running, setRunning] = useState<BulkResult['act'] | null>(null)
  const [dialog, setDialog] = useState<'answer' | 'handOver' | null>(null)
  const rows = shown.filter((row) => chosen.has(itemOf(row)))
  const fitting = (act: BulkAct): OpenRow[] => rows.filter((row) => canDo(act, row, me))
  /** What was refused stays chosen. */
  const settle = (next: BulkResult): void => {
    setResult(next)
    const done = new Set(next.done.map(itemOf))
    onChoose(new Set([...chosen].filter((id) => !done.has(id))))
  }
  const run = async (act: BulkAct, send: Parameters<typeof actOnAll>[2]): Promise<BulkResult> => {
    setRunning(act)
    const next = await actOnAll(act, fitting(act), send)
    setRunning(null)
    settle(next)
    return next
  }
  const undo = async ({ done }: BulkResult): Promise<void> => {
    setRunning('undo')
    const next = await actOnAll('undo', done.filter(isUndoable), (row) => settleRow(row, 'undo'))
    setRunning(null)
    setResult(next)
  }
  const answer = (text: string): void => {
    const draft = draftAt(answerPlace(fitting('answer')))
    const written = draft.state.getState()
    void run('answer', (row) =>
      row.kind === 'request'
        ? sendAnswer(row.request.id, { decision: 'answer', text }, { id: newId(), until: commandDeadline() })
        : NOT_SENT,
    ).then(({ refused }) => {
      draft.clear()
      // What was refused may be answered again.
      if (refused.length > 0) draftAt(answerPlace(refused.map(({ row }) => row))).put(written)
    })
  }
  const presses: Record<Exclude<BulkAct, 'remind'>, () => void> = {
    acknowledge: () => void run('acknowledge', (row) => settleRow(row, 'acknowledge')),
    done: () => void run('done', markDone),
    read: () => void run('read', markRead),
    answer: () => setDialog('answer'),
    handOver: () => setDialog('handOver'),
  }
  const acts = BULK_ACTS.map((act) => ({ act, count: fitting(act).length })).filter(({ count }) => count > 0)
  // On a phone all of them are in the menu.
  const { buttons, more } = isNarrow
    ? { buttons: [], more: acts }
    : splitActs(acts, isBeside ? MOST_BUTTONS.list : MOST_BUTTONS.page)
  const remindEntries = REMINDERS.map((minutes) => ({
    label: t('remindIn', { minutes }),
    onSelect: () => void run('remind', (row) => sendReminder(reminderOf(row), minutes)),
  }))
  const all = shown.map(itemOf)
  // With nothing left to choose only the result is shown.
  if (all.length === 0 && result === null && running === null) return null
  return (
    <section
      aria-label={t('selection')}
      className="sticky -bottom-12 z-sticky mt-6 border-t border-line-strong bg-s1 px-3 py-2.5"
    >
      <Result result={result} isBusy={running !== null} onUndo={(of) => void undo(of)} />
      <div className="flex flex-wrap items-center gap-2">
        <IconButton className="-ml-1.5" icon={<X />} label={common('close')} onClick={() => onChoose(null)} />
        {all.length === 0 ? null : (
          <>
            <span role="status" className="text-table text-t2">
              {t('selected', { count: rows.length })}
            </span>
            <Button look="quiet" onClick={() => onChoose(new Set(rows.length === all.length ? [] : all))}>
              {rows.length === all.length ? t('selectNone') : t('selectAll')}
            </Button>
          </>
        )}
        <span className="grow" />
        {all.length === 0 ? null : (
          <>
            {buttons.map(({ act, count }) =>
              act === 'remind' ? (
                <Menu
                  key={act}
                  label={t('remindMenu')}
                  trigger={<ServerButton isDisabled={running !== null}>{t('act.remind', { count })}</ServerButton>}
                  entries={remindEntries}
                />
              ) : (
                <ServerButton key={act} isDisabled={running !== null} reason={t('running')} onClick={presses[act]}>
                  {t(`act.${act}`, { count })}
                </ServerButton>
              ),
            )}
            {isNarrow || more.length > 0 ? (
              <Menu
                label={t('actions')}
                trigger={
                  <Button isDisabled={acts.length === 0 || running !== null} reason={t('nothing')}>
                    {isNarrow ? t('actions') : t('moreActions')}
                  </Button>
                }
                entries={more.flatMap(({ act, count }) =>
                  act === 'remind' ? remindEntries : [{ label: t(`act.${act}`, { count }), onSelect: presses[act] }],
                )}
              />
            ) : null}
          </>
        )}
      </div>
      {dialog === 'answer' ? (
        <AnswerAlike rows={fitting('answer')} onAnswer={answer} onClose={() => setDialog(null)} />
      ) : null}
      {dialog === 'handOver' ? (
        <TransferDialog
          items={fitting('handOver')}
          person={me}
          onSent={(done) => settle({ act: 'handOver', done, refused: [] })}
          onClose={() => setDialog(null)}
        />
      ) : null}
    </section>
  )
}

const NOT_SENT = Promise.resolve({ ok: false as const, fault: noAnswer('') })

const isUndoable = (row: OpenRow): boolean => messageOf(row) !== null

const settleRow = (row: OpenRow, act: 'acknowledge' | 'undo') => {
  const message = messageOf(row)
  if (message !== null) return settleMessage(message, act)
  return row.kind === 'request' && act === 'acknowledge' ? sendClaim(row.request.id) : NOT_SENT
}
const markDone = (row: OpenRow) => {
  const message = messageOf(row)
  return message === null ? NOT_SENT : settleMessage(message, 'done')
}
const markRead = (row: OpenRow) => (row.kind === 'message' ? sendShown([row.message.id]) : NOT_SENT)

type ResultProps = { result: BulkResult | null; isBusy: boolean; onUndo: (result: BulkResult) => void }

/** How many were accepted, which were refused and why, and taking it back. */
function Result({ result, isBusy, onUndo }: ResultProps) {
  const t = useTranslations('triage')
  const common = useTranslations('common')
  const faultWords = useFaultWords()
  if (result === null) return null
  const { act, done, refused } = result
  const canUndo = (act === 'acknowledge' || act === 'done') && done.some(isUndoable)
  return (
    <div role="status" className="mb-2 text-table">
      {done.length === 0 ? null : (
        <p className="flex flex-wrap items-center gap-2">
          {act === 'undo' ? t('undone') : t(`did.${act}`, { count: done.length })}
          {canUndo ? (
            <ServerButton look="quiet" isDisabled={isBusy} reason={t('running')} onClick={() => onUndo(result)}>
              {common('undo')}
            </ServerButton>
          ) : null}
        </p>
      )}
      {refused.length === 0 ? null : (
        <>
          <p className="text-failed">{t('refused', { count: refused.length })}</p>
          <ul className="list-disc pl-5 text-t2">
            {refused.map(({ row, fault }) => (
              <li key={itemOf(row)}>
                {rowName(row)}: {faultWords(fault)}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

/** The place of the draft of one answer to these questions, and to no others. Server and browser take up to 200 letters. */
const answerPlace = (rows: readonly OpenRow[]): string =>
  ['act:answer_alike', rows.length, ...rows.map((row) => itemOf(row).slice(0, 8)).sort()].join('.').slice(0, 200)

type AnswerAlikeProps = { rows: readonly OpenRow[]; onAnswer: (text: string) => void; onClose: () => void }

function AnswerAlike({ rows, onAnswer, onClose }: AnswerAlikeProps) {
  const t = useTranslations('triage')
  const request = useTranslations('request')
  const draft = useDraft(answerPlace(rows))
  const choices = commonChoices(rows)
  const kept = draftTextIn(draft.more, 'choice')
  const choice = kept !== null && choices.includes(kept) ? kept : null
  const answer = answerOf(choice, draft.text)
  return (
    <ActionDialog
      title={t('answerTitle')}
      action={t('sendAnswers', { count: rows.length })}
      missing={answer === '' || rows.length === 0 ? request('answerFirst') : null}
      act={async () => {
        onAnswer(answer)
        return true
      }}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <section aria-label={t('questions')}>
          <ul className="flex list-disc flex-col gap-0.5 pl-5 text-table text-t2">
            {rows.map((row) => (
              <li key={itemOf(row)} className="break-words">
                {rowName(row, 240)}
              </li>
            ))}
          </ul>
        </section>
        {choices.length === 0 ? null : (
          <RadioChoice
            label={request('choices')}
            choices={choices.map((value) => ({ value, label: value }))}
            value={choice}
            onChange={(next) => draft.setMore({ choice: next })}
          />
        )}
        <DraftArea label={request('yourAnswer')} minLines={2} maxLines={10} draft={draft} />
      </div>
    </ActionDialog>
  )
}
