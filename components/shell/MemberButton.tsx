import type { ComponentProps } from 'react'
import { useTranslations } from 'use-intl'
import { buttonClass } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { Avatar } from '@/components/ui/marks/Avatar'

export function MemberButton({ name, id, ...rest }: ComponentProps<'button'> & { name: string; id: string }) {
  const t = useTranslations('shell')
  return (
    <button
      {...rest}
      type="button"
      aria-label={t('member', { name })}
      className={cx(buttonClass('quiet'), 'px-1.5! text-t1! touch:px-2!')}
    >
      <Avatar who={{ id, name, kind: 'human' }} size={24} />
      <span className="max-lg:hidden">{name}</span>
    </button>
  )
}
