import { useTranslations } from 'use-intl'
import { saveSettings } from '@/client/account/session'
import { faultWords } from '@/client/api'
import type { Settings } from '@/lib/wire'
import { showToast } from './overlays/toast'

/** Saves settings for all of the person's browsers; a refusal shows a toast. out: whether they are saved */
export function useSaveSettings(): (change: Settings) => Promise<boolean> {
  const t = useTranslations()
  return async (change) => {
    const answer = await saveSettings(change)
    if (!answer.ok)
      showToast('error', t('common.settingsNotSaved', { reason: faultWords(answer.fault, t('error.server')) }))
    return answer.ok
  }
}
