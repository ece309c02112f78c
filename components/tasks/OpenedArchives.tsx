/** Archives of tasks from elsewhere: operators open a file, read it under its own address, and remove it again. */
import { FileArchive } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useDraft } from '@/client'
import { call, toBase64 } from '@/client/api'
import { Link, navigate, pathTo } from '@/client/nav'
import { useApiQuery } from '@/client/queries'
import { useFileChoice } from '@/components/ui/fields/useFileChoice'
import { TimeText } from '@/components/ui/marks/Time'
import { ConfirmDialog } from '@/components/ui/overlays/Dialog'
import { showToast } from '@/components/ui/overlays/toast'
import { ServerButton } from '@/components/ui/ServerButton'
import { FaultState, Loading } from '@/components/ui/States'
import { useFaultWords } from '@/components/ui/useFaultWords'
import { formatBytes } from '@/lib/format'
import { fitsWords } from '@/lib/format/fitsWords'
import type { OpenedArchive, OpenedList } from '@/lib/wire'

/** As the server takes it. */
const MOST_BYTES = 32 * 1024 * 1024
const MIB = 1024 * 1024
/** Also the server's. */
const NAME_LENGTH = 200

export function OpenedArchives({ text }: { text: string }) {
  const t = useTranslations('tasks.opened')
  const { data, error, refetch } = useApiQuery<OpenedList>('/api/archives')
  const has = fitsWords(text)
  const archives = data?.archives.filter(({ name, file, by }) => has(name, file, by)) ?? []
  return (
    <section aria-label={t('title')} className="px-5 pb-4 max-md:px-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="grow text-table font-bold text-t2">{t('title')}</h2>
        <OpenButton />
      </div>
      {error !== null ? (
        <FaultState title={t('broken')} fault={error} onRetry={refetch} />
      ) : data === undefined ? (
        <Loading lines={1} />
      ) : archives.length === 0 ? (
        <p className="text-table text-t2">{data.archives.length === 0 ? t('none') : t('noneFits')}</p>
      ) : (
        <ul aria-label={t('title')} className="flex flex-col">
          {archives.map((archive) => (
            <ArchiveRow key={archive.archive} archive={archive} />
          ))}
        </ul>
      )}
    </section>
  )
}

/** What was wrong with a file stays on the page until the next one is chosen. */
function OpenButton() {
  const t = useTranslations('tasks.opened')
  const faultWords = useFaultWords()
  const [why, setWhy] = useState<string | null>(null)
  const [name, setName] = useState<string | null>(null)
  const open = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    setWhy(null)
    if (file.size > MOST_BYTES) {
      setWhy(t('tooLarge', { name: file.name, mib: MOST_BYTES / MIB }))
      return
    }
    setName(file.name)
    try {
      const base64 = toBase64(new Uint8Array(await file.arrayBuffer()))
      const named = file.name.slice(-NAME_LENGTH) || 'archive.zip'
      const answer = await call<OpenedArchive>('POST', '/api/archives', { name: named, base64 })
      if (answer.ok) navigate(pathTo('task', { taskId: answer.value.task }))
      else setWhy(faultWords(answer.fault))
    } catch {
      setWhy(t('unreadable', { name: file.name }))
    } finally {
      setName(null)
    }
  }
  const { input, choose } = useFileChoice(([file]) => void open(file), { accept: '.zip,application/zip' })
  return (
    <>
      {input}
      <ServerButton icon={<FileArchive />} isDisabled={name !== null} onClick={choose}>
        {name === null ? t('open') : t('opening')}
      </ServerButton>
      <p role="status" className="basis-full break-words text-failed empty:hidden">
        {why}
      </p>
    </>
  )
}

function ArchiveRow({ archive }: { archive: OpenedArchive }) {
  const t = useTranslations('tasks.opened')
  const faultWords = useFaultWords()
  const [isAsking, setAsking] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  // No reason is asked for.
  const draft = useDraft(null)
  const { name, file, by, at, bytes, task } = archive
  const remove = async (): Promise<void> => {
    setFailure(null)
    const answer = await call('DELETE', `/api/archives/${archive.archive}`)
    // Somebody else was first: it is gone.
    if (answer.ok || answer.fault.error === 'NOT_FOUND') {
      setAsking(false)
      showToast('done', t('removed', { name }))
    } else setFailure(faultWords(answer.fault))
  }
  return (
    <li data-kind="archive" className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b py-2.5">
      <Link
        href={pathTo('task', { taskId: task })}
        className="cut min-w-0 font-medium hover:underline max-md:basis-full"
      >
        {name}
      </Link>
      <span className="cut min-w-0 text-meta text-t3" title={file}>
        {file} · {formatBytes(bytes)}
      </span>
      <span className="grow" />
      <span className="text-meta text-t2">
        {t('openedBy', { who: by })} · <TimeText at={at} />
      </span>
      <ServerButton look="quiet" aria-label={t('removeNamed', { name })} onClick={() => setAsking(true)}>
        {t('remove')}
      </ServerButton>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title={t('removeAsk', { name })}
        action={t('remove')}
        draft={draft}
        failure={failure}
        onConfirm={remove}
      >
        {t('removeWhat')}
      </ConfirmDialog>
    </li>
  )
}
