/** The form of a model: to connect one, or to change one. Its key is typed here, sent to the server alone, and kept in no draft. */
import { CircleCheck, CircleX } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import * as z from 'zod/mini'
import { useDraft } from '@/client'
import { useActForm } from '@/components/operate/useActForm'
import { Checkbox, RadioChoice, Select } from '@/components/ui/Choice'
import { OtherDraft } from '@/components/ui/OtherDraft'
import { ServerButton } from '@/components/ui/ServerButton'
import { TextField } from '@/components/ui/TextField'
import { MODEL_PRESETS, type ModelPreset } from '@/lib/mas/modelPresets'
import type { SetupAnswer, SetupLocalModels, SetupTried } from '@/lib/wire'
import { SetupDialog } from './SetupDialog'
import {
  getLocalModels,
  idFor,
  type KeyRef,
  keepKey,
  type ModelSetup,
  originOf,
  type SetupChange,
  seenOf,
  trySetup,
} from './setupCalls'

type ModelShown = SetupAnswer['models'][number]
const OTHER = 'other'

const draftShape = z.object({
  preset: z.string(),
  id: z.string(),
  address: z.string(),
  model: z.string(),
  provider: z.enum(['openai', 'ollama']),
  context: z.string(),
  input: z.string(),
  output: z.string(),
  isTeams: z.boolean(),
})
type ModelDraft = z.infer<typeof draftShape>

const presetOf = (id: string): ModelPreset | undefined => MODEL_PRESETS.find((one) => one.id === id)
const amount = (value: number | undefined): string => (value === undefined ? '' : String(value))

function draftOfPreset(preset: string, isTeams: boolean): ModelDraft {
  const setup = presetOf(preset)?.setup
  return {
    preset,
    id: preset === OTHER ? '' : preset,
    address: setup?.baseUrl ?? '',
    model: setup?.model ?? '',
    provider: setup?.provider === 'ollama' ? 'ollama' : 'openai',
    context: String(setup?.contextTokens ?? 32_768),
    input: amount(setup?.price?.input),
    output: amount(setup?.price?.output),
    isTeams,
  }
}

const draftOfModel = ({ id, value }: ModelShown, isTeams: boolean): ModelDraft => ({
  preset: OTHER,
  id,
  address: value?.baseUrl ?? '',
  model: value?.model ?? '',
  provider: value?.provider === 'ollama' ? 'ollama' : 'openai',
  context: String(value?.contextTokens ?? 32_768),
  input: amount(value?.price?.input),
  output: amount(value?.price?.output),
  isTeams,
})

type Missing = 'address' | 'model' | 'context' | 'price'
function missingOf(draft: ModelDraft): Missing | null {
  if (originOf(draft.address.trim()) === null) return 'address'
  if (draft.model.trim() === '') return 'model'
  if (!/^\d{4,8}$/.test(draft.context.trim())) return 'context'
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
  const [servers, setServers] = useState<SetupLocalModels['servers']>([])
  // Joins the server: asked when the form opens.
  useEffect(() => {
    if (isNew) void getLocalModels().then((answer) => setServers(answer.ok ? answer.value.servers : []))
  }, [isNew])
  return servers
}

