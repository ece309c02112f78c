import { LayoutTemplate, Plus } from 'lucide-react'
import { useTranslations } from 'use-intl'
import * as z from 'zod/mini'
import { useMe } from '@/client/account/session'
import { draftAt } from '@/client/drafts'
import { Link, setSearch, useSearchParam } from '@/client/nav'
import { useApiQuery } from '@/client/queries'
import { HelpLink } from '@/components/help/HelpLink'
import { FormDialog } from '@/components/operate/FormDialog'
import { firstMissing, useActForm } from '@/components/operate/useActForm'
import { useActNow } from '@/components/operate/useSendAct'
import { Button } from '@/components/ui/Button'
import { Checkbox, Select } from '@/components/ui/fields/Choice'
import { TextArea, TextField } from '@/components/ui/fields/TextField'
import { TimeText } from '@/components/ui/marks/Time'
import { Menu, type MenuEntry } from '@/components/ui/overlays/Menu'
import { EmptyState, FaultState, Loading } from '@/components/ui/States'
import { templateFieldsOf } from '@/lib/mas/formats/templateText'
import type { TemplateField } from '@/lib/mas/records'
import type { TemplateHistory, TemplateList, TemplateShown } from '@/lib/wire'
import { removeTemplateAct, saveTemplateAct, type TemplateDraft } from './templateActs'

const NEW = 'new'

export function Templates() {
  const t = useTranslations('templates')
  const isOperator = useMe()?.person.access === 'operator'
  const { data, error, refetch } = useApiQuery<TemplateList>('/api/templates')
  const list = data?.templates ?? []
  const asked = useSearchParam('edit')
  const isFromRequest = useSearchParam('from') === 'request'
  const edited = list.find(({ id }) => id === asked) ?? null
  const close = (): void => setSearch({ edit: null, from: null }, { replace: true })
  const live = list.filter(({ removed }) => !removed)
  const removed = list.filter((one) => one.removed)
  return (
    <>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-question font-bold">{t('title')}</h2>
        {isOperator ? (
          <Button icon={<Plus />} onClick={() => setSearch({ edit: NEW })}>
            {t('new')}
          </Button>
        ) : null}
      </div>
      {error !== null ? (
        <FaultState title={t('broken')} fault={error} onRetry={refetch} />
      ) : data === undefined ? (
        <Loading lines={3} />
      ) : live.length === 0 ? (
        <EmptyState title={t('none')} icon={<LayoutTemplate />} isInColumn action={<HelpLink part="start" />}>
          {t(isOperator ? 'noneOperator' : 'noneWhy')}
        </EmptyState>
      ) : (
        <ul aria-label={t('title')} className="border-line border-t">
          {live.map((one) => (
            <TemplateRow key={one.id} template={one} isOperator={isOperator} />
          ))}
        </ul>
      )}
      {removed.length === 0 ? null : (
        <details className="mt-3">
          <summary className="text-table text-t2">{t('removed', { count: removed.length })}</summary>
          <ul aria-label={t('removed', { count: removed.length })}>
            {removed.map((one) => (
              <TemplateRow key={one.id} template={one} isOperator={isOperator} />
            ))}
          </ul>
        </details>
      )}
      {isOperator && (asked === NEW || edited !== null) ? (
        <TemplateDialog
          key={asked}
          template={edited}
          text={isFromRequest ? (draftAt('task:new-work').state.getState().text ?? '') : ''}
          onClose={close}
        />
      ) : null}
    </>
  )
}

function TemplateRow({ template, isOperator }: { template: TemplateShown; isOperator: boolean }) {
  const t = useTranslations('templates')
  const act = useActNow()
  const { id, name, text, fields, reviewPlans, by, at, removed } = template
  const entries: MenuEntry[] = removed
    ? [
        {
          label: t('putBack'),
          onSelect: () => void act(saveTemplateAct(id, { name, text, fields, reviewPlans }), t('saved')),
        },
      ]
    : [
        { label: t('edit'), onSelect: () => setSearch({ edit: id }) },
        {
          label: t('remove'),
          isDanger: true,
          onSelect: () => void act(removeTemplateAct(id), t('didRemove')),
        },
      ]
  return (
    <li data-id={id} data-kind="template" className="flex min-w-0 items-center gap-3 border-line border-b py-2.5">
      <div className="min-w-0 grow">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          {removed ? (
            <b className="min-w-0 break-words font-medium text-t2">{name}</b>
          ) : (
            <Link href={`/tasks?ask=1&template=${id}`} className="min-w-0 break-words font-medium hover:underline">
              {name}
            </Link>
          )}
          <span className="text-meta text-t3">
            {t('savedBy', { who: by })} · <TimeText at={at} />
          </span>
        </div>
        <p className="cut text-table text-t2">{text}</p>
      </div>
      {isOperator ? <Menu label={t('actionsFor', { name })} entries={entries} /> : null}
    </li>
  )
}

