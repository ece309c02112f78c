/** The one field of new work: a text, with files of the workspace by @, and others that are pasted, dropped or chosen. */
import { AtSign, ClipboardType, FileText, Paperclip, X } from 'lucide-react'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { IconButton } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { isSubmit } from '@/components/ui/fields/keyboard'
import { OtherDraft } from '@/components/ui/fields/OtherDraft'
import { TextArea } from '@/components/ui/fields/TextField'
import { useFileChoice } from '@/components/ui/fields/useFileChoice'
import { AlertText } from '@/components/ui/States'
import { formatBytes } from '@/lib/format'
import { FileMention, useFileMention } from './FileMention'
import type { NewWork } from './newWork'
import { ALL_FILES_BYTES, addFiles, FILE_BYTES, MOST_FILES, type RefusedFile } from './workFiles'

/** A pasted text of so many lines is a thing of its own: agents get it exactly as it is. */
const PASTED_LINES = 5

type RequestFieldProps = {
  work: NewWork
  problem: string | null
  onType: () => void
  onSubmit: () => void
  /** It leads its page. */
  isLarge?: boolean
  /** At the end of its foot: what sends it. */
  foot?: ReactNode
}

export function RequestField({ work, problem, onType, onSubmit, isLarge = false, foot }: RequestFieldProps) {
  const t = useTranslations('tasks')
  const box = useRef<HTMLTextAreaElement>(null)
  const mention = useFileMention(work.text, box)
  const { take, refused } = useTakeFiles(work)
  const [isOver, setOver] = useState(false)
  const { input, choose } = useFileChoice((list) => void take(list), { multiple: true })
  const dropProps = {
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false)
      if (event.dataTransfer.files.length === 0) return
      event.preventDefault()
      void take([...event.dataTransfer.files])
    },
  }
  return (
    <div className="min-w-0">
      <div
        {...dropProps}
        className={cx(
          'relative rounded-card border bg-s2 focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-focus',
          isOver ? 'border-accent bg-accent-soft' : 'border-line-strong',
        )}
      >
        <TextArea
          ref={box}
          isBare
          label={t('wish')}
          isLabelHidden
          placeholder={t('wishHint')}
          minLines={isLarge ? 3 : 4}
          maxLines={12}
          className={isLarge ? 'pt-3! text-question!' : undefined}
          value={work.text.text}
          onChange={({ target }) => {
            onType()
            work.text.setText(target.value)
            mention.typed(target.value, target.selectionStart)
          }}
          onKeyDown={(event) => {
            if (mention.onKeyDown(event)) return
            if (!isSubmit(event, 'mod-enter')) return
            event.preventDefault()
            onSubmit()
          }}
          onBlur={mention.close}
          onPaste={(event) => {
            const files = [...event.clipboardData.files]
            const text = event.clipboardData.getData('text/plain')
            const isLong = text.trim().split('\n').length >= PASTED_LINES
            if (files.length === 0 && !isLong) return
            event.preventDefault()
            if (files.length > 0) void take(files)
            else work.pasted.setText([work.pasted.text.trimEnd(), text].filter(Boolean).join('\n\n'))
          }}
          {...mention.boxProps}
        />
        <FileMention mention={mention} />
        <WorkFiles work={work} />
        <div className="flex flex-wrap items-center gap-1 px-1.5 pb-1.5">
          {input}
          <IconButton icon={<Paperclip />} label={t('addFiles')} onClick={choose} />
          <IconButton icon={<AtSign />} label={t('mentionFile')} onClick={mention.begin} />
          <span className="min-w-0 grow text-meta text-t3 max-md:hidden">
            {t('dropFiles', { limit: formatBytes(FILE_BYTES) })}
          </span>
          <span className="grow md:hidden" />
          {foot}
        </div>
      </div>
      <OtherDraft draft={work.text} className="mt-1" />
      <AlertText text={problem} className="mt-1 text-meta" />
      <RefusedFiles refused={refused} />
    </div>
  )
}

/** What goes along: files, and a text that was pasted. */
export function WorkFiles({ work }: { work: NewWork }) {
  const t = useTranslations('tasks')
  const pasted = work.pasted.text
  if (work.files.length === 0 && pasted === '') return null
  const chip = 'flex h-7 min-w-0 max-w-full items-center gap-1.5 rounded-control bg-s3 pl-2 text-table touch:h-11'
  return (
    <ul aria-label={t('files')} className="flex flex-wrap gap-1.5 px-3 pb-2">
      {pasted === '' ? null : (
        <li className={chip}>
          <ClipboardType aria-hidden className="size-3.5 shrink-0 text-t3" />
          <span className="cut" title={pasted.slice(0, 400)}>
            {t('pasted', { count: pasted.trim().split('\n').length })}
          </span>
          <IconButton icon={<X />} label={t('removePasted')} onClick={() => work.pasted.clear()} />
        </li>
      )}
      {work.files.map((file) => (
        <li key={file.name} className={chip}>
          <FileText aria-hidden className="size-3.5 shrink-0 text-t3" />
          <span data-literal className="cut">
            {file.name}
          </span>
          <span className="shrink-0 text-meta text-t3">{formatBytes(file.bytes)}</span>
          <IconButton
            icon={<X />}
            label={t('removeFile', { name: file.name })}
            onClick={() => work.setFiles(work.files.filter(({ name }) => name !== file.name))}
          />
        </li>
      ))}
    </ul>
  )
}

/** out: take: adds files to the request; refused: those that could not be added, of the last time */
export function useTakeFiles(work: NewWork) {
  const [refused, setRefused] = useState<readonly RefusedFile[]>([])
  const take = async (list: readonly File[]): Promise<void> => {
    const given = list.map((file) => ({
      name: file.name,
      size: file.size,
      bytes: async () => new Uint8Array(await file.arrayBuffer()),
    }))
    if (given.length === 0) return
    const next = await addFiles(work.files, given)
    setRefused(next.refused)
    work.setFiles(next.files)
  }
  return { take, refused }
}

export function RefusedFiles({ refused }: { refused: readonly RefusedFile[] }) {
  const why = useRefusalWords()
  if (refused.length === 0) return null
  return (
    <ul role="alert" className="mt-1 flex flex-col gap-0.5 text-meta text-failed">
      {refused.map((one) => (
        <li key={`${one.name} ${one.why}`}>{why(one)}</li>
      ))}
    </ul>
  )
}

function useRefusalWords(): (refused: RefusedFile) => string {
  const t = useTranslations('tasks')
  return ({ name, why }) => {
    switch (why) {
      case 'large':
        return t('fileLarge', { name, limit: formatBytes(FILE_BYTES) })
      case 'all':
        return t('filesLarge', { name, limit: formatBytes(ALL_FILES_BYTES) })
      case 'many':
        return t('filesMany', { name, count: MOST_FILES })
      case 'binary':
        return t('fileBinary', { name })
      case 'unreadable':
        return t('fileUnreadable', { name })
    }
  }
}
