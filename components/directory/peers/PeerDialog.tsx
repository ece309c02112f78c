/** One other system: its rights, who added it, the state of its keys; and what operators can do to it. */
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { setSearch } from '@/client/nav'
import { DetailsTitle, NamedValue, NamedValues } from '@/components/inspector/parts'
import { ActDialog, type ActQuestion } from '@/components/operate/ActDialog'
import type { Act } from '@/components/operate/acts'
import { Button } from '@/components/ui/Button'
import { copyText } from '@/components/ui/copyText'
import { TextField } from '@/components/ui/fields/TextField'
import { Dialog } from '@/components/ui/overlays/Dialog'
import { ServerButton } from '@/components/ui/ServerButton'
import { AlertText, Skeleton } from '@/components/ui/States'
import { useList } from '@/components/ui/useList'
import type { Protocol } from '@/lib/mas/outside/peerProtocols'
import type { DirectoryPage, KeyVariable, PeerShown } from '@/lib/wire'
import { Moment } from '../cells'
import { useDirectoryPages } from '../useDirectoryPages'
import { type MadeKey, PeerForm } from './PeerForm'
import { PeerTest } from './PeerTest'
import { removePeerAct, renewPeerAct } from './peerCalls'

export const NEW_PEER = 'new'

const close = (): void => setSearch({ system: null }, { replace: true })

export function PeerDialog({ id, isOperator }: { id: string; isOperator: boolean }) {
  const [made, setMade] = useState<MadeKey | null>(null)
  if (made !== null) return <PeerKey made={made} onClose={close} />
  if (id === NEW_PEER) return isOperator ? <PeerForm peer={null} onAdded={setMade} onClose={close} /> : null
  return <KnownPeer id={id} isOperator={isOperator} onKey={setMade} />
}

function KnownPeer({ id, isOperator, onKey }: { id: string; isOperator: boolean; onKey: (made: MadeKey) => void }) {
  const t = useTranslations('directory')
  const [isChanging, setChanging] = useState(false)
  const { data: page } = useDirectoryPages<DirectoryPage<PeerShown>>(
    `/api/directory/peers?peer=${encodeURIComponent(id)}`,
  )
  const [peer] = page?.rows ?? []
  if (peer && isChanging) return <PeerForm peer={peer} onAdded={onKey} onClose={() => setChanging(false)} />
  const mayDirect = isOperator && peer !== undefined && !peer.removed
  return (
    <Dialog
      isOpen
      onOpenChange={close}
      title={peer?.uri ?? t('column.peer')}
      className="w-[44rem]!"
      foot={
        mayDirect && peer.made !== null ? (
          <MadeActs peer={peer} onChange={() => setChanging(true)} onKey={onKey} />
        ) : undefined
      }
    >
      {page === undefined ? <Skeleton lines={6} /> : peer ? <PeerFacts peer={peer} /> : <p>{t('peer.unknown')}</p>}
      {mayDirect ? (
        <section className="mt-4">
          <DetailsTitle>{t('peer.test')}</DetailsTitle>
          <PeerTest peer={peer} />
        </section>
      ) : null}
    </Dialog>
  )
}

