/** One private conversation: its head, its messages with their tasks, and a composer that writes into a task. */
import { ArrowLeft, Ellipsis, ListChecks, Users } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useConnection, useDraft, usePresence, useRow } from '@/client'
import { Link, pathTo } from '@/client/nav'
import { takeBackMessage, useOutboxTo } from '@/client/outbox'
import { Composer, replyTo } from '@/components/chat/Composer'
import { UnsentDraft } from '@/components/chat/ComposerOrReason'
import { Conversation } from '@/components/chat/Conversation'
import { changeComposer, composerOf, restoreToComposer } from '@/components/chat/composerState'
import type { ChatEntry, Run } from '@/components/chat/fns/lines'
import { PendingMessage } from '@/components/chat/PendingMessage'
import { useChatFilter } from '@/components/chat/useChatFilter'
import type { TaskWorld } from '@/components/chat/useTaskWorld'
import { WritingLine } from '@/components/chat/Writing'
import { Avatar, useKindName } from '@/components/ui/Avatar'
import { Button, buttonClass, IconButton } from '@/components/ui/Button'
import { Select } from '@/components/ui/Choice'
import { Menu } from '@/components/ui/Menu'
import { PageHeading } from '@/components/ui/PageHeading'
import { presenceOf, usePresenceWord } from '@/components/ui/presence'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/States'
import type { AgentId, MessageId, SenderId, TaskId } from '@/lib/mas/ids'
import { talkOf } from './talkWorld'
import { type ArchivedTalk, useArchivedTalk } from './useArchivedTalk'
import { useTalk } from './useTalk'

