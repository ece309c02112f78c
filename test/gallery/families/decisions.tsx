/** Cards of confirmations, of plans, of a person's part, and of the system's own requests. */
import type { RequestShown } from '@/components/request'
import { RequestCardView } from '@/components/request/card/RequestCard'
import { answering, CONFIRMATIONS, OTHERS, PART_REQUESTS, PLANS } from '../fixtures/requests'
import { Specimen } from '../Specimen'

const GROUPS: readonly [string, Readonly<Record<string, RequestShown>>][] = [
  ['ConfirmationCard', CONFIRMATIONS],
  ['PlanCard', PLANS],
  ['PartCard', PART_REQUESTS],
  ['RequestCard', OTHERS],
]

export default function Decisions() {
  return GROUPS.flatMap(([part, all]) =>
    Object.entries(all).map(([state, shown]) => (
      <Specimen key={`${part} ${state}`} name={`${part} · ${state}`}>
        <RequestCardView shown={shown} place="list" isMine answering={answering()} />
      </Specimen>
    )),
  )
}
