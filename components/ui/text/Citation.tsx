/**
 * A source in a text: its number, and its entry in a small panel.
 *
 * All words in it are foreign: shown as text, and the address is a link only where it is safe.
 */
import { type ComponentProps, createContext, useContext } from 'react'
import { useTranslations } from 'use-intl'
import type { HarmonyCitation as Source } from '@/lib/protocols/harmony/citation'
import { CitationPanel } from '../lazy'
import { Popover } from '../overlays/Popover'

type CitationSources = { map: Readonly<Record<string, Source>>; numbers: ReadonlyMap<string, number> }
export const SourcesContext = createContext<CitationSources>({ map: {}, numbers: new Map() })

export function CitationLink({ id }: { id: string }) {
  const t = useTranslations('citation')
  const { map, numbers } = useContext(SourcesContext)
  const source = Object.hasOwn(map, id) ? map[id] : undefined
  const number = numbers.get(id)
  if (source === undefined || number === undefined) return <>[{id}]</>
  const page = source.location?.page_number
  const name = sourceName(source)
  const label = page === undefined ? t('label', { number, name }) : t('labelPage', { number, name, page })
  return (
    <Popover
      content={() => <CitationPanel source={source} name={name} />}
      label={label}
      className="w-80"
      trigger={<CitationButton number={number} label={label} />}
    />
  )
}

const hostOf = (url: string | undefined): string | null =>
  url !== undefined && URL.canParse(url) ? new URL(url).host || null : null

export const sourceName = ({ source_name, url, source_id, source_type }: Source): string =>
  source_name || hostOf(url) || source_id || url || source_type

const CitationButton = ({ number, label, ...props }: ComponentProps<'button'> & { number: number; label: string }) => (
  // biome-ignore lint/a11y/useSemanticElements: it leads to its source, and opens here first.
  <button {...props} type="button" role="link" aria-label={label} className="link mx-0.5 align-super text-rail">
    {number}
  </button>
)
