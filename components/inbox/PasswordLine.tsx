/** For who came by a link and has work here by now: without a password, or a provider, they could not come back. */
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRows } from '@/client'
import { askPassword } from '@/client/account/confirming'
import { mustSetPassword, useMe } from '@/client/account/session'
import { Button } from '@/components/ui/Button'
import { ServerButton } from '@/components/ui/ServerButton'

export function PasswordLine() {
  const t = useTranslations()
  const me = useMe()
  const [isLater, setLater] = useState(false)
  const hasWork = useRows('overview').some((row) => !row.base)
  if (me === null || !mustSetPassword(me) || !hasWork || isLater) return null
  return (
    <section
      aria-label={t('login.setPassword')}
      className="mt-3 flex flex-wrap items-center gap-y-1 text-table text-t2"
    >
      <p className="flex min-w-0 grow basis-56 items-center gap-2">
        <KeyRound className="size-4 shrink-0 text-t3" />
        {t('inbox.passwordWhy')}
      </p>
      <div className="flex flex-wrap items-center gap-x-1 pl-6">
        <ServerButton onClick={() => void askPassword(false)}>{t('login.setPassword')}</ServerButton>
        <Button look="quiet" onClick={() => setLater(true)}>
          {t('inbox.passwordLater')}
        </Button>
      </div>
    </section>
  )
}
