/** The chat: bubbles by type and receiver, pending, folded, and the task's own lines. */
import type { OutboxItem } from '@/client/outbox'
import { bubbleOutcomes } from '@/components/chat/fns/deliveries'
import { DayRow, RunRow, SystemRow, UnreadRow } from '@/components/chat/Lines'
import { DeliveryTable } from '@/components/chat/message/DeliveriesDialog'
import { MessageCard } from '@/components/chat/message/MessageCard'
import { PendingMessage } from '@/components/chat/message/PendingMessage'
import { StageRail } from '@/components/chat/task/StageRail'
import { CheckpointMark } from '@/components/directory/CheckpointMark'
import { ago, BEN, CODER } from '../fixtures/people'
import { stageId, TASK } from '../fixtures/records'
import { bubbleOf, CHAT, systemLine, TALK } from '../fixtures/world'
import { Specimen, SpecimenRow } from '../Specimen'

const nothing = (): void => {}

/** State of the specimen → the message that shows it. */
const BUBBLES = {
  'FYI · to me': 'fyi-to-me',
  'FYI · mine': 'fyi-mine',
  'FYI · to others': 'fyi-others',
  'Action · to me': 'action-to-me',
  'Action · done by me': 'action-done',
  'Action · mine': 'action-mine',
  'Action · to others': 'action-others',
  'Urgent · to me, rings': 'urgent-to-me',
  'Urgent · to me, acknowledged': 'urgent-acknowledged',
  'Urgent · mine': 'urgent-mine',
  'Urgent · to others': 'urgent-others',
  'a reply': 'reply',
  'in Chinese': 'zh',
  'from outside': 'outside',
} as const

const pending = (state: OutboxItem['state'], change: Partial<OutboxItem> = {}): OutboxItem => ({
  localId: `gallery-${state}`,
  wish: {
    task: TASK,
    receivers: [CODER.id, BEN.id],
    text: 'Use the staging copy.',
    type: 'action',
    stage: stageId(2),
    answers: null,
    replyTo: null,
    mention: true,
  },
  createdAt: ago(1),
  state,
  fault: null,
  seq: null,
  head: null,
  ...change,
})

const refused = { error: 'NOT_A_MEMBER', message: 'Lee is not in this task', status_code: 409 } as const

const CHECKPOINT = { label: 'Stage 2 finished: the page is written', stageNumber: 2 }

const run = {
  kind: 'run',
  key: 'gallery-run',
  entries: [...TALK],
  at: TALK[0].at,
  until: TALK[1].at,
  seq: TALK[0].seq,
} as const

export default function MessagesFamily() {
  return (
    <>
      <Specimen name="StageRail · done, retried, running, to come" isWide>
        <StageRail task={CHAT} />
      </Specimen>
      <Specimen name="MessageCard · Urgent with its request" isWide>
        <MessageCard bubble={bubbleOf('urgent-question')} task={CHAT} isFlashed={false} onReply={nothing} />
      </Specimen>
      {Object.entries(BUBBLES).map(([state, message]) => (
        <Specimen key={state} name={`MessageCard · ${state}`}>
          <MessageCard bubble={bubbleOf(message)} task={CHAT} isFlashed={false} onReply={nothing} />
        </Specimen>
      ))}
      <Specimen name="MessageCard · Markdown" isWide>
        <MessageCard bubble={bubbleOf('long')} task={CHAT} isFlashed={false} onReply={nothing} />
      </Specimen>
      <Specimen name="MessageCard · with sources" isWide>
        <MessageCard bubble={bubbleOf('cited')} task={CHAT} isFlashed={false} onReply={nothing} />
      </Specimen>
      <Specimen name="Deliveries · each state with its time">
        <DeliveryTable
          bubble={bubbleOf('urgent-mine')}
          rows={bubbleOutcomes(bubbleOf('urgent-mine'), CHAT.sources)}
          who={CHAT.who}
        />
      </Specimen>
      <Specimen name="UnreadLine">
        <UnreadRow count={3} />
      </Specimen>
      <Specimen name="CheckpointMark · row, sign">
        <SpecimenRow>
          <CheckpointMark checkpoint={CHECKPOINT} href="/directory/checkpoints" />
          <CheckpointMark checkpoint={CHECKPOINT} href="/directory/checkpoints" look="sign" />
        </SpecimenRow>
      </Specimen>
      <Specimen name="Pending · sending">
        <PendingMessage item={pending('sending')} task={CHAT} isOffline={false} onEdit={nothing} />
      </Specimen>
      <Specimen name="Pending · queued offline">
        <PendingMessage item={pending('waiting')} task={CHAT} isOffline onEdit={nothing} />
      </Specimen>
      <Specimen name="Pending · sent">
        <PendingMessage item={pending('sent')} task={CHAT} isOffline={false} onEdit={nothing} />
      </Specimen>
      <Specimen name="Pending · failed">
        <PendingMessage item={pending('failed', { fault: refused })} task={CHAT} isOffline={false} onEdit={nothing} />
      </Specimen>
      <Specimen name="AgentRunFold · folded">
        <RunRow run={{ ...run, entries: [...run.entries] }} task={CHAT} isOpen={false} onToggle={nothing} />
      </Specimen>
      <Specimen name="AgentRunFold · open">
        <RunRow run={{ ...run, entries: [...run.entries] }} task={CHAT} isOpen onToggle={nothing} />
      </Specimen>
      <Specimen name="SystemLine">
        <SystemRow entry={systemLine()} isFlashed={false} />
      </Specimen>
      <Specimen name="DayLine">
        <DayRow words="2026-11-14" />
      </Specimen>
    </>
  )
}
