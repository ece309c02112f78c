import { ArrowLeft, ListChecks, MessageCircle, Users } from 'lucide-react'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useDraft, usePresence, useRow, useRowsById, useTotals, useViewPages, useViewStatus } from '@/client'
import { Link, pathTo } from '@/client/nav'
import { useOutboxTo } from '@/client/outbox'
import { taskTitle } from '@/client/readersWords'
import { Conversation } from '@/components/chat/Conversation'
import { Composer, replyTo } from '@/components/chat/composer/Composer'
import { UnsentDraft } from '@/components/chat/composer/ComposerOrReason'
import { WritingLine } from '@/components/chat/composer/ComposerParts'
import { changeComposer, composerOf } from '@/components/chat/composer/composerState'
import type { ChatEntry, Run } from '@/components/chat/fns/lines'
import { usePendingMessages } from '@/components/chat/message/PendingMessage'
import { type NarrowedChat, useChatFilter } from '@/components/chat/useChatFilter'
import type { TaskWorld } from '@/components/chat/useTaskWorld'
import { HelpLink } from '@/components/help/HelpLink'
import { Button, LinkButton } from '@/components/ui/Button'
import { Select } from '@/components/ui/fields/Choice'
import { Avatar, useKindName } from '@/components/ui/marks/Avatar'
import { presenceOf, usePresenceWord } from '@/components/ui/marks/presence'
import { Menu } from '@/components/ui/overlays/Menu'
import { PageHeading } from '@/components/ui/PageHeading'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/States'
import type { AgentId, MessageId, TaskId } from '@/lib/mas/ids'
import { isRecordRow } from '@/lib/wire/records'
import type { Who } from '@/lib/wire/rows'
import { pagesOfView, type Talk, type TalkView, talkOf } from './talk'
import { type ArchivedTalk, useArchivedTalk } from './useArchivedTalk'

export function TalkPage({ other, me, isOperator }: { other: AgentId; me: AgentId; isOperator: boolean }) {
  const t = useTranslations('direct')
  const row = useRow('direct', other)
  const [isAll, setAll] = useState(false)
  const [selected, setSelected] = useState<ReadonlySet<string> | null>(null)
  const { status, pages, ofOverTasks, showOlder } = useTalk(other, isAll)
  const archived = useArchivedTalk(other)
  const talk = useMemo(
    () => talkOf([...pages, ...archived.pages], { me, other, isOperator }),
    [pages, archived.pages, me, other, isOperator],
  )
  const place = `direct:${other}`
  const taskOf = useTaskOf(talk)
  const narrowed = useChatFilter(talk.entries, talk.people)
  const outbox = useOutboxTo(other)
  const { pending, takeBackLast, timesPutBack } = usePendingMessages(outbox, place, (task) => talk.tasks.get(task))
  const onReply = useCallback(
    (task: TaskWorld, message: MessageId) => {
      changeComposer(place, { task: task.id })
      replyTo(task, message, place)
    },
    [place],
  )

  if (status.status === 'closed') return <NoTalk />
  if (status.status === 'loading' || row === null) return <Skeleton lines={6} />
  const { name } = row.who
  return (
    <>
      <TalkHead who={row.who} other={other} narrowed={narrowed} onSelect={() => setSelected(new Set())} />
      {narrowed.box}
      <Conversation
        key={String(isAll)}
        name={t('log', { name })}
        place={place}
        people={talk.people}
        entries={talk.entries}
        narrowed={narrowed}
        taskOf={taskOf}
        isTaskNamed
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
            {showOlder ? null : <SearchArchive archived={archived} />}
          </div>
        }
        empty={
          <EmptyState title={t('empty', { name })} icon={<MessageCircle />} action={<HelpLink part="words" />}>
            {t('emptyWhy')}
          </EmptyState>
        }
        pending={pending}
      />
      <WritingLine place={place} />
      <TalkComposer
        talk={talk}
        place={place}
        other={other}
        name={name}
        takeBackLast={takeBackLast}
        timesPutBack={timesPutBack}
      />
    </>
  )
}

/** The task of a line; a message's task always comes with it. */
function useTaskOf(talk: Talk): (line: ChatEntry | Run) => TaskWorld {
  return useCallback(
    (line) => {
      const entry = line.kind === 'run' ? line.entries[0] : line
      const id = entry?.kind === 'request' ? entry.request.task : entry?.messages[0]?.task
      return (id && talk.tasks.get(id)) || (talk.tasks.values().next().value as TaskWorld)
    },
    [talk],
  )
}

