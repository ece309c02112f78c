/** “Hand over…”: what waits for me goes to somebody else, with one sentence; until they accept, both are asked. */
import { firstWords } from '@/lib/format/plainText'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useDraft, useRows } from '@/client'
import { call } from '@/client/api'
import { getClientSession } from '@/client/clientSession'
import { Link, pathTo } from '@/client/nav'
import { sendTransfer } from '@/components/request/commands'
import { Button } from '@/components/ui/Button'
import { Checkbox, Select } from '@/components/ui/Choice'
import { Dialog } from '@/components/ui/Dialog'
import { OtherDraft } from '@/components/ui/OtherDraft'
import { TextArea } from '@/components/ui/TextField'
import { showToast } from '@/components/ui/toast'
import type { AgentId } from '@/lib/mas/ids'
import type { DraftList, OverviewRow, Who } from '@/lib/wire'
import { draftTextIn } from '@/lib/wire/drafts'
import { canTakeOver, type InboxRow, itemOf, type OpenRow, senderOf, textOf, transferableRows } from './rows'

const NOBODY = 'nobody yet'

export function TransferAll({ rows, person }: { rows: readonly InboxRow[]; person: AgentId }) {
  const t = useTranslations('inbox')
  const [isOpen, setOpen] = useState(false)
  const going = transferableRows(rows, person)
  if (going.length === 0) return null
  return (
    <>
      <Button look="quiet" className="-mr-2.5" onClick={() => setOpen(true)}>
        {t('handOver')}
      </Button>
      {isOpen ? <TransferDialog going={going} person={person} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function TransferDialog({
  going,
  person,
  onClose,
}: {
  going: readonly OpenRow[]
  person: AgentId
  onClose: () => void
}) {
  const t = useTranslations()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const draft = useDraft('act:hand_over')
  const to = draftTextIn(draft.more, 'to') ?? NOBODY
  const sentence = draft.text
  const [isBegunGoing, setBegunGoing] = useState(true)
  const [problem, setProblem] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const tasks = useRows('overview')
  const people = usePeople(tasks).filter(({ id }) => id !== person)
  const drafts = useDrafts(going)
  const receiver = people.find(({ id }) => id === to)
  const fits = (row: OpenRow): boolean => receiver === undefined || canTakeOver(row, receiver, tasks)
  const chosen = going.filter((row) => !left.has(itemOf(row)) && fits(row))
  const begun = drafts.filter(({ request }) => chosen.some((row) => itemOf(row) === request))
  const staying = drafts.filter(({ request }) => request === null)
  const isOff = chosen.length === 0 || !receiver || sentence.trim() === '' || isSending
  const send = async (): Promise<void> => {
    if (!receiver) return
    setSending(true)
    const texts = isBegunGoing ? begunTexts(begun) : {}
    const came = await sendTransfer({
      to: receiver.id,
      requests: chosen.flatMap((row) => (row.kind === 'request' ? [row.request.id] : [])),
      messages: chosen.flatMap((row) => (row.kind === 'message' ? [row.message.id] : [])),
      sentence: sentence.trim(),
      begun: texts,
    })
    setSending(false)
    if (came.ok) {
      // They stand in the requests now, for both.
      for (const id of Object.keys(texts)) draftOf(id)?.clear()
      draft.clear()
      showToast('done', t('inbox.didHandOver', { count: chosen.length, who: receiver.name }))
      onClose()
      return
    }
    setProblem(
      came.refusal.kind === 'unreachable'
        ? t('error.server')
        : came.refusal.kind === 'over'
          ? t('request.isOver')
          : t('inbox.handOverRefused', { reason: came.refusal.message }),
    )
  }
  const choose = (row: OpenRow, isIn: boolean): void => {
    const next = new Set(left)
    if (isIn) next.delete(itemOf(row))
    else next.add(itemOf(row))
    setLeft(next)
  }
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={t('inbox.handOverTitle')}
      foot={
        <Button look="primary" isDisabled={isOff} reason={t('inbox.handOverFirst')} onClick={() => void send()}>
          {t('inbox.handOverCount', { count: chosen.length })}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-table text-t2">{t('request.handOverWhy')}</p>
        <fieldset>
          <legend className="text-table font-medium">{t('inbox.handOverWhich')}</legend>
          <ul className="mt-1.5 flex flex-col gap-1.5">
            {going.map((row) => (
              <li key={itemOf(row)}>
                <Checkbox
                  label={`${senderOf(row).kind === 'system' ? t('request.theTask') : senderOf(row).name} · ${row.taskName} · ${firstWords(textOf(row))}`}
                  isChecked={!left.has(itemOf(row)) && fits(row)}
                  isDisabled={!fits(row)}
                  onChange={(isIn) => choose(row, isIn)}
                />
                {fits(row) ? null : (
                  <p className="pl-[1.375rem] text-meta text-t3">
                    {t('inbox.notInTask', { who: receiver?.name ?? '' })}
                  </p>
                )}
              </li>
            ))}
          </ul>
          {begun.length === 0 ? null : (
            <Checkbox
              className="mt-2"
              label={t('inbox.begunGoes', { count: begun.length })}
              isChecked={isBegunGoing}
              onChange={setBegunGoing}
            />
          )}
        </fieldset>
        <Stays drafts={staying} />
        {people.length === 0 ? (
          <p role="status" className="text-table">
            {t('inbox.noPeople')}
          </p>
        ) : (
          <Select<string>
            label={t('request.handOverTo')}
            options={[
              { value: NOBODY, label: '—' },
              ...people.map(({ id, name }) => ({ value: id as string, label: name })),
            ]}
            value={receiver?.id ?? NOBODY}
            onChange={(next) => {
              draft.setMore({ to: next === NOBODY ? null : next })
              setProblem(null)
            }}
          />
        )}
        <TextArea
          label={t('request.handOverSentence')}
          minLines={1}
          maxLength={1_000}
          value={sentence}
          error={problem}
          onChange={({ target }) => draft.setText(target.value)}
        />
        <OtherDraft draft={draft} />
      </div>
    </Dialog>
  )
}

/** The people of the team, as far as they are known here: participants know those of their tasks. */
function usePeople(tasks: readonly OverviewRow[]): readonly Who[] {
  const team = useRows('agents')
  const all = [...team.map(({ who }) => who), ...tasks.flatMap(({ members }) => members)]
  return [...new Map(all.filter(({ kind }) => kind === 'human').map((who) => [who.id, who])).values()]
}

/** Texts that I began to write to a task: they are part of nothing that waits for me. */
function Stays({ drafts }: { drafts: readonly Begun[] }) {
  const t = useTranslations('inbox')
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

const draftOf = (request: string) => getClientSession()?.drafts.open(`request:${request}`)
const textAt = (request: string): string => draftOf(request)?.state.getState().text.trim() ?? ''

/** What stands in the boxes of these requests now, by request. */
const begunTexts = (begun: readonly Begun[]): Record<string, string> =>
  Object.fromEntries(
    begun.flatMap(({ request }) => {
      const text = request === null ? '' : textAt(request)
      return request === null || text === '' ? [] : [[request, text]]
    }),
  )

/** A text that I began, and where it stands; request: the one it answers, null: none. */
type Begun = { key: string; href: string; request: string | null }

/** Where I have begun a text: in the cards of this page, and as the server knows. */
function useDrafts(going: readonly OpenRow[]): Begun[] {
  const [drafts, setDrafts] = useState<Begun[]>(() =>
    // What was written a moment ago may not be on the server yet.
    going.flatMap((row) =>
      row.kind === 'request' && textAt(row.request.id) !== '' ? placeOf(`request:${row.request.id}`) : [],
    ),
  )
  useEffect(() => {
    // Joins the server: drafts of other devices are known only there.
    let isHere = true
    void call<DraftList>('GET', '/api/drafts').then((answer) => {
      if (!isHere || !answer.ok) return
      const begun = answer.value.drafts.filter(({ isWritten }) => isWritten).flatMap(({ key }) => placeOf(key))
      // What was written on another device is fetched while the dialog is read.
      for (const { request } of begun) if (request !== null) draftOf(request)
      setDrafts((here) => [...here, ...begun.filter(({ key }) => !here.some((one) => one.key === key))])
    })
    return () => {
      isHere = false
    }
  }, [])
  return drafts
}

function placeOf(key: string): Begun[] {
  const [kind, id = ''] = key.split(':')
  // The other boxes of a card go with it; new work is in no task yet.
  if (id.includes('.') || id.startsWith('new-work')) return []
  if (kind === 'task') return [{ key, href: pathTo('task', { taskId: id }), request: null }]
  if (kind === 'request') return [{ key, href: pathTo('request', { requestId: id }), request: id }]
  return []
}
