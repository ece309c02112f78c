import { useTranslations } from 'use-intl'
import * as z from 'zod/mini'
import { FormDialog } from '@/components/operate/FormDialog'
import { firstMissing, useActForm } from '@/components/operate/useActForm'
import { ChangesList } from '@/components/setup/ChangesList'
import { areGroups, namesIn, plainId, seenOf } from '@/components/setup/setupCalls'
import { CheckboxGroup } from '@/components/ui/fields/CheckboxGroup'
import { RadioChoice } from '@/components/ui/fields/Choice'
import { TextArea, TextField } from '@/components/ui/fields/TextField'
import { SETUP_ID } from '@/lib/mas/setup/setupFields'
import { ACCESS_LEVELS } from '@/lib/mas/team/abilities'
import type { LinkAnswer, SetupShown } from '@/lib/wire'
import { changePersonAct, inviteAct } from './personActs'

const NAME_LENGTH = 200
const ID_LENGTH = 64

const shape = z.object({
  id: z.nullable(z.string()),
  name: z.string(),
  role: z.string(),
  profile: z.string(),
  groups: z.string(),
  tools: z.array(z.string()),
  access: z.enum(ACCESS_LEVELS),
})
/** id: null while it follows the name. groups: separated by commas. */
type Form = z.infer<typeof shape>
const EMPTY: Form = { id: null, name: '', role: '', profile: '', groups: '', tools: [], access: 'participant' }

const formOf = ({ value, id }: SetupShown<'people'>): Form =>
  value === null
    ? EMPTY
    : {
        id,
        name: value.name,
        role: value.role,
        profile: value.profile,
        groups: value.groups.join(', '),
        tools: value.tools,
        access: value.access === 'none' ? 'participant' : value.access,
      }

type PersonDialogProps = {
  /** null: somebody new. */
  record: SetupShown<'people'> | null
  tools: readonly string[]
  onInvited: (name: string, link: LinkAnswer) => void
  onClose: () => void
}

export function PersonDialog({ record, tools, onInvited, onClose }: PersonDialogProps) {
  const t = useTranslations('people')
  const settings = useTranslations('settings')
  const setupWords = useTranslations('setup')
  const place = record === null ? 'act:people.invite' : changePersonAct(record.id, { name: '' }, 0).place
  const { values: form, set, text } = useActForm(place, shape, record === null ? EMPTY : formOf(record))
  const id = form.id ?? plainId(form.name, ID_LENGTH)
  const { name, role, profile, access } = form
  const value = {
    name: name.trim(),
    role: role.trim(),
    profile: profile.trim(),
    groups: namesIn(form.groups),
    tools: form.tools,
    access,
  }
  const missing = firstMissing(
    [value.name === '', t('missing.name')],
    [!SETUP_ID.test(id), t('missing.id')],
    [!areGroups(form.groups), setupWords('groupsMissing')],
  )
  const act =
    record === null
      ? inviteAct(id, value, (link) => onInvited(value.name, link))
      : changePersonAct(record.id, value, seenOf(record))
  return (
    <FormDialog
      title={record === null ? t('invite') : t('changeNamed', { name: record.value?.name ?? record.id })}
      action={t(record === null ? 'doInvite' : 'save')}
      hasReason={false}
      missing={missing}
      act={act}
      // The dialog of the link says that they were invited.
      done={record === null ? null : t('saved', { name: value.name })}
      onClose={onClose}
    >
      {record === null ? <p>{t('inviteWhy')}</p> : null}
      <TextField {...text('name')} label={t('name')} maxLength={NAME_LENGTH} />
      {record === null ? (
        <TextField
          label={t('id')}
          hint={t('idHint')}
          value={id}
          maxLength={ID_LENGTH}
          className="font-mono"
          onChange={(event) => set({ id: event.target.value === '' ? null : event.target.value })}
        />
      ) : null}
      <TextField {...text('role')} label={t('role')} />
      <div>
        <p className="mb-1 text-table font-medium">{t('access')}</p>
        <RadioChoice
          label={t('access')}
          choices={ACCESS_LEVELS.map((one) => ({
            value: one,
            label: settings(`accessWord.${one}`),
            hint: t(`accessHint.${one}`),
          }))}
          value={access}
          onChange={(access) => set({ access })}
        />
      </div>
      <TextField {...text('groups')} label={t('groups')} hint={t('groupsHint')} />
      {tools.length === 0 ? null : (
        <CheckboxGroup legend={t('tools')} names={tools} chosen={form.tools} onChange={(tools) => set({ tools })} />
      )}
      <TextArea {...text('profile')} label={t('profile')} hint={t('profileHint')} minLines={2} maxLines={6} />
      {record === null ? null : <ChangesList kind="human" record={record} value={record.value} onUndone={onClose} />}
    </FormDialog>
  )
}
