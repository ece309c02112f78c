/** A draft of a conversation that can no longer be written in, to be copied or discarded. A lazy file. */
import { useTranslations } from 'use-intl'
import { useDraft } from '@/client'
import { KeptText } from '@/components/ui/text/KeptText'

export default function UnsentText({ place }: { place: string }) {
  const t = useTranslations('chat')
  const { text, clear } = useDraft(place)
  return text === '' ? null : <KeptText className="mt-2" label={t('unsent')} text={text} onDiscard={clear} />
}
