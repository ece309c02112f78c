/** The form of a tool server: to add one by its address, or by a command that the file allows; or to change one. */
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import * as z from 'zod/mini'
import type { ApiResult } from '@/client/api'
import { FormDialog } from '@/components/operate/FormDialog'
import { type ActForm, firstMissing, useActForm } from '@/components/operate/useActForm'
import { CheckboxGroup } from '@/components/ui/fields/CheckboxGroup'
import { OptionalSelect, Select } from '@/components/ui/fields/Choice'
import { TextArea, TextField } from '@/components/ui/fields/TextField'
import { ADDRESS_LENGTH, CONFIRM_RULES, HEADER_NAME, isKeylessAddress, SETUP_ID } from '@/lib/mas/setup/setupFields'
import type { ToolSetup } from '@/lib/mas/setup/setupRecords'
import type { SetupAnswer } from '@/lib/wire'
import { KeyField, useKeptKey } from './KeyField'
import { useTrial } from './SetupTry'
import { fileOriginOf, type SetupChange, seenOf, setupAct, trySetup } from './setupCalls'

type ToolShown = SetupAnswer['tools'][number]
type Rule = ToolSetup['confirm']
const BY_ADDRESS = 'address'

const draftShape = z.object({
  id: z.string(),
  /** BY_ADDRESS, or one of the commands that the file allows. */
  way: z.string(),
  address: z.string(),
  args: z.string(),
  header: z.string(),
  guide: z.string(),
  confirm: z.enum(CONFIRM_RULES),
  rules: z.record(z.string(), z.enum(CONFIRM_RULES)),
  agents: z.array(z.string()),
})
type ToolDraft = z.infer<typeof draftShape>

const draftOf = (of: ToolShown | null, { agents }: SetupAnswer): ToolDraft => ({
  id: of?.id ?? '',
  way: of?.value?.command ?? BY_ADDRESS,
  address: of?.value?.address ?? '',
  args: (of?.value?.args ?? []).join('\n'),
  header: of?.value?.headers[0]?.name ?? 'Authorization',
  guide: of?.value?.guide ?? '',
  confirm: of?.value?.confirm ?? 'risky',
  rules: { ...of?.value?.rules },
  agents: of === null ? [] : agents.flatMap(({ id, value }) => (value?.tools.includes(of.id) ? [id] : [])),
})

/** The server of the form, with its stored key. For one from the file, only the values that the page may change. */
function setupOf(draft: ToolDraft, of: ToolShown | null): ToolSetup {
  const before = of?.value ?? null
  const shared = { guide: draft.guide.trim(), confirm: draft.confirm, rules: { ...draft.rules } }
  if (of !== null && of.file !== null && before !== null) return { ...before, ...shared }
  if (draft.way !== BY_ADDRESS) {
    const args = draft.args.split('\n').filter((line) => line.trim() !== '')
    return { ...shared, address: null, command: draft.way, args, headers: [] }
  }
  const address = draft.address.trim()
  const headers = fileOriginOf(before?.address) === fileOriginOf(address) ? (before?.headers ?? []) : []
  return { ...shared, address, command: null, args: [], headers }
}

type ToolServerFormProps = { of: ToolShown | null; setup: SetupAnswer; onClose: () => void }

