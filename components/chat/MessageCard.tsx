/** One bubble of the chat: who to whom, when, what kind, the text, and what is to be done about it. */

import { ArrowRight, Check, CornerDownRight } from 'lucide-react'
import { type ComponentProps, memo, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import {
  AcknowledgeButton,
  DoneButton,
  displayStateOf,
  RequestCard,
  shownFromWorld,
  useNames,
  useReportShown,
} from '@/components/request'
import { UndoButton } from '@/components/request/AcknowledgeButton'
import { AttachedFiles } from '@/components/request/AttachedFiles'
import { LazyCardPart } from '@/components/request/LazyCardPart'
import { queuedFor, toOutside } from '@/components/shell/lazyParts'
import { NameCapsule } from '@/components/ui/Avatar'
import { TypeBadge } from '@/components/ui/Badges'
import { Button } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { LiveAvatar } from '@/components/ui/presence'
import { Elapsed, TimeText, useClockText } from '@/components/ui/Time'
import { useLazyPart } from '@/components/ui/useLazyPart'
import { firstWords } from '@/lib/format/plainText'
import type { AgentId, MessageId } from '@/lib/mas/ids'
import type { MessageType, ReceiptRecord } from '@/lib/mas/records'
import { isTaskOver } from '@/lib/mas/selectors/agents'
import { isHandedOn } from '@/lib/mas/selectors/recipients'
import { AnswerFor } from './AnswerFor'
import { useConversationActions } from './conversationActions'
import type { Bubble } from './fns/lines'
import { isHandled, messageForMe } from './fns/receipts'
import { MessageMenu } from './MessageMenu'
import { MessageText } from './MessageText'
import type QueuedFor from './QueuedFor'
import { Receipts } from './Receipts'
import type ToOutside from './ToOutside'
import type { TaskWorld } from './useTaskWorld'
import { WaitsOn } from './WaitsOn'

/** More receivers than these are a number. */
const MAX_NAMED = 4

/** Edge and padding together are 12 px at the left of each, so that all texts start on one line. */
const ADDRESSED: Record<MessageType, string> = {
  fyi: 'rounded-card rounded-l-bar border border-line border-l-4 border-l-fyi bg-me pl-2',
  action: 'rounded-card rounded-l-bar border border-line border-l-4 border-l-action bg-me pl-2',
  urgent: 'rounded-card rounded-l-bar border border-l-4 border-urgent bg-me pl-2',
}
const ALERTING = 'animate-urgent rounded-card rounded-l-bar border-2 border-l-4 border-urgent bg-urgent-b pl-2'
const OTHERS: Record<MessageType, string> = {
  fyi: 'border-y border-transparent pl-3',
  action: 'rounded-card rounded-l-bar border border-line border-l-[3px] border-l-action pl-[0.5625rem]',
  urgent: 'rounded-card rounded-l-bar border border-line border-l-[3px] border-l-urgent pl-[0.5625rem]',
}

export const MessageCard = memo(function MessageCard({
  bubble,
  task,
  isFlashed,
  onReply,
}: {
  bubble: Bubble
  task: TaskWorld
  isFlashed: boolean
  onReply: (task: TaskWorld, message: MessageId) => void
}) {
  const t = useTranslations()
  const namesOf = useNames()
  const clockOf = useClockText()
  const card = useRef<HTMLElement>(null)
  const acts = useConversationActions()
  const { me, who, receipts } = task
  const sender = who(bubble.sender)
  const isMine = bubble.sender === me
  const mine = messageForMe(bubble, receipts, me)
  const receipt = mine ? (receipts[me]?.[mine.id] ?? null) : null
  useReportShown(card, mine && receipt && receipt.shownAt === null ? [mine.id] : [])

  const requests = bubble.messages.flatMap(({ id }) => task.requestsOf.get(id) ?? [])
  const myRequest = requests.find(({ asked }) => asked.includes(me)) ?? null
  const others = requests.filter((one) => one !== myRequest)
  const isSettled = receipt !== null && receipt.settledAt !== null
  const isOpen = bubble.type !== 'fyi' && mine !== null && !isSettled && !(receipt && isHandedOn(receipt))
  const rings =
    isOpen &&
    bubble.type === 'urgent' &&
    receipt?.acknowledgedAt === null &&
    (myRequest === null || displayStateOf(myRequest) === 'open')
  const canWrite = task.task !== null && !isTaskOver(task.task)
  const isEveryone = (task.task?.group ?? []).every((id) => id === bubble.sender || bubble.receivers.includes(id))
  const names = bubble.receivers.map((id) => (id === me ? t('common.you') : who(id).name))
  const imported = bubble.messages[0]?.imported
  const saidBy = imported && (imported.name ?? t(`chat.role.${imported.role}`))
  const name = t(imported ? 'chat.importedArticle' : 'chat.article', {
    type: t(`type.${bubble.type === 'fyi' ? 'fyi' : bubble.type}`),
    said: saidBy ?? '',
    who: isMine ? t('common.you') : sender.name,
    to: isEveryone && bubble.receivers.length > 1 ? t('common.all') : namesOf(names),
    time: clockOf(bubble.at),
    text: firstWords(bubble.text),
  })

  return (
    <article
      ref={card}
      tabIndex={-1}
      aria-label={name}
      data-id={mine?.id ?? bubble.id}
      data-kind="message"
      data-state={receipt?.state ?? (isMine ? 'sent' : 'delivered')}
      data-seq={bubble.seq}
      data-type={bubble.type}
      className={cx(
        'group/card flex gap-2.5 py-2 pr-3',
        rings ? ALERTING : mine ? ADDRESSED[bubble.type] : OTHERS[bubble.type],
        isFlashed && 'animate-flash',
      )}
    >
      <LiveAvatar who={sender} size={28} className="mt-0.5" />
      <div className="min-w-0 grow">
        <div className="flex items-start gap-x-1.5">
          <div className="flex min-w-0 grow flex-wrap items-center gap-x-1.5 gap-y-1">
            {imported ? (
              <>
                <b className="cut">{saidBy}</b>
                <span className="text-meta text-t3">{t('chat.broughtBy', { who: sender.name })}</span>
              </>
            ) : (
              <>
                <b className="cut">{sender.name}</b>
                <ArrowRight aria-hidden className="size-3.5 text-t3" />
                <Receivers bubble={bubble} task={task} isEveryone={isEveryone} />
              </>
            )}
            <span className="text-meta text-t3">
              <Link
                href={pathTo('message', { taskId: bubble.messages[0]?.task ?? '', messageId: bubble.id })}
                className="hover:underline"
              >
                <TimeText at={bubble.at} isClock />
              </Link>
              {myRequest ? ` · ${t('request.number', { number: myRequest.number })}` : ''}
            </span>
            {acts?.isTaskNamed && task.task ? (
              <Link href={pathTo('task', { taskId: task.id })} className="cut text-meta text-t3 hover:underline">
                {t('chat.inTask', { task: task.task.name })}
              </Link>
            ) : null}
          </div>
          {/* However many lines the names take, the type stands at the top right. */}
          <span className="flex min-h-5.5 shrink-0 items-center gap-x-1.5">
            <MessageMenu bubble={bubble} />
            {imported || (bubble.type === 'fyi' && !isMine && !mine) ? null : (
              <TypeBadge type={bubble.type} isOpen={rings} />
            )}
          </span>
        </div>
        <Quote bubble={bubble} task={task} />
        <div className="mt-0.5">
          {myRequest ? (
            <RequestCard shown={shownFromWorld(task.world, myRequest, me)} place="bubble" isMine />
          ) : (
            <MessageText
              text={bubble.text}
              isMarkdown={sender.kind !== 'human' || imported !== undefined}
              citations={imported?.citations}
            />
          )}
        </div>
        <AttachedFiles message={bubble.id} files={bubble.messages[0]?.attachments ?? []} />
        {others.map((request) => (
          <OtherRequest key={request.id} task={task} request={request} hasMine={myRequest !== null} />
        ))}
        <WaitsForReceivers bubble={bubble} task={task} />
        {receipt?.handing && !isSettled ? (
          <LazyCardPart part="transfer" task={receipt.task} transfer={receipt.handing} />
        ) : null}
        {receipt?.passed && isOpen ? (
          <LazyCardPart part="reassigned" receipt={receipt} nameOf={(id) => who(id).name} />
        ) : null}
        {isMine ? <QueuedForAgent bubble={bubble} task={task} /> : null}
        <LazyToOutside bubble={bubble} task={task} />
        <div className="mt-1.5 flex flex-wrap items-center gap-2 empty:hidden">
          {isMine && !imported ? (
            <>
              <span className="inline-flex items-center gap-1 text-meta text-t3">
                <Check aria-hidden className="size-3.5" />
                {t('chat.sent')}
              </span>
              <Receipts bubble={bubble} receipts={receipts} who={who} me={me} />
            </>
          ) : null}
          {rings && !myRequest && mine ? <AcknowledgeButton message={mine.id} /> : null}
          {isOpen && !myRequest && mine ? <DoneButton message={mine.id} /> : null}
          {isOpen &&
          myRequest?.kind === 'answer' &&
          myRequest.lock === null &&
          displayStateOf(myRequest) === 'open' &&
          mine ? (
            <DoneButton message={mine.id} />
          ) : null}
          {mine && canWrite && bubble.type !== 'fyi' && !(myRequest && displayStateOf(myRequest) === 'open') ? (
            <Button look="quiet" onClick={() => onReply(task, mine.id)}>
              {t('inbox.reply')}
            </Button>
          ) : null}
          {isOpen && myRequest === null ? (
            <span className="ml-auto text-meta text-t3">
              {t.rich('request.openFor', { time: () => <Elapsed key="e" since={bubble.at} /> })}
            </span>
          ) : null}
          {mine && isSettled && !myRequest && receipt && bubble.type !== 'fyi' ? (
            <span className="text-meta text-done">{t(`chat.receipt.${receipt.state}`)}</span>
          ) : null}
          {mine && receipt && undoable(receipt) !== null ? (
            <UndoButton message={mine.id} at={undoable(receipt) ?? 0} />
          ) : null}
        </div>
      </div>
    </article>
  )
})

/** When it was acknowledged or marked as done; null: there is nothing to take back. */
const undoable = ({ state, acknowledgedAt, settledAt }: ReceiptRecord): number | null =>
  state === 'acknowledged' ? acknowledgedAt : state === 'done' ? settledAt : null

function Receivers({ bubble, task, isEveryone }: { bubble: Bubble; task: TaskWorld; isEveryone: boolean }) {
  const { me, who } = task
  const isMe = bubble.receivers.includes(me)
  if (isEveryone && bubble.receivers.length > 1) return <NameCapsule who={null} />
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

/** What it answers: the first words of it, as a link. */
function Quote({ bubble, task }: { bubble: Bubble; task: TaskWorld }) {
  const replyTo = bubble.messages.find((message) => message.replyTo !== null)?.replyTo ?? null
  const original = replyTo === null ? undefined : task.messages[replyTo]
  if (!original || task.task === null) return null
  return (
    <Link
      href={pathTo('message', { taskId: task.task.id, messageId: original.id })}
      className="flex max-w-full items-center gap-1 text-meta text-t3 hover:underline"
    >
      <CornerDownRight aria-hidden className="size-3.5 shrink-0" />
      <span className="cut">
        {task.who(original.sender).name}: {firstWords(original.text, 100)}
      </span>
    </Link>
  )
}

/** A request of this message to somebody else: how it stands. */
function OtherRequest({
  task,
  request,
  hasMine,
}: {
  task: TaskWorld
  request: Parameters<typeof shownFromWorld>[1]
  hasMine: boolean
}) {
  const t = useTranslations('request')
  return (
    <>
      {request.answer ? (
        <p className="mt-1 text-meta text-done" data-id={hasMine ? undefined : request.id} data-state={request.state}>
          {t('answeredBy', { who: task.who(request.answer.by).name })} · <TimeText at={request.answer.at} isClock />
        </p>
      ) : null}
      <AnswerFor request={request} task={task} />
    </>
  )
}

function LazyQueuedFor(props: ComponentProps<typeof QueuedFor>) {
  const Part = useLazyPart(queuedFor)
  return Part ? <Part {...props} /> : <span aria-busy="true" />
}

function LazyToOutside(props: ComponentProps<typeof ToOutside>) {
  const isWanted = props.bubble.receivers.some((id) => props.task.who(id).kind === 'outside')
  const Part = useLazyPart(toOutside, isWanted)
  return Part ? <Part {...props} /> : null
}

/** What I sent to one agent and it did not take in yet. */
function QueuedForAgent({ bubble, task }: { bubble: Bubble; task: TaskWorld }) {
  const [message] = bubble.messages
  const [receiver] = bubble.receivers
  if (!message || receiver === undefined || bubble.receivers.length > 1) return null
  const who = task.who(receiver)
  const receipt = task.receipts[receiver]?.[message.id]
  if (who.kind !== 'llm' || !receipt || receipt.shownAt !== null || receipt.settledAt !== null) return null
  return <LazyQueuedFor agent={{ ...who, id: receiver }} message={message.id} isHeld={receipt.state === 'queued'} />
}

/** Whom the sender still waits for. */
function WaitsForReceivers({ bubble, task }: { bubble: Bubble; task: TaskWorld }) {
  if (bubble.type !== 'urgent') return null
  const waited = bubble.messages.flatMap((message) =>
    message.receivers.filter((id: AgentId) => {
      const receipt = task.receipts[id]?.[message.id] ?? null
      const isOver = receipt !== null && receipt.settledAt !== null
      return !isOver && !(task.isPerson(message.sender) && isHandled('urgent', receipt))
    }),
  )
  if (waited.length === 0) return null
  const asked = bubble.receivers.length
  // A person is waited for no more once they acknowledged: that is no answer.
  const answered = task.isPerson(bubble.sender) ? 0 : asked - waited.length
  return (
    <WaitsOn
      className="mt-1.5"
      names={waited.map((id) => task.who(id).name)}
      since={bubble.at}
      still={answered === 0 ? null : { by: task.who(bubble.sender).name, n: answered, of: asked }}
    />
  )
}