const NAME_LENGTH = 100
const TEXT_LENGTH = 20_000
const KINDS = ['text', 'choice', 'file'] as const

const fieldShape = z.object({
  name: z.string(),
  kind: z.enum(KINDS),
  choices: z.array(z.string()),
  required: z.boolean(),
})
const shape = z.object({
  name: z.string(),
  text: z.string(),
  fields: z.array(fieldShape),
  reviewPlans: z._default(z.boolean(), false),
})

type TemplateDialogProps = {
  template: TemplateShown | null
  text: string
  onClose: () => void
}

function TemplateDialog({ template, text, onClose }: TemplateDialogProps) {
  const t = useTranslations('templates')
  const start: TemplateDraft = template ?? { name: '', text, fields: [], reviewPlans: false }
  const { place } = saveTemplateAct(template?.id ?? null, start)
  const form = useActForm<TemplateDraft>(place, shape, start)
  const draft = form.values
  const fields = templateFieldsOf(draft.text, draft.fields)
  const noChoice = fields.find(({ kind, choices }) => kind === 'choice' && choices.every((one) => one.trim() === ''))
  const missing = firstMissing(
    [draft.name.trim() === '', t('missing.name')],
    [draft.text.trim() === '', t('missing.text')],
    [noChoice !== undefined, t('missing.choices', { name: noChoice?.name ?? '' })],
  )
  const setField = (next: TemplateField): void =>
    form.set({ fields: fields.map((old) => (old.name === next.name ? next : old)) })
  return (
    <FormDialog
      title={t(template === null ? 'new' : 'edit')}
      action={t('save')}
      hasReason={false}
      missing={missing}
      act={saveTemplateAct(template?.id ?? null, { ...draft, fields })}
      done={t('saved')}
      onClose={onClose}
    >
      <TextField {...form.text('name')} label={t('name')} maxLength={NAME_LENGTH} />
      <TextArea
        {...form.text('text')}
        label={t('text')}
        hint={t('textHint')}
        maxLength={TEXT_LENGTH}
        minLines={4}
        maxLines={12}
      />
      {fields.map((field) => (
        <FieldForm key={field.name} field={field} onChange={setField} />
      ))}
      <Checkbox
        label={t('reviewPlans')}
        isChecked={draft.reviewPlans}
        onChange={(reviewPlans) => form.set({ reviewPlans })}
      />
      {template === null ? null : (
        <History
          id={template.id}
          onRestore={({ name, text, fields, reviewPlans }) => form.set({ name, text, fields, reviewPlans })}
        />
      )}
    </FormDialog>
  )
}

function FieldForm({ field, onChange }: { field: TemplateField; onChange: (field: TemplateField) => void }) {
  const t = useTranslations('templates')
  return (
    <fieldset className="flex flex-col gap-2 border-line-strong border-l-2 pl-3">
      <legend className="sr-only">{t('field', { name: field.name })}</legend>
      <div className="flex flex-wrap items-end gap-3">
        <Select
          label={t('field', { name: field.name })}
          className="w-40"
          value={field.kind}
          onChange={(kind) => onChange({ ...field, kind })}
          options={KINDS.map((kind) => ({ value: kind, label: t(`kind.${kind}`) }))}
        />
        <Checkbox
          label={t('required')}
          className="min-h-8"
          isChecked={field.required}
          onChange={(required) => onChange({ ...field, required })}
        />
      </div>
      {field.kind === 'choice' ? (
        <TextArea
          label={t('choices', { name: field.name })}
          hint={t('choicesHint')}
          value={field.choices.join('\n')}
          minLines={2}
          maxLines={8}
          onChange={(event) => onChange({ ...field, choices: event.target.value.split('\n') })}
        />
      ) : null}
    </fieldset>
  )
}

function History({ id, onRestore }: { id: string; onRestore: (version: TemplateHistory['versions'][number]) => void }) {
  const t = useTranslations('templates')
  const { data } = useApiQuery<TemplateHistory>(`/api/templates/${encodeURIComponent(id)}/history`)
  const versions = data?.versions ?? []
  if (versions.length === 0) return null
  return (
    <details>
      <summary className="text-table font-medium">{t('history', { count: versions.length })}</summary>
      <ul aria-label={t('history', { count: versions.length })} className="mt-2 flex flex-col gap-2">
        {versions.map((version) => (
          <li key={version.at} className="flex min-w-0 items-center gap-3 border-line border-b pb-2">
            <span className="min-w-0 grow">
              <span className="block text-meta text-t3">
                <TimeText at={version.at} /> · {version.by}
              </span>
              <span className="line-clamp-2 text-table">{version.text}</span>
            </span>
            <Button onClick={() => onRestore(version)}>{t('restore')}</Button>
          </li>
        ))}
      </ul>
    </details>
  )
}
