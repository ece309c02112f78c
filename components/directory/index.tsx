/** The screen /directory: other systems, the messages exchanged with them, and their verdicts. */
import { Globe } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Link, pathTo, setSearch, useSearchParam } from '@/client/nav'
import { HelpLink } from '@/components/help/HelpLink'
import type { ScreenProps } from '@/components/shell/screenTypes'
import { Button, buttonClass } from '@/components/ui/Button'
import { Checkbox } from '@/components/ui/fields/Choice'
import { PageHeading } from '@/components/ui/PageHeading'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/States'
import { TabLinks } from '@/components/ui/Tabs'
import {
  type CheckpointShown,
  type ConversationShown,
  DIRECTORY_LISTS,
  type DirectoryList,
  type DirectoryPage,
  type EnvelopeShown,
  type ExchangePage,
  type PeerShown,
  type RegisteredShown,
} from '@/lib/wire'
import { CheckpointRows, idOfCheckpoint } from './CheckpointRows'
import { CheckpointDialog } from './CheckpointView'
import { CountedOnly, EnvelopeDialog, ExchangeRows, idOfEnvelope } from './ExchangeRows'
import { ImportFile } from './ImportFile'
import { ConversationRows, idOfRecord, idOfRegistered, Narrowed, PeerRows, RegistryRows } from './lists'
import { listOf } from './pages'
import { NoPeers } from './peers/NoPeers'
import { NEW_PEER, PeerDialog } from './peers/PeerDialog'
import { type Listed, useDirectory } from './useDirectory'

export default function DirectoryScreen({ params, person }: ScreenProps) {
  const t = useTranslations('directory')
  if (person.access === 'participant') {
    return (
      <ErrorState
        isHeading
        title={t('notAllowed')}
        action={
          <Link href={pathTo('inbox')} className={buttonClass('plain')}>
            {t('toInbox')}
          </Link>
        }
      >
        {t('notAllowedWhy')}
      </ErrorState>
    )
  }
  return <Directory list={listOf(params.list)} isOperator={person.access === 'operator'} />
}

const NARROWING = ['peer', 'conversation', 'agent', 'task'] as const

function Directory({ list, isOperator }: { list: DirectoryList; isOperator: boolean }) {
  const t = useTranslations('directory')
  const narrowing = {
    peer: useSearchParam('peer'),
    conversation: useSearchParam('conversation'),
    agent: useSearchParam('agent'),
    task: useSearchParam('task'),
  }
  const isTrouble = useSearchParam('trouble') === 'true' && list === 'exchange'
  const [envelope, checkpoint] = [useSearchParam('envelope'), useSearchParam('checkpoint')]
  const system = useSearchParam('system')
  const isBringing = useSearchParam('bring') === 'in'
  const params = new URLSearchParams(isTrouble ? { trouble: 'true' } : {})
  for (const name of NARROWING) if (narrowing[name] !== null) params.set(name, narrowing[name])
  const query = params.size === 0 ? '' : `?${params}`
  const isNarrowed = NARROWING.some((name) => narrowing[name] !== null) && list !== 'peers'
  const peer = narrowing.peer === null ? '' : `?${new URLSearchParams({ peer: narrowing.peer })}`
  return (
    <div data-scroll className="min-h-0 grow overflow-x-hidden overflow-y-auto pb-8">
      <div className="px-5 pt-4 max-md:px-4">
        <PageHeading title={[t(`list.${list}`), t('title')]}>{t('title')}</PageHeading>
        <div className="mt-1 overflow-x-auto overflow-y-hidden">
          <TabLinks
            label={t('title')}
            panel="directory-panel"
            value={list}
            hrefOf={(name) => `${pathTo('directory', { list: name })}${peer}`}
            tabs={DIRECTORY_LISTS.map((value) => ({ value, label: t(`list.${value}`) }))}
            className="max-md:justify-start! max-md:gap-2!"
          />
        </div>
      </div>
      <div id="directory-panel" role="tabpanel" aria-label={t(`list.${list}`)}>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3 text-table max-md:px-4">
          <p className="max-w-[68ch] text-t2">{t(`about.${list}`)}</p>
          {list === 'exchange' ? (
            <Checkbox
              label={t('troubleOnly')}
              isChecked={isTrouble}
              onChange={(next) => setSearch({ trouble: next ? 'true' : null }, { replace: true })}
            />
          ) : null}
          {list === 'conversations' ? (
            <Button onClick={() => setSearch({ bring: 'in' })}>{t('bring.button')}</Button>
          ) : null}
          {list === 'peers' && isOperator ? (
            <Button onClick={() => setSearch({ system: NEW_PEER })}>{t('peer.add')}</Button>
          ) : null}
        </div>
        {isNarrowed ? <Narrowed words={t('narrowed')} /> : null}
        <Body list={list} query={query} />
      </div>
      {isBringing ? <ImportFile /> : null}
      {system === null ? null : <PeerDialog key={system} id={system} isOperator={isOperator} />}
      {envelope === null ? null : <EnvelopeDialog key={envelope} seq={envelope} />}
      {checkpoint === null ? null : <CheckpointDialog key={checkpoint} id={checkpoint} />}
    </div>
  )
}

