/** Our own question before the browser's, asked once after the first alert was handled; only “Allow” asks the browser. */
import { useTranslations } from 'use-intl'
import { saveSettings } from '@/client/account/session'
import { requestDesktopPermission } from '@/client/notify/desktop'
import { Button } from '@/components/ui/Button'

export function DesktopPrompt() {
  const t = useTranslations('notify')
  const settle = (): void => void saveSettings({ askedDesktop: true })
  return (
    <section
      aria-label={t('askDesktop')}
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-s2 px-4 py-2 text-table"
    >
      <p className="min-w-0 grow">
        <b className="font-medium">{t('askDesktop')}</b> <span className="text-t2">{t('askDesktopWhy')}</span>
      </p>
      <Button
        look="primary"
        onClick={() => {
          settle()
          void requestDesktopPermission()
        }}
      >
        {t('allow')}
      </Button>
      <Button look="quiet" onClick={settle}>
        {t('notNow')}
      </Button>
    </section>
  )
}