/** in: of: the one to change; null: connect one; preset: the one chosen when the form opens */
export function ModelForm({
  of,
  preset = 'openai',
  setup,
  onClose,
}: {
  of: ModelShown | null
  preset?: string
  setup: SetupAnswer
  onClose: () => void
}) {
  const t = useTranslations('setup')
  const team = setup.team[0]
  const teamModel = team?.value?.model ?? 'default'
  const isFirst = setup.models.every(({ value }) => value === null || value.provider === 'rehearsal')
  const place = `act:setup.model.${of?.id ?? 'new'}`
  const kept = useDraft(place)
  const first =
    of === null ? draftOfPreset(presetOf(preset) ? preset : 'openai', isFirst) : draftOfModel(of, teamModel === of.id)
  const [written, setDraft] = useActForm<ModelDraft>(place, first, (form) => draftShape.safeParse(form).data)
  const local = useLocalServers(of === null)
  const offeredBy = (id: string): string[] => local.find((server) => server.preset === id)?.models ?? []
  const draft = withOffered(written, offeredBy(written.preset))
  const [key, setKey] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [tried, setTried] = useState<SetupTried | 'trying' | null>(null)
  const keyOf = useKeyOf(key, of?.value ?? null, presetOf(draft.preset), setup)
  const missing = missingOf(draft)
  const taken = setup.models.filter(({ value }) => value !== null).map((one) => one.id)
  const id = of?.id ?? idFor(draft.id.trim() || draft.model.trim(), taken, 'model')

  const valueNow = async (): Promise<ModelSetup | null> => {
    setProblem(null)
    const stored = await keyOf(draft.address.trim())
    if (!stored.ok) {
      setProblem(stored.why)
      return null
    }
    return setupOf(draft, of?.value ?? presetOf(draft.preset)?.setup ?? null, stored.key)
  }
  const test = async (): Promise<void> => {
    if (missing !== null) return setProblem(t(`model.missing.${missing}`))
    setTried('trying')
    const value = await valueNow()
    if (value === null) return setTried(null)
    const answer = await trySetup({ kind: 'model', id, value })
    if (answer.ok) return setTried(answer.value)
    setTried(null)
    setProblem(answer.fault.error === 'NO_ANSWER' ? t('noAnswer') : answer.fault.message)
  }
  const change = (next: ModelDraft): void => {
    setTried(null)
    setDraft(next)
  }
  return (
    <SetupDialog
      problem={problem}
      title={of === null ? t('model.newTitle') : t('model.changeTitle', { name: of.id })}
      action={t('save')}
      missing={missing === null ? null : t(`model.missing.${missing}`)}
      done={t(of === null ? 'created' : 'changed', { name: id })}
      extra={
        <ServerButton isDisabled={tried === 'trying'} onClick={() => void test()}>
          {t(tried === 'trying' ? 'testing' : 'test')}
        </ServerButton>
      }
      changes={async () => {
        const value = await valueNow()
        if (value === null) return null
        const changes: SetupChange[] = [{ kind: 'model', id, value, seen: of === null ? null : seenOf(of) }]
        if (draft.isTeams && teamModel !== id && team)
          changes.push({ kind: 'team', id: 'team', value: { model: id }, seen: seenOf(team) })
        return changes
      }}
      onDone={() => {
        kept.clear()
        onClose()
      }}
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
          onChange={(chosen) => change(draftOfPreset(chosen, draft.isTeams))}
          className="md:grid md:grid-cols-3"
        />
      ) : null}
      <ModelFields draft={draft} isNew={of === null} offered={offeredBy(draft.preset)} onChange={change} />
      <KeyField
        value={key}
        preset={presetOf(draft.preset)}
        current={of?.value?.key ?? null}
        isSet={(variable) => setup.variables.includes(variable)}
        onChange={(next) => {
          setTried(null)
          setKey(next)
        }}
      />
      <Checkbox
        label={t('model.teams')}
        isChecked={draft.isTeams}
        isDisabled={of !== null && teamModel === of.id}
        onChange={(isTeams) => setDraft({ ...draft, isTeams })}
      />
      <OtherDraft draft={kept} />
      <TriedLine tried={tried} />
    </SetupDialog>
  )
}

/** What a try found; a live region, so that it is read out when it comes. */
export function TriedLine({ tried }: { tried: SetupTried | 'trying' | null }) {
  const t = useTranslations('setup')
  return (
    <div role="status" className="text-table">
      {tried === null ? null : tried === 'trying' ? (
        t('testing')
      ) : (
        <span className="flex gap-2">
          {tried.ok ? (
            <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-done" />
          ) : (
            <CircleX aria-hidden className="mt-0.5 size-4 shrink-0 text-failed" />
          )}
          <span className="min-w-0 break-words">
            <strong className="font-medium">{t(tried.ok ? 'works' : 'worksNot')}</strong> {tried.words}
            {tried.hint === null ? null : <span className="block text-t2">{tried.hint}</span>}
            {tried.tools.length === 0 ? null : <span className="block text-t2">{tried.tools.join(', ')}</span>}
          </span>
        </span>
      )}
    </div>
  )
}

