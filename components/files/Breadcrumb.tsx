import { Fragment } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from '@/client/nav'
import { foldersOf } from '@/lib/format/filePaths'
import { nameOf } from './fileKinds'
import { folderHref } from './places'

export function Breadcrumb({ to }: { to: string }) {
  const t = useTranslations('files')
  return (
    <nav aria-label={t('way')} className="flex min-w-0 flex-wrap items-center gap-x-1.5 text-table text-t3">
      <Link href={folderHref('')} className="link">
        {t('title')}
      </Link>
      {foldersOf(to).map((folder) => (
        <Fragment key={folder}>
          <span aria-hidden>/</span>
          <Link data-literal href={folderHref(folder)} className="link min-w-0 break-all">
            {nameOf(folder)}
          </Link>
        </Fragment>
      ))}
      <span aria-hidden>/</span>
    </nav>
  )
}
