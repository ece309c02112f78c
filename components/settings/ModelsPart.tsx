import { ExternalLink, LogIn } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { call } from '@/client'
import { useApiQuery } from '@/client/queries'
import { FilePart } from '@/components/setup/FilePart'
import { ModelsList } from '@/components/setup/ModelsList'
import { useTrial } from '@/components/setup/SetupTry'
import { buttonClass } from '@/components/ui/Button'
import { ServerButton } from '@/components/ui/ServerButton'
import { FaultState, Skeleton } from '@/components/ui/States'
import { useFaultWords } from '@/components/ui/useFaultWords'
import type { PostTry, SignInBegun, ToolServersAnswer, Triable, TriedAnswer } from '@/lib/wire'

export function ModelsPart() {
  const t = useTranslations('trial')
  const { data, error, refetch } = useApiQuery<Triable>('/api/system/try')
  const servers = useApiQuery<ToolServersAnswer>('/api/tools').data?.servers ?? []
  if (error !== null) return <FaultState title={t('failed')} fault={error} onRetry={refetch} />
  if (data === undefined) return <Skeleton lines={4} />
  const { tools } = data
  return (
    <section aria-label={t('title')}>
      <h2 className="text-question font-bold">{t('title')}</h2>
      <p className="mb-3 text-t2">{t('why')}</p>
      <ModelsList />
      <h3 className="mt-4 text-meta font-medium text-t3">{t('tools')}</h3>
      {tools.length === 0 ? (
        <p className="text-table text-t3">{t('noTools')}</p>
      ) : (
        <ul className="border-y border-line">
          {tools.map((name) => (
            <li key={name} className="border-b border-line py-2 last:border-b-0">
              <Trial name={name} />
              {servers.map((server) => (server.name === name ? <ToolSignInPart key={name} server={server} /> : null))}
            </li>
          ))}
        </ul>
      )}
      <FilePart />
    </section>
  )
}

function Trial({ name }: { name: string }) {
  const body: PostTry = { kind: 'tool', name }
  const { button, line } = useTrial({ name, run: () => call<TriedAnswer>('POST', '/api/system/try', body) })
  return (
    <>
      <div className="flex items-center gap-3 text-table">
        <span data-literal className="min-w-0 grow font-mono break-words">
          {name}
        </span>
        {button}
      </div>
      {line}
    </>
  )
}

type ToolServerShown = ToolServersAnswer['servers'][number]

function ToolSignInPart({ server }: { server: ToolServerShown }) {
  const t = useTranslations('trial')
  const faultWords = useFaultWords()
  const [page, setPage] = useState(server.signInUrl)
  const [words, setWords] = useState<string | null>(null)
  const begin = (): void => {
    setWords(null)
    void call<SignInBegun>('POST', `/api/tools/${encodeURIComponent(server.name)}/sign_in`, {}).then((answer) => {
      if (!answer.ok) setWords(faultWords(answer.fault))
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
