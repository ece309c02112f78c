/** Asks for the password that an act needs; the act is sent again when it is right. Without one: for a sign-in at the provider. */
import { type FormEvent, useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { changePassword, confirmPassword, PASSWORD_MIN_LENGTH, signInAddress } from '@/client/account/api'
import { usePasswordAsked } from '@/client/account/confirming'
import { markPasswordSet, mustSetPassword, useMe } from '@/client/account/session'
import { Button, buttonClass } from '@/components/ui/Button'
import { PasswordField } from '@/components/ui/fields/TextField'
import { Dialog } from '@/components/ui/overlays/Dialog'
import { ServerButton } from '@/components/ui/ServerButton'
import { useFaultWords } from '@/components/ui/useFaultWords'
import type { Me } from '@/lib/wire'

type ConfirmPasswordProps = { onClose: () => void }

export default function ConfirmPassword({ onClose }: ConfirmPasswordProps) {
  const hasPassword = usePasswordAsked()?.hasPassword === true
  const me = useMe()
  const isByProvider = !hasPassword && me !== null && !mustSetPassword(me)
  return isByProvider ? (
    <SignInAgain provider={me.provider ?? null} onClose={onClose} />
  ) : (
    <PasswordDialog onClose={onClose} />
  )
}

/** provider: null: of this session there is none */
function SignInAgain({ provider, onClose }: ConfirmPasswordProps & { provider: Me['provider'] }) {
  const t = useTranslations()
  const back = window.location.pathname + window.location.search
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={t('shell.signInAgain')}
      foot={
        <>
          {provider === null ? null : (
            <a href={signInAddress(provider.id, back, true)} className={buttonClass('primary')}>
              {t('shell.signInAgainWith', { name: provider.name })}
            </a>
          )}
          <Button onClick={onClose}>{t('common.cancel')}</Button>
        </>
      }
    >
      <p className="text-t2">{t(provider === null ? 'shell.signInAgainByLink' : 'shell.signInAgainWhy')}</p>
    </Dialog>
  )
}

function PasswordDialog({ onClose }: ConfirmPasswordProps) {
  const t = useTranslations()
  const faultWords = useFaultWords()
  const asked = usePasswordAsked()
  const me = useMe()
  const form = useId()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  if (asked === null) return null
  const { hasPassword, end } = asked
  const isShort = !hasPassword && [...password].length < PASSWORD_MIN_LENGTH

  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    // React hands events of a portal on to the form that stands below the dialog.
    event.stopPropagation()
    if (isSending) return
    if (isShort) return setError(t('login.tooShort', { count: PASSWORD_MIN_LENGTH }))
    setSending(true)
    setError(null)
    const answer = await (hasPassword ? confirmPassword(password) : changePassword(null, password))
    setSending(false)
    if (!answer.ok) return setError(faultWords(answer.fault))
    if (!hasPassword) markPasswordSet()
    end(true)
  }
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={t(hasPassword ? 'shell.confirmPassword' : 'login.setPassword')}
      foot={
        <>
          <ServerButton look="primary" type="submit" form={form} isDisabled={isSending}>
            {t(hasPassword ? 'shell.confirm' : 'login.setPassword')}
          </ServerButton>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => void send(event)} className="flex flex-col gap-3">
        <p className="text-t2">{t(hasPassword ? 'shell.confirmPasswordWhy' : 'shell.setPasswordWhy')}</p>
        <input type="text" name="username" autoComplete="username" readOnly hidden value={me?.person.id ?? ''} />
        <PasswordField
          autoFocus
          label={t(hasPassword ? 'login.password' : 'login.newPassword')}
          autoComplete={hasPassword ? 'current-password' : 'new-password'}
          hint={hasPassword ? undefined : t('login.tooShort', { count: PASSWORD_MIN_LENGTH })}
          error={error}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
