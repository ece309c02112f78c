import { useTranslations } from 'use-intl'
import * as z from 'zod/mini'
import { FormDialog } from '@/components/operate/FormDialog'
import { useActForm } from '@/components/operate/useActForm'
import { useAccessWord } from '@/components/settings/accessWord'
import { ChangesList } from '@/components/setup/ChangesList'
import { Checkbox, RadioChoice } from '@/components/ui/fields/Choice'
import { TextArea, TextField } from '@/components/ui/fields/TextField'
import type { LinkAnswer, SetupShown } from '@/lib/wire'
import { changePersonAct, inviteAct } from './personActs'

const NAME_LENGTH = 200
const ID_LENGTH = 64
const ACCESS = ['participant', 'operator', 'developer'] as const

const shape = z.object({
  id: z.nullable(z.string()),
  name: z.string(),
  role: z.string(),
  profile: z.string(),
  groups: z.string(),
  tools: z.array(z.string()),
  access: z.enum(ACCESS),
})
/** id: null while it follows the name. groups: separated by commas. */
type Form = z.infer<typeof shape>
const read = (kept: unknown): Form | undefined => shape.safeParse(kept).data
const EMPTY: Form = { id: null, name: '', role: '', profile: '', groups: '', tools: [], access: 'participant' }

/** An id as the configuration takes it, made of a name; empty where no letter of it fits. */
const idFrom = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, ID_LENGTH)

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
  onInvited?: (name: string, link: LinkAnswer) => void
  onUndone?: () => void
  onDone: () => void
  onClose: () => void
}

export function PersonDialog({ record, tools, onInvited, onUndone, onDone, onClose }: PersonDialogProps) {
  const t = useTranslations('people')
  const accessWord = useAccessWord()
  const place = record === null ? 'act:people.invite' : changePersonAct(record.id, { name: '' }, 0).place
  const [form, change] = useActForm<Form>(place, record === null ? EMPTY : formOf(record), read)
  const id = form.id ?? idFrom(form.name)
  const set = (next: Partial<Form>): void => change({ ...form, ...next })
  const { name, role, profile, access } = form
  const groups = [...new Set(form.groups.split(/[,，]/).map((one) => one.trim()))].filter((one) => one !== '')
  const value = { name: name.trim(), role: role.trim(), profile: profile.trim(), groups, tools: form.tools, access }
  const missing = value.name === '' ? t('missing.name') : id === '' ? t('missing.id') : null
  const act =
    record === null
      ? inviteAct(id, value, (link) => onInvited?.(value.name, link))
      : changePersonAct(record.id, value, record.changes.at(-1)?.seq ?? 0)
  return (
    <FormDialog
      title={record === null ? t('invite') : t('changeNamed', { name: record.value?.name ?? record.id })}
      action={t(record === null ? 'doInvite' : 'save')}
      hasReason={false}
      missing={missing}
      act={act}
      form={{ ...form, id }}
      done={record === null ? t('invited', { name: value.name }) : t('saved', { name: value.name })}
      onDone={onDone}
      onClose={onClose}
    >
      {record === null ? <p>{t('inviteWhy')}</p> : null}
      <TextField
        label={t('name')}
        value={name}
        maxLength={NAME_LENGTH}
        onChange={(event) => set({ name: event.target.value })}
      />
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
      <TextField label={t('role')} value={role} onChange={(event) => set({ role: event.target.value })} />
      <div>
        <p className="mb-1 text-table font-medium">{t('access')}</p>
        <RadioChoice
          label={t('access')}
          choices={ACCESS.map((one) => ({ value: one, label: accessWord(one), hint: t(`accessHint.${one}`) }))}
          value={access}
          onChange={(next) => set({ access: next })}
        />
      </div>
      <TextField
        label={t('groups')}
        hint={t('groupsHint')}
        value={form.groups}
        onChange={(event) => set({ groups: event.target.value })}
      />
      {tools.length === 0 ? null : (
        <fieldset>
          <legend className="mb-1 text-table font-medium">{t('tools')}</legend>
          <ul aria-label={t('tools')} className="flex flex-wrap gap-x-4 gap-y-1.5">
            {tools.map((tool) => (
              <li key={tool}>
                <Checkbox
                  label={tool}
                  isChecked={form.tools.includes(tool)}
                  onChange={(isOn) =>
                    set({ tools: isOn ? [...form.tools, tool] : form.tools.filter((one) => one !== tool) })
                  }
                />
              </li>
            ))}
          </ul>
        </fieldset>
      )}
      <TextArea
        label={t('profile')}
        hint={t('profileHint')}
        value={profile}
        minLines={2}
        maxLines={6}
        onChange={(event) => set({ profile: event.target.value })}
      />
      {record === null ? null : <ChangesList kind="human" record={record} value={record.value} onUndone={onUndone} />}
    </FormDialog>
  )
}
