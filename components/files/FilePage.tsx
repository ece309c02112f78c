/** One file: what it holds, what changed in a version, who left it so. `?version=` shows a version, `?show=changes` its changes. */
import { Download } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Link, setSearch, useSearchParam } from '@/client/nav'
import { useFetched } from '@/client/useFetched'
import { buttonClass } from '@/components/ui/Button'
import { TimeText } from '@/components/ui/marks/Time'
import { PageHeading } from '@/components/ui/PageHeading'
import { ErrorState, Loading } from '@/components/ui/States'
import { useServerAway } from '@/components/ui/serverAway'
import { Segmented } from '@/components/ui/Tabs'
import { formatBytes } from '@/lib/format'
import type { AboutFile, FileVersionShown } from '@/lib/wire'
import { ByLine } from './ByLine'
import { FileChanges } from './FileChanges'
import { FileContent } from './FileContent'
import { nameOf } from './fileKinds'
import { contentHref, folderHref } from './places'
import { VersionList } from './VersionList'
import { Way } from './Way'

export function FilePage({ path }: { path: string }) {
  const t = useTranslations('files')
  const { answer, reload } = useFetched<AboutFile>(`/api/files/about?${new URLSearchParams({ path })}`)
  const isGone = answer?.ok === false && answer.fault.error === 'NOT_FOUND'
  const away = useServerAway()
  const name = nameOf(path)
  const asked = Number(useSearchParam('version') ?? 'none')
  const about = answer?.ok ? answer.value : null
  const version = about?.versions.find(({ seq }) => seq === asked)
  return (
    <div className="mx-auto max-w-[72rem] px-5 max-md:px-4">
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2 pt-4 pb-3">
        <div className="min-w-0 grow basis-64">
          <Way to={path} />
          <PageHeading title={[name]} className="break-words">
            {name}
          </PageHeading>
          {about ? <Facts about={about} version={version} /> : null}
        </div>
        {about && (version ? version.now?.kept : about.now !== null) ? (
          <a href={contentHref(path, version?.seq)} download={name} className={buttonClass('plain')}>
            <Download className="size-4" />
            {t('download')}
          </a>
        ) : null}
      </div>
      {answer === null ? (
        <Loading lines={10} className="px-0!" />
      ) : about ? (
        <Opened about={about} version={version} />
      ) : (
        <ErrorState
          title={t(isGone ? 'gone' : 'broken')}
          onRetry={reload}
          details={answer.ok ? undefined : answer.fault.message}
          action={
            <Link href={folderHref('')} className={buttonClass('plain')}>
              {t('toFiles')}
            </Link>
          }
        >
          {t(isGone ? 'goneWhy' : away === null ? 'brokenWhy' : 'offline')}
        </ErrorState>
      )}
    </div>
  )
}

function Facts({ about, version }: { about: AboutFile; version: FileVersionShown | undefined }) {
  const t = useTranslations('files')
  const { now, sent, versions, isAsRecorded } = about
  const maker = version ?? (isAsRecorded === false ? undefined : versions[0])
  const bytes = version ? (version.now?.bytes ?? null) : (now?.bytes ?? null)
  const at = version?.at ?? now?.changedAt ?? null
  const by = maker ?? (versions.length === 0 ? sent : null)
  return (
    <p className="flex flex-wrap gap-x-2 text-table text-t2">
      {bytes === null ? <span>{t('removed')}</span> : <span>{formatBytes(bytes)}</span>}
      {at === null ? null : <TimeText at={at} />}
      {by ? <ByLine by={by} /> : null}
      {version ? null : isAsRecorded === false && now !== null ? <span>{t('changedElsewhere')}</span> : null}
    </p>
  )
}

function Opened({ about, version }: { about: AboutFile; version: FileVersionShown | undefined }) {
  const t = useTranslations('files')
  const { path, versions, now } = about
  const shown = version ?? (now === null ? versions[0] : undefined)
  const compared = version ?? versions[0]
  const show = useSearchParam('show') === 'changes' && compared ? 'changes' : 'content'
  const isGone = shown !== undefined && shown.now === null
  return (
    <div className="flex gap-6 max-xl:flex-col">
      <div className="min-w-0 grow">
        {compared ? (
          <div className="pb-3">
            <Segmented
              label={t('shown')}
              value={show}
              segments={[
                { value: 'content', label: t('content') },
                { value: 'changes', label: t('changes') },
              ]}
              onChange={(next) => setSearch({ show: next === 'content' ? null : next }, { replace: true })}
            />
          </div>
        ) : null}
        {show === 'changes' && compared ? (
          <FileChanges key={compared.seq} path={path} version={compared} />
        ) : isGone ? (
          <p className="py-6 text-t2">{t('removedHere')}</p>
        ) : (
          <FileContent
            key={shown?.seq ?? 'now'}
            path={path}
            version={shown?.seq}
            bytes={shown?.now?.bytes ?? now?.bytes ?? 0}
            isKept={shown === undefined || shown.now?.kept === true}
          />
        )}
      </div>
      {versions.length > 0 ? <VersionList path={path} versions={versions} shown={shown?.seq ?? null} /> : null}
    </div>
  )
}
