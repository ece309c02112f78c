import { useTranslations } from 'use-intl'
import { type SettingsChange, saveSettings } from '@/client/account/session'
import { showToast } from './overlays/toast'
import { useFaultWords } from './useFaultWords'

/** Saves settings for all of the person's browsers; a refusal shows a toast. out: whether they are saved */
export function useSaveSettings(): (change: SettingsChange) => Promise<boolean> {
  const t = useTranslations()
  const faultWords = useFaultWords()
  return async (change) => {
    const answer = await saveSettings(change)
    if (!answer.ok) showToast('error', t('common.settingsNotSaved', { reason: faultWords(answer.fault) }))
    return answer.ok
  }
}
