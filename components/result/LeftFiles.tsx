/** The files that a task left: each can be opened, shown in place, and saved. */

import { Download, FileText, FileX } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useFileHref } from '@/client/moment'
import { Link } from '@/client/nav'
import { nameOf } from '@/components/files/fileKinds'
import { contentHref } from '@/components/files/places'
import { Button, buttonClass } from '@/components/ui/Button'
import { Loading } from '@/components/ui/States'
import { formatBytes } from '@/lib/format'
import type { TaskResult } from '@/lib/wire'
import { FilePreview } from './lazy'

type LeftFile = TaskResult['files'][number]

export function LeftFiles({ files }: { files: readonly LeftFile[] }) {
  const t = useTranslations('result')
  return (
    <ul aria-label={t('files')}>
      {files.map((file) => (
        <li key={file.path} data-kind="file" className="mb-1">
          <OneFile file={file} />
        </li>
      ))}
    </ul>
  )
}

function OneFile({ file: { path, bytes, seq, isKept, isChanged } }: { file: LeftFile }) {
  const t = useTranslations('result')
  const [isShown, setShown] = useState(false)
  const hrefOf = useFileHref()
  const name = nameOf(path)
  const Icon = bytes === null ? FileX : FileText
  return (
    <>
      <div className="flex min-h-8 flex-wrap items-center gap-x-2">
        <Icon aria-hidden className="size-4 shrink-0 text-t3" />
        <Link data-literal href={hrefOf(path)} title={path} className="link cut min-w-0">
          {bytes === null ? t('removedFile', { name }) : name}
        </Link>
        {bytes === null ? null : (
          <>
            <span className="shrink-0 text-meta text-t3">{formatBytes(bytes)}</span>
            <span className="ml-auto flex gap-1 print:hidden">
              <Button
                look="quiet"
                aria-expanded={isShown}
                aria-label={t(isShown ? 'hideNamed' : 'showNamed', { name })}
                onClick={() => setShown(!isShown)}
              >
                {t(isShown ? 'hide' : 'show')}
              </Button>
              <a
                href={contentHref(path, isKept ? seq : undefined)}
                download={name}
                aria-label={t('saveNamed', { name })}
                title={t('saveNamed', { name })}
                className={buttonClass('quiet')}
              >
                <Download />
              </a>
            </span>
          </>
        )}
      </div>
      {isShown && bytes !== null ? (
        <div className="my-2 max-h-96 overflow-y-auto print:hidden">
          <FilePreview path={path} bytes={bytes} seq={seq} isKept={isKept} isChanged={isChanged} />
        </div>
      ) : null}
    </>
  )
}
