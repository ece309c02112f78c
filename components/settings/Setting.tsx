/** One setting: its name at the left, its control at the right; and storing it with the member. */
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { saveSettings } from '@/client/account/session'
import { showToast } from '@/components/ui/overlays/toast'
import { useFaultWords } from '@/components/ui/useFaultWords'
import type { Settings } from '@/lib/wire'

export function Setting({ name, children, hint }: { name: string; children: ReactNode; hint?: ReactNode }) {
  return (
    <div className="grid items-start gap-x-6 gap-y-2 border-b border-line py-3 last:border-b-0 md:grid-cols-[12rem_1fr]">
      <div className="text-table font-medium md:pt-1">{name}</div>
      <div className="min-w-0">
        {children}
        {hint ? <p className="mt-1.5 text-meta text-t3">{hint}</p> : null}
      </div>
    </div>
  )
}

/** Toast about a changed setting, with undo. */
export function useOfferUndo(): (undo: () => void) => void {
  const t = useTranslations()
  return (undo) =>
    showToast('done', t('settings.changed'), {
      id: 'settings',
      actions: [{ label: t('common.undo'), onPress: undo }],
    })
}

/** Store a changed setting with the member. It applies in this browser even if the server refuses. */
export function useKeep(): (change: Settings) => void {
  const t = useTranslations()
  const faultWords = useFaultWords()
  return (change) =>
    void saveSettings(change).then((answer) => {
      if (answer.ok) return
      showToast('info', t('settings.savedHere', { reason: faultWords(answer.fault) }), {
        id: 'settings',
      })
    })
}
