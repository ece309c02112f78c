import { File, Folder } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useApiQuery } from '@/client/queries'
import { Button } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { formatBytes } from '@/lib/format'
import type { FilesPage } from '@/lib/wire'

export function WorkspaceList({ onPick }: { onPick: (path: string) => void }) {
  const t = useTranslations()
  const { data, error, refetch } = useApiQuery<FilesPage>('/api/files?depth=3')
  if (error !== null) {
    return (
      <p className="flex flex-wrap items-center gap-2 text-table text-t3">
        {t('tasks.workspaceBroken')}
        <Button look="quiet" onClick={refetch}>
          {t('common.tryAgain')}
        </Button>
      </p>
    )
  }
  if (data === undefined) return <p className="text-table text-t3">{t('common.loading')}</p>
  const { root, entries, more } = data
  if (entries.length === 0) return <p className="text-table text-t3">{t('tasks.workspaceEmpty', { root })}</p>
  return (
    <>
      <p className="mb-1 text-meta break-words text-t3">{t('tasks.workspaceWhy', { root })}</p>
      <ul
        aria-label={t('tasks.workspace')}
        className="flex max-h-36 flex-col overflow-y-auto rounded-control border border-line"
      >
        {entries.map((entry) => {
          const Icon = entry.kind === 'folder' ? Folder : File
          return (
            <li key={entry.path}>
              <button
                type="button"
                aria-label={t('tasks.usePath', { path: entry.path })}
                onClick={() => onPick(entry.path)}
                className={cx(
                  'flex h-7 w-full min-w-0 items-center gap-2 px-2.5 text-left text-table hover:bg-hover',
                  'focus-visible:-outline-offset-2 touch:h-11',
                )}
              >
                <Icon aria-hidden className="size-3.5 text-t3" />
                <span data-literal className="cut grow font-mono">
                  {entry.path}
                </span>
                {entry.kind === 'file' ? <span className="text-meta text-t3">{formatBytes(entry.bytes)}</span> : null}
              </button>
            </li>
          )
        })}
      </ul>
      {more > 0 ? <p className="mt-1 text-meta text-t3">{t('tasks.workspaceMore', { count: more })}</p> : null}
    </>
  )
}
