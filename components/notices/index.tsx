/** The notices as a page, for phones and their own address. */
import { useTranslations } from 'use-intl'
import { useViewStatus } from '@/client'
import { PageHeading } from '@/components/ui/PageHeading'
import { Skeleton } from '@/components/ui/States'
import { NoticeList } from './NoticeList'

export default function NoticesPage() {
  const t = useTranslations('notices')
  const { status } = useViewStatus('me')
  return (
    <div data-scroll className="page-scroll pb-12">
      <div className="page-column">
        <div className="pt-5 pb-2 max-md:pt-4">
          <PageHeading title={[t('title')]}>{t('title')}</PageHeading>
        </div>
        {status === 'loading' ? <Skeleton lines={6} className="px-0!" /> : <NoticeList />}
      </div>
    </div>
  )
}
