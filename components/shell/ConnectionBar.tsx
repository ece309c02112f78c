/** A bar above the page while there is no connection or no session. The page below stays readable. */

import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { ConnectionState } from '@/client/connection'
import { getPageClient } from '@/client/pageClient'
import { Button, buttonClass } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { useClockText } from '@/components/ui/Time'
import { useConnectionLook } from './connectionWords'

function Bar({ children, action }: { children: ReactNode; action: ReactNode }) {
  return (
    <div
      className={cx(
        'relative z-connection flex min-h-10 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 bg-blocked-b',
        'px-4 py-1.5 text-table text-blocked',
      )}
    >
      <span className="min-w-0 grow">{children}</span>
      {action}
    </div>
  )
}

export function ConnectionBar({ connection, isSignedOut }: { connection: ConnectionState; isSignedOut: boolean }) {
  const t = useTranslations()
  const clock = useClockText()
  const look = useConnectionLook(connection)
  if (isSignedOut || look === 'signed-out') {
    const here = typeof window === 'undefined' ? '/' : window.location.pathname + window.location.search
    return (
      <Bar
        action={
          <a href={`/login?next=${encodeURIComponent(here)}`} className={buttonClass('plain')}>
            {t('shell.signInAgain')}
          </a>
        }
      >
        <b>{t('shell.signedOut')}</b> · {t('shell.signedOutWhy')}
      </Bar>
    )
  }
  if (look === 'new-version') {
    return (
      <Bar action={<Button onClick={() => window.location.reload()}>{t('connection.reload')}</Button>}>
        {t('connection.newVersionWhy')}
      </Bar>
    )
  }
  if (look === 'offline') {
    return (
      <Bar action={<Button onClick={() => getPageClient().socket.reconnect()}>{t('connection.tryNow')}</Button>}>
        {t('connection.offlineWhy', { clock: clock(connection.since) })}
      </Bar>
    )
  }
  return null
}
