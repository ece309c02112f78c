import { useLocale, useTranslations } from 'use-intl'
import { pageClock } from '@/client/clock'
import { useDisplay } from '@/client/theme'
import { Button } from '@/components/ui/Button'
import { copyText } from '@/components/ui/copyText'
import { TextField } from '@/components/ui/fields/TextField'
import { Dialog } from '@/components/ui/overlays/Dialog'
import { formatClock } from '@/lib/format'
import type { LinkAnswer } from '@/lib/wire'

export type MadeLink = { name: string; link: LinkAnswer }

export function LinkDialog({ made, onClose }: { made: MadeLink; onClose: () => void }) {
  const t = useTranslations()
  const locale = useLocale()
  const style = useDisplay((display) => display.time)
  const { name, link } = made
  const time = formatClock(link.expiresAt, { locale, style, now: pageClock.now() })
  const title = t('settings.linkFor', { name })
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={title}
      foot={
        <>
          <Button look="primary" onClick={() => copyText(link.url, t('common.copied'))}>
            {t('common.copyLink')}
          </Button>
          <Button onClick={onClose}>{t('common.close')}</Button>
        </>
      }
    >
      <p className="mb-3 text-t2">{t('settings.linkWhy', { name, time })}</p>
      <TextField
        label={title}
        isLabelHidden
        readOnly
        value={link.url}
        onFocus={(event) => event.target.select()}
        className="font-mono text-table"
      />
    </Dialog>
  )
}
