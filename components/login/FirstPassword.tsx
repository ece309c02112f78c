/** After a sign-in link: a welcome, and the offer to set a password. */
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { changePassword, PASSWORD_MIN_LENGTH } from '@/client/account/api'
import { Button } from '@/components/ui/Button'
import { PasswordField } from '@/components/ui/fields/TextField'
import type { SignedIn } from '@/lib/wire'
import { continueToConsole } from './address'

export function FirstPassword({ member }: { member: SignedIn }) {
  const t = useTranslations()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)

  useEffect(() => {
    // Joins the focus: this step replaced another.
    heading.current?.focus()
  }, [])

  const send = (event: FormEvent): void => {
    event.preventDefault()
    if (isSending) return
    if (password.length < PASSWORD_MIN_LENGTH) {
      setError(t('login.tooShort', { count: PASSWORD_MIN_LENGTH }))
      return
    }
    setSending(true)
    void changePassword(null, password).then((answer) => {
      if (answer.ok) return continueToConsole()
      setSending(false)
      setError(answer.status === 0 ? t('login.unreachable') : answer.message)
    })
  }

  return (
    <>
      <h1 ref={heading} tabIndex={-1} className="mt-5 mb-2 text-login font-bold tracking-tight">
        {t('login.welcome', { name: member.person.name })}
      </h1>
      <p className="mb-6 text-t2">{t('login.setPasswordWhy')}</p>
      <form onSubmit={send} className="flex flex-col gap-4">
        <input
          type="text"
          name="username"
          autoComplete="username"
          readOnly
          hidden
          value={member.person.id ?? member.person.agent_id}
        />
        <PasswordField
          size="large"
          label={t('login.newPassword')}
          autoComplete="new-password"
          hint={t('login.tooShort', { count: PASSWORD_MIN_LENGTH })}
          error={error}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <div className="flex gap-2">
          <Button type="submit" look="primary" size="large" isDisabled={isSending}>
            {t('login.setPassword')}
          </Button>
          <Button size="large" onClick={continueToConsole}>
            {t('login.later')}
          </Button>
        </div>
      </form>
    </>
  )
}
