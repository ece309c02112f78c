/** The files of a sent message: pictures and sounds are fetched and shown on a press, any file can be saved. A lazy file. */
import { Download, FileText, Image, Music } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { call } from '@/client'
import { fromBase64 } from '@/client/api'
import { Link, pathTo } from '@/client/nav'
import { Button, IconButton } from '@/components/ui/Button'
import { PICTURE, useObjectUrl } from '@/components/ui/hooks/useObjectUrl'
import { showToast } from '@/components/ui/overlays/toast'
import { saveFile } from '@/components/ui/saveFile'
import { useFaultWords } from '@/components/ui/useFaultWords'
import { formatBytes } from '@/lib/format'
import type { MessageId } from '@/lib/mas/ids'
import type { Attachment } from '@/lib/mas/records'
import type { AttachmentBody } from '@/lib/wire'

const SOUND = /^audio\//

export default function AttachedFileList({ message, files }: { message: MessageId; files: readonly Attachment[] }) {
  const t = useTranslations('chat')
  return (
    <ul aria-label={t('attach.list')} className="mt-1.5 flex flex-col gap-1.5">
      {files.map((file, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two files may be equal, and the list never changes.
        <li key={at}>
          <OneFile message={message} at={at} file={file} />
        </li>
      ))}
    </ul>
  )
}

function OneFile({ message, at, file }: { message: MessageId; at: number; file: Attachment }) {
  const t = useTranslations()
  const faultWords = useFaultWords()
  const [shown, setShown] = useState<Blob | null>(null)
  const [isFetching, setFetching] = useState(false)
  const url = useObjectUrl(shown)
  const { mime, bytes } = file.body
  const kind = PICTURE.test(mime) ? 'picture' : SOUND.test(mime) ? 'sound' : 'file'

  const fetchBlob = async (): Promise<Blob | null> => {
    setFetching(true)
    const answer = await call<AttachmentBody>('GET', `/api/messages/${encodeURIComponent(message)}/attachments/${at}`)
    setFetching(false)
    if (!answer.ok) {
      showToast('error', faultWords(answer.fault))
      return null
    }
    return new Blob([fromBase64(answer.value.base64)], { type: mime })
  }
  const save = async (): Promise<void> => {
    const data = shown ?? (await fetchBlob())
    if (data !== null) saveFile(file.name, data)
  }
  const Icon = kind === 'picture' ? Image : kind === 'sound' ? Music : FileText
  return (
    <div>
      <div className="flex max-w-full items-center gap-x-2 text-table">
        <Icon aria-hidden className="size-4 shrink-0 text-t3" />
        {file.savedAs === null ? (
          <span data-literal className="cut min-w-0">
            {file.name}
          </span>
        ) : (
          <Link data-literal href={pathTo('file', { path: file.savedAs })} className="link cut min-w-0">
            {file.name}
          </Link>
        )}
        <span className="shrink-0 text-meta text-t3">{formatBytes(bytes)}</span>
        {kind !== 'file' && url === null ? (
          <Button look="quiet" isDisabled={isFetching} onClick={() => void fetchBlob().then(setShown)}>
            {t(kind === 'picture' ? 'chat.attach.show' : 'chat.attach.play')}
          </Button>
        ) : null}
        <IconButton
          icon={<Download />}
          label={t('chat.attach.saveNamed', { name: file.name })}
          isDisabled={isFetching}
          onClick={() => void save()}
        />
      </div>
      {file.alt ? <p className="pl-6 text-meta text-t2">{file.alt}</p> : null}
      {url !== null && kind === 'picture' ? (
        // biome-ignore lint/performance/noImgElement: a picture that this page holds needs no server.
        <img
          src={url}
          alt={file.alt ?? file.name}
          className="mt-1 max-h-80 max-w-full rounded-control border border-line"
        />
      ) : null}
      {url !== null && kind === 'sound' ? (
        // biome-ignore lint/a11y/useMediaCaption: what somebody recorded has no captions; its name says what it is.
        <audio src={url} controls className="mt-1 w-full max-w-md" aria-label={file.name} />
      ) : null}
    </div>
  )
}
