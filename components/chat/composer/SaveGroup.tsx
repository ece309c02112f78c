/** Names and saves the chosen receivers as a group of one's own, offered by "@" in every task. */
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useDraft } from '@/client'
import { saveSettings } from '@/client/account/session'
import { ActionDialog } from '@/components/ui/ActionDialog'
import { TextField } from '@/components/ui/fields/TextField'
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
  const missing = name.trim() === '' ? t('nameFirst') : null
  const save = async (): Promise<boolean> => {
    const group = { name: name.trim(), members }
    const answer = await saveSettings(({ groups = [] }) => ({
      groups: [...groups.filter((one) => one.name !== group.name), group],
    }))
    if (answer.ok) clear()
    else setTrouble(tRoot('common.settingsNotSaved', { reason: faultWords(answer.fault) }))
    return answer.ok
  }
  return (
    <ActionDialog
      title={t('saveGroup')}
      action={isTaken ? t('replaceGroup') : t('keepGroup')}
      missing={missing}
      act={save}
      onClose={onClose}
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
          if (missing === null) void save().then((isSaved) => isSaved && onClose())
        }}
      />
    </ActionDialog>
  )
}
