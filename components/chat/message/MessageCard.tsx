import { ArrowRight, CornerDownRight, Users } from 'lucide-react'
import { memo } from 'react'
import { useTranslations } from 'use-intl'
import { useMoment } from '@/client/moment'
import { Link, pathTo } from '@/client/nav'
import { useSightRef } from '@/client/onScreen'
import { messageText, taskTitle } from '@/client/readersWords'
import {
  AcknowledgeButton,
  DoneButton,
  RequestCard,
  shownFromWorld,
  useNames,
  useReportShown,
} from '@/components/request'
import { UndoButton } from '@/components/request/AcknowledgeButton'
import { AttachedFiles } from '@/components/request/AttachedFiles'
import { LazyCardPart } from '@/components/request/lazy'
import { Button } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { NameCapsule } from '@/components/ui/marks/Avatar'
import { TypeBadge } from '@/components/ui/marks/Badges'
import { LiveAvatar } from '@/components/ui/marks/presence'
import { Elapsed, TimeText, useClockText } from '@/components/ui/marks/Time'
import { MessageText } from '@/components/ui/text/MessageText'
import { firstWords } from '@/lib/format/plainText'
import { requestAlerts } from '@/lib/mas/asks/alerts'
import { type MessageOutcome, outcomeFor } from '@/lib/mas/asks/outcomes'
import { isNumbered } from '@/lib/mas/asks/requests'
import { withAnchors } from '@/lib/mas/cited'
import type { AgentId, MessageId, SenderId } from '@/lib/mas/ids'
import type { MessageType } from '@/lib/mas/records'
import { isOpen, isTaskOver } from '@/lib/mas/statuses'
import { hrefOfBubble, useConversationActions } from '../conversationActions'
import { isHandled, messageForMe } from '../fns/deliveries'
import type { Bubble } from '../fns/lines'
import { AnswerFor, QueuedFor, ToOutside } from '../lazy'
import type { TaskWorld } from '../useTaskWorld'
import { Deliveries, isReadByAll } from './Deliveries'
import { MessageMenu } from './MessageMenu'
import { WaitsOn } from './WaitsOn'

/** More receivers than this are shown as a number. */
const MAX_NAMED = 4

/** Border and padding at the left add up to 12 px in each, so that all texts line up. */
const ADDRESSED: Record<MessageType, string> = {
  fyi: 'rounded-card rounded-l-bar border border-line border-l-4 border-l-fyi bg-me pl-2',
  action: 'rounded-card rounded-l-bar border border-line border-l-4 border-l-action bg-me pl-2',
  // Acknowledged: the edge alone.
  urgent: 'rounded-card rounded-l-bar border border-l-4 border-urgent pl-2',
}
const ALERTING = 'animate-urgent rounded-card rounded-l-bar border-2 border-l-4 border-urgent bg-urgent-b pl-2'
const OTHERS: Record<MessageType, string> = {
  fyi: 'border-y border-transparent pl-3',
  action: 'rounded-card rounded-l-bar border border-line border-l-[3px] border-l-action pl-[0.5625rem]',
  urgent: 'rounded-card rounded-l-bar border border-line border-l-[3px] border-l-urgent pl-[0.5625rem]',
}

/** My outcome and card of a bubble, and what is still open of them. */
function statusFor(bubble: Bubble, { me, sources, requestsOf }: TaskWorld) {
  const mine = messageForMe(bubble, sources, me)
  const outcome = mine && outcomeFor(sources, mine, me)
  const asked = outcome?.request ?? null
  const requests = bubble.messages.flatMap(({ id }) => requestsOf.get(id) ?? [])
  const myRequest = requests.find((request) => request.asked.includes(me)) ?? null
  const isRequestOpen = myRequest !== null && isOpen(myRequest)
  const isMessageOpen = outcome !== null && asked !== null && isOpen(asked) && outcome.transferredTo === null
  return {
    mine,
    outcome,
    myRequest,
    isRequestOpen,
    otherRequests: requests.filter((one) => one !== myRequest),
    isSettled: outcome !== null && outcome.settledAt !== null,
    isOpen: isMessageOpen,
    alerts: isMessageOpen && requestAlerts(asked) && (myRequest === null || isRequestOpen),
  }
}
type MessageStatus = ReturnType<typeof statusFor>

type MessageCardProps = {
  bubble: Bubble
  task: TaskWorld
  isFlashed: boolean
  onReply: (task: TaskWorld, message: MessageId) => void
}

