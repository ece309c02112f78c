/** The form of a model: to connect one, or to change one. Its key is typed here, sent to the server alone, and kept in no draft. */

import { useState } from 'react'
import { useTranslations } from 'use-intl'
import * as z from 'zod/mini'
import type { ApiResult } from '@/client/api'
import { useApiQuery } from '@/client/queries'
import { FormDialog } from '@/components/operate/FormDialog'
import { type ActForm, useActForm } from '@/components/operate/useActForm'
import { Checkbox, RadioChoice, Select } from '@/components/ui/fields/Choice'
import { TextField } from '@/components/ui/fields/TextField'
import { MODEL_PRESETS, type ModelPreset } from '@/lib/mas/setup/modelPresets'
import { PLAIN_MODEL, PROVIDER_NAMES, SERVER_PROVIDERS } from '@/lib/mas/setup/providers'
import { ADDRESS_LENGTH, CONTEXT_TOKENS, isKeylessAddress } from '@/lib/mas/setup/setupFields'
import type { KeyRef, ModelSetup } from '@/lib/mas/setup/setupRecords'
import type { SetupAnswer, SetupLocalModels } from '@/lib/wire'
import { KeyField, useKeptKey } from './KeyField'
import { useTrial } from './SetupTry'
import {
  fileOriginOf,
  idFor,
  listServerModels,
  localModelsPath,
  type SetupChange,
  seenOf,
  setupAct,
  trySetup,
} from './setupCalls'
import { type ServerModel, useServerModels } from './useServerModels'

type ModelShown = SetupAnswer['models'][number]
const OTHER = 'other'
const MODEL_LENGTH = 200
const NO_SERVERS: SetupLocalModels['servers'] = []

const draftShape = z.object({
  preset: z.string(),
  id: z.string(),
  address: z.string(),
  model: z.string(),
  provider: z.enum(PROVIDER_NAMES),
  context: z.string(),
  input: z.string(),
  output: z.string(),
  isTeams: z.boolean(),
})
type ModelDraft = z.infer<typeof draftShape>

const OTHER_MODEL = { ...PLAIN_MODEL, accepts: [], baseUrl: '', model: '' }
const presetOf = (id: string): ModelPreset | undefined => MODEL_PRESETS.find((one) => one.id === id)

const draftOf = (
  preset: string,
  id: string,
  setup: Pick<ModelSetup, 'baseUrl' | 'model' | 'provider' | 'contextTokens' | 'price'>,
  isTeams: boolean,
): ModelDraft => ({
  preset,
  id,
  address: setup.baseUrl ?? '',
  model: setup.model ?? '',
  provider: setup.provider,
  context: String(setup.contextTokens ?? ''),
  input: String(setup.price?.input ?? ''),
  output: String(setup.price?.output ?? ''),
  isTeams,
})

const draftOfPreset = (preset: string, isTeams: boolean): ModelDraft =>
  draftOf(preset, preset === OTHER ? '' : preset, presetOf(preset)?.setup ?? OTHER_MODEL, isTeams)

/** Empty: as known of the model. */
const isContext = (text: string): boolean =>
  text === '' || (/^\d+$/.test(text) && Number(text) >= CONTEXT_TOKENS.least && Number(text) <= CONTEXT_TOKENS.most)

type Missing = 'address' | 'model' | 'context' | 'price'
function missingOf(draft: ModelDraft): Missing | null {
  if (!isKeylessAddress(draft.address.trim())) return 'address'
  if (draft.model.trim() === '') return 'model'
  if (!isContext(draft.context.trim())) return 'context'
  const prices = [draft.input.trim(), draft.output.trim()]
  const isEmpty = prices.every((price) => price === '')
  return isEmpty || prices.every((price) => /^\d+(\.\d+)?$/.test(price)) ? null : 'price'
}

/** The preset's usual model, where the server that answers has only others, is its first one. */
function withOffered(draft: ModelDraft, offered: readonly string[]): ModelDraft {
  const [first] = offered
  const isUsual = draft.model === presetOf(draft.preset)?.setup.model
  return first !== undefined && isUsual && !offered.includes(draft.model) ? { ...draft, model: first } : draft
}

/** Model servers that answer on this machine; asked for once, and none until they have answered. */
function useLocalServers(isNew: boolean): SetupLocalModels['servers'] {
  return useApiQuery<SetupLocalModels>(isNew ? localModelsPath : null).data?.servers ?? NO_SERVERS
}

