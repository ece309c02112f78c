/** Signing out. Who has no password is asked first: their only way back is a new link. */
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { signOut, useMe } from '@/client/account/session'
import { useDraft } from '@/client/drafts'
import { useCommandToast } from '@/components/request/useCommandToast'
import { ConfirmDialog } from '@/components/ui/overlays/Dialog'

/** question: to be rendered where signOut is called */
export function useSignOut(): { signOut: () => void; question: ReactNode } {
  const t = useTranslations('shell')
  const run = useCommandToast()
  const hasPassword = useMe()?.hasPassword !== false
  const draft = useDraft(null)
  const [isAsked, setAsked] = useState(false)
  const leave = (): void => {
    setAsked(false)
    void run(signOut())
  }
  return {
    signOut: () => (hasPassword ? leave() : setAsked(true)),
    question: (
      <ConfirmDialog
        isOpen={isAsked}
        onOpenChange={setAsked}
        title={t('signOutNoPassword')}
        action={t('signOut')}
        draft={draft}
        failure={null}
        onConfirm={leave}
      >
        <p>{t('signOutNoPasswordWhy')}</p>
      </ConfirmDialog>
    ),
  }
}
