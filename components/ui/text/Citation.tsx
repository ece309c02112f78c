/**
 * A source in a text: its number, and its entry in a small panel.
 *
 * All words in it are foreign: shown as text, and the address is a link only where it is safe.
 */
import { createContext, useContext } from 'react'
import { useTranslations } from 'use-intl'
import type { HarmonyCitation as Source } from '@/lib/protocols/harmony/citation'
import { citationPanel } from '../lazy'
import { LazyTrigger } from '../overlays/LazyTrigger'
import { CitationButton, sourceName } from './CitationButton'

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
    <LazyTrigger
      file={citationPanel}
      partProps={{ source, number, label }}
      opens="dialog"
      button={(props) => <CitationButton {...props} number={number} label={label} />}
    />
  )
}
