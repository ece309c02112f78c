import { useTranslations } from 'use-intl'
import { Link, pathTo, setSearch, withSearch } from '@/client/nav'
import { Avatar, AvatarRow } from '@/components/ui/marks/Avatar'
import { StatusChip } from '@/components/ui/marks/StatusChip'
import { useList } from '@/components/ui/useList'
import type { ConversationShown, PeerShown, RegisteredShown } from '@/lib/wire'
import { Moment, Mono, TaskCell, WhoLink } from './cells'
import { type ListProps, RecordTable } from './RecordTable'

export function PeerRows(props: ListProps<PeerShown>) {
  const t = useTranslations('directory')
  const listOf = useList()
  return (
    <RecordTable
      {...props}
      list="peers"
      kind="peer"
      stateOf={({ removed }) => (removed ? 'removed' : 'known')}
      columns={{
        peer: {
          className: 'w-[34%]',
          cell: (peer) => (
            <span className="flex min-w-0 items-center gap-2">
              <Avatar who={{ id: peer.id, name: peer.uri, kind: 'outside' }} size={24} />
              <Link
                data-row
                data-literal
                href={`${pathTo('directory', { list: 'exchange' })}?peer=${peer.id}`}
                className="cut font-medium text-t1 hover:underline"
              >
                {peer.uri}
              </Link>
            </span>
          ),
        },
        may: {
          className: '@max-[760px]/main:hidden',
          cell: (peer) =>
            peer.removed ? (
              <StatusChip state="blocked" raw="removed" detail={t('removed')} className="max-w-full" />
            ) : (
              <span className="cut block">{peer.may.length === 0 ? t('mayNothing') : listOf(peer.may)}</span>
            ),
        },
        address: {
          className: '@max-[900px]/main:hidden',
          cell: (peer) => (
            <span data-literal className="cut block">
              {peer.baseUrl ?? t('byCallback')}
            </span>
          ),
        },
        reaches: {
          className: '@max-[1050px]/main:hidden',
          cell: (peer) =>
            peer.agents.length === 0 ? t('managerOnly') : <AvatarRow people={peer.agents} size={24} max={4} />,
        },
        open: {
          className: 'w-28',
          cell: (peer) => (
            <Link
              href={`${pathTo('directory', { list: 'conversations' })}?peer=${peer.id}`}
              aria-label={t('conversationsOf', { count: peer.open, who: peer.uri })}
              className="link"
            >
              {peer.open}
            </Link>
          ),
        },
        seen: { className: 'w-28', cell: (peer) => <Moment at={peer.seenAt} /> },
        details: {
          isHeadHidden: true,
          className: 'w-20',
          cell: (peer) => (
            <Link
              href={withSearch({ system: peer.id })}
              aria-label={t('peer.detailsOf', { who: peer.uri })}
              className="link"
            >
              {t('peer.details')}
            </Link>
          ),
        },
      }}
    />
  )
}

export function ConversationRows(props: ListProps<ConversationShown>) {
  const t = useTranslations('directory')
  return (
    <RecordTable
      {...props}
      list="conversations"
      kind="conversation"
      stateOf={({ closedAt }) => (closedAt === null ? 'open' : 'closed')}
      columns={{
        outsider: { className: 'w-[20%]', cell: (one) => <WhoLink who={one.outsider} isRow /> },
        ours: { className: 'w-[16%]', cell: (one) => <WhoLink who={one.ours} /> },
        task: { cell: (one) => <TaskCell task={one.task} /> },
        shared: {
          className: '@max-[1000px]/main:hidden',
          cell: (one) => (one.shared === null ? '—' : <Mono>{one.shared}</Mono>),
        },
        state: {
          className: 'w-40',
          cell: (one) =>
            one.closedAt === null ? (
              t(one.openedBy === 'us' ? 'openedByUs' : 'openedByThem')
            ) : (
              <span className="cut block" title={one.closedBecause ?? undefined}>
                {t('closed', { why: one.closedBecause ?? '' })}
              </span>
            ),
        },
        last: {
          className: 'w-36',
          cell: (one) => (
            <span className="flex items-center gap-3">
              <Moment at={one.lastMessageAt} />
              <Link
                href={`${pathTo('directory', { list: 'exchange' })}?conversation=${one.id}`}
                aria-label={t('envelopesOf', { who: one.outsider.name })}
                className="link"
              >
                {t('envelopes')}
              </Link>
            </span>
          ),
        },
      }}
    />
  )
}

export function RegistryRows(props: ListProps<RegisteredShown>) {
  const t = useTranslations('directory')
  const listOf = useList()
  return (
    <RecordTable
      {...props}
      list="registry"
      kind="outside-agent"
      stateOf={({ removed }) => (removed ? 'removed' : 'known')}
      columns={{
        who: { head: t('column.outsider'), className: 'w-[22%]', cell: (one) => <WhoLink who={one.who} isRow /> },
        uri: { cell: (one) => <Mono>{one.uri}</Mono> },
        can: {
          cell: (one) => (
            <span className="cut block" title={listOf(one.capabilities)}>
              {one.capabilities.length === 0 ? (
                <span className="text-t3">{t('saidNothing')}</span>
              ) : (
                listOf(one.capabilities)
              )}
            </span>
          ),
        },
        open: { className: 'w-28 @max-[800px]/main:hidden', cell: (one) => one.open },
        seen: { className: 'w-28', cell: (one) => (one.removed ? t('removed') : <Moment at={one.seenAt} />) },
      }}
    />
  )
}

export function Narrowed({ words }: { words: string }) {
  const t = useTranslations('directory')
  return (
    <p className="flex flex-wrap items-center gap-x-3 px-5 pb-2 text-table text-t2 max-md:px-4">
      {words}
      <button
        type="button"
        className="link"
        onClick={() => setSearch({ peer: null, conversation: null, agent: null, task: null })}
      >
        {t('showAll')}
      </button>
    </p>
  )
}
