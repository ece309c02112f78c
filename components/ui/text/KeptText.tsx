import { useTranslations } from 'use-intl'
import { Button } from '../Button'
import { copyText } from '../copyText'
import { cx } from '../cx'
import { Scrolled } from './Scrolled'

type KeptTextProps = { label: string; text: string; isCode?: boolean; onDiscard?: () => void; className?: string }

export function KeptText({ label, text, isCode = false, onDiscard, className }: KeptTextProps) {
  const t = useTranslations('common')
  return (
    <section aria-label={label} className={cx('min-w-0', className)}>
      <p className="text-meta text-t3">{label}</p>
      {isCode ? (
        <Scrolled as="pre" className="mt-1 max-h-72 overflow-auto rounded-control bg-s3 px-3 py-2 font-mono text-table">
          {text}
        </Scrolled>
      ) : (
        <p className="mt-1 max-h-72 max-w-[68ch] overflow-y-auto break-words whitespace-pre-wrap text-t2">{text}</p>
      )}
      <div className="mt-1 flex flex-wrap gap-2">
        <Button look="quiet" className="-ml-2.5" onClick={() => copyText(text, t('copied'))}>
          {t('copy')}
        </Button>
        {onDiscard ? (
          <Button look="quiet" onClick={onDiscard}>
            {t('discard')}
          </Button>
        ) : null}
      </div>
    </section>
  )
}
