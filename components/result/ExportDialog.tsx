import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { Button } from '@/components/ui/Button'
import { RadioChoice } from '@/components/ui/fields/Choice'
import { Dialog } from '@/components/ui/overlays/Dialog'
import { ServerDownload } from '@/components/ui/ServerDownload'

const FORMS = ['markdown', 'archive'] as const
type Form = (typeof FORMS)[number]

export default function ExportDialog({ task, name, onClose }: { task: string; name: string; onClose: () => void }) {
  const t = useTranslations('export')
  const locale = useLocale()
  const [form, setForm] = useState<Form>('markdown')
  const query = new URLSearchParams({ as: form, language: locale === 'zh' ? 'zh' : 'en' })
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
      title={t('title', { name })}
      foot={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <ServerDownload
            look="primary"
            href={`/api/tasks/${task}/export?${query}`}
            onDownload={() => setTimeout(onClose, 0)}
          >
            {t('save')}
          </ServerDownload>
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
