/** Links to the providers of the company, and why the last sign-in there failed. */
import { CircleAlert, LogIn } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { signInAddress } from '@/client/account/api'
import { buttonClass } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import type { WaysToSignIn } from '@/lib/wire'
import { nextPath, signInProblemOf } from './address'

export function CompanyWays({ ways: { passwords, providers } }: { ways: WaysToSignIn }) {
  const t = useTranslations('login')
  if (providers.length === 0) return null
  const back = nextPath(window.location.search)
  return (
    <>
      <ul className="flex flex-col gap-2">
        {providers.map(({ id, name }, place) => (
          <li key={id}>
            <a
              href={signInAddress(id, back)}
              className={cx(buttonClass(passwords || place > 0 ? 'plain' : 'primary', 'large'), 'w-full')}
            >
              <LogIn />
              {t('signInWith', { name })}
            </a>
          </li>
        ))}
      </ul>
      {passwords ? <p className="my-4 text-table text-t3">{t('orPassword')}</p> : null}
    </>
  )
}

/** What the address says of a sign-in that a provider sent back. */
export function CompanyProblem({ providers }: Pick<WaysToSignIn, 'providers'>) {
  const t = useTranslations('login')
  const problem = signInProblemOf(window.location.search)
  if (problem === null) return null
  const name = providers.find(({ id }) => id === problem.by)?.name ?? problem.by
  return (
    <div role="alert" className="mb-4 flex gap-2 rounded-control bg-failed-b px-3 py-2 text-table text-failed">
      <CircleAlert className="mt-0.5 size-4 shrink-0" />
      <span>{t(`problem.${problem.code}`, { name })}</span>
    </div>
  )
}
