import { useTranslations } from 'use-intl'
import { Link } from '@/client/nav'
import { NoticeList } from './NoticeList'

export default function NoticesPanel({ onClose }: { onClose: () => void }) {
  const t = useTranslations('notices')
  return (
    <>
      <NoticeList onOpen={onClose} />
      <Link href="/inbox?view=fyi" className="link mt-2 inline-block px-2 text-table" onClick={onClose}>
        {t('toInbox')}
      </Link>
    </>
  )
}