type ModelFormProps = { of: ModelShown | null; preset?: string; setup: SetupAnswer; onClose: () => void }

export function ModelForm({ of, preset = 'openai', setup, onClose }: ModelFormProps) {
  const t = useTranslations('setup')
  const team = setup.team[0]
  const teamModel = team?.value?.model ?? 'default'
  const isFirst = setup.models.every(({ value }) => value === null || value.provider === 'rehearsal')
  const place = `act:setup.model.${of?.id ?? 'new'}`
  const first =
    of === null
      ? draftOfPreset(presetOf(preset) ? preset : 'openai', isFirst)
      : draftOf(OTHER, of.id, of.value ?? OTHER_MODEL, teamModel === of.id)
  const form = useActForm(place, draftShape, first)
  const { values: written, set } = form
  const local = useLocalServers(of === null)
  const offeredBy = (id: string): string[] => local.find((server) => server.preset === id)?.models ?? []
  const draft = withOffered(written, offeredBy(written.preset))
  const [key, setKey] = useState('')
  const { isTeams, ...tested } = draft
  const keyOf = useKeyOf(key, of?.value ?? null, presetOf(draft.preset), setup)
  const lack = missingOf(draft)
  const missing = lack && t(`model.missing.${lack}`)
  const taken = setup.models.filter(({ value }) => value !== null).map((one) => one.id)
  const id = of?.id ?? idFor(draft.id.trim() || draft.model.trim(), taken, 'model')

  const valueNow = async (): Promise<ApiResult<ModelSetup>> => {
    const stored = await keyOf(draft.address.trim())
    const before = of?.value ?? presetOf(draft.preset)?.setup ?? OTHER_MODEL
    return stored.ok ? { ok: true, value: setupOf(draft, before, stored.value) } : stored
  }
  const trial = useTrial({
    form: JSON.stringify([tested, key]),
    missing,
    run: async () => {
      const made = await valueNow()
      return made.ok ? trySetup({ kind: 'model', id, value: made.value }) : made
    },
  })
  const lacksAddress = missingOf(draft) === 'address' ? t('model.missing.address') : null
  const listed = useServerModels({
    form: JSON.stringify([draft.provider, draft.address, key]),
    missing: lacksAddress,
    run: async () => {
      const baseUrl = draft.address.trim()
      const stored = await keyOf(baseUrl)
      return stored.ok ? listServerModels({ id, provider: draft.provider, baseUrl, key: stored.value }) : stored
    },
    onList: ([first]) => {
      if (first !== undefined && draft.model.trim() === '') set({ model: first.name })
    },
  })
  const offered = listed.models.length > 0 ? listed.models.map(({ name }) => name) : offeredBy(draft.preset)
  return (
    <FormDialog
      title={of === null ? t('model.newTitle') : t('model.changeTitle', { name: of.id })}
      action={t('save')}
      hasReason={false}
      isWide
      missing={missing}
      done={t(of === null ? 'created' : 'changed', { name: id })}
      extra={trial.button}
      act={setupAct(place, async () => {
        const made = await valueNow()
        if (!made.ok) return made
        const changes: SetupChange[] = [{ kind: 'model', id, value: made.value, seen: of === null ? null : seenOf(of) }]
        if (isTeams && teamModel !== id && team)
          changes.push({ kind: 'team', id: 'team', value: { model: id }, seen: seenOf(team) })
        return { ok: true, value: changes }
      })}
      besides={key}
      onClose={onClose}
    >
      {of === null ? (
        <RadioChoice
          label={t('model.where')}
          choices={[
            ...MODEL_PRESETS.map((preset) => ({
              value: preset.id,
              label: preset.name,
              ...(preset.isLocal ? { hint: t(offeredBy(preset.id).length > 0 ? 'model.answers' : 'model.local') } : {}),
            })),
            { value: OTHER, label: t('model.other') },
          ]}
          value={draft.preset}
          onChange={(chosen) => set(draftOfPreset(chosen, isTeams))}
          className="md:grid md:grid-cols-3"
        />
      ) : null}
      <AddressFields form={{ ...form, values: draft }} />
      <KeyField
        value={key}
        preset={presetOf(draft.preset)}
        current={of?.value?.key ?? null}
        isSet={(variable) => setup.variables.includes(variable)}
        onChange={setKey}
      />
      <div className="flex flex-wrap items-center gap-3">{listed.button}</div>
      {listed.problem}
      <ModelFields
        form={{ ...form, values: draft }}
        isNew={of === null}
        offered={offered}
        known={listed.models.find(({ name }) => name === draft.model)?.known ?? null}
      />
      <Checkbox
        label={t('model.teams')}
        isChecked={isTeams}
        isDisabled={of !== null && teamModel === of.id}
        onChange={(isTeams) => set({ isTeams })}
      />
      {trial.line}
    </FormDialog>
  )
}

