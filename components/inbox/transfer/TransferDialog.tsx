/** “Hand over…”: offers what waits for me to somebody else. Until they accept, both are asked. A lazy file. */
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useDraft, useRows } from '@/client'
import type { ApiResult } from '@/client/api'
import { getClientSession } from '@/client/clientSession'
import { Link, pathTo } from '@/client/nav'
import { taskTitle } from '@/client/readersWords'
import { useFetched } from '@/client/useFetched'
import { useSenderName } from '@/components/request'
import { sendTransfer } from '@/components/request/commands'
import { receiverIn, TransferFields } from '@/components/request/TransferFields'
import { Checkbox } from '@/components/ui/fields/Choice'
import { Dialog } from '@/components/ui/overlays/Dialog'
import { showToast } from '@/components/ui/overlays/toast'
import { ServerButton } from '@/components/ui/ServerButton'
import { useFaultWords } from '@/components/ui/useFaultWords'
import { firstWords } from '@/lib/format/plainText'
import type { AgentId } from '@/lib/mas/ids'
import type { DraftList, OverviewRow, Who } from '@/lib/wire'
import { canTakeOver, itemOf, type OpenRow, rowSender, rowText } from '../rows'

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
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<{ to: string; text: string } | null>(null)
  const tasks = useRows('overview')
  const people = usePeople(tasks).filter(({ id }) => id !== person)
  const receiver = receiverIn(draft, people)
  const isPossible = (row: OpenRow): boolean => receiver === undefined || canTakeOver(row, receiver, tasks)
  const chosen = items.filter((row) => !left.has(itemOf(row)) && isPossible(row))
  const drafts = useUnsentDrafts(items)
  const included = drafts.filter(({ request }) => chosen.some((row) => itemOf(row) === request))
  const isOff = chosen.length === 0 || !receiver || draft.text.trim() === '' || isSending
  const send = async (): Promise<void> => {
    if (!receiver) return
    setSending(true)
    const begun = includesDrafts ? textsOfDrafts(included) : {}
    const sent = await sendTransfer({
      to: receiver.id,
      requests: chosen.flatMap((row) => (row.kind === 'request' ? [row.request.id] : [])),
      messages: chosen.flatMap((row) => (row.kind === 'message' ? [row.message.id] : [])),
      sentence: draft.text.trim(),
      begun,
    })
    setSending(false)
    if (!sent.ok) return setProblem({ to: receiver.id, text: faultWords(sent.fault, t('error.textKept')) })
    // These texts are part of the requests now, for both people.
    for (const id of Object.keys(begun)) draftOf(id)?.clear()
    draft.clear()
    if (onSent) onSent(chosen)
    else showToast('done', t('triage.transfer.didHandOver', { count: chosen.length, who: receiver.name }))
    onClose()
  }
  const choose = (id: string, isIn: boolean): void =>
    setLeft(new Set([...left, id].filter((one) => !isIn || one !== id)))
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={t('triage.transfer.handOverTitle')}
      foot={
        <ServerButton
          look="primary"
          isDisabled={isOff}
          reason={t('triage.transfer.handOverFirst')}
          onClick={() => void send()}
        >
          {t('triage.transfer.handOverCount', { count: chosen.length })}
        </ServerButton>
      }
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
        <StayingDrafts drafts={drafts.filter(({ request }) => request === null)} />
        {people.length === 0 ? (
          <p role="status" className="text-table">
            {t('triage.transfer.noPeople')}
          </p>
        ) : (
          <TransferFields people={people} draft={draft} problem={problem?.to === receiver?.id ? problem?.text : null} />
        )}
      </div>
    </Dialog>
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
  const senderName = useSenderName()
  return (
    <li>
      <Checkbox
        label={[senderName(rowSender(row)), taskTitle(row.taskName), firstWords(rowText(row))].join(' · ')}
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
function StayingDrafts({ drafts }: { drafts: readonly UnsentDraft[] }) {
  const t = useTranslations('triage.transfer')
  if (drafts.length === 0) return null
  return (
    <section aria-label={t('handOverKeep')}>
      <h3 className="text-table font-medium">{t('handOverKeep')}</h3>
      <ul className="mt-1 flex list-disc flex-col gap-0.5 pl-5 text-table text-t2">
        {drafts.map(({ key, href }) => (
          <li key={key}>
            <Link href={href} className="link">
              {t('keepDraft')}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

const placeOf = (request: string): string => `request:${request}`
const draftOf = (request: string) => getClientSession()?.drafts.open(placeOf(request))
const draftText = (request: string): string => draftOf(request)?.state.getState().text.trim() ?? ''

/** out: by request, the texts of these drafts now */
const textsOfDrafts = (drafts: readonly UnsentDraft[]): Record<string, string> =>
  Object.fromEntries(
    drafts.flatMap(({ request }) =>
      request === null || draftText(request) === '' ? [] : [[request, draftText(request)]],
    ),
  )

/** request: the one it answers; null: it is a message to a task */
type UnsentDraft = { key: string; href: string; request: string | null }

/** Unsent drafts of this page and of the member's other devices. */
function useUnsentDrafts(items: readonly OpenRow[]): UnsentDraft[] {
  // The server may not have the newest ones yet.
  const [here] = useState(() =>
    items.flatMap((row) =>
      row.kind === 'request' && draftText(row.request.id) !== '' ? [placeOf(row.request.id)] : [],
    ),
  )
  const { answer } = useFetched<DraftList>('/api/drafts')
  useEffect(() => {
    // Joins the drafts: opening one fetches its text while the dialog is read.
    for (const { request } of unsentIn(answer)) if (request !== null) draftOf(request)
  }, [answer])
  const found = unsentIn(answer).filter(({ key }) => !here.includes(key))
  return [...here.flatMap(unsentDraft), ...found]
}

const unsentIn = (answer: ApiResult<DraftList> | null): UnsentDraft[] =>
  answer?.ok ? answer.value.drafts.filter(({ isWritten }) => isWritten).flatMap(({ key }) => unsentDraft(key)) : []

function unsentDraft(key: string): UnsentDraft[] {
  const [kind, id = ''] = key.split(':')
  // `<id>.<field>` is a further box of a card and goes with it; new work belongs to no task yet.
  if (id.includes('.') || id.startsWith('new-work')) return []
  if (kind === 'task') return [{ key, href: pathTo('task', { taskId: id }), request: null }]
  if (kind === 'request') return [{ key, href: pathTo('request', { requestId: id }), request: id }]
  return []
}