function Body({ list, query }: { list: DirectoryList; query: string }) {
  switch (list) {
    case 'peers':
      return <Peers />
    case 'conversations':
      return <Conversations path={`/api/directory/conversations${query}`} />
    case 'registry':
      return <Registry path={`/api/directory/registry${query}`} />
    case 'checkpoints':
      return <Checkpoints path={`/api/directory/checkpoints${query}`} />
    case 'exchange':
      return <Exchange path={`/api/directory/exchange${query}`} />
  }
}

function Faces<Page extends DirectoryPage<unknown>>({
  list,
  listed,
  empty,
  children,
}: {
  list: DirectoryList
  listed: Listed<Page>
  empty?: ReactNode
  children: (page: Page) => ReactNode
}) {
  const t = useTranslations('directory')
  const say = useTranslations('common')
  const { status, why, page, retry } = listed
  if (status === 'broken') {
    return (
      <ErrorState title={t('broken')} onRetry={retry} details={why || undefined}>
        {t('brokenWhy')}
      </ErrorState>
    )
  }
  if (page === null) {
    return (
      <div aria-busy="true">
        <span className="sr-only">{say('loading')}</span>
        <Skeleton lines={6} />
      </div>
    )
  }
  if (page.rows.length > 0) return children(page)
  return (
    empty ?? (
      <EmptyState title={t(`empty.${list}`)} icon={<Globe aria-hidden />} action={<HelpLink part="docs" />}>
        {t(`emptyWhy.${list}`)}
      </EmptyState>
    )
  )
}

function Peers() {
  const listed = useDirectory<PeerShown, DirectoryPage<PeerShown>>('/api/directory/peers', idOfRecord)
  return (
    <Faces list="peers" listed={listed} empty={<NoPeers />}>
      {(page) => <PeerRows page={page} more={listed.more} />}
    </Faces>
  )
}

function Conversations({ path }: { path: string }) {
  const listed = useDirectory<ConversationShown, DirectoryPage<ConversationShown>>(path, idOfRecord)
  return (
    <Faces list="conversations" listed={listed}>
      {(page) => <ConversationRows page={page} more={listed.more} />}
    </Faces>
  )
}

function Registry({ path }: { path: string }) {
  const listed = useDirectory<RegisteredShown, DirectoryPage<RegisteredShown>>(path, idOfRegistered)
  return (
    <Faces list="registry" listed={listed}>
      {(page) => <RegistryRows page={page} more={listed.more} />}
    </Faces>
  )
}

function Checkpoints({ path }: { path: string }) {
  const listed = useDirectory<CheckpointShown, DirectoryPage<CheckpointShown>>(path, idOfCheckpoint)
  return (
    <Faces list="checkpoints" listed={listed}>
      {(page) => <CheckpointRows page={page} more={listed.more} />}
    </Faces>
  )
}

function Exchange({ path }: { path: string }) {
  const listed = useDirectory<EnvelopeShown, ExchangePage>(path, idOfEnvelope)
  return (
    <>
      <CountedOnly refused={listed.page?.refused ?? []} />
      <Faces list="exchange" listed={listed}>
        {(page) => <ExchangeRows page={page} more={listed.more} />}
      </Faces>
    </>
  )
}
