import { CircleAlert } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { retryAfterOf, signIn } from '@/client/account/api'
import { type RememberedPerson, rememberedPeople } from '@/client/account/rememberedPeople'
import type { CallRefused } from '@/client/api'
import { pageClock, useNow } from '@/client/clock'
import { announce } from '@/components/ui/announce'
import { Button } from '@/components/ui/Button'
import { PasswordField, TextField } from '@/components/ui/fields/TextField'
import { Avatar } from '@/components/ui/marks/Avatar'
import { useFaultWords } from '@/components/ui/useFaultWords'
import { formatDuration } from '@/lib/format'
import type { WaysToSignIn } from '@/lib/wire'
import { continueToConsole } from './address'
import { CompanyProblem, CompanyWays } from './CompanyWays'

/** out: seconds until another attempt is allowed; 0: now */
function useWait(until: number | null): number {
  const now = useNow(until === null ? null : 'seconds')
  return until === null ? 0 : Math.max(0, Math.ceil((until - now) / 1_000))
}

/** Until when no attempt is allowed after this refusal: server time, epoch ms. */
const lockOf = (refused: CallRefused | null): number | null =>
  refused?.status_code === 429 ? pageClock.now() + (retryAfterOf(refused) ?? 60) * 1_000 : null

/** first: why a sign-in link failed. ways: null: not known */
export function SignInForm({ first, ways = null }: { first: CallRefused | null; ways?: WaysToSignIn | null }) {
  const t = useTranslations('login')
  const locale = useLocale()
  const [id, setId] = useState('')
  const [password, setPassword] = useState('')
  const [isSending, setSending] = useState(false)
  const [refused, setRefused] = useState(first)
  const [lockedUntil, setLockedUntil] = useState(() => lockOf(first))
  const [visitors, setVisitors] = useState<RememberedPerson[]>([])
  const idBox = useRef<HTMLInputElement>(null)
  const passwordBox = useRef<HTMLInputElement>(null)
  const waitS = useWait(lockedUntil)
  const takesPasswords = ways?.passwords !== false

  useEffect(() => {
    // Joins this browser's memory, and gives the first field the focus.
    setVisitors(rememberedPeople())
    idBox.current?.focus()
  }, [])

  const send = (event: FormEvent): void => {
    event.preventDefault()
    if (isSending || waitS > 0) return
    setSending(true)
    setRefused(null)
    void signIn(id.trim(), password).then((answer) => {
      if (answer.ok) return continueToConsole()
      setSending(false)
      setRefused(answer.fault)
      const until = lockOf(answer.fault)
      setLockedUntil(until)
      if (until === null) return passwordBox.current?.focus()
      // The countdown on screen is silent; its length is announced once.
      announce(t('locked', { time: formatDuration(until - pageClock.now(), locale) }), 'assertive')
    })
  }

  return (
    <>
      <h1 className="mt-5 mb-6 text-login font-bold tracking-tight">{t('title')}</h1>
      <Trouble refused={refused} waitS={waitS} />
      <CompanyProblem providers={ways?.providers ?? []} />
      {ways === null ? null : <CompanyWays ways={ways} />}
      <form onSubmit={send} hidden={!takesPasswords} className="flex flex-col gap-4 [[hidden]]:hidden">
        <TextField
          ref={idBox}
          size="large"
          label={t('id')}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          value={id}
          onChange={(event) => setId(event.target.value)}
        />
        <PasswordField
          ref={passwordBox}
          size="large"
          label={t('password')}
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button
          type="submit"
          look="primary"
          size="large"
          className="mt-2 w-full"
          isDisabled={isSending || waitS > 0}
          aria-busy={isSending || undefined}
        >
          {isSending ? t('signingIn') : t('signIn')}
        </Button>
      </form>
      {takesPasswords && visitors.length > 0 ? (
        <div className="mt-6 flex flex-wrap items-center gap-2">
          <span className="text-table text-t3">{t('hereBefore')}</span>
          {visitors.map((visitor) => (
            <button
              key={visitor.agentId}
              type="button"
              className="flex h-9 items-center gap-2 rounded-person border border-line bg-s2 pr-3.5 pl-1 text-table hover:bg-hover touch:h-11"
              onClick={() => {
                setId(visitor.id)
                passwordBox.current?.focus()
              }}
            >
              <Avatar who={{ id: visitor.agentId, name: visitor.name, kind: 'human' }} />
              {visitor.name}
            </button>
          ))}
        </div>
      ) : null}
    </>
  )
}

/** Why the last attempt failed; after too many, how long to wait. */
function Trouble({ refused, waitS }: { refused: CallRefused | null; waitS: number }) {
  const t = useTranslations('login')
  const locale = useLocale()
  const faultWords = useFaultWords()
  const words =
    waitS > 0
      ? t('locked', { time: formatDuration(waitS * 1_000, locale) })
      : refused === null || refused.status_code === 429
        ? null
        : refused.error === 'LINK_USED'
          ? t('linkGone')
          : refused.status_code === 401
            ? t('mismatch')
            : faultWords(refused)
  if (words === null) return null
  return (
    <div
      role={waitS > 0 ? undefined : 'alert'}
      className="mb-4 flex gap-2 rounded-control border border-transparent bg-failed-b px-3 py-2 text-table text-failed"
    >
      <CircleAlert className="mt-0.5 size-4" />
      <span>{words}</span>
    </div>
  )
}
