/** Signing out. Who has neither a password nor a provider is asked first: their only way back is a new link. */
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
  const me = useMe()
  const comesBack = me === null || me.hasPassword || Boolean(me.provider)
  const draft = useDraft(null)
  const [isAsked, setAsked] = useState(false)
  const leave = (): void => {
    setAsked(false)
    void run(signOut())
  }
  return {
    signOut: () => (comesBack ? leave() : setAsked(true)),
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
