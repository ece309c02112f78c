/** A part that few cards have. Its file comes later: where one is drawn at first, it is there a moment after the card. */
import type { ComponentProps } from 'react'
import { cardRare } from '@/components/shell/lateParts'
import { useLatePart } from '@/components/ui/useLatePart'
import type { AttemptsOf } from './AttemptLines'
import type { ByHandInstead } from './ByHandInstead'
import type { ClaimLine } from './ClaimLine'
import type { BegunBar, HandingBar, PassedLine } from './HandingBar'
import type { LostRace } from './LostRace'

export type RareProps =
  | ({ part: 'handing' } & ComponentProps<typeof HandingBar>)
  | ({ part: 'begun' } & ComponentProps<typeof BegunBar>)
  | ({ part: 'byHand' } & ComponentProps<typeof ByHandInstead>)
  | ({ part: 'claim' } & ComponentProps<typeof ClaimLine>)
  | ({ part: 'passed' } & ComponentProps<typeof PassedLine>)
  | ({ part: 'attempts' } & ComponentProps<typeof AttemptsOf>)
  | ({ part: 'lost' } & ComponentProps<typeof LostRace>)

export function RarePart(props: RareProps) {
  const Part = useLatePart(cardRare)
  return Part ? <Part {...props} /> : <span aria-busy="true" />
}
