/** The bar below a conversation while messages are selected. A lazy file. */
import { useTranslations } from 'use-intl'
import { Button } from '@/components/ui/Button'

/** Exported here, so that it is loaded with the bar only. */
export { linesAsMarkdown } from './fns/markdown'

type SelectionBarProps = { count: number; onCopy: () => void; onCopyAll: () => void; onEnd: () => void }

export default function SelectionBar({ count, onCopy, onCopyAll, onEnd }: SelectionBarProps) {
  const t = useTranslations()
  return (
    <p role="status" className="flex shrink-0 flex-wrap items-center gap-2 border-t border-line px-5 py-2 max-md:px-4">
      <span className="grow text-t2">{t('chat.picked', { count })}</span>
      <Button isDisabled={count === 0} reason={t('chat.pickFirst')} onClick={onCopy}>
        {t('chat.copyMarkdown')}
      </Button>
      <Button onClick={onCopyAll}>{t('chat.copyAllMarkdown')}</Button>
      <Button look="quiet" onClick={onEnd}>
        {t('common.cancel')}
      </Button>
    </p>
  )
}
