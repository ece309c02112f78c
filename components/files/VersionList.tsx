import { useTranslations } from 'use-intl'
import { Link, withSearch } from '@/client/nav'
import { cx } from '@/components/ui/cx'
import { TimeText } from '@/components/ui/marks/Time'
import { formatBytes } from '@/lib/format'
import type { FileVersionShown } from '@/lib/wire'
import { ByLine } from './ByLine'

type VersionListProps = {
  path: string
  versions: readonly FileVersionShown[]
  /** The seq of the one that is shown; null: the file as it is now. */
  shown: number | null
}

export function VersionList({ versions, shown }: VersionListProps) {
  const t = useTranslations('files')
  return (
    <section aria-labelledby="file-versions" className="w-72 shrink-0 max-xl:w-full">
      <h2 id="file-versions" className="pb-1.5 text-table font-medium">
        {t('versions', { count: versions.length })}
      </h2>
      <ul className="flex flex-col rounded-card border border-line">
        {versions.map((version, at) => {
          const isShown = shown === version.seq || (shown === null && at === 0)
          return (
            <li
              key={version.seq}
              data-kind="version"
              data-seq={version.seq}
              className={cx('border-b border-line px-3 py-1.5 text-table last:border-0', isShown && 'bg-sel')}
            >
              <p className="flex flex-wrap items-baseline justify-between gap-x-2">
                <Link
                  href={withSearch({ version: at === 0 ? null : String(version.seq) })}
                  aria-current={isShown ? 'true' : undefined}
                  className="link font-medium"
                >
                  {t(`change.${version.change}`)}
                </Link>
                <TimeText at={version.at} className="text-meta text-t3" />
              </p>
              <p className="flex flex-wrap gap-x-2 text-meta text-t2">
                <ByLine by={version} />
                {version.taskName === null ? null : <span className="cut max-w-full text-t3">{version.taskName}</span>}
                {version.now === null ? null : <span className="text-t3">{formatBytes(version.now.bytes)}</span>}
              </p>
              {version.shared ? <p className="text-meta text-t3">{t('shared')}</p> : null}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
