/** Import of a conversation of another system, or of a job handed over, from a file. */
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { callAdapter } from '@/client/api'
import { Link, pathTo, setSearch } from '@/client/nav'
import { invalidate } from '@/client/queries'
import { Button } from '@/components/ui/Button'
import { useFileChoice } from '@/components/ui/fields/useFileChoice'
import { Dialog } from '@/components/ui/overlays/Dialog'
import { ServerButton } from '@/components/ui/ServerButton'
import { AlertText } from '@/components/ui/States'
import { exactJsonOf, fieldsIn } from '@/lib/json'

type ImportedFile =
  | { is: 'list'; count: number; path: string; body: unknown }
  | { is: 'packet'; to: string; path: string; body: unknown }
  | { is: 'nothing' }

/** A list of messages, an export, or a packet that hands a job over. */
export function readImportedFile(text: string): ImportedFile {
  // What would be sent as another number is not sent.
  const value = exactJsonOf(text)
  const { messages = value, meta, protocol } = fieldsIn(value)
  if (Array.isArray(messages)) {
    return { is: 'list', count: messages.length, path: '/api/harmony/import', body: { messages } }
  }
  if (protocol !== 'harmony_handoff_v1') return { is: 'nothing' }
  return { is: 'packet', to: String(fieldsIn(meta).target_agent ?? ''), path: '/api/harmony/handoff', body: value }
}

/** task: the one that was made; messages: null: a packet; notCopied: why pictures are still at the other system */
type ImportResult = { task: string; messages: number | null; notCopied: string[] }

export function importFile(answer: unknown): ImportResult {
  const { conversation_id, messages, not_copied } = fieldsIn(answer)
  const failed = Array.isArray(not_copied) ? not_copied : []
  return {
    task: String(conversation_id ?? ''),
    messages: typeof messages === 'number' ? messages : null,
    notCopied: failed.map((one) => String(fieldsIn(one).why ?? '')),
  }
}

const close = (): void => setSearch({ bring: null }, { replace: true })

export function ImportFile() {
  const t = useTranslations('directory.bring')
  const words = useTranslations('common')
  const [name, setName] = useState('')
  const [found, setFound] = useState<ImportedFile | null>(null)
  const [imported, setImported] = useState<ImportResult | null>(null)
  const [why, setWhy] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const read = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    setImported(null)
    setWhy(null)
    setName(file.name)
    setFound(readImportedFile(await file.text()))
  }
  const { input, choose } = useFileChoice(([file]) => void read(file), { accept: '.json,application/json' })
  const submit = async (): Promise<void> => {
    if (found === null || found.is === 'nothing' || isSending) return
    setSending(true)
    setWhy(null)
    const answer = await callAdapter('POST', found.path, found.body)
    setSending(false)
    invalidate('/api/directory')
    if (answer.ok) setImported(importFile(answer.value))
    else setWhy(answer.why ?? t('noAnswer'))
  }
  const isReady = found !== null && found.is !== 'nothing'
  return (
    <Dialog
      isOpen
      onOpenChange={close}
      title={t('title')}
      foot={
        imported === null ? (
          <>
            <ServerButton
              look="primary"
              isDisabled={!isReady || isSending}
              reason={isReady ? undefined : t('chooseFirst')}
              onClick={() => void submit()}
            >
              {t('do')}
            </ServerButton>
            <Button onClick={close}>{words('cancel')}</Button>
          </>
        ) : (
          <Button onClick={close}>{words('close')}</Button>
        )
      }
    >
      <div className="flex flex-col gap-3">
        <p>{t('what')}</p>
        <div className="flex flex-wrap items-center gap-3">
          <Button onClick={choose}>{t('choose')}</Button>
          <span className="min-w-0 break-all">{name}</span>
          {input}
        </div>
        <div role="status">
          {found === null || imported !== null ? null : found.is === 'list' ? (
            <p>{t('isList', { count: found.count })}</p>
          ) : found.is === 'packet' ? (
            <p>{t('isPacket', { who: found.to })}</p>
          ) : (
            <p className="text-failed">{t('isNothing')}</p>
          )}
          {imported === null ? null : (
            <>
              <p>{imported.messages === null ? t('packetDone') : t('listDone', { count: imported.messages })}</p>
              {imported.notCopied.length === 0 ? null : (
                <p className="text-t2">
                  {t('notCopied', { count: imported.notCopied.length, why: imported.notCopied[0] ?? '' })}
                </p>
              )}
              <Link href={pathTo('task', { taskId: imported.task })} className="link">
                {t('open')}
              </Link>
            </>
          )}
        </div>
        <AlertText text={why} className="break-words" />
      </div>
    </Dialog>
  )
}
