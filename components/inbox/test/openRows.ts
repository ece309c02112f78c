/** Whole rows of “Needs me”, of which a test says what matters to it. */
import { type AgentId, asId, type MessageId, type RequestId } from '@/lib/mas/ids'
import type { DeliveryRecord, MessageRecord, NumberedRequest, RequestRecord } from '@/lib/mas/records'
import type { MessageRow, RequestRow } from '@/lib/wire/rows'
import { ANA, CODER, fixtureWho } from '@/test/gallery/fixtures/people'
import { message, outcome, request } from '@/test/gallery/fixtures/records'
import type { OpenRow } from '../rows'

/** Who reads the rows, and is asked. */
export const me: AgentId = ANA.id

type Changes<Of extends OpenRow> = Partial<Omit<Of, 'id' | 'kind'>>

/** A question to `me` that is not urgent. */
export const requestRow = (
  id: string,
  change: Partial<NumberedRequest> = {},
  row: Changes<RequestRow & OpenRow> = {},
): RequestRow & OpenRow => ({
  id,
  sort: id,
  kind: 'request',
  group: 'still',
  request: request(id, 1, { id: asId<RequestId>(id), type: 'action', ...change }),
  asker: fixtureWho(CODER),
  asked: [fixtureWho(ANA)],
  taskName: 'Prices',
  stage: null,
  holdsUp: { agents: [], stage: false },
  part: null,
  changed: false,
  answeredBy: null,
  ...row,
})

/** A message to `me` that asks nothing and was not yet on screen. */
export function messageRow(
  id: string,
  change: Partial<MessageRecord> = {},
  state: Partial<DeliveryRecord> = {},
  row: Changes<MessageRow & OpenRow> = {},
  asked: Partial<RequestRecord> = {},
): MessageRow & OpenRow {
  const record = message(id, CODER.id, { id: asId<MessageId>(id), ...change })
  return {
    id,
    sort: id,
    kind: 'message',
    group: 'unread',
    message: record,
    outcome: outcome(record, me, { shownAt: null, ...state }, asked),
    sender: fixtureWho(CODER),
    taskName: 'Prices',
    ...row,
  }
}