export const MessageCard = memo(function MessageCard({ bubble, task, isFlashed, onReply }: MessageCardProps) {
  const nameOf = useArticleName()
  const { me, who } = task
  const sender = who(bubble.sender)
  const isMine = bubble.sender === me
  const status = statusFor(bubble, task)
  const { mine, outcome, myRequest, alerts } = status
  // An Urgent that is settled has no more than a thin edge.
  const isOver = bubble.type === 'urgent' && !status.isOpen
  const id = mine?.id ?? bubble.id
  useReportShown(id, mine && outcome && outcome.shownAt === null ? [mine.id] : [])
  const [first] = bubble.messages
  const imported = first?.imported
  return (
    <article
      ref={useSightRef(id)}
      tabIndex={-1}
      aria-label={nameOf(bubble, task)}
      data-id={id}
      data-kind="message"
      data-state={outcome?.state ?? (isMine ? 'sent' : 'delivered')}
      data-seq={bubble.seq}
      data-type={bubble.type}
      className={cx(
        'group/card flex gap-2.5 py-2 pr-3',
        alerts ? ALERTING : mine && !isOver ? ADDRESSED[bubble.type] : OTHERS[bubble.type],
        isFlashed && 'animate-flash',
      )}
    >
      <LiveAvatar who={sender} size={28} className="mt-0.5" />
      <div className="min-w-0 grow">
        <MessageHead bubble={bubble} task={task} status={status} />
        <Quote bubble={bubble} task={task} />
        <div className="mt-0.5">
          {myRequest ? (
            <RequestCard shown={shownFromWorld(task.world, myRequest, me)} place="bubble" isMine />
          ) : (
            <MessageText
              text={first?.cited ? withAnchors(bubble.text, first.cited) : messageText(bubble)}
              citations={imported?.citations ?? first?.cited?.sources}
            />
          )}
        </div>
        <AttachedFiles message={bubble.id} files={bubble.messages[0]?.attachments ?? []} />
        {status.otherRequests.map((request) => (
          <OtherRequest key={request.id} task={task} request={request} hasMine={myRequest !== null} />
        ))}
        <WaitsForReceivers bubble={bubble} task={task} />
        {myRequest === null && outcome !== null && status.isOpen ? <Transferred task={task} outcome={outcome} /> : null}
        {isMine ? <QueuedForAgent bubble={bubble} task={task} /> : null}
        {bubble.receivers.some((id) => who(id).kind === 'outside') ? <ToOutside bubble={bubble} task={task} /> : null}
        <div className="mt-1.5 flex flex-wrap items-center gap-2 empty:hidden">
          {isMine && !imported && !isReadByAll(bubble, task) ? <Deliveries bubble={bubble} task={task} /> : null}
          <ReceiverActions bubble={bubble} task={task} status={status} onReply={onReply} />
        </div>
      </div>
    </article>
  )
})

/** out: who said an imported message in its source; null: it was sent here */
function useImportedSender(): (bubble: Bubble) => string | null {
  const t = useTranslations('chat')
  return ({ messages: [first] }) => (first?.imported ? (first.imported.name ?? t(`role.${first.imported.role}`)) : null)
}

const isToEveryone = ({ sender, receivers }: Bubble, { task }: TaskWorld): boolean =>
  receivers.length > 1 && (task?.group ?? []).every((id) => id === sender || receivers.includes(id))

function useArticleName(): (bubble: Bubble, task: TaskWorld) => string {
  const t = useTranslations()
  const namesOf = useNames()
  const clockOf = useClockText()
  const importedSender = useImportedSender()
  return (bubble, task) => {
    const nameOf = (id: SenderId): string => (id === task.me ? t('common.you') : task.who(id).name)
    const said = importedSender(bubble)
    return t(said === null ? 'chat.article' : 'chat.importedArticle', {
      type: t(`type.${bubble.type}`),
      said: said ?? '',
      who: nameOf(bubble.sender),
      to: isToEveryone(bubble, task) ? t('common.all') : namesOf(bubble.receivers.map(nameOf)),
      time: clockOf(bubble.at),
      text: firstWords(messageText(bubble)),
    })
  }
}

/** A message of mine by which I asked the base task for something. */
const isOwnRequest = ({ id, sender, type, messages }: Bubble, { isBase, me }: TaskWorld): boolean =>
  isBase && sender === me && type === 'action' && messages[0]?.thread === (id as string)

