import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useRows } from '@/client'
import { actAt } from '@/components/operate/acts'
import { FormDialog } from '@/components/operate/FormDialog'
import { type ActForm, useActForm } from '@/components/operate/useActForm'
import { CheckboxGroup } from '@/components/ui/fields/CheckboxGroup'
import { Checkbox } from '@/components/ui/fields/Choice'
import { TextField } from '@/components/ui/fields/TextField'
import { PROTOCOL_TRAITS, PROTOCOLS } from '@/lib/mas/outside/peerProtocols'
import type { PeerShown } from '@/lib/wire'
import { addPeer, changePeer, draftOf, draftPlace, missingFieldOf, type PeerDraft, peerDraftShape } from './peerCalls'

export type MadeKey = { uri: string; key: string | null; may: PeerShown['may'] }

type PeerFormProps = { peer: PeerShown | null; onAdded: (made: MadeKey) => void; onClose: () => void }

/** in: peer: the one to change; null: add one. onAdded: gets the one-time key */
export function PeerForm({ peer, onAdded, onClose }: PeerFormProps) {
  const t = useTranslations('directory')
  const place = draftPlace(peer)
  const form = useActForm<PeerDraft>(place, peerDraftShape, draftOf(peer))
  const draft = form.values
  const added = useRef<MadeKey | null>(null)
  const missing = missingFieldOf(draft)
  const act = actAt(place, async (_, head) => {
    if (peer !== null) return changePeer(peer.id, draft, head)
    const answer = await addPeer(draft, head)
    if (answer.ok) added.current = { uri: draft.uri.trim(), key: answer.value.key, may: [...draft.may] }
    return answer
  })
  return (
    <FormDialog
      title={peer === null ? t('peer.addTitle') : t('peer.changeTitle')}
      action={peer === null ? t('peer.addDo') : t('peer.save')}
      hasReason={false}
      isWide
      missing={missing && t(`peer.missing.${missing}`)}
      act={act}
      done={peer && t('peer.changed', { uri: peer.uri })}
      onClose={() => (added.current === null ? onClose() : onAdded(added.current))}
    >
      <PeerFields form={form} isUriFixed={peer !== null} />
    </FormDialog>
  )
}

type TextName = 'uri' | 'baseUrl' | 'actions' | 'tasks' | 'tokensPerDay' | 'costPerDay' | 'sendKeyEnv' | 'signingKeyEnv'

function PeerFields({ form, isUriFixed }: { form: ActForm<PeerDraft>; isUriFixed: boolean }) {
  const { values: draft, set } = form
  const t = useTranslations('directory')
  const team = useRows('agents').filter(({ who }) => who.kind !== 'outside' && who.kind !== 'system')
  const text = (name: TextName) => ({
    ...form.text(name),
    label: t(`peer.${name}`),
    hint: t(`peer.${name}Hint`),
    autoComplete: 'off',
    spellCheck: false,
  })
  return (
    <>
      {isUriFixed ? (
        <p data-literal className="font-mono break-all">
          {draft.uri}
        </p>
      ) : (
        <TextField {...text('uri')} />
      )}
      <TextField {...text('baseUrl')} inputMode="url" />
      <CheckboxGroup
        legend={t('peer.may')}
        names={PROTOCOLS}
        chosen={draft.may}
        labelOf={(protocol) => t(`peer.protocol.${protocol}`)}
        isColumn
        onChange={(may) => set({ may })}
      />
      {draft.may.some((one) => PROTOCOL_TRAITS[one].actions) ? <TextField {...text('actions')} /> : null}
      <CheckboxGroup
        legend={t('peer.agents')}
        hint={t('peer.agentsHint')}
        names={team.map(({ agent }) => agent)}
        chosen={draft.agents}
        labelOf={(id) => team.find(({ agent }) => agent === id)?.who.name ?? id}
        isColumn
        onChange={(agents) => set({ agents })}
      />
      <Checkbox
        label={t('peer.allowPrivate')}
        isChecked={draft.allowPrivate}
        onChange={(allowPrivate) => set({ allowPrivate })}
      />
      <TextField {...text('tasks')} inputMode="numeric" />
      <TextField {...text('tokensPerDay')} inputMode="numeric" />
      <TextField {...text('costPerDay')} inputMode="decimal" />
      <TextField {...text('sendKeyEnv')} />
      <TextField {...text('signingKeyEnv')} />
    </>
  )
}