function PeerFacts({ peer }: { peer: PeerShown }) {
  const t = useTranslations('directory')
  const listOf = useList()
  const { tasks, tokensPerDay, costPerDay } = peer.limits
  const limits = [
    t('peer.limitTasks', { tasks }),
    ...(tokensPerDay === null ? [] : [t('peer.limitTokens', { tokens: tokensPerDay })]),
    ...(costPerDay === null ? [] : [t('peer.limitCost', { cost: costPerDay })]),
  ]
  const variable = (key: KeyVariable | null): string =>
    key === null
      ? t('peer.noVariable')
      : t(key.isSet ? 'peer.variableSet' : 'peer.variableMissing', { variable: key.variable })
  return (
    <NamedValues>
      <NamedValue name={t('column.state')}>{peer.removed ? t('removed') : t('peer.known')}</NamedValue>
      <NamedValue name={t('peer.namedBy')}>
        {peer.made === null ? t('peer.configuration') : peer.made.by.name}
      </NamedValue>
      <NamedValue data-literal name={t('column.address')}>
        {peer.baseUrl ?? t('byCallback')}
      </NamedValue>
      <NamedValue name={t('column.may')}>{peer.may.length === 0 ? t('mayNothing') : listOf(peer.may)}</NamedValue>
      <NamedValue name={t('peer.actions')}>{listOf(peer.actions)}</NamedValue>
      <NamedValue name={t('column.reaches')}>
        {peer.agents.length === 0 ? t('managerOnly') : listOf(peer.agents.map(({ name }) => name))}
      </NamedValue>
      <NamedValue name={t('peer.limits')}>{listOf(limits)}</NamedValue>
      <NamedValue name={t('peer.networks')}>{t(peer.allowPrivate ? 'peer.privateToo' : 'peer.publicOnly')}</NamedValue>
      {peer.made === null ? null : (
        <>
          <NamedValue name={t('peer.ourKey')}>{variable(peer.made.sendKey)}</NamedValue>
          <NamedValue name={t('peer.signing')}>{variable(peer.made.signingKey)}</NamedValue>
        </>
      )}
      <NamedValue name={t('column.seen')}>
        <Moment at={peer.seenAt} />
      </NamedValue>
    </NamedValues>
  )
}

type MadeActsProps = { peer: PeerShown; onChange: () => void; onKey: (made: MadeKey) => void }

/** Acts on a peer that was added here; each that cannot be undone asks first. */
function MadeActs({ peer, onChange, onKey }: MadeActsProps) {
  const t = useTranslations('directory')
  const [asked, setAsked] = useState<ActQuestion | null>(null)
  const { id, uri, may } = peer
  const ask = (name: 'renew' | 'remove', act: Act, rest: Pick<ActQuestion, 'done' | 'onDone'>): void =>
    setAsked({
      title: t(`peer.${name}Ask`),
      what: <p className="break-words">{t(`peer.${name}What`, { uri })}</p>,
      action: t(`peer.${name}Do`),
      hasReason: false,
      act,
      ...rest,
    })
  const renew = renewPeerAct(id, (key) => onKey({ uri, key, may }))
  return (
    <>
      <Button onClick={onChange}>{t('peer.change')}</Button>
      <ServerButton onClick={() => ask('renew', renew, { done: null })}>{t('peer.renew')}</ServerButton>
      <ServerButton
        look="danger"
        onClick={() => ask('remove', removePeerAct(id), { done: t('peer.removed', { uri }), onDone: close })}
      >
        {t('peer.remove')}
      </ServerButton>
      <ActDialog asked={asked} onClose={() => setAsked(null)} />
    </>
  )
}

const PATHS: Record<Protocol, string> = {
  mamp: 'POST {origin}/mamp/v1/messages',
  envelope: 'POST {origin}/envelope/v1/messages',
  harmony: 'POST {origin}/api/harmony/import',
  map: '{socket}/map',
  a2a: '{origin}/.well-known/agent-card.json',
}

/** A new key of another system, shown once. */
function PeerKey({ made: { uri, key, may }, onClose }: { made: MadeKey; onClose: () => void }) {
  const t = useTranslations('directory')
  const words = useTranslations('common')
  const { origin } = window.location
  const pathOf = (protocol: Protocol): string =>
    PATHS[protocol].replace('{origin}', origin).replace('{socket}', origin.replace(/^http/, 'ws'))
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={t('peer.keyTitle')}
      foot={
        <>
          {key === null ? null : (
            <Button look="primary" onClick={() => copyText(key, words('copied'))}>
              {t('peer.copyKey')}
            </Button>
          )}
          <Button onClick={onClose}>{t('peer.keyDone')}</Button>
        </>
      }
    >
      <p data-literal className="mb-3 font-mono break-all">
        {uri}
      </p>
      {key === null ? (
        <AlertText text={t('peer.keyLost')} />
      ) : (
        <>
          <TextField
            label={t('peer.key')}
            hint={t('peer.keyOnce')}
            value={key}
            readOnly
            className="font-mono"
            onFocus={(event) => event.target.select()}
          />
          <p className="mt-3">{t('peer.keyHow')}</p>
          <ul className="mt-1 font-mono text-meta break-all text-t2">
            {may.map((protocol) => (
              <li key={protocol} data-literal>
                {pathOf(protocol)}
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}
