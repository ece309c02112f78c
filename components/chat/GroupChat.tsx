import { Copy, Download, MessageCircle, MessagesSquare } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRows } from '@/client'
import { useMoment } from '@/client/moment'
import { pathTo, setSearch } from '@/client/nav'
import { useSightRef } from '@/client/onScreen'
import { useOutbox } from '@/client/outbox'
import { taskTitle } from '@/client/readersWords'
import { HelpLink } from '@/components/help/HelpLink'
import { useReportShown } from '@/components/request'
import { ChangeLinks, TaskResultRegion } from '@/components/result/lazy'
import { Checkbox } from '@/components/ui/fields/Choice'
import { Menu } from '@/components/ui/overlays/Menu'
import { showToast } from '@/components/ui/overlays/toast'
import { EmptyState } from '@/components/ui/States'
import { useIsNarrow } from '@/components/ui/useIsNarrow'
import type { MessageId } from '@/lib/mas/ids'
import type { MessageRecord, TaskRecord } from '@/lib/mas/records'
import { isTaskOver } from '@/lib/mas/statuses'
import { Conversation } from './Conversation'
import { Composer, replyTo } from './composer/Composer'
import { ComposerOrReason } from './composer/ComposerOrReason'
import { WritingLine } from './composer/ComposerParts'
import { chatEntriesOf, foldRuns } from './fns/lines'
import { savedConversation } from './lazy'
import { usePendingMessages } from './message/PendingMessage'
import { useLevelEntry } from './task/LevelMenu'
import { LiveStrip } from './task/LiveStrip'
import { useChatFilter } from './useChatFilter'
import type { TaskWorld } from './useTaskWorld'

type GroupChatProps = {
  task: TaskWorld
  goTo: string | null
  reply: string | null
  /** Messages that left the world, and what stands above the first line. */
  older?: readonly MessageRecord[]
  before?: ReactNode
}

export function GroupChat({ task, goTo, reply, older = NO_MESSAGES, before }: GroupChatProps) {
  const t = useTranslations('chat')
  const [isTalkShown, setTalkShown] = useState(false)
  const isNarrow = useIsNarrow()
  const [selected, setSelected] = useState<ReadonlySet<string> | null>(null)
  const place = `task:${task.id}`
  const { pending, takeBackLast, timesPutBack } = usePendingMessages(useOutbox(task.id), place, () => task)
  const level = useLevelEntry(task.id)

  const taskId = task.task?.id ?? null
  useEffect(() => {
    // Joins the address: `?reply=` begins an answer, once.
    if (reply === null || taskId === null || task.messages[reply as MessageId] === undefined) return
    replyTo(task, reply as MessageId)
    setSearch({ reply: null }, { replace: true })
  }, [reply, taskId, task])

  const taskOf = useCallback(() => task, [task])
  const onReply = useCallback((of: TaskWorld, message: MessageId) => replyTo(of, message), [])
  const save = async (): Promise<void> => {
    const why = await savedConversation().then(
      ({ saveConversation }) => saveConversation(task.id, task.task?.name ?? ''),
      () => '',
    )
    if (why !== null) showToast('error', t('notSaved', { why }))
  }
  const entries = useMemo(
    () => chatEntriesOf([...older, ...(Object.values(task.messages) as MessageRecord[])], task.requests),
    [task, older],
  )
  const narrowed = useChatFilter(entries, task)
  const hasTalk = foldRuns(entries, task.isPerson).some(({ kind }) => kind === 'run')
  const talkEntry = {
    label: t(isTalkShown ? 'hideTalk' : 'showTalk'),
    icon: <MessagesSquare />,
    onSelect: () => setTalkShown(!isTalkShown),
  }
  return (
    <>
      <div className="relative h-0 shrink-0">
        <span className="absolute right-5 bottom-0.5 flex items-center gap-1 max-md:right-2">
          {hasTalk && !isNarrow ? (
            <Checkbox label={t('showTalk')} isChecked={isTalkShown} onChange={setTalkShown} />
          ) : null}
          {narrowed.button}
          <Menu
            label={t('conversationMenu')}
            entries={[
              narrowed.entry,
              // Beside the tabs there is no room for it.
              ...(hasTalk && isNarrow ? [talkEntry] : []),
              { label: t('pickSome'), icon: <Copy />, onSelect: () => setSelected(new Set()) },
              { label: t('save'), icon: <Download />, onSelect: () => void save() },
              // Nothing of an opened task rings.
              ...(task.task?.opened === undefined ? [{ kind: 'line' } as const, level.entry] : []),
            ]}
          />
        </span>
      </div>
      <TopOfChat task={task} />
      {narrowed.box}
      <Conversation
        narrowed={narrowed}
        name={t('log', { task: taskTitle(task.task?.name ?? '') })}
        place={place}
        people={task}
        entries={entries}
        taskOf={taskOf}
        before={before}
        goTo={goTo}
        whole={pathTo('task', { taskId: task.id })}
        onReply={onReply}
        isTalkShown={isTalkShown}
        selected={selected}
        onSelect={setSelected}
        empty={
          <EmptyState title={t('empty')} icon={<MessageCircle />} action={<HelpLink part="words" />}>
            {t('emptyWhy')}
          </EmptyState>
        }
        pending={pending}
      />
      <ComposerOrReason task={task}>
        <WritingLine place={place} />
        <Composer task={task} takeBackLast={takeBackLast} timesPutBack={timesPutBack} />
      </ComposerOrReason>
    </>
  )
}

const NO_MESSAGES: readonly MessageRecord[] = []

/** A finished task begins with its result, a running one with who is at work. */
function TopOfChat({ task: whole }: { task: TaskWorld }) {
  const { task } = whole
  // Who is at work is of now.
  const isThen = useMoment() !== null
  if (task === null) return null
  if (isTaskOver(task)) return <TopResult task={task} />
  return (
    <>
      <div className="shrink-0 border-b border-line bg-s1 px-5 py-1.5 empty:hidden max-md:px-4">
        <TopLinks task={task} />
      </div>
      {isThen ? null : <LiveStrip task={whole} />}
    </>
  )
}

const TopLinks = ({ task }: { task: TaskRecord }) =>
  task.changeOf === undefined && task.changedBy === undefined ? null : <ChangeLinks task={task} />

/** Who reads the result here has read the message that tells of it. */
function TopResult({ task }: { task: TaskRecord }) {
  const unread = useRows('me').flatMap((row) =>
    row.kind === 'message' && row.ended === task.id && row.outcome.shownAt === null ? [row.message.id] : [],
  )
  const item = `result ${task.id}`
  useReportShown(item, unread)
  return (
    <div
      ref={useSightRef(item)}
      className="max-h-[60%] shrink-0 overflow-y-auto border-b border-line bg-s1 px-5 py-3 empty:hidden max-md:px-4"
    >
      <TopLinks task={task} />
      <TaskResultRegion task={task.id} version={task.ratings?.at(-1)?.at} />
    </div>
  )
}
