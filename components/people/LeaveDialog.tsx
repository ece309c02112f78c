import { useTranslations } from 'use-intl'
import * as z from 'zod/mini'
import { FormDialog } from '@/components/operate/FormDialog'
import { useActForm } from '@/components/operate/useActForm'
import { Select } from '@/components/ui/fields/Choice'
import type { PersonInfo, SetupShown } from '@/lib/wire'
import { leaveAct } from './personActs'

const NOBODY = 'nobody'
const shape = z.nullable(z.string())
const read = (kept: unknown): string | null | undefined => shape.safeParse(kept).data

type LeaveDialogProps = {
  record: SetupShown<'people'>
  person: PersonInfo
  people: readonly PersonInfo[]
  onDone: () => void
  onClose: () => void
}

export function LeaveDialog({ record, person, people, onDone, onClose }: LeaveDialogProps) {
  const t = useTranslations('people')
  const seen = record.changes.at(-1)?.seq ?? 0
  const others = people.filter(({ agent_id }) => agent_id !== person.agent_id)
  const [chosen, choose] = useActForm<string | null>(leaveAct(record.id, seen, null).place, null, read)
  const handTo = others.some(({ agent_id }) => agent_id === chosen) ? chosen : null
  return (
    <FormDialog
      title={t('removeNamed', { name: person.name })}
      action={t('doRemove')}
      takesAway
      missing={null}
      act={leaveAct(record.id, seen, handTo)}
      form={handTo}
      done={t('removed', { name: person.name })}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{t('removeWhy')}</p>
      <Select
        label={t('handTo')}
        value={handTo ?? NOBODY}
        onChange={(next) => choose(next === NOBODY ? null : next)}
        options={[
          { value: NOBODY, label: t('handToNobody') },
          ...others.map(({ agent_id, name, role }) => ({
            value: agent_id as string,
            label: role ? `${name} · ${role}` : name,
          })),
        ]}
      />
    </FormDialog>
  )
}
