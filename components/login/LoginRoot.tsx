'use client'
import { FlaskConical } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { getHealth, getWaysToSignIn, signInByLink } from '@/client/account/api'
import { setLanguage, useLanguage } from '@/client/account/language'
import type { CallRefused } from '@/client/api'
import { useTitle } from '@/client/nav/title'
import { followSystemTheme } from '@/client/theme'
import { IntlRoot } from '@/components/shell/IntlRoot'
import { Logo } from '@/components/shell/Logo'
import { LOCALE_NAMES } from '@/lib/i18n'
import type { WaysToSignIn } from '@/lib/wire'
import { continueToConsole, takeToken } from './address'
import { SignInForm } from './SignInForm'

export function LoginRoot() {
  useEffect(followSystemTheme, [])
  return (
    <IntlRoot page="signIn" skeleton={<div aria-busy="true" className="h-dvh" />}>
      <Login />
    </IntlRoot>
  )
}

type LoginStep = { is: 'form'; refused: CallRefused | null } | { is: 'opening' }

function Login() {
  const t = useTranslations('login')
  const [step, setStep] = useState<LoginStep>({ is: 'form', refused: null })
  const [ways, setWays] = useState<WaysToSignIn | null>(null)
  useTitle(t('pageTitle'))

  useEffect(() => {
    // Joins the server: the ways that there are. Without its answer a password can be tried.
    void getWaysToSignIn().then((answer) => setWays(answer.ok ? answer.value : null))
  }, [])

  useEffect(() => {
    // Joins the address: a sign-in link works once, so its token leaves the address bar before it is used.
    const token = takeToken()
    if (token === null) return
    setStep({ is: 'opening' })
    void signInByLink(token).then((answer) => {
      // A password is asked for later, once something would be lost without it (components/inbox/PasswordLine.tsx).
      if (answer.ok) continueToConsole()
      else setStep({ is: 'form', refused: answer.fault })
    })
  }, [])

  return (
    <div className="flex h-dvh flex-col overflow-y-auto">
      <main className="m-auto w-[23.75rem] max-w-full px-4 py-6">
        <div className="flex items-center gap-3">
          <Logo isLong />
          <b className="text-title font-bold tracking-tight">Convene</b>
        </div>
        <Shown step={step} ways={ways} />
      </main>
      <Foot />
    </div>
  )
}

function Shown({ step, ways }: { step: LoginStep; ways: WaysToSignIn | null }): ReactNode {
  const t = useTranslations('login')
  switch (step.is) {
    case 'opening':
      return (
        <p role="status" className="my-10 text-t2">
          {t('linkWorking')}
        </p>
      )
    case 'form':
      return <SignInForm first={step.refused} ways={ways} />
  }
}

/** That a rehearsal plays the agents, and the other languages. */
function Foot() {
  const t = useTranslations('login')
  const locale = useLanguage()
  const [isRehearsal, setRehearsal] = useState(false)
  useEffect(() => {
    // Joins the server: whether a rehearsal plays the agents.
    void getHealth().then((answer) => setRehearsal(answer.ok && answer.value.rehearsal))
  }, [])
  return (
    // On a phone the height of both lines is reserved before the server has said whether there are two.
    <footer className="flex shrink-0 flex-wrap content-center items-center justify-center gap-x-6 gap-y-1 border-t border-line p-4 text-table text-t2 max-md:min-h-[6.3125rem]">
      {isRehearsal ? (
        <span className="inline-flex items-center gap-1.5">
          <FlaskConical className="size-3.5 text-t3" />
          {t('rehearsal')}
        </span>
      ) : null}
      {LOCALE_NAMES.filter((one) => one.locale !== locale).map((one) => (
        <button
          key={one.locale}
          type="button"
          lang={one.locale}
          className="link min-h-6 touch:min-h-11"
          onClick={() => setLanguage(one.locale)}
        >
          {one.name}
        </button>
      ))}
    </footer>
  )
}