function MessageHead({ bubble, task, status }: { bubble: Bubble; task: TaskWorld; status: MessageStatus }) {
  const t = useTranslations()
  const actions = useConversationActions()
  const said = useImportedSender()(bubble)
  const sender = task.who(bubble.sender)
  const { mine, myRequest, alerts } = status
  const isTypeShown = said === null && (bubble.type !== 'fyi' || bubble.sender === task.me || mine !== null)
  return (
    <div className="flex items-start gap-x-1.5">
      <div className="flex min-w-0 grow flex-wrap items-center gap-x-1.5 gap-y-1">
        {said === null ? (
          <>
            <b className="cut">{sender.name}</b>
            <ArrowRight className="size-3.5 text-t3" />
            <Receivers bubble={bubble} task={task} />
          </>
        ) : (
          <>
            <b className="cut">{said}</b>
            <span className="text-meta text-t3">{t('chat.broughtBy', { who: sender.name })}</span>
          </>
        )}
        <span className="text-meta text-t3">
          <Link href={hrefOfBubble(bubble)} className="hover:underline">
            <TimeText at={bubble.at} isClock />
          </Link>
          {myRequest ? ` · ${t('request.number', { number: myRequest.number })}` : ''}
        </span>
        {actions?.isTaskNamed && task.task ? (
          <Link
            href={pathTo('task', { taskId: task.id })}
            className="flex min-w-0 items-center gap-1 text-meta text-t3 hover:underline"
          >
            {/* Of the base task people see their own threads. */}
            {task.task.base ? null : <Users aria-hidden className="size-3 shrink-0" />}
            <span className="cut">
              {t(task.task.base ? 'chat.inBaseTask' : 'chat.inTask', { task: taskTitle(task.task.name) })}
            </span>
          </Link>
        ) : null}
      </div>
      {/* The type stays at the top right, independent of the lines of names. */}
      <span className="flex min-h-5.5 shrink-0 items-center gap-x-1.5">
        {bubble.sender === task.me && said === null && isReadByAll(bubble, task) ? (
          <Deliveries bubble={bubble} task={task} isQuiet />
        ) : null}
        <MessageMenu bubble={bubble} isRequest={isOwnRequest(bubble, task)} />
        {isTypeShown ? <TypeBadge type={bubble.type} isOpen={alerts} /> : null}
      </span>
    </div>
  )
}

/** What its receiver can do: acknowledge, mark as done, reply, undo. */
function ReceiverActions({
  bubble,
  task,
  status: { mine, outcome, myRequest, isRequestOpen, isSettled, isOpen, alerts },
  onReply,
}: Omit<MessageCardProps, 'isFlashed'> & { status: MessageStatus }) {
  const t = useTranslations()
  const isThen = useMoment() !== null
  if (mine === null) return null
  const canWrite = !isThen && task.task !== null && !isTaskOver(task.task)
  const undoAt = outcome && undoableSince(outcome)
  // A question is settled by its answer.
  const canBeDone = isOpen && myRequest === null
  return (
    <>
      {alerts && !myRequest ? <AcknowledgeButton message={mine.id} /> : null}
      {canBeDone ? <DoneButton message={mine.id} /> : null}
      {canWrite && bubble.type !== 'fyi' && !isRequestOpen ? (
        <Button look="quiet" onClick={() => onReply(task, mine.id)}>
          {t('inbox.reply')}
        </Button>
      ) : null}
      {isOpen && myRequest === null ? (
        <span className="ml-auto text-meta text-t3">
          {t.rich('request.openFor', { time: () => <Elapsed key="e" since={bubble.at} /> })}
        </span>
      ) : null}
      {isSettled && !myRequest && outcome && bubble.type !== 'fyi' ? (
        <span className="text-meta text-done">{t(`chat.delivery.${outcome.state}`)}</span>
      ) : null}
      {bubble.type === 'fyi' && !myRequest && outcome?.shownAt ? (
        <span className="text-meta text-t3">{t('inbox.read')}</span>
      ) : null}
      {myRequest && outcome?.state === 'acknowledged' ? (
        <span className="text-meta text-t3">{t('chat.delivery.acknowledged')}</span>
      ) : null}
      {undoAt === null ? null : <UndoButton message={mine.id} at={undoAt} />}
    </>
  )
}

/** When it was acknowledged or marked as done, epoch ms; null: nothing can be undone. */
function undoableSince({ state, acknowledgedAt, settledAt, request }: MessageOutcome): number | null {
  if (state === 'done') return request !== null && isNumbered(request) ? null : settledAt
  // Who writes an answer has acknowledged it too.
  return state === 'acknowledged' && request?.claimed?.until === acknowledgedAt ? acknowledgedAt : null
}

