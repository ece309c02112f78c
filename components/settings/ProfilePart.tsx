import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { changePassword, myDataPath, PASSWORD_MIN_LENGTH } from '@/client/account/api'
import { markPasswordSet, useMe } from '@/client/account/session'
import { PasswordField } from '@/components/ui/fields/TextField'
import { showToast } from '@/components/ui/overlays/toast'
import { ServerButton } from '@/components/ui/ServerButton'
import { ServerDownload } from '@/components/ui/ServerDownload'
import { useFaultWords } from '@/components/ui/useFaultWords'
import { SessionsPart } from './SessionsPart'
import { Setting } from './Setting'
import { TokensPart } from './TokensPart'

export function ProfilePart() {
  const t = useTranslations('settings')
  const me = useMe()
  if (!me) return null
  const { person, hasPassword, passwords, provider } = me
  return (
    <>
      <Setting name={t('name')}>{person.name}</Setting>
      <Setting name={t('id')}>
        <span data-literal className="font-mono text-table">
          {person.id ?? person.agent_id}
        </span>
      </Setting>
      <Setting name={t('role')}>{person.role || t('noRole')}</Setting>
      <Setting name={t('access')}>{t(`accessWord.${person.access}`)}</Setting>
      {provider ? <Setting name={t('signInWay')}>{t('signInBy', { name: provider.name })}</Setting> : null}
      {passwords === false ? (
        <Setting name={t('changePassword')}>{t('passwordsOff')}</Setting>
      ) : (
        <Setting name={t('changePassword')}>
          <PasswordForm key={String(hasPassword)} hasPassword={hasPassword} username={person.id ?? person.agent_id} />
        </Setting>
      )}
      <SessionsPart />
      <TokensPart />
      <Setting name={t('myData')} hint={t('myDataWhy')}>
        <ServerDownload href={myDataPath} aria-label={t('downloadMyData')}>
          {t('download')}
        </ServerDownload>
      </Setting>
    </>
  )
}

function PasswordForm({ hasPassword, username }: { hasPassword: boolean; username: string }) {
  const t = useTranslations()
  const faultWords = useFaultWords()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [error, setError] = useState<{ at: 'current' | 'next'; words: string } | null>(null)
  const [isSending, setSending] = useState(false)

  const send = (event: FormEvent): void => {
    event.preventDefault()
    if (isSending) return
    if ([...next].length < PASSWORD_MIN_LENGTH) {
      setError({ at: 'next', words: t('login.tooShort', { count: PASSWORD_MIN_LENGTH }) })
      return
    }
    setSending(true)
    setError(null)
    void changePassword(hasPassword ? current : null, next).then((answer) => {
      setSending(false)
      if (answer.ok) {
        setCurrent('')
        setNext('')
        markPasswordSet()
        showToast('done', t('login.passwordSet'))
      } else if (answer.fault.error === 'WRONG_PASSWORD') {
        setError({ at: 'current', words: faultWords(answer.fault) })
      } else {
        setError({ at: 'next', words: faultWords(answer.fault) })
      }
    })
  }

  return (
    <form onSubmit={send} className="flex max-w-[23.75rem] flex-col gap-3">
      <input type="text" name="username" autoComplete="username" readOnly hidden value={username} />
      {hasPassword ? (
        <PasswordField
          label={t('settings.currentPassword')}
          autoComplete="current-password"
          error={error?.at === 'current' ? error.words : null}
          value={current}
          onChange={(event) => setCurrent(event.target.value)}
        />
      ) : null}
      <PasswordField
        label={t('settings.newPassword')}
        autoComplete="new-password"
        hint={t('login.tooShort', { count: PASSWORD_MIN_LENGTH })}
        error={error?.at === 'next' ? error.words : null}
        value={next}
        onChange={(event) => setNext(event.target.value)}
      />
      <div>
        <ServerButton type="submit" isDisabled={isSending}>
          {hasPassword ? t('settings.changePassword') : t('login.setPassword')}
        </ServerButton>
      </div>
    </form>
  )
}
