import { useTranslations } from 'use-intl'
import * as z from 'zod/mini'
import { useApiQuery } from '@/client/queries'
import { FormDialog } from '@/components/operate/FormDialog'
import { memberOptions } from '@/components/operate/MemberDialogs'
import { useActForm } from '@/components/operate/useActForm'
import { seenOf } from '@/components/setup/setupCalls'
import { OptionalSelect } from '@/components/ui/fields/Choice'
import type { PeopleAnswer, PersonInfo, SetupShown } from '@/lib/wire'
import { leaveAct } from './personActs'

const shape = z.object({ handTo: z.nullable(z.string()) })

type LeaveDialogProps = {
  record: SetupShown<'people'>
  person: PersonInfo
  people: readonly PersonInfo[]
  onClose: () => void
}

export function LeaveDialog({ record, person, people, onClose }: LeaveDialogProps) {
  const t = useTranslations('people')
  const seen = seenOf(record)
  const others = people.filter(({ agent_id }) => agent_id !== person.agent_id)
  const { values, set } = useActForm(leaveAct(record.id, seen, null).place, shape, { handTo: null })
  // Asked for now: they may have written since the page was opened.
  const { data } = useApiQuery<PeopleAnswer>('/api/people')
  const now = data?.people.find(({ agent_id }) => agent_id === person.agent_id)
  const { drafts } = now ?? person
  const handTo = others.find(({ agent_id }) => agent_id === values.handTo)?.agent_id ?? null
  return (
    <FormDialog
      title={t('removeNamed', { name: person.name })}
      action={t('doRemove')}
      takesAway
      missing={null}
      act={leaveAct(record.id, seen, handTo)}
      done={t('removed', { name: person.name })}
      onClose={onClose}
    >
      <p>{t('removeWhy')}</p>
      {drafts === 0 ? null : <p>{t('removeDrafts', { count: drafts })}</p>}
      <OptionalSelect
        label={t('handTo')}
        none={t('handToNobody')}
        value={handTo}
        onChange={(handTo) => set({ handTo })}
        options={memberOptions(others.map(({ agent_id, ...other }) => ({ ...other, id: agent_id as string })))}
      />
    </FormDialog>
  )
}
