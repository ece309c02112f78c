import { FilePlus2, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button, IconButton } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { useFileChoice } from '@/components/ui/fields/useFileChoice'
import { formatBytes } from '@/lib/format'
import { ALL_FILES_BYTES, addFiles, FILE_BYTES, MOST_FILES, type RefusedFile, type WorkFile } from './workFiles'

type FileDropProps = { files: readonly WorkFile[]; onChange: (files: readonly WorkFile[]) => void }

export function FileDrop({ files, onChange }: FileDropProps) {
  const t = useTranslations('tasks')
  const [isOver, setOver] = useState(false)
  const [refused, setRefused] = useState<readonly RefusedFile[]>([])

  const take = async (list: readonly File[]): Promise<void> => {
    const dropped = list.map((file) => ({
      name: file.name,
      size: file.size,
      bytes: async () => new Uint8Array(await file.arrayBuffer()),
    }))
    if (dropped.length === 0) return
    const next = await addFiles(files, dropped)
    setRefused(next.refused)
    onChange(next.files)
  }
  const { input, choose } = useFileChoice((list) => void take(list), { multiple: true })
  const why = useRefusalWords()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button inside is the first.
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        void take([...event.dataTransfer.files])
      }}
      className={cx(
        'flex flex-col gap-2 rounded-control border border-dashed px-3 py-2',
        isOver ? 'border-accent bg-accent-soft' : 'border-line-strong',
      )}
    >
      <div className="flex flex-wrap items-center gap-2">
        <Button icon={<FilePlus2 />} onClick={choose}>
          {t('addFiles')}
        </Button>
        <span className="min-w-0 text-meta text-t3">{t('dropFiles', { limit: formatBytes(FILE_BYTES) })}</span>
        {input}
      </div>
      {files.length === 0 ? null : (
        <ul aria-label={t('files')} className="flex flex-col gap-1">
          {files.map((file) => (
            <li key={file.name} className="flex min-w-0 items-center gap-2 text-table">
              <span data-literal className="cut grow">
                {file.name}
              </span>
              <span className="text-meta text-t3">{formatBytes(file.bytes)}</span>
              <IconButton
                icon={<X />}
                label={t('removeFile', { name: file.name })}
                onClick={() => onChange(files.filter(({ name }) => name !== file.name))}
              />
            </li>
          ))}
        </ul>
      )}
      {refused.length === 0 ? null : (
        <ul role="alert" className="flex flex-col gap-0.5 text-meta text-failed">
          {refused.map((one) => (
            <li key={`${one.name} ${one.why}`}>{why(one)}</li>
          ))}
        </ul>
      )}
    </div>
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
