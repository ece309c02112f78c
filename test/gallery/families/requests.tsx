/** Questions to people in every state, as cards. */
import { RequestCardView } from '@/components/request/card/RequestCard'
import { answering, QUESTIONS, SENDINGS } from '../fixtures/requests'
import { Specimen } from '../Specimen'

export default function Requests() {
  return (
    <>
      {Object.entries(QUESTIONS).map(([state, shown]) => (
        <Specimen key={state} name={`RequestCard · ${state}`}>
          <RequestCardView shown={shown} place="list" isMine answering={answering()} />
        </Specimen>
      ))}
      {Object.entries(SENDINGS).map(([state, sending]) => (
        <Specimen key={state} name={`RequestCard · ${state}`}>
          <RequestCardView
            shown={QUESTIONS['nobody stands still']}
            place="list"
            isMine
            answersFor={sending.reason === null ? undefined : 'Ben'}
            answering={sending}
          />
        </Specimen>
      ))}
      <Specimen name="RequestCard · others only read it">
        <RequestCardView shown={QUESTIONS['open, with choices']} place="list" isMine={false} answering={answering()} />
      </Specimen>
    </>
  )
}
