/** One file: what it holds, what changed in a version, who left it so. `?version=` shows a version, `?show=changes` its changes. */
import { Download } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { CallRefused } from '@/client/api'
import { Link, setSearch, useSearchParam, withSearch } from '@/client/nav'
import { useApiBytes, useApiQuery } from '@/client/queries'
import { taskTitle } from '@/client/readersWords'
import { buttonClass, LinkButton } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { Diff } from '@/components/ui/lazy'
import { TimeText } from '@/components/ui/marks/Time'
import { PageHeading } from '@/components/ui/PageHeading'
import { EmptyState, ErrorState, FaultState, Loading } from '@/components/ui/States'
import { Segmented } from '@/components/ui/Tabs'
import { formatBytes } from '@/lib/format'
import type { AboutFile, FileVersionShown } from '@/lib/wire'
import { Breadcrumb } from './Breadcrumb'
import { ByLine } from './ByLine'
import { Broken, FileContent, useText } from './FileContent'
import { nameOf } from './fileKinds'
import { contentHref, folderHref } from './places'

export function FilePage({ path }: { path: string }) {
  const t = useTranslations('files')
  const { data: about, error, refetch } = useApiQuery<AboutFile>(`/api/files/about?${new URLSearchParams({ path })}`)
  const name = nameOf(path)
  const asked = Number(useSearchParam('version') ?? 'none')
  const at = Number(useSearchParam('at') ?? 'none')
  // The versions are listed from the newest on.
  const version = about?.versions.find(({ seq }) => seq === asked || (Number.isNaN(asked) && seq <= at))
  const isRecorded = Number.isNaN(at) || version !== undefined
  return (
    <div className="px-5 max-md:px-4">
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2 pt-4 pb-3">
        <div className="min-w-0 grow basis-64">
          <Breadcrumb to={path} />
          <PageHeading title={[name]} className="break-words">
            <span data-literal>{name}</span>
          </PageHeading>
          {about && isRecorded ? <Facts about={about} version={version} /> : null}
        </div>
        {about && isRecorded && (version ? version.now?.kept : about.now !== null) ? (
          <a href={contentHref(path, version?.seq)} download={name} className={buttonClass('plain')}>
            <Download className="size-4" />
            {t('download')}
          </a>
        ) : null}
      </div>
      {error !== null ? (
        <NotOpened fault={error} onRetry={refetch} />
      ) : about === undefined ? (
        <Loading lines={10} className="px-0!" />
      ) : isRecorded ? (
        <Opened about={about} version={version} />
      ) : (
        <EmptyState title={t('notRecorded')} action={<LinkButton href={folderHref('')}>{t('toFiles')}</LinkButton>}>
          {t('notRecordedWhy')}
        </EmptyState>
      )}
    </div>
  )
}

function NotOpened({ fault, onRetry }: { fault: CallRefused; onRetry: () => void }) {
  const t = useTranslations('files')
  const rest = { onRetry, action: <LinkButton href={folderHref('')}>{t('toFiles')}</LinkButton> }
  return fault.error === 'NOT_FOUND' ? (
    <ErrorState title={t('gone')} {...rest}>
      {t('goneWhy')}
    </ErrorState>
  ) : (
    <FaultState title={t('broken')} fault={fault} {...rest} />
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
              segments={{ content: t('content'), changes: t('changes') }}
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
      {versions.length > 0 ? <VersionList versions={versions} shown={shown?.seq ?? null} /> : null}
    </div>
  )
}

/** Larger texts are not compared: it takes too long. */
const MOST_BYTES = 1024 * 1024

type Side = FileVersionShown['now']

function FileChanges({ path, version }: { path: string; version: FileVersionShown }) {
  const t = useTranslations('files')
  const { seq, before, now, change } = version
  const sides: readonly Side[] = [before, now]
  const isKept = sides.every((side) => side === null || side.kept)
  const largest = Math.max(...sides.map((side) => side?.bytes ?? 0))
  const isCompared = isKept && largest <= MOST_BYTES
  const was = useSide(isCompared && before !== null ? contentHref(path, seq, true) : null)
  const is = useSide(isCompared && now !== null ? contentHref(path, seq) : null)
  if (!isKept) return <p className="py-6 text-t2">{t('noComparison')}</p>
  if (!isCompared) {
    return (
      <p className="py-6 text-t2">{t('tooLarge', { size: formatBytes(largest), most: formatBytes(MOST_BYTES) })}</p>
    )
  }
  for (const { error, refetch } of [was, is]) {
    if (error !== null) return <Broken fault={error} onRetry={refetch} />
  }
  const texts = [before === null ? '' : was.text, now === null ? '' : is.text]
  if (texts.includes(undefined)) return <Loading lines={10} className="px-0!" />
  const [left, right] = texts
  if (typeof left !== 'string' || typeof right !== 'string') return <p className="py-6 text-t2">{t('notText')}</p>
  return (
    <>
      <p className="pb-2 text-table text-t2">{t(`change.${change}`)}</p>
      <Diff before={left} after={right} name={nameOf(path)} />
    </>
  )
}

function useSide(href: string | null) {
  const { data, error, refetch } = useApiBytes(href)
  return { error, refetch, text: useText(data ?? null) }
}

type VersionListProps = {
  versions: readonly FileVersionShown[]
  /** The seq of the one that is shown; null: the file as it is now. */
  shown: number | null
}

function VersionList({ versions, shown }: VersionListProps) {
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
                {version.taskName === null ? null : (
                  <span className="cut max-w-full text-t3">{taskTitle(version.taskName)}</span>
                )}
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
