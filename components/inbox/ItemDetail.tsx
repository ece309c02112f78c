/** An item, whole: answered, done or read here. */
import type { AgentId } from '@/lib/mas/ids'
import { LiveRequest } from './LiveRequest'
import { MessageItem } from './MessageItem'
import { type InboxRow, isOpenRow } from './rows'
import { WaitingDetail } from './WaitingDetail'

type ItemDetailProps = {
  row: InboxRow
  me: AgentId
  /** It stands in its list and can be closed there. */
  onFold?: () => void
}

export function ItemDetail({ row, me, onFold }: ItemDetailProps) {
  switch (row.kind) {
    case 'request':
      return (
        <LiveRequest
          me={me}
          shown={row}
          place="list"
          isMine={isOpenRow(row) && row.request.asked.includes(me)}
          isOfferAbove
          onFold={onFold}
        />
      )
    case 'message':
      return <MessageItem row={row} isQuiet={row.group === 'done'} onFold={onFold} />
    case 'waiting':
      return <WaitingDetail row={row} onFold={onFold} />
    case 'notice':
      // Its row leads to its place.
      return null
  }
}
