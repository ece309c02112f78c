import { Copy, Pencil, Plus, UserMinus } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import * as z from 'zod/mini'
import { useRow } from '@/client'
import { ActDialog, type ActQuestion } from '@/components/operate/ActDialog'
import { FormDialog } from '@/components/operate/FormDialog'
import { type ActForm, firstMissing, useActForm } from '@/components/operate/useActForm'
import { CheckboxGroup } from '@/components/ui/fields/CheckboxGroup'
import { Checkbox, Select } from '@/components/ui/fields/Choice'
import { TextArea, TextField } from '@/components/ui/fields/TextField'
import { Menu } from '@/components/ui/overlays/Menu'
import { ServerButton } from '@/components/ui/ServerButton'
import type { AgentId } from '@/lib/mas/ids'
import { PART_ENDING_SKILLS, SKILLS } from '@/lib/mas/records'
import type { AgentSetup } from '@/lib/mas/setup/setupRecords'
import type { SetupAnswer } from '@/lib/wire'
import { areGroups, idFor, namesIn, seenOf, setupAct } from './setupCalls'
import { useSetupQuery } from './useSetupQuery'

export function NewAgentButton() {
  const t = useTranslations('setup')
  const { isOperator, data: setup } = useSetupQuery()
  const [isOpen, setOpen] = useState(false)
  if (!isOperator) return null
  return (
    <>
      <ServerButton look="primary" icon={<Plus />} isDisabled={setup === undefined} onClick={() => setOpen(true)}>
        {t('agent.new')}
      </ServerButton>
      {isOpen && setup ? (
        <AgentForm task={{ act: 'new', of: null }} setup={setup} onClose={() => setOpen(false)} />
      ) : null}
    </>
  )
}

type AgentSetupButtonsProps = { agent: AgentId; configId: string | null; name: string }

/** Of one agent that the file or the page names; nothing for others and for members who are no operators. */
export function AgentSetupButtons({ agent, configId, name }: AgentSetupButtonsProps) {
  const t = useTranslations('setup')
  const { isOperator, data: setup } = useSetupQuery()
  const row = useRow(isOperator ? 'agents' : null, agent)
  const [task, setTask] = useState<AgentTask | null>(null)
  const [asked, setAsked] = useState<ActQuestion | null>(null)
  const record = setup?.agents.find(({ id, value }) => id === configId && value?.agent === agent)
  if (!isOperator || setup === undefined || record === undefined) return null
  const takeOut: ActQuestion = {
    title: t('agent.takeOutTitle', { name }),
    what: <p>{t('agent.takeOutWhat', { name, tasks: row?.tasks.length ?? 0, steps: row?.queue ?? 0 })}</p>,
    action: t('agent.takeOutDo'),
    act: setupAct('act:setup.agent', [{ kind: 'agent', id: record.id, value: null, seen: seenOf(record) }]),
    done: t('takenOut', { name }),
    hasReason: false,
  }
  return (
    <>
      <ServerButton icon={<Pencil />} onClick={() => setTask({ act: 'change', of: record })}>
        {t('change')}
      </ServerButton>
      <Menu
        label={t('agent.more', { name })}
        align="start"
        entries={[
          { label: t('agent.copy'), icon: <Copy />, onSelect: () => setTask({ act: 'copy', of: record }) },
          { label: t('agent.takeOut'), icon: <UserMinus />, isDanger: true, onSelect: () => setAsked(takeOut) },
        ]}
      />
      {task === null ? null : <AgentForm task={task} setup={setup} onClose={() => setTask(null)} />}
      <ActDialog asked={asked} onClose={() => setAsked(null)} />
    </>
  )
}

type AgentShown = SetupAnswer['agents'][number]
/** What the form is for: of is null for one that begins empty. */
type AgentTask = { act: 'new' | 'copy' | 'change'; of: AgentShown | null }

const draftShape = z.object({
  name: z.string(),
  role: z.string(),
  profile: z.string(),
  groups: z.string(),
  model: z.string(),
  skills: z.array(z.string()),
  tools: z.array(z.string()),
  manager: z.boolean(),
  steps: z.string(),
  reflections: z.string(),
})
type AgentDraft = z.infer<typeof draftShape>

const draftOf = (value: Omit<AgentSetup, 'agent'> | null, name: string): AgentDraft => ({
  name,
  role: value?.role ?? '',
  profile: value?.profile ?? '',
  groups: (value?.groups ?? []).join(', '),
  model: value?.model ?? 'default',
  skills: [...(value?.skills ?? SKILLS)],
  tools: [...(value?.tools ?? [])],
  manager: value?.manager ?? false,
  steps: String(value?.limits?.stepsPerPart ?? ''),
  reflections: String(value?.limits?.reflectionsPerPart ?? ''),
})

