/**
 * A source in a text: its number, and its entry in a small panel.
 *
 * All words in it are foreign: shown as text, and the address is a link only where it is safe.
 */
import { ExternalLink } from 'lucide-react'
import { createContext, useContext } from 'react'
import { useTranslations } from 'use-intl'
import type { HarmonyCitation as Source } from '@/lib/protocols/harmony/citation'
import { Popover } from './Popover'
import { safeHref } from './safeHref'

export type CitationSources = { map: Readonly<Record<string, Source>>; numbers: ReadonlyMap<string, number> }
export const SourcesContext = createContext<CitationSources>({ map: {}, numbers: new Map() })

const hostOf = (url: string | undefined): string | null =>
  url !== undefined && URL.canParse(url) ? new URL(url).host || null : null

/** Its title, as far as its entry has one. */
export const sourceName = ({ source_name, url, source_id, source_type }: Source): string =>
  source_name || hostOf(url) || source_id || url || source_type

export function CitationLink({ id }: { id: string }) {
  const t = useTranslations('citation')
  const { map, numbers } = useContext(SourcesContext)
  const source = Object.hasOwn(map, id) ? map[id] : undefined
  const number = numbers.get(id)
  if (source === undefined || number === undefined) return <>[{id}]</>
  const { location, url, score, access_date: readOn } = source
  const page = location?.page_number
  const name = sourceName(source)
  const label = page === undefined ? t('label', { number, name }) : t('labelPage', { number, name, page })
  const href = url === undefined ? null : safeHref(url)
  return (
    <Popover
      label={label}
      className="w-80"
      trigger={
        // biome-ignore lint/a11y/useSemanticElements: it leads to its source, and opens here first.
        <button type="button" role="link" aria-label={label} className="link mx-0.5 align-super text-rail">
          {number}
        </button>
      }
    >
      <p className="font-bold break-words">{name}</p>
      {page === undefined ? null : <p className="text-meta text-t2">{t('page', { page })}</p>}
      {location?.text_snippet ? (
        <blockquote className="my-2 max-h-48 overflow-y-auto border-l-2 border-line-strong pl-3 break-words whitespace-pre-wrap text-t2">
          {location.text_snippet}
        </blockquote>
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
          <ExternalLink aria-hidden className="mt-0.5 size-3.5 shrink-0" />
          <span className="break-all">{href}</span>
        </a>
      )}
    </Popover>
  )
}
