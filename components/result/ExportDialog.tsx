import { Download } from 'lucide-react'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { Button, buttonClass } from '@/components/ui/Button'
import { RadioChoice } from '@/components/ui/fields/Choice'
import { Dialog } from '@/components/ui/overlays/Dialog'
import { useServerAway } from '@/components/ui/serverAway'

const FORMS = ['markdown', 'archive'] as const
type Form = (typeof FORMS)[number]

export default function ExportDialog({ task, name, onClose }: { task: string; name: string; onClose: () => void }) {
  const t = useTranslations('export')
  const tCommon = useTranslations('common')
  const locale = useLocale()
  const [form, setForm] = useState<Form>('markdown')
  const away = useServerAway()
  const query = new URLSearchParams({ as: form, language: locale === 'zh' ? 'zh' : 'en' })
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
      title={t('title', { name })}
      foot={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          {away === null ? (
            <a
              href={`/api/tasks/${task}/export?${query}`}
              download
              className={buttonClass('primary')}
              onClick={() => setTimeout(onClose, 0)}
            >
              <Download className="size-4" />
              {t('save')}
            </a>
          ) : (
            <Button look="primary" isDisabled reason={tCommon('needsServer')}>
              {t('save')}
            </Button>
          )}
        </>
      }
    >
      <p className="pb-3 text-t2">{t('why')}</p>
      <RadioChoice
        label={t('form')}
        value={form}
        onChange={setForm}
        className="flex-col"
        choices={FORMS.map((value) => ({ value, label: t(value) }))}
      />
    </Dialog>
  )
}
