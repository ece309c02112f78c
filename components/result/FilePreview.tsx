import { useTranslations } from 'use-intl'
import { useFileHref } from '@/client/moment'
import { Link } from '@/client/nav'
import { FileContent } from '@/components/files/FileContent'
import type { TaskResult } from '@/lib/wire'

type FilePreviewProps = Pick<TaskResult['files'][number], 'path' | 'seq' | 'isKept' | 'isChanged'> & { bytes: number }

/** A file as its task left it, among other content. */
export default function FilePreview({ path, bytes, seq, isKept, isChanged }: FilePreviewProps) {
  const t = useTranslations('result')
  const hrefOf = useFileHref()
  return (
    <>
      {isChanged ? (
        <p className="mb-1 text-table text-t2">
          {t.rich('changedSince', {
            a: (text) => (
              <Link key="a" href={hrefOf(path)} className="link">
                {text}
              </Link>
            ),
          })}
        </p>
      ) : null}
      {/* A content that is not stored is that of the file, as long as nothing changed it. */}
      <FileContent path={path} version={isKept ? seq : undefined} bytes={bytes} isKept={isKept || !isChanged} />
    </>
  )
}
