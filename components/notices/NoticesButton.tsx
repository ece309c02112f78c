/** “Notices, 2 new” in the top bar: a lazy panel, or on a phone a link to the page. */
import { Bell } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { buttonClass } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { Badge } from '@/components/ui/marks/Badges'
import { Popover } from '@/components/ui/overlays/Popover'
import { NoticesPanel } from './lazy'
import { useNotices } from './notices'

const LOOK = cx(buttonClass('quiet'), 'relative px-2!')

export function NoticesButton() {
  const t = useTranslations('notices')
  const { fresh } = useNotices()
  const name = fresh > 0 ? t('new', { count: fresh }) : t('title')
  return (
    <>
      <span className="contents max-md:hidden">
        <Popover
          content={(onClose) => <NoticesPanel onClose={onClose} />}
          label={t('title')}
          align="end"
          className="w-96"
          trigger={
            <button type="button" aria-label={name} title={name} className={LOOK}>
              <ButtonContent fresh={fresh} />
            </button>
          }
        />
      </span>
      <Link href={pathTo('notices')} aria-label={name} className={cx(LOOK, 'md:hidden')}>
        <ButtonContent fresh={fresh} />
      </Link>
    </>
  )
}

function ButtonContent({ fresh }: { fresh: number }) {
  const t = useTranslations('notices')
  return (
    <>
      <Bell className="size-4 text-t3" />
      <span className="max-xl:sr-only">{t('title')}</span>
      {/* The count moves nothing: its width is reserved, or it overlays the icon. */}
      <span className="grid max-xl:absolute max-xl:top-0 max-xl:right-0 xl:min-w-[1.125rem]">
        {fresh > 0 ? <Badge count={fresh} look="soft" /> : null}
      </span>
    </>
  )
}