export function ToolServerForm({ of, setup, onClose }: ToolServerFormProps) {
  const t = useTranslations('setup')
  const place = `act:setup.tool.${of?.id ?? 'new'}`
  const form = useActForm(place, draftShape, draftOf(of, setup))
  const { values: draft, set, text } = form
  const [key, setKey] = useState('')
  const { way, address, args, header } = draft
  const keep = useKeptKey()
  const id = of?.id ?? draft.id.trim()
  const isFixed = of !== null && of.file !== null
  const hasAddress = !isFixed && draft.way === BY_ADDRESS
  const missing = firstMissing(
    [!SETUP_ID.test(id), t('tool.missing.id')],
    [hasAddress && !isKeylessAddress(draft.address.trim()), t('tool.missing.address')],
    [hasAddress && key.trim() !== '' && !HEADER_NAME.test(draft.header.trim()), t('tool.missing.header')],
  )
  const valueNow = async (): Promise<ApiResult<ToolSetup>> => {
    const value = setupOf(draft, of)
    const { address } = value
    if (isFixed || address === null || key.trim() === '') return { ok: true, value }
    const stored = await keep(key.trim(), address)
    return stored.ok
      ? { ok: true, value: { ...value, headers: [{ name: draft.header.trim(), key: stored.value }] } }
      : stored
  }
  const trial = useTrial({
    form: JSON.stringify([way, address, args, header, key]),
    missing,
    run: async () => {
      const made = await valueNow()
      return made.ok ? trySetup({ kind: 'tool', id, value: made.value }) : made
    },
  })
  const offered = trial.found?.tools ?? []
  return (
    <FormDialog
      hasReason={false}
      isWide
      title={of === null ? t('tool.newTitle') : t('tool.changeTitle', { name: of.id })}
      action={of === null ? t('tool.add') : t('save')}
      missing={missing}
      done={t(of === null ? 'created' : 'changed', { name: id })}
      extra={trial.button}
      act={setupAct(place, async () => {
        const made = await valueNow()
        if (!made.ok) return made
        const tool: SetupChange = { kind: 'tool', id, value: made.value, seen: of === null ? null : seenOf(of) }
        return { ok: true, value: [tool, ...agentsWith(id, draft.agents, setup)] }
      })}
      besides={key}
      onClose={onClose}
    >
      {of === null ? (
        <TextField {...text('id')} label={t('tool.id')} hint={t('tool.idHint')} autoComplete="off" spellCheck={false} />
      ) : null}
      {isFixed ? (
        <p className="text-table text-t2">{t('tool.fixed', { way: of.value?.address ?? of.value?.command ?? '' })}</p>
      ) : (
        <WayFields
          form={form}
          commands={setup.toolsAllowed}
          keyField={
            <KeyField
              label={t('tool.key')}
              value={key}
              current={of?.value?.headers[0]?.key ?? null}
              isSet={(variable) => setup.variables.includes(variable)}
              onChange={setKey}
            />
          }
        />
      )}
      <TextArea {...text('guide')} label={t('tool.guide')} hint={t('tool.guideHint')} />
      <Select
        label={t('tool.confirm')}
        value={draft.confirm}
        options={CONFIRM_RULES.map((rule) => ({ value: rule, label: t(`tool.rule.${rule}`) }))}
        onChange={(confirm) => set({ confirm })}
      />
      <ToolRules
        names={[...new Set([...Object.keys(draft.rules), ...offered])]}
        rules={draft.rules}
        onChange={(rules) => set({ rules })}
      />
      <CheckboxGroup
        legend={t('tool.agents')}
        names={setup.agents.flatMap((agent) => (agent.value === null ? [] : [agent.id]))}
        labelOf={(agent) => setup.agents.find((one) => one.id === agent)?.value?.name ?? agent}
        chosen={draft.agents}
        onChange={(agents) => set({ agents })}
      />
      {trial.line}
    </FormDialog>
  )
}

const agentsWith = (id: string, chosen: readonly string[], { agents }: SetupAnswer): SetupChange[] =>
  agents.flatMap((agent) => {
    const { value } = agent
    if (value === null || value.tools.includes(id) === chosen.includes(agent.id)) return []
    const tools = chosen.includes(agent.id) ? [...value.tools, id] : value.tools.filter((name) => name !== id)
    return [{ kind: 'agent', id: agent.id, value: { ...value, tools }, seen: seenOf(agent) }]
  })

type WayFieldsProps = { form: ActForm<ToolDraft>; commands: readonly string[]; keyField: ReactNode }

function WayFields({ form: { values: draft, set, text: textOf }, commands, keyField }: WayFieldsProps) {
  const t = useTranslations('setup')
  const text = (name: 'address' | 'header' | 'args') => ({
    ...textOf(name),
    label: t(`tool.${name}`),
    spellCheck: false,
  })
  return (
    <>
      {commands.length === 0 ? null : (
        <Select
          label={t('tool.way')}
          value={draft.way}
          options={[
            { value: BY_ADDRESS, label: t('tool.byAddress') },
            ...commands.map((command) => ({ value: command, label: t('tool.byCommand', { command }) })),
          ]}
          onChange={(way) => set({ way })}
        />
      )}
      {draft.way === BY_ADDRESS ? (
        <>
          <TextField
            {...text('address')}
            maxLength={ADDRESS_LENGTH}
            hint={t('tool.addressHint')}
            inputMode="url"
            autoComplete="off"
          />
          <div className="grid gap-3 md:grid-cols-2">
            <TextField {...text('header')} autoComplete="off" />
            {keyField}
          </div>
        </>
      ) : (
        <TextArea {...text('args')} />
      )}
    </>
  )
}

type ToolRulesProps = {
  names: readonly string[]
  rules: Readonly<Record<string, Rule>>
  onChange: (rules: Record<string, Rule>) => void
}

/** Rules of single tools, where they differ from the server's. */
function ToolRules({ names, rules, onChange }: ToolRulesProps) {
  const t = useTranslations('setup')
  if (names.length === 0) return null
  return (
    <fieldset>
      <legend className="mb-1 text-table font-medium">{t('tool.rules')}</legend>
      <div className="grid gap-2 md:grid-cols-2">
        {names.map((name) => (
          <OptionalSelect
            key={name}
            label={name}
            none={t('tool.rule.server')}
            value={rules[name] ?? null}
            options={CONFIRM_RULES.map((rule) => ({ value: rule, label: t(`tool.rule.${rule}`) }))}
            onChange={(rule) => {
              const others = Object.entries(rules).filter(([other]) => other !== name)
              onChange(Object.fromEntries(rule === null ? others : [...others, [name, rule]]))
            }}
          />
        ))}
      </div>
    </fieldset>
  )
}
