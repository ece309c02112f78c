/**
 * The inspector of one message: sender and receivers, the delivery of each, the record itself.
 *
 * The message is looked up in the task of the address, as a stage is.
 */
import { MessageCircle } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useRecords, useViewStatus } from '@/client'
import { Link, pathTo, useLocation } from '@/client/nav'
import { messageText } from '@/client/readersWords'
import { bubbleOutcomes } from '@/components/chat/fns/deliveries'
import { DeliveryTable } from '@/components/chat/message/DeliveriesDialog'
import { useNames, whoInWorld } from '@/components/request'
import { AttachedFiles } from '@/components/request/AttachedFiles'
import { Avatar } from '@/components/ui/marks/Avatar'
import { TypeBadge } from '@/components/ui/marks/Badges'
import { TimeText } from '@/components/ui/marks/Time'
import { MessageText } from '@/components/ui/text/MessageText'
import { sourcesOf } from '@/lib/mas/asks/outcomes'
import { isNumbered } from '@/lib/mas/asks/requests'
import type { MessageId, TaskId } from '@/lib/mas/ids'
import { isAsked } from '@/lib/mas/members/traits'
import type { MessageRecord, World } from '@/lib/mas/records'
import { selectStagePlace } from '@/lib/mas/stages/plan'
import { stageName } from '@/lib/mas/tasks/taskTitle'
import { DetailsTitle, InspectLink, NamedValue, NamedValues } from './parts'
import { type DetailsProps, NoRecord, RecordFrame } from './Record'

export function MessageDetails({ id, tab, onClose }: DetailsProps) {
  const taskId = (useLocation()?.params.taskId ?? null) as TaskId | null
  const view = taskId === null ? null : (`task:${taskId}` as const)
  const status = useViewStatus(view)
  const [world, message] = useRecords(view, (all): [World, MessageRecord | undefined] => [
    all,
    taskId === null ? undefined : (all.messages[taskId] as Partial<World['messages'][TaskId]>)?.[id as MessageId],
  ])
  if (!message || taskId === null) {
    return <NoRecord status={taskId === null ? { ...status, status: 'closed' } : status} onClose={onClose} />
  }
  return <OpenMessage world={world} message={message} tab={tab} />
}

function OpenMessage({ world, message, tab }: { world: World; message: MessageRecord; tab: string | null }) {
  const t = useTranslations()
  const namesOf = useNames()
  const who = (id: MessageRecord['sender']) => whoInWorld(world, id)
  const { task, id } = message
  const all: MessageRecord[] = Object.values(world.messages[task] ?? {})
  const messages = all.filter(({ dispatch, sender: by }) => dispatch === message.dispatch && by === message.sender)
  const receivers = messages.flatMap((one) => one.receivers)
  const rows = bubbleOutcomes({ messages }, sourcesOf(world, task))
  const type = message.type
  const sender = who(message.sender)
  const name = sender.kind === 'system' ? t('request.theTask') : sender.name
  const href = `${pathTo('message', { taskId: task, messageId: id })}?inspect=Message_${id}`
  const isRead = rows.some(({ outcome }) => outcome !== null)
  return (
    <RecordFrame
      kind="message"
      id={id}
      state={type}
      name={t('inspector.messageOf', { who: name })}
      tab={tab}
      icon={sender.kind === 'system' ? <MessageCircle className="size-4 text-t2" /> : <Avatar who={sender} size={24} />}
      chip={<TypeBadge type={type} />}
      below={<TimeText at={message.at} isClock />}
      record={{
        ...(messages.length > 1 ? { messages } : { message }),
        deliveries: rows.flatMap(({ outcome }) => (outcome ? [outcome] : [])),
      }}
      href={href}
      more={[
        {
          value: 'deliveries',
          body: isRead ? (
            <DeliveryTable bubble={{ type, at: message.at }} rows={rows} who={who} />
          ) : (
            <p className="text-table text-t3">{t('inspector.noDeliveries')}</p>
          ),
        },
      ]}
    >
      <MessageText text={messageText(message)} fold={null} />
      <AttachedFiles message={id} files={message.attachments} />
      <DetailsTitle>{t('inspector.about')}</DetailsTitle>
      <NamedValues>
        <NamedValue name={t('inspector.from')}>{name}</NamedValue>
        <NamedValue name={t('inspector.to')}>{namesOf(receivers.map((one) => who(one).name))}</NamedValue>
        <MessageLinks world={world} message={message} />
        <NamedValue name={t('inspector.due')}>
          {message.due === undefined ? null : <TimeText at={message.due} isClock />}
        </NamedValue>
        <NamedValue name={t('inspector.change')}>#{message.seq}</NamedValue>
      </NamedValues>
    </RecordFrame>
  )
}

function MessageLinks({ world, message }: { world: World; message: MessageRecord }) {
  const t = useTranslations('inspector')
  const { task, stage, replyTo, answersRequest, asksBack, fromStep, sender } = message
  const { number } = selectStagePlace(world, task, stage)
  const inStage = stage === null ? undefined : world.stages[task]?.[stage]
  const request = answersRequest ?? asksBack ?? null
  const record = request === null ? undefined : world.requests[task]?.[request]
  return (
    <>
      <NamedValue name={t('stageOf')}>
        {stage === null || number === 0 ? null : (
          <InspectLink record={`StageState_${stage}`}>
            {number} {inStage ? stageName(inStage) : null}
          </InspectLink>
        )}
      </NamedValue>
      <NamedValue name={t('replyTo')}>
        {replyTo && <InspectLink record={`Message_${replyTo}`}>{t('aMessage')}</InspectLink>}
      </NamedValue>
      <NamedValue name={t(answersRequest === null ? 'asksBack' : 'answersRequest')}>
        {record && isNumbered(record) ? (
          <Link href={pathTo('request', { requestId: record.id })} className="link">
            {t('requestNumber', { number: record.number })}
          </Link>
        ) : record?.message ? (
          <InspectLink record={`Message_${record.message}`}>{t('aMessage')}</InspectLink>
        ) : null}
      </NamedValue>
      <NamedValue name={t('writtenIn')}>
        {fromStep === null || isAsked(world, sender) ? null : (
          <InspectLink record={`StepState_${fromStep}`}>{t('aStep')}</InspectLink>
        )}
      </NamedValue>
    </>
  )
}
