/** Envelopes of a decision, in the transaction of its append. */
import type { BatchItem } from '../interfaces'
import { ENVELOPE_INSERT, envelopeRow, envelopeValues } from '../shared/envelopes'
import type { Queries } from './database/query'

/** Inside a transaction of the caller. */
export function envelopeWriter(query: Queries): (item: BatchItem, at: number) => void {
  const insert = query(ENVELOPE_INSERT.replaceAll('$', '?'))
  return ({ envelopes = [] }, at) => {
    for (const envelope of envelopes) insert.run(...envelopeValues(envelopeRow(envelope, at)))
  }
}
