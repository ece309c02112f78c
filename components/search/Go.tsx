/** The page /go/<id>: leads to whatever an id names, for links from logs and other programs. */
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { type CallRefused, call } from '@/client'
import { Link, navigate } from '@/client/nav'
import type { ScreenProps } from '@/components/shell/screenTypes'
import { PageHeading } from '@/components/ui/PageHeading'
import { ErrorState, Skeleton } from '@/components/ui/States'
import type { SearchHit } from '@/lib/wire'
import { hrefOf, searchHref } from './hits'

export default function Go({ params }: ScreenProps) {
  const t = useTranslations()
  const id = params.id ?? ''
  const [fault, setFault] = useState<CallRefused | null>(null)
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is another question.
  useEffect(() => {
    // Joins the server: it knows every id.
    let isWanted = true
    setFault(null)
    void call<SearchHit>('GET', `/api/find/${encodeURIComponent(id)}`).then((came) => {
      if (!isWanted) return
      if (!came.ok) setFault(came.fault)
      else navigate(hrefOf(came.value) ?? searchHref(id), { replace: true })
    })
    return () => {
      isWanted = false
    }
  }, [id, tries])
  const isUnknown = fault !== null && fault.error !== 'NO_ANSWER'
  return (
    <div className="mx-auto w-full max-w-[53.5rem] px-6 pt-5 max-md:px-4">
      <PageHeading title={[isUnknown ? t('search.noSuchId') : t('search.title')]} className="sr-only">
        {isUnknown ? t('search.noSuchId') : t('search.lookingUp', { id })}
      </PageHeading>
      {fault === null ? (
        <Skeleton lines={5} className="px-0!" />
      ) : isUnknown ? (
        <ErrorState title={t('search.noSuchId')}>
          {t('search.noSuchIdWhy', { id })}{' '}
          <Link href={searchHref(id)} className="link">
            {t('search.title')}
          </Link>
        </ErrorState>
      ) : (
        <ErrorState title={t('common.needsServer')} onRetry={() => setTries(tries + 1)} />
      )}
    </div>
  )
}