function NoTalk() {
  const t = useTranslations('direct')
  return (
    <ErrorState isHeading title={t('notHere')} action={<LinkButton href={pathTo('direct')}>{t('toAll')}</LinkButton>}>
      {t('notHereWhy')}
    </ErrorState>
  )
}

type TalkHeadProps = {
  who: Who
  other: AgentId
  narrowed: NarrowedChat
  onSelect: () => void
}

function TalkHead({ who, other, narrowed, onSelect }: TalkHeadProps) {
  const t = useTranslations('direct')
  const tChat = useTranslations('chat')
  const nameOf = useKindName()
  const wordOf = usePresenceWord()
  const presence = usePresence(other)
  return (
    <header className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-2.5 gap-y-1 border-b border-line px-5 py-2 max-md:px-4">
      <Link
        href={pathTo('direct')}
        aria-label={t('toAll')}
        className="-ml-2 grid size-9 place-items-center text-t2 lg:hidden"
      >
        <ArrowLeft className="size-5" />
      </Link>
      <Avatar who={who} size={28} presence={presenceOf(presence)} />
      <PageHeading title={[who.name, t('title')]} className="cut">
        {t('log', { name: who.name })}
      </PageHeading>
      <span className="text-meta text-t3">
        <span className="sr-only">{nameOf(who)}: </span>
        {(who.kind === 'human' ? wordOf(presence) : null) ?? who.role}
      </span>
      <span className="grow" />
      <span className="flex items-center gap-1.5 text-meta text-t2 max-md:order-last max-md:basis-full">
        <Users className="size-3.5 shrink-0 text-t3" />
        {t('whoReads')}
      </span>
      {narrowed.button}
      <Menu
        label={tChat('conversationMenu')}
        entries={[narrowed.entry, { label: tChat('pickSome'), icon: <ListChecks />, onSelect }]}
      />
    </header>
  )
}

type TalkComposerProps = Pick<Parameters<typeof Composer>[0], 'takeBackLast' | 'timesPutBack'> & {
  talk: Talk
  place: string
  other: AgentId
  name: string
}

/** The composer with the choice of its task, or why there is none. */
function TalkComposer({ talk, place, other, name, ...props }: TalkComposerProps): ReactNode {
  const t = useTranslations('direct')
  const { more } = useDraft(place)
  const picked = composerOf(more).task ?? talk.defaultTask
  const task = (picked === null ? null : talk.tasks.get(picked)) ?? talk.open[0]
  if (task === undefined || talk.open.length === 0)
    return (
      <div className="shrink-0 border-t border-line px-5 py-3 max-md:px-4">
        <p className="text-t2">{t('noTask', { name })}</p>
        <UnsentDraft place={place} />
      </div>
    )
  const picker = (
    <Select
      label={t('inTask')}
      isLabelHidden
      className="w-52 max-md:w-44 [&_button]:h-7 [&_button]:border-line [&_button]:text-table"
      value={task.id}
      options={talk.open.map((one) => ({
        value: one.id,
        label: t('inTaskNamed', { task: taskTitle(one.task?.name ?? '') }),
      }))}
      onChange={(next) => changeComposer(place, { task: next as TaskId })}
    />
  )
  return <Composer task={task} alone={{ place, to: other, picker }} {...props} />
}

/** Messages that have left the live world are searched in the journal, and not counted before. */
function SearchArchive({ archived: { state, look } }: { archived: ArchivedTalk }) {
  const t = useTranslations('direct')
  const tError = useTranslations('error')
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
          {tError('noAnswer')}
        </span>
      ) : null}
    </>
  )
}

/** in: isAll: with tasks that are over */
function useTalk(agent: AgentId, isAll: boolean) {
  const view: TalkView = `direct:${agent}${isAll ? '/all' : ''}`
  const status = useViewStatus(view)
  const rows = useRowsById(view)
  const totals = useTotals(view)
  const [asked, setAsked] = useState<readonly TalkView[]>([])
  const older = useViewPages(pagesOfView(view, asked))
  // New messages move the edge of the first page; once older pages are here, the oldest of them says what is next.
  const next = older.length === 0 ? (totals?.older ?? null) : (older.at(-1)?.totals?.older ?? null)
  const pages = useMemo(
    () => [rows, ...older.map((page) => page?.byId)].map((all) => [...(all?.values() ?? [])].filter(isRecordRow)),
    [rows, older],
  )
  return {
    status,
    /** The records of each page, the newest first. */
    pages,
    ofOverTasks: totals?.ofOverTasks ?? 0,
    /** Fetches the previous page; null: everything is here or being fetched. */
    showOlder: next === null ? null : () => setAsked([...asked, next]),
  }
}
