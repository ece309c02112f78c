/** The language of the interface; what people and agents wrote is not translated. */
import { useTranslations } from 'use-intl'
import { setLanguage, useLanguage } from '@/client/account/language'
import { RadioChoice } from '@/components/ui/Choice'
import { LOCALE_NAMES, type Locale } from '@/lib/i18n'
import { Setting, useKeep } from './Setting'

export function LanguagePart() {
  const t = useTranslations('settings')
  const locale = useLanguage()
  const keep = useKeep()
  return (
    <Setting name={t('language')} hint={t('languageWhy')}>
      <RadioChoice<Locale>
        label={t('language')}
        value={locale}
        onChange={(chosen) => {
          setLanguage(chosen)
          if (chosen !== 'en-XA') keep({ language: chosen })
        }}
        choices={LOCALE_NAMES.map((one) => ({ value: one.locale, label: one.name, lang: one.locale }))}
      />
    </Setting>
  )
}
