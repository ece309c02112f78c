/** Events of messages, of what became of them, and of notices. */
import type { AgentId, MessageId, TaskId } from '../ids'
import type { DeliveryState, MessageRecord, NoticeRecord } from '../records'

/** The owners of what an event is about. */
export type OfDelivery = { task: TaskId; message: MessageId; agent: AgentId }

export type MessageEvents = {
  'message.sent': Omit<MessageRecord, 'id' | 'type' | 'at' | 'seq'> & {
    message: MessageId
    kind: MessageRecord['type']
  }
  /** A delivery changed its state. queued: its task or its receiver is paused, or another system has not taken it */
  'message.delivery': OfDelivery & { state: DeliveryState; note: string | null }
  'notice.given': { task: TaskId; agent: AgentId; notice: Omit<NoticeRecord, 'at' | 'seq' | 'task'> }
}
