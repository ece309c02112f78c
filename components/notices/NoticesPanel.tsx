import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from '@/client/nav'
import { Popover } from '@/components/ui/overlays/Popover'
import { NoticeList } from './NoticeList'
import { NoticesTrigger } from './NoticesButton'
import { useNotices } from './notices'

export default function NoticesPanel() {
  const t = useTranslations('notices')
  const { fresh } = useNotices()
  const [isOpen, setOpen] = useState(true)
  return (
    <Popover
      label={t('title')}
      align="end"
      className="w-96"
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={<NoticesTrigger fresh={fresh} />}
    >
      <NoticeList onOpen={() => setOpen(false)} />
      <Link href="/inbox?view=fyi" className="link mt-2 inline-block px-2 text-table" onClick={() => setOpen(false)}>
        {t('toInbox')}
      </Link>
    </Popover>
  )
}
