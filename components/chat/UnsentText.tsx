/** What was begun in a conversation in which one cannot write any more: kept, to be copied or let go. */
import { useTranslations } from 'use-intl'
import { useDraft } from '@/client'
import { KeptText } from '@/components/ui/KeptText'

export default function UnsentText({ place }: { place: string }) {
  const t = useTranslations('chat')
  const { text, clear } = useDraft(place)
  return text === '' ? null : <KeptText className="mt-2" label={t('unsent')} text={text} onDiscard={clear} />
}
