import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useDraft, useRows } from '@/client'
import { useActForm } from '@/components/operate/useActForm'
import { useSendAct } from '@/components/operate/useSendAct'
import { Button } from '@/components/ui/Button'
import { Checkbox } from '@/components/ui/fields/Choice'
import { OtherDraft } from '@/components/ui/fields/OtherDraft'
import { TextField } from '@/components/ui/fields/TextField'
import { Dialog } from '@/components/ui/overlays/Dialog'
import { showToast } from '@/components/ui/overlays/toast'
import { ServerButton } from '@/components/ui/ServerButton'
import type { AgentId } from '@/lib/mas/ids'
import { PROTOCOLS } from '@/lib/mas/outsideRecords'
import type { PeerShown } from '@/lib/wire'
import {
  addPeer,
  changePeer,
  draftOf,
  draftPlace,
  EMPTY_PEER_DRAFT,
  missingFieldOf,
  type PeerDraft,
  readPeerDraft,
} from './peerCalls'

export type MadeKey = { uri: string; key: string | null; may: PeerShown['may'] }

type PeerFormProps = { peer: PeerShown | null; onAdded: (made: MadeKey) => void; onClose: () => void }

/** in: peer: the one to change; null: add one. onAdded: gets the one-time key */
export function PeerForm({ peer, onAdded, onClose }: PeerFormProps) {
  const t = useTranslations('directory')
  const words = useTranslations('common')
  const place = draftPlace(peer)
  const kept = useDraft(place)
  const [draft, setDraft] = useActForm(place, peer === null ? EMPTY_PEER_DRAFT : draftOf(peer), readPeerDraft)
  const [isTried, setTried] = useState(false)
  const { failure, isSending, send } = useSendAct()
  const missing = missingFieldOf(draft)
  const submit = async (): Promise<void> => {
    setTried(true)
    if (missing !== null || isSending) return
    let key: string | null = null
    const isStored = await send(JSON.stringify(draft), async (head) => {
      if (peer !== null) return changePeer(peer.id, draft, head)
      const answer = await addPeer(draft, head)
      if (answer.ok) key = answer.value.key
      return answer
    })
    if (!isStored) return
    kept.clear()
    if (peer === null) return onAdded({ uri: draft.uri.trim(), key, may: [...draft.may] })
    showToast('done', t('peer.changed', { uri: peer.uri }))
    onClose()
  }
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={peer === null ? t('peer.addTitle') : t('peer.changeTitle')}
      className="w-[40rem]!"
      foot={
        <>
          <ServerButton look="primary" isDisabled={isSending} onClick={() => void submit()}>
            {peer === null ? t('peer.addDo') : t('peer.save')}
          </ServerButton>
          <Button onClick={onClose}>{words('cancel')}</Button>
        </>
      }
    >
      <PeerFields draft={draft} isUriFixed={peer !== null} onChange={setDraft} />
      <OtherDraft draft={kept} className="mt-3" />
      {isTried && missing !== null ? (
        <p role="alert" className="mt-3 text-failed">
          {t(`peer.missing.${missing}`)}
        </p>
      ) : failure !== null ? (
        <p role="alert" className="mt-3 text-failed">
          {failure}
        </p>
      ) : null}
    </Dialog>
  )
}

type TextName = 'uri' | 'baseUrl' | 'actions' | 'tasks' | 'tokensPerDay' | 'costPerDay' | 'sendKeyEnv' | 'signingKeyEnv'

type PeerFieldsProps = { draft: PeerDraft; isUriFixed: boolean; onChange: (draft: PeerDraft) => void }

function PeerFields({ draft, isUriFixed, onChange }: PeerFieldsProps) {
  const t = useTranslations('directory')
  const team = useRows('agents').filter(({ who }) => who.kind !== 'outside' && who.kind !== 'system')
  const text = (name: TextName) => ({
    label: t(`peer.${name}`),
    hint: t(`peer.${name}Hint`),
    value: draft[name],
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { target: { value: string } }) => onChange({ ...draft, [name]: event.target.value }),
  })
  const toggled = <Value,>(all: readonly Value[], one: Value, isIn: boolean): Value[] =>
    isIn ? [...all, one] : all.filter((other) => other !== one)
  return (
    <div className="flex flex-col gap-3">
      {isUriFixed ? <p className="font-mono break-all">{draft.uri}</p> : <TextField {...text('uri')} />}
      <TextField {...text('baseUrl')} inputMode="url" />
      <fieldset>
        <legend className="mb-1 text-table font-medium">{t('peer.may')}</legend>
        <div className="flex flex-col gap-1.5">
          {PROTOCOLS.map((protocol) => (
            <Checkbox
              key={protocol}
              label={t(`peer.face.${protocol}`)}
              isChecked={draft.may.includes(protocol)}
              onChange={(next) => onChange({ ...draft, may: toggled(draft.may, protocol, next) })}
            />
          ))}
        </div>
      </fieldset>
      {draft.may.includes('a2a') ? <TextField {...text('actions')} /> : null}
      <fieldset>
        <legend className="mb-1 text-table font-medium">{t('peer.agents')}</legend>
        <p className="mb-1.5 text-meta text-t3">{t('peer.agentsHint')}</p>
        <div className="flex flex-col gap-1.5">
          {team.map(({ agent, who }) => (
            <Checkbox
              key={agent}
              label={who.name}
              isChecked={draft.agents.includes(agent)}
              onChange={(next) => onChange({ ...draft, agents: toggled<AgentId>(draft.agents, agent, next) })}
            />
          ))}
        </div>
      </fieldset>
      <Checkbox
        label={t('peer.allowPrivate')}
        isChecked={draft.allowPrivate}
        onChange={(next) => onChange({ ...draft, allowPrivate: next })}
      />
      <TextField {...text('tasks')} inputMode="numeric" />
      <TextField {...text('tokensPerDay')} inputMode="numeric" />
      <TextField {...text('costPerDay')} inputMode="decimal" />
      <TextField {...text('sendKeyEnv')} />
      <TextField {...text('signingKeyEnv')} />
      {draft.signingKeyEnv.trim() === '' ? null : (
        <Checkbox
          label={t('peer.signsBodyOnly')}
          isChecked={draft.signature === 'v1'}
          onChange={(next) => onChange({ ...draft, signature: next ? 'v1' : 'v2' })}
        />
      )}
    </div>
  )
}
