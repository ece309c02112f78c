/** Names and saves the chosen receivers as a group of one's own, offered by "@" in every task. */
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useDraft } from '@/client'
import { saveSettings } from '@/client/account/session'
import { TextField } from '@/components/ui/fields/TextField'
import { Dialog } from '@/components/ui/overlays/Dialog'
import { ServerButton } from '@/components/ui/ServerButton'
import { useFaultWords } from '@/components/ui/useFaultWords'
import type { AgentId } from '@/lib/mas/ids'
import type { Settings } from '@/lib/wire'

const LONGEST = 40

type SaveGroupProps = { members: AgentId[]; saved: NonNullable<Settings['groups']>; onClose: () => void }

export default function SaveGroup({ members, saved, onClose }: SaveGroupProps) {
  const t = useTranslations('chat')
  const tRoot = useTranslations()
  const { text: name, setText: setName, clear } = useDraft('act:save_group')
  const faultWords = useFaultWords()
  const [trouble, setTrouble] = useState<string | null>(null)
  const isTaken = saved.some((group) => group.name === name.trim())
  const save = async (): Promise<void> => {
    const group = { name: name.trim(), members }
    if (group.name === '') return
    const answer = await saveSettings({ groups: [...saved.filter((one) => one.name !== group.name), group] })
    if (answer.ok) {
      clear()
      onClose()
    } else setTrouble(tRoot('common.settingsNotSaved', { reason: faultWords(answer.fault) }))
  }
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={t('saveGroup')}
      foot={
        <ServerButton
          look="primary"
          isDisabled={name.trim() === ''}
          reason={t('nameFirst')}
          onClick={() => void save()}
        >
          {isTaken ? t('replaceGroup') : t('keepGroup')}
        </ServerButton>
      }
    >
      <TextField
        label={t('groupName')}
        hint={t('groupHint', { count: members.length })}
        error={trouble}
        value={name}
        maxLength={LONGEST}
        onChange={({ target }) => setName(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          event.preventDefault()
          void save()
        }}
      />
    </Dialog>
  )
}
