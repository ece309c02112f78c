import { Flag } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Link } from '@/client/nav'
import { cx } from '@/components/ui/cx'
import type { CheckpointShown } from '@/lib/wire'

type CheckpointMarkProps = {
  checkpoint: Pick<CheckpointShown, 'label' | 'stageNumber'>
  href: string
  /** sign: the flag alone, beside words that name the work. */
  look?: 'row' | 'sign'
  className?: string
}

export function CheckpointMark({ checkpoint, href, look = 'row', className }: CheckpointMarkProps) {
  const t = useTranslations('checkpoint')
  const words =
    checkpoint.stageNumber === null ? checkpoint.label : t('stageFinished', { number: checkpoint.stageNumber })
  return (
    <Link
      data-row={look === 'row' ? '' : undefined}
      data-kind="checkpoint-mark"
      href={href}
      aria-label={t('mark', { label: words })}
      title={t('mark', { label: checkpoint.label })}
      className={cx(
        'min-w-0 items-center gap-1.5 text-t1 hover:underline',
        look === 'sign' ? 'relative inline-flex shrink-0 after:absolute after:-inset-1.5' : 'flex',
        className,
      )}
    >
      <Flag className="size-3.5 shrink-0 text-done" />
      {look === 'row' ? <span className="cut">{checkpoint.label}</span> : null}
    </Link>
  )
}
