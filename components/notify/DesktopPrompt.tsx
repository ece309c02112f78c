/** Our own question before the browser's, asked once after the first alert was handled; only “Allow” asks the browser. */
import { useTranslations } from 'use-intl'
import { saveSettings } from '@/client/account/session'
import { requestDesktopPermission } from '@/client/notify/desktop'
import { NoticeBar } from '@/components/shell/NoticeBar'
import { Button } from '@/components/ui/Button'

export function DesktopPrompt() {
  const t = useTranslations('notify')
  const settle = (): void => void saveSettings({ askedDesktop: true })
  return (
    <NoticeBar
      rank="desktop"
      label={t('askDesktop')}
      action={
        <>
          <Button
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
        </>
      }
    >
      <b className="font-medium">{t('askDesktop')}</b>{' '}
      <span className="text-t2 max-md:hidden">{t('askDesktopWhy')}</span>
    </NoticeBar>
  )
}