/** Fields of the form that are texts. */
function useTexts({ text: textOf }: ActForm<ModelDraft>) {
  const t = useTranslations('setup')
  return (name: 'id' | 'address' | 'model' | 'context' | 'input' | 'output') => ({
    ...textOf(name),
    label: t(`model.${name}`),
    autoComplete: 'off',
    spellCheck: false,
  })
}

function AddressFields({ form }: { form: ActForm<ModelDraft> }) {
  const t = useTranslations('setup')
  const text = useTexts(form)
  const { values: draft, set } = form
  return (
    <>
      <TextField {...text('address')} maxLength={ADDRESS_LENGTH} inputMode="url" hint={t('model.addressHint')} />
      {draft.preset === OTHER ? (
        <Select
          label={t('model.provider')}
          value={draft.provider}
          options={SERVER_PROVIDERS.map((value) => ({ value, label: t(`model.providers.${value}`) }))}
          onChange={(provider) => set({ provider })}
        />
      ) : null}
    </>
  )
}

type ModelFieldsProps = {
  form: ActForm<ModelDraft>
  isNew: boolean
  offered: readonly string[]
  /** What the server knows of the chosen model, shown where a field is empty. */
  known: ServerModel['known']
}

function ModelFields({ form, isNew, offered, known }: ModelFieldsProps) {
  const t = useTranslations('setup')
  const text = useTexts(form)
  const { values: draft, set } = form
  const shown = (value: number | undefined) => (value === undefined ? {} : { placeholder: String(value) })
  return (
    <>
      <div className="grid gap-3 md:grid-cols-2">
        {offered.length === 0 ? (
          <TextField {...text('model')} maxLength={MODEL_LENGTH} hint={t('model.modelHint')} />
        ) : (
          <Select
            label={t('model.model')}
            value={draft.model}
            options={[...new Set([draft.model, ...offered])].map((name) => ({ value: name, label: name }))}
            onChange={(model) => set({ model })}
          />
        )}
        {isNew ? <TextField {...text('id')} hint={t('model.idHint')} /> : null}
      </div>
      <div className="grid gap-3 md:grid-cols-3">
        <TextField
          {...text('context')}
          {...shown(known?.contextTokens)}
          inputMode="numeric"
          hint={t('model.contextHint')}
        />
        <TextField {...text('input')} {...shown(known?.price.input)} inputMode="decimal" hint={t('model.priceHint')} />
        <TextField {...text('output')} {...shown(known?.price.output)} inputMode="decimal" />
      </div>
    </>
  )
}

/** The key as the setup names it. A typed one is kept by the server once for its address, also when it is tried before it is saved. */
function useKeyOf(
  typed: string,
  before: ModelSetup | null,
  preset: ModelPreset | undefined,
  { variables }: SetupAnswer,
): (address: string) => Promise<ApiResult<KeyRef | null>> {
  const keep = useKeptKey()
  return async (address) => {
    if (typed.trim() !== '') return keep(typed.trim(), address)
    if (before?.key) return { ok: true, value: before.key }
    const variable = preset?.variable ?? null
    const isUsed =
      variable !== null && variables.includes(variable) && fileOriginOf(preset?.setup.baseUrl) === fileOriginOf(address)
    return { ok: true, value: isUsed ? { env: variable } : null }
  }
}

/** in: before: the model as it was, or the preset; what the form does not show stays its own */
function setupOf(draft: ModelDraft, before: Omit<ModelSetup, 'key'>, key: KeyRef | null): ModelSetup {
  const [input, output] = [draft.input.trim(), draft.output.trim()]
  const { cached = null, cacheWrite } = before.price ?? {}
  return {
    ...before,
    provider: draft.provider,
    baseUrl: draft.address.trim(),
    model: draft.model.trim(),
    key,
    contextTokens: draft.context.trim() === '' ? null : Number(draft.context.trim()),
    price:
      input === ''
        ? null
        : { input: Number(input), output: Number(output), cached, ...(cacheWrite === undefined ? {} : { cacheWrite }) },
  }
}
