/** To whom a transfer is offered, and its sentence; both are kept in one draft. */
import { useTranslations } from 'use-intl'
import type { TextDraft } from '@/client/drafts'
import { Select } from '@/components/ui/fields/Choice'
import { OtherDraft } from '@/components/ui/fields/OtherDraft'
import { TextArea } from '@/components/ui/fields/TextField'
import type { Who } from '@/lib/wire'
import { draftTextIn } from '@/lib/wire/drafts'

const NOBODY = 'nobody yet'

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
      <Select<string>
        label={t('handOverTo')}
        options={[
          { value: NOBODY, label: '—' },
          ...people.map(({ id, name }) => ({ value: id as string, label: name })),
        ]}
        value={receiverIn(draft, people)?.id ?? NOBODY}
        onChange={(next) => draft.setMore({ to: next === NOBODY ? null : next })}
      />
      <TextArea
        label={t('handOverSentence')}
        minLines={1}
        maxLength={1_000}
        value={draft.text}
        error={problem}
        onChange={({ target }) => draft.setText(target.value)}
      />
      <OtherDraft draft={draft} />
    </>
  )
}
