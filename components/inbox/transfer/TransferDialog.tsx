/** “Hand over…”: offers what waits for me to somebody else. Until they accept, both are asked. A lazy file. */
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { draftAt, useDraft, useDraftPlaces, useRows } from '@/client'
import { Link, pathTo } from '@/client/nav'
import { sendTransfer } from '@/components/request/commands'
import { receiverIn, TransferFields } from '@/components/request/TransferFields'
import { ActionDialog } from '@/components/ui/ActionDialog'
import { Checkbox } from '@/components/ui/fields/Choice'
import { showToast } from '@/components/ui/overlays/toast'
import { useFaultWords } from '@/components/ui/useFaultWords'
import type { AgentId } from '@/lib/mas/ids'
import type { OverviewRow, Who } from '@/lib/wire'
import { tasksWithDrafts } from '../OrphanedDrafts'
import { rowName } from '../rowName'
import { canTakeOver, itemOf, type OpenRow } from '../rows'

type TransferDialogProps = {
  items: readonly OpenRow[]
  person: AgentId
  /** Says itself what was handed over; absent: a toast does. */
  onSent?: (rows: readonly OpenRow[]) => void
  onClose: () => void
}

export default function TransferDialog({ items, person, onSent, onClose }: TransferDialogProps) {
  const t = useTranslations()
  const faultWords = useFaultWords()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const draft = useDraft('act:hand_over')
  const [includesDrafts, setIncludesDrafts] = useState(true)
  const [problem, setProblem] = useState<{ to: string; text: string } | null>(null)
  const tasks = useRows('overview')
  const people = usePeople(tasks).filter(({ id }) => id !== person)
  const receiver = receiverIn(draft, people)
  const isPossible = (row: OpenRow): boolean => receiver === undefined || canTakeOver(row, receiver, tasks)
  const chosen = items.filter((row) => !left.has(itemOf(row)) && isPossible(row))
  const drafts = useRequestDrafts(items)
  const included = chosen.map(itemOf).filter((id) => drafts.includes(id))
  const isReady = chosen.length > 0 && receiver !== undefined && draft.text.trim() !== ''
  const send = async (): Promise<boolean> => {
    if (!receiver) return false
    const begun = includesDrafts ? textsOfDrafts(included) : {}
    const sent = await sendTransfer({
      to: receiver.id,
      requests: chosen.flatMap((row) => (row.kind === 'request' ? [row.request.id] : [])),
      messages: chosen.flatMap((row) => (row.kind === 'message' ? [row.message.id] : [])),
      sentence: draft.text.trim(),
      begun,
    })
    if (!sent.ok) {
      setProblem({ to: receiver.id, text: faultWords(sent.fault, t('error.textKept')) })
      return false
    }
    // These texts are part of the requests now, for both people.
    for (const id of Object.keys(begun)) answerDraft(id).clear()
    draft.clear()
    if (onSent) onSent(chosen)
    else showToast('done', t('triage.transfer.didHandOver', { count: chosen.length, who: receiver.name }))
    return true
  }
  const choose = (id: string, isIn: boolean): void =>
    setLeft(new Set([...left, id].filter((one) => !isIn || one !== id)))
  return (
    <ActionDialog
      title={t('triage.transfer.handOverTitle')}
      action={t('triage.transfer.handOverCount', { count: chosen.length })}
      missing={isReady ? null : t('triage.transfer.handOverFirst')}
      act={send}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <p className="text-table text-t2">{t('request.handOverWhy')}</p>
        <fieldset>
          <legend className="text-table font-medium">{t('triage.transfer.handOverWhich')}</legend>
          <ul className="mt-1.5 flex flex-col gap-1.5">
            {items.map((row) => (
              <TransferItem
                key={itemOf(row)}
                row={row}
                isChosen={!left.has(itemOf(row))}
                impossibleFor={isPossible(row) ? null : (receiver?.name ?? '')}
                onChange={(isIn) => choose(itemOf(row), isIn)}
              />
            ))}
          </ul>
          {included.length === 0 ? null : (
            <Checkbox
              className="mt-2"
              label={t('triage.transfer.begunGoes', { count: included.length })}
              isChecked={includesDrafts}
              onChange={setIncludesDrafts}
            />
          )}
        </fieldset>
        <StayingDrafts />
        {people.length === 0 ? (
          <p role="status" className="text-table">
            {t('triage.transfer.noPeople')}
          </p>
        ) : (
          <TransferFields people={people} draft={draft} problem={problem?.to === receiver?.id ? problem?.text : null} />
        )}
      </div>
    </ActionDialog>
  )
}

type TransferItemProps = {
  row: OpenRow
  isChosen: boolean
  impossibleFor: string | null
  onChange: (isIn: boolean) => void
}

function TransferItem({ row, isChosen, impossibleFor, onChange }: TransferItemProps) {
  const t = useTranslations('triage.transfer')
  return (
    <li>
      <Checkbox
        label={rowName(row)}
        isChecked={isChosen && impossibleFor === null}
        isDisabled={impossibleFor !== null}
        onChange={onChange}
      />
      {impossibleFor === null ? null : (
        <p className="pl-[1.375rem] text-meta text-t3">{t('notInTask', { who: impossibleFor })}</p>
      )}
    </li>
  )
}

/** The people that this member knows: the team, or for participants the members of their tasks. */
function usePeople(tasks: readonly OverviewRow[]): readonly Who[] {
  const team = useRows('agents')
  const all = [...team.map(({ who }) => who), ...tasks.flatMap(({ members }) => members)]
  return [...new Map(all.filter(({ kind }) => kind === 'human').map((who) => [who.id, who])).values()]
}

/** Unsent messages to a task: they belong to no item that could be transferred. */
function StayingDrafts() {
  const t = useTranslations('triage.transfer')
  const tasks = tasksWithDrafts(Object.keys(useDraftPlaces()))
  if (tasks.length === 0) return null
  return (
    <section aria-label={t('handOverKeep')}>
      <h3 className="text-table font-medium">{t('handOverKeep')}</h3>
      <ul className="mt-1 flex list-disc flex-col gap-0.5 pl-5 text-table text-t2">
        {tasks.map((taskId) => (
          <li key={taskId}>
            <Link href={pathTo('task', { taskId })} className="link">
              {t('keepDraft')}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

const answerPlace = (request: string): string => `request:${request}`
const answerDraft = (request: string) => draftAt(answerPlace(request))

/** out: by request, the texts of their answers now */
const textsOfDrafts = (requests: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    requests.map((id) => [id, answerDraft(id).state.getState().text.trim()]).filter(([, text]) => text !== ''),
  )

/** out: those of the items whose answer was begun, on any device */
function useRequestDrafts(items: readonly OpenRow[]): string[] {
  const places = useDraftPlaces()
  const begun = items.map(itemOf).filter((id) => places[answerPlace(id)])
  const key = begun.join(' ')
  useEffect(() => {
    // Joins the drafts: opening one fetches its text while the dialog is read.
    for (const id of key.split(' ').filter(Boolean)) answerDraft(id)
  }, [key])
  return begun
}
