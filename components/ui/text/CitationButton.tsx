import type { ComponentProps } from 'react'
import type { HarmonyCitation as Source } from '@/lib/protocols/harmony/citation'

const hostOf = (url: string | undefined): string | null =>
  url !== undefined && URL.canParse(url) ? new URL(url).host || null : null

export const sourceName = ({ source_name, url, source_id, source_type }: Source): string =>
  source_name || hostOf(url) || source_id || url || source_type

/** Number of a source and its words, on the button and in the panel. */
export type CitationProps = { source: Source; number: number; label: string }

export const CitationButton = ({
  number,
  label,
  ...props
}: Omit<CitationProps, 'source'> & ComponentProps<'button'>) => (
  // biome-ignore lint/a11y/useSemanticElements: it leads to its source, and opens here first.
  <button {...props} type="button" role="link" aria-label={label} className="link mx-0.5 align-super text-rail">
    {number}
  </button>
)
