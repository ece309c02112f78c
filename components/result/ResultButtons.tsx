/** What a reader does with a result: copy it, save it, ask for a change, or for the same again. */
import { Copy, PencilLine, RotateCcw } from 'lucide-react'
import { useLocale, useTranslations } from 'use-intl'
import { callForBytes } from '@/client/api'
import { againHref } from '@/components/tasks/askAgain'
import { Button, LinkButton } from '@/components/ui/Button'
import { copyText } from '@/components/ui/copyText'
import { showToast } from '@/components/ui/overlays/toast'
import { ServerButton } from '@/components/ui/ServerButton'
import { ServerDownload } from '@/components/ui/ServerDownload'
import { useFaultWords } from '@/components/ui/useFaultWords'

/** onAskChange: null: nothing can be asked for again */
type ResultButtonsProps = { task: string; onAskChange: (() => void) | null }

export function ResultButtons({ task, onAskChange }: ResultButtonsProps) {
  const t = useTranslations('result')
  const faultWords = useFaultWords()
  const language = useLocale() === 'zh' ? 'zh' : 'en'
  const href = `/api/tasks/${task}/export?${new URLSearchParams({ as: 'result', language })}`
  const copy = async (): Promise<void> => {
    const answer = await callForBytes(href)
    if (answer.ok) copyText(await answer.value.text(), t('copied'))
    else showToast('error', faultWords(answer.fault))
  }
  return (
    <div className="-ml-2.5 flex flex-wrap gap-1">
      <ServerButton look="quiet" icon={<Copy />} onClick={() => void copy()}>
        {t('copy')}
      </ServerButton>
      <ServerDownload look="quiet" href={href}>
        {t('save')}
      </ServerDownload>
      {onAskChange === null ? null : (
        <>
          <Button look="quiet" icon={<PencilLine />} onClick={onAskChange}>
            {t('askChange')}
          </Button>
          <LinkButton look="quiet" href={againHref({ kind: 'task', id: task })}>
            <RotateCcw />
            {t('askAgain')}
          </LinkButton>
        </>
      )}
    </div>
  )
}
