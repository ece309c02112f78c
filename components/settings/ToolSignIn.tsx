/** Sign-in at a remote tool server: a page of that server, opened by the operator. */
import { ExternalLink, LogIn } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { call } from '@/client'
import { buttonClass } from '@/components/ui/Button'
import { ServerButton } from '@/components/ui/ServerButton'
import type { SignInBegun, ToolServersAnswer } from '@/lib/wire'

export type ToolServerShown = ToolServersAnswer['servers'][number]

export function ToolSignInPart({ server }: { server: ToolServerShown }) {
  const t = useTranslations('trial')
  const [page, setPage] = useState(server.signInUrl)
  const [words, setWords] = useState<string | null>(null)
  const begin = (): void => {
    setWords(null)
    void call<SignInBegun>('POST', `/api/tools/${encodeURIComponent(server.name)}/sign_in`, {}).then((answer) => {
      if (!answer.ok) setWords('message' in answer.fault ? answer.fault.message : t('failed'))
      else if (answer.value.url === null) setWords(t('signedIn'))
      else setPage(answer.value.url)
    })
  }
  if (!server.remote || server.state === 'connected') return null
  return (
    <div className="mt-1 flex flex-wrap items-center gap-2 text-table" role="status">
      {page !== null && /^https?:\/\//.test(page) ? (
        <>
          <span className="text-waiting">{t('needsSignIn')}</span>
          <a href={page} target="_blank" rel="noopener noreferrer" className={buttonClass('plain')}>
            <ExternalLink className="size-4" />
            {t('openSignIn')}
          </a>
        </>
      ) : (
        <ServerButton icon={<LogIn />} onClick={begin} aria-label={t('signInNamed', { name: server.name })}>
          {t('signIn')}
        </ServerButton>
      )}
      {words === null ? null : <span className="text-t2">{words}</span>}
    </div>
  )
}
