/**
 * “Hand over…”: what waits for me goes to somebody else, with one sentence; until they accept, both are asked.
 *
 * Owns: the button and its dialog, which says too what cannot go. Not here: one request alone (components/request/CardMore.tsx), what
 * the other sees (HandedToMe.tsx).
 */
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRows } from '@/client'
import { call } from '@/client/api'
import { Link, pathTo } from '@/client/nav'
import { firstWords } from '@/components/request'
import { handOver } from '@/components/request/commands'
import { Button } from '@/components/ui/Button'
import { Checkbox, Select } from '@/components/ui/Choice'
import { Dialog } from '@/components/ui/Dialog'
import { ServerButton } from '@/components/ui/ServerButton'
import { TextArea } from '@/components/ui/TextField'
import { showToast } from '@/components/ui/toast'
import type { AgentId } from '@/lib/mas/ids'
import type { DraftList } from '@/lib/wire'
import type { RequestRow } from '@/lib/wire/rows'
import { goesOver, type InboxRow, staysWithMe } from './rows'

const NOBODY = 'nobody yet'

export function HandOverAll({ rows, person }: { rows: readonly InboxRow[]; person: AgentId }) {
  const t = useTranslations('inbox')
  const [isOpen, setOpen] = useState(false)
  const going = goesOver(rows, person)
  if (going.length === 0) return null
  return (
    <>
      <Button look="quiet" className="-mr-2.5" onClick={() => setOpen(true)}>
        {t('handOver')}
      </Button>
      {isOpen ? <HandOverDialog rows={rows} going={going} person={person} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function HandOverDialog({
  rows,
  going,
  person,
  onClose,
}: {
  rows: readonly InboxRow[]
  going: readonly RequestRow[]
  person: AgentId
  onClose: () => void
}) {
  const t = useTranslations()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [to, setTo] = useState<string>(NOBODY)
  const [sentence, setSentence] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const people = useRows('agents').filter(({ who, agent }) => who.kind === 'human' && agent !== person)
  const chosen = going.filter(({ request }) => !left.has(request.id))
  const receiver = people.find(({ agent }) => agent === to)
  const isOff = chosen.length === 0 || !receiver || sentence.trim() === '' || isSending
  const send = async (): Promise<void> => {
    if (!receiver) return
    setSending(true)
    const requests = chosen.map(({ request }) => request.id)
    const came = await handOver({ to: receiver.agent, requests, sentence: sentence.trim() })
    setSending(false)
    if (came.ok) {
      showToast('done', t('inbox.didHandOver', { count: requests.length, who: receiver.who.name }))
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
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={t('inbox.handOverTitle')}
      foot={
        <ServerButton look="primary" isDisabled={isOff} reason={t('inbox.handOverFirst')} onClick={() => void send()}>
          {t('inbox.handOverCount', { count: chosen.length })}
        </ServerButton>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-table text-t2">{t('request.handOverWhy')}</p>
        <fieldset>
          <legend className="text-table font-medium">{t('inbox.handOverWhich')}</legend>
          <ul className="mt-1.5 flex max-h-56 flex-col gap-1.5 overflow-y-auto">
            {going.map(({ request, asker, taskName }) => (
              <li key={request.id}>
                <Checkbox
                  label={`${asker.kind === 'system' ? t('request.theTask') : asker.name} · ${taskName}: ${firstWords(request.question)}`}
                  isChecked={!left.has(request.id)}
                  onChange={(isIn) => {
                    const next = new Set(left)
                    if (isIn) next.delete(request.id)
                    else next.add(request.id)
                    setLeft(next)
                  }}
                />
              </li>
            ))}
          </ul>
        </fieldset>
        <Stays rows={rows} person={person} />
        {people.length === 0 ? (
          <p role="status" className="text-table">
            {t('inbox.noPeople')}
          </p>
        ) : (
          <Select<string>
            label={t('request.handOverTo')}
            options={[
              { value: NOBODY, label: '—' },
              ...people.map(({ agent, who }) => ({ value: agent as string, label: who.name })),
            ]}
            value={to}
            onChange={(next) => {
              setTo(next)
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
          onChange={({ target }) => setSentence(target.value)}
        />
      </div>
    </Dialog>
  )
}

/** What cannot go: parts, what people wrote to me, texts that I began. */
function Stays({ rows, person }: { rows: readonly InboxRow[]; person: AgentId }) {
  const t = useTranslations('inbox')
  const { parts, urgents } = staysWithMe(rows, person)
  const drafts = useDrafts()
  if (parts.length + urgents.length + drafts.length === 0) return null
  return (
    <section aria-label={t('handOverKeep')}>
      <h3 className="text-table font-medium">{t('handOverKeep')}</h3>
      <ul className="mt-1 flex list-disc flex-col gap-0.5 pl-5 text-table text-t2">
        {parts.map(({ request, taskName }) => (
          <li key={request.id}>{t('keepPart', { task: taskName })}</li>
        ))}
        {urgents.map(({ message, sender }) => (
          <li key={message.id}>{t('keepUrgent', { who: sender.name })}</li>
        ))}
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

/** Where I have begun a text, as the server knows; where it stands. */
function useDrafts(): { key: string; href: string }[] {
  const [drafts, setDrafts] = useState<{ key: string; href: string }[]>([])
  useEffect(() => {
    // Joins the server: drafts of other devices are known only there.
    let isHere = true
    void call<DraftList>('GET', '/api/drafts').then((answer) => {
      if (!isHere || !answer.ok) return
      setDrafts(answer.value.drafts.flatMap(({ key }) => placeOf(key)))
    })
    return () => {
      isHere = false
    }
  }, [])
  return drafts
}

function placeOf(key: string): { key: string; href: string }[] {
  const [kind, id = ''] = key.split(':')
  if (kind === 'task') return [{ key, href: pathTo('task', { taskId: id }) }]
  if (kind === 'request') return [{ key, href: pathTo('request', { requestId: id }) }]
  return []
}
