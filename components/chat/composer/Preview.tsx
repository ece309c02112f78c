/** How a text that is being written will look, while it has marks of Markdown. */
import { useDeferredValue, useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { Markdown } from '@/components/ui/text/Markdown'
import { hasMarks } from '@/lib/format/plainText'

export function Preview({ text }: { text: string }) {
  const t = useTranslations('chat')
  const shown = useDeferredValue(text)
  const isShown = useMemo(() => hasMarks(shown), [shown])
  if (!isShown) return null
  return (
    <section
      aria-label={t('preview')}
      className="max-h-40 overflow-y-auto border-t border-line px-3 py-2 max-md:max-h-24 short:hidden"
    >
      <p className="text-meta text-t3">{t('preview')}</p>
      <Markdown text={shown} headingLevel={4} />
    </section>
  )
}
