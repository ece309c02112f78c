import type { ReceiptRecord, RequestRecord } from '../records'
import { isOpen } from '../statuses'

/** Does the request ring for who has this receipt of its message? null: its message is none of theirs, or it has none. */
export const requestAlerts = (
  request: Pick<RequestRecord, 'urgent' | 'state' | 'claimed'>,
  receipt: Pick<ReceiptRecord, 'acknowledgedAt'> | null,
): boolean =>
  request.urgent && isOpen(request) && request.claimed === null && (receipt?.acknowledgedAt ?? null) === null
