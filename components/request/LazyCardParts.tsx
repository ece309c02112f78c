/** The parts that few cards have, as one lazy file; LazyCardPart.tsx draws them. */
import { AttemptList } from './AttemptLines'
import { ByHandInstead } from './ByHandInstead'
import { ClaimLine } from './ClaimLine'
import type { LazyCardPartProps } from './LazyCardPart'
import { LostRace } from './LostRace'
import { InheritedDraft, ReassignedLine, TransferBar } from './TransferBar'

export default function LazyCardParts(props: LazyCardPartProps) {
  switch (props.part) {
    case 'transfer':
      return <TransferBar {...props} />
    case 'begun':
      return <InheritedDraft {...props} />
    case 'byHand':
      return <ByHandInstead {...props} />
    case 'claim':
      return <ClaimLine {...props} />
    case 'reassigned':
      return <ReassignedLine {...props} />
    case 'attempts':
      return <AttemptList {...props} />
    case 'lost':
      return <LostRace {...props} />
  }
}
