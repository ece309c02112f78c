/**
 * What few cards have: who offered it to whom, what somebody had begun, who is at it, what was tried to reach people, an answer that
 * came too late, running by hand what was withdrawn.
 *
 * A file that comes later; LazyCardPart.tsx draws it.
 */

import { AttemptList } from './AttemptLines'
import { ByHandInstead } from './ByHandInstead'
import { ClaimLine } from './ClaimLine'
import type { LazyCardPartProps } from './LazyCardPart'
import { LostRace } from './LostRace'
import { InheritedDraft, ReassignedLine, TransferBar } from './TransferBar'

export default function LazyCardParts(props: LazyCardPartProps) {
  switch (props.part) {
    case 'handing':
      return <TransferBar {...props} />
    case 'begun':
      return <InheritedDraft {...props} />
    case 'byHand':
      return <ByHandInstead {...props} />
    case 'claim':
      return <ClaimLine {...props} />
    case 'passed':
      return <ReassignedLine {...props} />
    case 'attempts':
      return <AttemptList {...props} />
    case 'lost':
      return <LostRace {...props} />
  }
}
