import { useTranslations } from 'use-intl'
import { Schedules } from './Schedules'
import { Templates } from './Templates'

export function TemplatesPart() {
  const t = useTranslations('templates')
  return (
    <div className="flex flex-col gap-8">
      <section aria-label={t('title')}>
        <Templates />
      </section>
      <section aria-label={t('schedules')}>
        <Schedules />
      </section>
    </div>
  )
}