const isLimit = (text: string): boolean => text.trim() === '' || /^[1-9]\d{0,3}$/.test(text.trim())
/** undefined: the team's. */
function limitsOf({ steps, reflections }: AgentDraft): AgentSetup['limits'] {
  if (steps.trim() === '' && reflections.trim() === '') return undefined
  return {
    ...(steps.trim() === '' ? {} : { stepsPerPart: Number(steps) }),
    ...(reflections.trim() === '' ? {} : { reflectionsPerPart: Number(reflections) }),
  }
}

function AgentForm({ task, setup, onClose }: { task: AgentTask; setup: SetupAnswer; onClose: () => void }) {
  const t = useTranslations('setup')
  const { act, of } = task
  const isChange = act === 'change' && of !== null
  const value = of?.value ?? null
  const place = `act:setup.agent.${isChange ? of.id : act}`
  const first = draftOf(
    value,
    value === null ? '' : act === 'copy' ? t('agent.copyOf', { name: value.name }) : value.name,
  )
  const form = useActForm(place, draftShape, first)
  const draft = form.values
  const name = draft.name.trim()
  const id = isChange
    ? of.id
    : idFor(
        name,
        setup.agents.map((one) => one.id),
        'agent',
      )
  return (
    <FormDialog
      title={isChange ? t('agent.changeTitle', { name: of.value?.name ?? of.id }) : t('agent.newTitle')}
      action={isChange ? t('save') : t('create')}
      missing={firstMissing(
        [name === '', t('nameMissing')],
        [!areGroups(draft.groups), t('groupsMissing')],
        [!isLimit(draft.steps) || !isLimit(draft.reflections), t('agent.limitMissing')],
      )}
      hasReason={false}
      isWide
      done={t(isChange ? 'changed' : 'created', { name })}
      act={setupAct(place, [
        {
          kind: 'agent',
          id,
          seen: isChange ? seenOf(of) : null,
          value: {
            ...(isChange ? of.value : null),
            name,
            role: draft.role.trim(),
            profile: draft.profile.trim(),
            groups: namesIn(draft.groups),
            model: draft.model,
            skills: draft.skills,
            tools: draft.tools,
            manager: draft.manager,
            limits: limitsOf(draft),
          },
        },
      ])}
      onClose={onClose}
    >
      <AgentFields form={form} setup={setup} />
    </FormDialog>
  )
}

function AgentFields({ form, setup }: { form: ActForm<AgentDraft>; setup: SetupAnswer }) {
  const { values: draft, set } = form
  const t = useTranslations('setup')
  const text = (name: 'name' | 'role' | 'profile' | 'groups' | 'steps' | 'reflections') => ({
    ...form.text(name),
    label: t(`agent.${name}`),
    autoComplete: 'off',
  })
  const models = [
    'default',
    ...setup.models.flatMap(({ id, value }) => (value === null || id === 'default' ? [] : [id])),
  ]
  return (
    <>
      <div className="grid gap-3 md:grid-cols-2">
        <TextField {...text('name')} maxLength={200} />
        <TextField {...text('role')} maxLength={200} />
      </div>
      <TextArea {...text('profile')} hint={t('agent.profileHint')} minLines={3} />
      <div className="grid gap-3 md:grid-cols-2">
        <Select
          label={t('agent.model')}
          value={draft.model}
          options={models.map((id) => ({ value: id, label: id === 'default' ? t('agent.teamModel') : id }))}
          onChange={(model) => set({ model })}
        />
        <TextField {...text('groups')} hint={t('agent.groupsHint')} />
      </div>
      <CheckboxGroup
        legend={t('agent.tools')}
        names={setup.offered}
        chosen={draft.tools}
        empty={t('agent.noTools')}
        onChange={(tools) => set({ tools })}
      />
      <details className="text-table">
        <summary className="cursor-pointer font-medium">
          {t('agent.skills', { count: draft.skills.length, of: SKILLS.length })}
        </summary>
        <div className="mt-1.5">
          <CheckboxGroup
            legend={t('agent.skillsLegend')}
            names={SKILLS}
            chosen={draft.skills}
            fixed={PART_ENDING_SKILLS}
            onChange={(skills) => set({ skills })}
          />
        </div>
      </details>
      <div className="grid gap-3 md:grid-cols-2">
        <TextField {...text('steps')} hint={t('agent.limitHint')} inputMode="numeric" />
        <TextField {...text('reflections')} inputMode="numeric" />
      </div>
      <Checkbox label={t('agent.manager')} isChecked={draft.manager} onChange={(manager) => set({ manager })} />
    </>
  )
}
