/** To whom a transfer is offered, and its sentence; both are kept in one draft. */
import { useTranslations } from 'use-intl'
import type { TextDraft } from '@/client/drafts'
import { OptionalSelect } from '@/components/ui/fields/Choice'
import { DraftArea } from '@/components/ui/fields/OtherDraft'
import type { Who } from '@/lib/wire'
import { draftTextIn } from '@/lib/wire/drafts'

export const receiverIn = <Person extends Pick<Who, 'id'>>(draft: TextDraft, people: readonly Person[]) =>
  people.find(({ id }) => id === draftTextIn(draft.more, 'to'))

type TransferFieldsProps = {
  people: readonly Pick<Who, 'id' | 'name'>[]
  draft: TextDraft
  problem?: string | null
}

export function TransferFields({ people, draft, problem = null }: TransferFieldsProps) {
  const t = useTranslations('request')
  return (
    <>
      <OptionalSelect
        label={t('handOverTo')}
        none={t('handOverNone')}
        isRequired
        options={people.map(({ id, name }) => ({ value: id, label: name }))}
        value={receiverIn(draft, people)?.id ?? null}
        onChange={(to) => draft.setMore({ to })}
      />
      <DraftArea draft={draft} label={t('handOverSentence')} minLines={1} maxLength={1_000} error={problem} />
    </>
  )
}
