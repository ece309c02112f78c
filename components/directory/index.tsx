import { Globe } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { pathTo, setSearch, useSearchParam } from '@/client/nav'
import type { ScreenProps } from '@/client/nav/screenProps'
import { HelpLink } from '@/components/help/HelpLink'
import { Button, LinkButton } from '@/components/ui/Button'
import { Checkbox } from '@/components/ui/fields/Choice'
import { PageHeading } from '@/components/ui/PageHeading'
import { EmptyState, ErrorState } from '@/components/ui/States'
import { TabLinks } from '@/components/ui/Tabs'
import { DIRECTORY_LISTS, type DirectoryList } from '@/lib/wire'
import { CheckpointRows } from './CheckpointRows'
import { CheckpointDialog } from './CheckpointView'
import { CountedOnly, EnvelopeDialog, ExchangeRows } from './ExchangeRows'
import { ImportFile } from './ImportFile'
import { ConversationRows, Narrowed, PeerRows, RegistryRows } from './lists'
import { listOf } from './pages'
import { NoPeers } from './peers/NoPeers'
import { NEW_PEER, PeerDialog } from './peers/PeerDialog'
import { Records } from './RecordTable'

export default function DirectoryScreen({ params, person }: ScreenProps) {
  const t = useTranslations('directory')
  if (person.access === 'participant') {
    return (
      <ErrorState
        isHeading
        title={t('notAllowed')}
        action={<LinkButton href={pathTo('inbox')}>{t('toInbox')}</LinkButton>}
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
  const isImporting = useSearchParam('bring') === 'in'
  const params = new URLSearchParams(isTrouble ? { trouble: 'true' } : {})
  for (const name of NARROWING) if (narrowing[name] !== null) params.set(name, narrowing[name])
  const query = params.size === 0 ? '' : `?${params}`
  const isNarrowed = NARROWING.some((name) => narrowing[name] !== null) && list !== 'peers'
  const peer = narrowing.peer === null ? '' : `?${new URLSearchParams({ peer: narrowing.peer })}`
  return (
    <div data-scroll className="page-scroll pb-8">
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
        <Body key={list} list={list} query={query} />
      </div>
      {isImporting ? <ImportFile /> : null}
      {system === null ? null : <PeerDialog key={system} id={system} isOperator={isOperator} />}
      {envelope === null ? null : <EnvelopeDialog key={envelope} seq={envelope} />}
      {checkpoint === null ? null : <CheckpointDialog key={checkpoint} id={checkpoint} />}
    </div>
  )
}

function Body({ list, query }: { list: DirectoryList; query: string }) {
  const t = useTranslations('directory')
  const path = `/api/directory/${list}${list === 'peers' ? '' : query}`
  const empty = (
    <EmptyState title={t(`empty.${list}`)} icon={<Globe />} action={<HelpLink part="docs" />}>
      {t(`emptyWhy.${list}`)}
    </EmptyState>
  )
  switch (list) {
    case 'peers':
      return <Records path={path} table={PeerRows} empty={<NoPeers />} />
    case 'conversations':
      return <Records path={path} table={ConversationRows} empty={empty} />
    case 'registry':
      return <Records path={path} table={RegistryRows} empty={empty} />
    case 'checkpoints':
      return <Records path={path} table={CheckpointRows} empty={empty} />
    case 'exchange':
      return <Records path={path} table={ExchangeRows} empty={empty} head={CountedOnly} />
  }
}
