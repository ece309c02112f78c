/** The files of a draft: their state, preview, alternative text, removal and retry. A lazy file. */
import { Music, Paperclip, RotateCw, X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { IconButton } from '@/components/ui/Button'
import { PICTURE, useObjectUrl } from '@/components/ui/hooks/useObjectUrl'
import { formatBytes } from '@/lib/format'
import {
  ATTACHMENT_MAX_BYTES,
  describePicture,
  MAX_ATTACHMENTS,
  removeAttachment,
  retryAttachment,
} from './attachmentActions'
import type { AttachmentItem } from './useAttachments'

export { uploadAttachment, uploadSplitVideo } from './attachmentActions'

export default function AttachmentStrip({ place, files }: { place: string; files: readonly AttachmentItem[] }) {
  const t = useTranslations('chat')
  return (
    <ul aria-label={t('attach.list')} className="flex flex-wrap items-start gap-1.5 px-3 pt-2">
      {files.map((file) => (
        <OneFile key={file.id} place={place} file={file} />
      ))}
    </ul>
  )
}

function OneFile({ place, file }: { place: string; file: AttachmentItem }) {
  const t = useTranslations('chat')
  const isPicture = PICTURE.test(file.mime)
  const isSound = file.mime.startsWith('audio/')
  const url = useObjectUrl(isPicture || isSound ? file.file : null)
  const stateWords =
    file.state === 'sending'
      ? t('attach.sending')
      : file.trouble === null
        ? formatBytes(file.bytes)
        : t(`attach.${file.trouble.why}`, {
            limit: formatBytes(ATTACHMENT_MAX_BYTES),
            most: MAX_ATTACHMENTS,
            reason: file.trouble.message,
          })
  return (
    <li
      data-state={file.state}
      className="flex max-w-full flex-wrap items-center gap-x-1.5 gap-y-1 rounded-control border border-line py-0.5 pr-0.5 pl-2 text-meta"
    >
      {isPicture && url ? (
        // biome-ignore lint/performance/noImgElement: a picture of this browser's own needs no server.
        <img src={url} alt="" className="size-8 rounded-control object-cover" />
      ) : isSound ? (
        <Music className="size-3.5 shrink-0 text-t3" />
      ) : (
        <Paperclip className="size-3.5 shrink-0 text-t3" />
      )}
      <span data-literal className="cut max-w-48">
        {file.name}
      </span>
      <span
        role={file.state === 'failed' ? 'alert' : undefined}
        className={file.state === 'failed' ? 'text-failed' : 'shrink-0 text-t3'}
      >
        {stateWords}
      </span>
      {file.trouble?.why === 'offline' || file.trouble?.why === 'refused' ? (
        <IconButton
          className="size-6!"
          icon={<RotateCw />}
          label={t('attach.again', { name: file.name })}
          onClick={() => retryAttachment(place, file.id)}
        />
      ) : null}
      <IconButton
        className="size-6!"
        icon={<X />}
        label={t('remove', { name: file.name })}
        onClick={() => removeAttachment(place, file.id)}
      />
      {isPicture && file.state !== 'failed' ? (
        <input
          value={file.alt}
          maxLength={500}
          aria-label={t('attach.altFor', { name: file.name })}
          placeholder={t('attach.alt')}
          onChange={({ target }) => describePicture(place, file.id, target.value)}
          onKeyDown={(event) => {
            // Enter sends the message from its own box only.
            if (event.key === 'Enter') event.preventDefault()
          }}
          className="h-7 w-52 max-w-full rounded-control border border-line-strong bg-s2 px-2 text-meta placeholder:text-t3"
        />
      ) : null}
      {isSound && url ? (
        // biome-ignore lint/a11y/useMediaCaption: what somebody just recorded has no captions.
        <audio src={url} controls aria-label={file.name} className="h-8 w-56 max-w-full" />
      ) : null}
    </li>
  )
}
