/** The page /go/<id>: leads to the object with that id, for links from logs and other programs. */
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { Link, navigate } from '@/client/nav'
import type { ScreenProps } from '@/client/nav/screenProps'
import { useApiQuery } from '@/client/queries'
import { PageHeading } from '@/components/ui/PageHeading'
import { ErrorState, Skeleton } from '@/components/ui/States'
import type { SearchHit } from '@/lib/wire'
import { hrefOf, searchHref } from './hits'

export default function Go({ params }: ScreenProps) {
  const t = useTranslations()
  const id = params.id ?? ''
  const { data, error, refetch } = useApiQuery<SearchHit>(`/api/find/${encodeURIComponent(id)}`)
  // Joins the address.
  useEffect(() => {
    if (data) navigate(hrefOf(data) ?? searchHref(id), { replace: true })
  }, [data, id])
  const isUnknown = error !== null && error.error !== 'NO_ANSWER'
  return (
    <div className="page-column pt-5">
      <PageHeading title={[isUnknown ? t('search.noSuchId') : t('search.title')]} className="sr-only">
        {isUnknown ? t('search.noSuchId') : t('search.lookingUp', { id })}
      </PageHeading>
      {error === null ? (
        <Skeleton lines={5} className="px-0!" />
      ) : isUnknown ? (
        <ErrorState title={t('search.noSuchId')}>
          {t('search.noSuchIdWhy', { id })}{' '}
          <Link href={searchHref(id)} className="link">
            {t('search.title')}
          </Link>
        </ErrorState>
      ) : (
        <ErrorState title={t('common.needsServer')} onRetry={refetch} />
      )}
    </div>
  )
}
