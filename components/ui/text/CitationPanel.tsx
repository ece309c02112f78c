/** The entry of a source, in a small panel beside its number. */
import { ExternalLink } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useKnownFile } from '@/client/knownFiles'
import { useFileHref } from '@/client/moment'
import { Link } from '@/client/nav'
import { boxOf } from '@/lib/format/pagePlace'
import type { HarmonyCitation as Source } from '@/lib/protocols/harmony/citation'
import { safeHref } from './safeHref'

/** Results of tools and messages of agents here: they open in place. */
const OUR_TYPES = ['tool_result', 'message']

export default function CitationPanel({ source, name }: { source: Source; name: string }) {
  const t = useTranslations('citation')
  const { location, url, score, access_date: readOn } = source
  const page = location?.page_number
  const href = url === undefined ? null : safeHref(url)
  const box = boxOf(location?.bbox)
  // A source of a person's own files is named by its path, in one of these fields.
  const file = useKnownFile([source.source_id, source.source_name, url].flatMap((path) => path ?? []))
  const hrefOf = useFileHref()
  const isOurs = OUR_TYPES.includes(source.source_type) && source.source_id !== undefined
  return (
    <>
      <p className="font-bold break-words">{name}</p>
      {page === undefined ? null : <p className="text-meta text-t2">{t('page', { page })}</p>}
      {location?.text_snippet ? (
        <blockquote className="my-2 max-h-48 overflow-y-auto border-l-2 border-line-strong pl-3 break-words whitespace-pre-wrap text-t2">
          {location.text_snippet}
        </blockquote>
      ) : null}
      {file === null ? null : (
        <Link href={hrefOf(file, page === undefined ? null : { page, box })} className="link">
          {page === undefined ? t('openFile') : t('openPage', { page })}
        </Link>
      )}
      {isOurs ? (
        <Link href={`/go/${encodeURIComponent(source.source_id ?? '')}`} className="link">
          {t('open')}
        </Link>
      ) : null}
      {score === undefined ? null : <p className="text-meta text-t3">{t('score', { score })}</p>}
      {readOn ? <p className="text-meta text-t3">{t('readOn', { date: readOn })}</p> : null}
      {href === null || href.startsWith('/') ? (
        url ? (
          <p className="text-meta break-all text-t3">{url}</p>
        ) : null
      ) : (
        <a
          href={href}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className="link mt-1 inline-flex max-w-full gap-1"
        >
          <ExternalLink className="mt-0.5 size-3.5 shrink-0" />
          <span className="break-all">{href}</span>
        </a>
      )}
    </>
  )
}