function ModelFields({
  draft,
  isNew,
  offered,
  onChange,
}: {
  draft: ModelDraft
  isNew: boolean
  offered: readonly string[]
  onChange: (draft: ModelDraft) => void
}) {
  const t = useTranslations('setup')
  const text = (name: 'id' | 'address' | 'model' | 'context' | 'input' | 'output') => ({
    label: t(`model.${name}`),
    value: draft[name],
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { target: { value: string } }) => onChange({ ...draft, [name]: event.target.value }),
  })
  return (
    <>
      <TextField {...text('address')} inputMode="url" hint={t('model.addressHint')} />
      {draft.preset === OTHER ? (
        <Select
          label={t('model.provider')}
          value={draft.provider}
          options={[
            { value: 'openai', label: t('model.openai') },
            { value: 'ollama', label: 'Ollama' },
          ]}
          onChange={(provider) => onChange({ ...draft, provider })}
        />
      ) : null}
      <div className="grid gap-3 md:grid-cols-2">
        {offered.length === 0 ? (
          <TextField {...text('model')} hint={t('model.modelHint')} />
        ) : (
          <Select
            label={t('model.model')}
            value={draft.model}
            options={[...new Set([draft.model, ...offered])].map((name) => ({ value: name, label: name }))}
            onChange={(model) => onChange({ ...draft, model })}
          />
        )}
        {isNew ? <TextField {...text('id')} hint={t('model.idHint')} /> : null}
      </div>
      <div className="grid gap-3 md:grid-cols-3">
        <TextField {...text('context')} inputMode="numeric" />
        <TextField {...text('input')} inputMode="decimal" hint={t('model.priceHint')} />
        <TextField {...text('output')} inputMode="decimal" />
      </div>
    </>
  )
}

/** The key in dots. It is no password of this page: a browser is not to offer to remember it. */
export function KeyField({
  value,
  preset,
  current,
  isSet,
  label,
  onChange,
}: {
  value: string
  preset?: ModelPreset | undefined
  current: KeyRef | null
  isSet: (variable: string) => boolean
  label?: string
  onChange: (value: string) => void
}) {
  const t = useTranslations('setup')
  const variable = preset?.variable ?? null
  const hint =
    current !== null
      ? 'env' in current
        ? t('key.ofVariable', { variable: current.env })
        : t('key.kept')
      : variable !== null && isSet(variable)
        ? t('key.variableSet', { variable })
        : preset?.isLocal
          ? t('key.none')
          : t('key.hint')
  return (
    <TextField
      label={label ?? t('key.label')}
      hint={hint}
      value={value}
      autoComplete="off"
      spellCheck={false}
      data-1p-ignore
      className="[-webkit-text-security:disc]"
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

type KeyNow = { ok: true; key: KeyRef | null } | { ok: false; why: string }

/** The key as the setup names it. A typed one is kept by the server once for its address, also when it is tried before it is saved. */
function useKeyOf(
  typed: string,
  before: ModelSetup | null,
  preset: ModelPreset | undefined,
  { variables }: SetupAnswer,
): (address: string) => Promise<KeyNow> {
  const t = useTranslations('setup')
  const keep = useKeptKey()
  return async (address) => {
    if (typed.trim() !== '') return keep(typed.trim(), address, t('noAnswer'))
    if (before?.key) return { ok: true, key: before.key }
    const variable = preset?.variable ?? null
    const isUsed =
      variable !== null && variables.includes(variable) && originOf(preset?.setup.baseUrl) === originOf(address)
    return { ok: true, key: isUsed ? { env: variable } : null }
  }
}

/** Keeps a typed key once for an address; the same again is the same id. */
export function useKeptKey(): (typed: string, address: string, unanswered: string) => Promise<KeyNow> {
  const last = useRef<{ typed: string; origin: string | null; stored: string } | null>(null)
  return async (typed, address, unanswered) => {
    const origin = originOf(address)
    if (last.current?.typed === typed && last.current.origin === origin)
      return { ok: true, key: { stored: last.current.stored } }
    const answer = await keepKey(typed, address)
    if (!answer.ok) return { ok: false, why: answer.fault.error === 'NO_ANSWER' ? unanswered : answer.fault.message }
    last.current = { typed, origin, stored: answer.value.stored }
    return { ok: true, key: { stored: answer.value.stored } }
  }
}

/** in: before: the model as it was, or the preset; what the form does not show stays its own */
function setupOf(draft: ModelDraft, before: Omit<ModelSetup, 'key'> | null, key: KeyRef | null): ModelSetup {
  const [input, output] = [draft.input.trim(), draft.output.trim()]
  const cached = before?.price?.cached ?? null
  return {
    temperature: null,
    structured: 'auto',
    reasoningEffort: null,
    extra: {},
    accepts: [],
    timeLimitMs: 120_000,
    parallel: 4,
    ...before,
    provider: draft.provider,
    baseUrl: draft.address.trim(),
    model: draft.model.trim(),
    key,
    contextTokens: Number(draft.context.trim()),
    price: input === '' ? null : { input: Number(input), output: Number(output), cached },
  }
}
