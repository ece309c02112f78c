import { ArrowLeft, Lock, MessageCircle } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { usePresence, useRow, useViewStatus } from '@/client'
import { command } from '@/client/api'
import { Link, pathTo, useSearchParam } from '@/client/nav'
import { UnsentDraft } from '@/components/chat/composer/ComposerOrReason'
import { GroupChat } from '@/components/chat/GroupChat'
import { RequestStrip } from '@/components/chat/task/RequestStrip'
import { useTaskWorld } from '@/components/chat/useTaskWorld'
import { useSendAct } from '@/components/operate/useSendAct'
import { Button, LinkButton } from '@/components/ui/Button'
import { Avatar, useKindName } from '@/components/ui/marks/Avatar'
import { presenceOf, usePresenceWord } from '@/components/ui/marks/presence'
import { PageHeading } from '@/components/ui/PageHeading'
import { ServerButton } from '@/components/ui/ServerButton'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/States'
import type { AgentId, TaskId } from '@/lib/mas/ids'
import type { Who } from '@/lib/wire/rows'
import { type ArchivedTalk, useArchivedTalk } from './useArchivedTalk'

/** The private conversation with one member: that task, or how it begins. */
export function TalkPage({ other, me, isOperator }: { other: AgentId; me: AgentId; isOperator: boolean }) {
  const { status } = useViewStatus('direct')
  const row = useRow('direct', other)
  if (status === 'loading') return <Skeleton lines={6} />
  if (row?.kind !== 'direct') return <NoTalk />
  return (
    <>
      <TalkHead who={row.who} other={other} />
      {row.talk === null ? (
        <NotBegun who={row.who} other={other} />
      ) : (
        <Begun key={row.talk} talk={row.talk} other={other} me={me} isOperator={isOperator} />
      )}
      <div className="px-5 max-md:px-4">
        <UnsentDraft place={`direct:${other}`} />
      </div>
    </>
  )
}

function TalkHead({ who, other }: { who: Who; other: AgentId }) {
  const t = useTranslations('direct')
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
      <span className="flex basis-full items-center gap-1.5 text-meta text-t2">
        <Lock aria-hidden className="size-3.5 shrink-0 text-t3" />
        {t('whoReads', { name: who.name })}
      </span>
    </header>
  )
}

type BegunProps = { talk: TaskId; other: AgentId; me: AgentId; isOperator: boolean }

function Begun({ talk, other, me, isOperator }: BegunProps) {
  const { status } = useViewStatus(`task:${talk}`)
  const task = useTaskWorld(talk, me, isOperator)
  const reply = useSearchParam('reply')
  const archived = useArchivedTalk(other)
  const older = useMemo(
    () =>
      archived.pages
        .toReversed()
        .flat()
        .flatMap((row) => (row.of === 'message' ? [row.record] : [])),
    [archived.pages],
  )
  if (status === 'closed') return <NoTalk />
  if (status === 'loading' || task.task === null) return <Skeleton lines={6} />
  return (
    <>
      <div className="px-5 max-md:px-4">
        <RequestStrip task={task} isChat />
      </div>
      <GroupChat task={task} goTo={null} reply={reply} older={older} before={<SearchArchive archived={archived} />} />
    </>
  )
}

/** Nobody has opened it: it says who will read it, and begins on a press. */
function NotBegun({ who, other }: { who: Who; other: AgentId }): ReactNode {
  const t = useTranslations('direct')
  const { failure, isSending, send } = useSendAct('')
  const begin = (): void => void send(`talk:${other}`, (head) => command('/api/talks', { with: other }, head))
  return (
    <EmptyState
      title={t('notBegun', { name: who.name })}
      icon={<MessageCircle />}
      action={
        <ServerButton look="primary" isDisabled={isSending} onClick={begin}>
          {t('begin')}
        </ServerButton>
      }
    >
      {t('notBegunWhy')} {who.kind === 'human' ? null : t('notBegunAgent')}
      {failure === null ? null : (
        <span role="alert" className="mt-2 block text-failed">
          {t('failed', { why: failure })}
        </span>
      )}
    </EmptyState>
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

/** Messages that have left the live world are searched in the journal, and not counted before. */
function SearchArchive({ archived: { state, look } }: { archived: ArchivedTalk }) {
  const t = useTranslations('direct')
  const tError = useTranslations('error')
  if (state === 'all')
    return (
      <p role="status" className="text-meta text-t3">
        {t('noneLeft')}
      </p>
    )
  return (
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
