/** A part that few cards have, from a lazy file: it appears a moment after its card. */
import type { ComponentProps } from 'react'
import { Lazy } from '@/components/ui/lazyFile'
import type { SettledCall } from '../bodies/SettledCall'
import { cardRare } from '../lazy'
import type { InheritedDraft, ReassignedLine, TransferBar } from '../TransferBar'
import type { AttemptList } from './AttemptLines'
import type { ClaimLine } from './ClaimLine'
import type { ByHandInstead } from './LazyCardParts'
import type { LateActions, LostRace } from './LostRace'

export type LazyCardPartProps =
  | ({ part: 'transfer' } & ComponentProps<typeof TransferBar>)
  | ({ part: 'begun' } & ComponentProps<typeof InheritedDraft>)
  | ({ part: 'byHand' } & ComponentProps<typeof ByHandInstead>)
  | ({ part: 'claim' } & ComponentProps<typeof ClaimLine>)
  | ({ part: 'reassigned' } & ComponentProps<typeof ReassignedLine>)
  | ({ part: 'attempts' } & ComponentProps<typeof AttemptList>)
  | ({ part: 'settled' } & ComponentProps<typeof SettledCall>)
  | ({ part: 'late' } & ComponentProps<typeof LateActions>)
  | ({ part: 'lost' } & ComponentProps<typeof LostRace>)

export const LazyCardPart = (props: LazyCardPartProps) => (
  <Lazy file={cardRare} partProps={props} fallback={<span aria-busy="true" />} />
)
