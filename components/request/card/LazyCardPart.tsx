/** A part that few cards have, from a lazy file: it appears a moment after its card. */
import { Lazy } from '@/components/ui/lazyFile'
import { cardRare } from '../lazy'
import type { LazyCardPartProps } from './LazyCardParts'

export const LazyCardPart = (props: LazyCardPartProps) => (
  <Lazy file={cardRare} partProps={props} fallback={<span aria-busy="true" />} />
)