export function TalkPage({ other, me, isOperator }: { other: AgentId; me: AgentId; isOperator: boolean }) {
  const t = useTranslations('direct')
  const tChat = useTranslations('chat')
  const nameOf = useKindName()
  const wordOf = usePresenceWord()
  const { word } = useConnection()
  const row = useRow('direct', other)
  const presence = usePresence(other)
  const [isAll, setAll] = useState(false)
  const [selected, setSelected] = useState<ReadonlySet<string> | null>(null)
  const [timesPutBack, setTimesPutBack] = useState(0)
  const { status, pages, ofOverTasks, showOlder } = useTalk(other, isAll)
  const left = useArchivedTalk(other)
  const talk = useMemo(
    () => talkOf([...pages, ...left.pages], { me, other, isOperator }),
    [pages, left.pages, me, other, isOperator],
  )
  const pending = useOutboxTo(other)
  const place = `direct:${other}`
  const { more } = useDraft(place)
  const picked = composerOf(more).task

  const world = talk.tasks.get(picked ?? talk.usual ?? ('' as TaskId)) ?? talk.open[0] ?? null
  const first = talk.tasks.values().next().value
  const taskOf = useCallback(
    (line: ChatEntry | Run): TaskWorld => {
      const entry = line.kind === 'run' ? line.entries[0] : line
      const task = entry?.kind === 'request' ? entry.request.task : entry?.messages[0]?.task
      // A message's task always comes with it.
      return (task && talk.tasks.get(task)) || (first as TaskWorld)
    },
    [talk, first],
  )
  const nameOfSender = useCallback((id: SenderId): string => first?.who(id).name ?? '', [first])
  const narrowed = useChatFilter(talk.entries, nameOfSender)
  const onReply = useCallback(
    (task: TaskWorld, message: MessageId) => {
      changeComposer(place, { task: task.id })
      replyTo(task, message, place)
    },
    [place],
  )

  if (status.status === 'closed') {
    return (
      <ErrorState
        isHeading
        title={t('notHere')}
        action={
          <Link href={pathTo('direct')} className={buttonClass('plain')}>
            {t('toAll')}
          </Link>
        }
      >
        {t('notHereWhy')}
      </ErrorState>
    )
  }
  if (status.status === 'loading' || row === null) return <Skeleton lines={6} />
  const { who } = row
  const presenceWord = who.kind === 'human' ? wordOf(presence) : null
  return (
    <>
      <header className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-2.5 gap-y-1 border-b border-line px-5 py-2 max-md:px-4">
        <Link
          href={pathTo('direct')}
          aria-label={t('toAll')}
          className="-ml-2 grid size-9 place-items-center text-t2 lg:hidden"
        >
          <ArrowLeft aria-hidden className="size-5" />
        </Link>
        <Avatar who={who} size={28} presence={presenceOf(presence)} />
        <PageHeading title={[who.name, t('title')]} className="cut">
          {who.name}
        </PageHeading>
        <span className="text-meta text-t3">
          <span className="sr-only">{nameOf(who)}: </span>
          {presenceWord ?? who.role}
        </span>
        <span className="grow" />
        <span className="flex items-center gap-1.5 text-meta text-t2 max-md:order-last max-md:basis-full">
          <Users aria-hidden className="size-3.5 shrink-0 text-t3" />
          {t('whoReads')}
        </span>
        {narrowed.button}
        <Menu
          label={tChat('conversationMenu')}
          align="end"
          trigger={<IconButton icon={<Ellipsis aria-hidden />} label={tChat('conversationMenu')} />}
          entries={[
            narrowed.entry,
            {
              kind: 'action',
              label: tChat('pickSome'),
              icon: <ListChecks />,
              onSelect: () => setSelected(new Set()),
            },
          ]}
        />
      </header>
      {narrowed.box}
      <Conversation
        key={String(isAll)}
        name={t('log', { name: who.name })}
        place={place}
        me={me}
        entries={talk.entries}
        fitting={narrowed.fitting}
        isPerson={first?.isPerson ?? (() => true)}
        nameOf={nameOfSender}
        taskOf={taskOf}
        isTaskNamed
        isOpen
        goTo={null}
        onReply={onReply}
        selected={selected}
        onSelect={setSelected}
        before={
          <div className="flex flex-wrap items-center justify-center gap-2 pt-3">
            {showOlder ? <Button onClick={showOlder}>{t('showOlder')}</Button> : null}
            {ofOverTasks > 0 ? (
              <Button look="quiet" onClick={() => setAll(true)}>
                {t('showOver', { count: ofOverTasks })}
              </Button>
            ) : null}
            {showOlder ? null : <SearchArchive left={left} />}
          </div>
        }
        empty={
          narrowed.fitting === null ? (
            <EmptyState title={t('empty', { name: who.name })}>{t('emptyWhy')}</EmptyState>
          ) : (
            narrowed.empty
          )
        }
        pending={pending.flatMap((item) => {
          const task = talk.tasks.get(item.wish.task)
          return task
            ? [
                <PendingMessage
                  key={item.localId}
                  item={item}
                  task={task}
                  isOffline={word === 'offline' || word === 'signed-out'}
                  onEdit={(wish) => {
                    restoreToComposer(place, wish)
                    setTimesPutBack(timesPutBack + 1)
                  }}
                />,
              ]
            : []
        })}
      />
      <WritingLine place={place} />
      {world === null || talk.open.length === 0 ? (
        <div className="shrink-0 border-t border-line px-5 py-3 max-md:px-4">
          <p className="text-t2">{t('noTask', { name: who.name })}</p>
          <UnsentDraft place={place} />
        </div>
      ) : (
        <Composer
          task={world}
          alone={{
            place,
            to: other,
            picker: (
              <Select
                label={t('inTask')}
                isLabelHidden
                className="w-52 max-md:w-44 [&_button]:h-7 [&_button]:border-line [&_button]:text-table"
                value={world.id}
                options={talk.open.map(({ id, task }) => ({
                  value: id,
                  label: t('inTaskNamed', { task: task?.name ?? '' }),
                }))}
                onChange={(next) => changeComposer(place, { task: next as TaskId })}
              />
            ),
          }}
          takeBackLast={() => {
            const last = pending.findLast(({ state }) => state === 'failed' || state === 'waiting')
            return last ? takeBackMessage(last.localId) : null
          }}
          timesPutBack={timesPutBack}
        />
      )}
    </>
  )
}

/** What was put away is looked for in the journal: it is not counted before. */
function SearchArchive({ left: { state, look } }: { left: ArchivedTalk }) {
  const t = useTranslations('direct')
  return state === 'all' ? (
    <p role="status" className="text-meta text-t3">
      {t('noneLeft')}
    </p>
  ) : (
    <>
      <Button look="quiet" isDisabled={state === 'looking'} reason={t('lookingForLeft')} onClick={look}>
        {state === 'looking' ? t('lookingForLeft') : t('lookForLeft')}
      </Button>
      {state === 'failed' ? (
        <span role="alert" className="text-meta text-failed">
          {t('leftFailed')}
        </span>
      ) : null}
    </>
  )
}