function Receivers({ bubble, task }: { bubble: Bubble; task: TaskWorld }) {
  const { me, who } = task
  const isMe = bubble.receivers.includes(me)
  if (isToEveryone(bubble, task)) return <NameCapsule who={null} />
  const others = bubble.receivers.filter((id) => id !== me)
  const shown = others.slice(0, isMe ? MAX_NAMED - 1 : MAX_NAMED)
  return (
    <>
      {isMe ? <NameCapsule who={who(me)} isMe /> : null}
      {shown.map((id) => (
        <NameCapsule key={id} who={who(id)} />
      ))}
      {others.length > shown.length ? <span className="text-meta text-t3">+{others.length - shown.length}</span> : null}
    </>
  )
}

function Quote({ bubble, task }: { bubble: Bubble; task: TaskWorld }) {
  const replyTo = bubble.messages.find((message) => message.replyTo !== null)?.replyTo ?? null
  const original = replyTo === null ? undefined : task.messages[replyTo]
  if (!original || task.task === null) return null
  return (
    <Link
      href={pathTo('message', { taskId: task.task.id, messageId: original.id })}
      className="flex max-w-full items-center gap-1 text-meta text-t3 hover:underline"
    >
      <CornerDownRight className="size-3.5 shrink-0" />
      <span className="cut">
        {task.who(original.sender).name}: {firstWords(messageText(original), 100)}
      </span>
    </Link>
  )
}

/** That it is offered to somebody, or was somebody else's. */
function Transferred({ task, outcome: { reassigned, request } }: { task: TaskWorld; outcome: MessageOutcome }) {
  const transfer = request?.transfer ?? null
  // An offer says itself from whom it comes.
  if (transfer !== null) return <LazyCardPart part="transfer" task={task.id} transfer={transfer} />
  return reassigned && <LazyCardPart part="reassigned" by={reassigned.by} who={task.who(reassigned.from).name} />
}

type OtherRequestProps = { task: TaskWorld; request: Parameters<typeof shownFromWorld>[1]; hasMine: boolean }

/** A request of this message to somebody else: its answer, or answering for them. */
function OtherRequest({ task, request, hasMine }: OtherRequestProps) {
  const t = useTranslations('request')
  return (
    <>
      {request.answer ? (
        <p className="mt-1 text-meta text-done" data-id={hasMine ? undefined : request.id} data-state={request.state}>
          {t('answeredBy', { who: task.who(request.answer.by).name })} · <TimeText at={request.answer.at} isClock />
        </p>
      ) : null}
      {task.isOperator ? <AnswerFor request={request} task={task} /> : null}
    </>
  )
}

/** For the sender: its place in the queue of its only receiver. */
function QueuedForAgent({ bubble, task }: { bubble: Bubble; task: TaskWorld }) {
  const [message] = bubble.messages
  const [receiver] = bubble.receivers
  if (!message || receiver === undefined || bubble.receivers.length > 1) return null
  const who = task.who(receiver)
  const outcome = outcomeFor(task.sources, message, receiver)
  if (who.kind !== 'llm' || !outcome || outcome.shownAt !== null || outcome.settledAt !== null) return null
  return <QueuedFor agent={{ ...who, id: receiver }} message={message.id} isHeld={outcome.state === 'queued'} />
}

function WaitsForReceivers({ bubble, task }: { bubble: Bubble; task: TaskWorld }) {
  if (bubble.type !== 'urgent') return null
  const waited = bubble.messages.flatMap((message) =>
    message.receivers.filter((id: AgentId) => {
      const outcome = outcomeFor(task.sources, message, id)
      const isOver = outcome !== null && outcome.settledAt !== null
      return !isOver && !(task.isPerson(message.sender) && isHandled('urgent', outcome))
    }),
  )
  if (waited.length === 0) return null
  const asked = bubble.receivers.length
  // A person's Urgent waits for an acknowledgement only, which is no answer.
  const answered = task.isPerson(bubble.sender) ? 0 : asked - waited.length
  return (
    <WaitsOn
      className="mt-1.5"
      names={waited.map((id) => task.who(id).name)}
      since={bubble.at}
      progress={answered === 0 ? null : { by: task.who(bubble.sender).name, n: answered, of: asked }}
    />
  )
}
