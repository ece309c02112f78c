import { useTranslations } from 'use-intl'
import * as z from 'zod/mini'
import { useFetched } from '@/client/useFetched'
import { FormDialog } from '@/components/operate/FormDialog'
import { firstMissing, useActForm } from '@/components/operate/useActForm'
import { Button } from '@/components/ui/Button'
import { Checkbox, Select } from '@/components/ui/fields/Choice'
import { TextArea, TextField } from '@/components/ui/fields/TextField'
import { TimeText } from '@/components/ui/marks/Time'
import { templateFieldsOf } from '@/lib/mas/formats/templateText'
import type { TemplateField } from '@/lib/mas/records'
import type { TemplateHistory, TemplateShown } from '@/lib/wire'
import { saveTemplateAct, type TemplateDraft } from './templateActs'

const NAME_LENGTH = 100
const TEXT_LENGTH = 20_000
const KINDS = ['text', 'choice', 'file'] as const

const fieldShape = z.object({
  name: z.string(),
  kind: z.enum(KINDS),
  choices: z.array(z.string()),
  required: z.boolean(),
})
const shape = z.object({ name: z.string(), text: z.string(), fields: z.array(fieldShape) })

type TemplateDialogProps = {
  template: TemplateShown | null
  text: string
  onDone: () => void
  onClose: () => void
}

export function TemplateDialog({ template, text, onDone, onClose }: TemplateDialogProps) {
  const t = useTranslations('templates')
  const start: TemplateDraft = template ?? { name: '', text, fields: [] }
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
      onDone={onDone}
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
      {template === null ? null : (
        <History id={template.id} onRestore={({ name, text, fields }) => form.set({ name, text, fields })} />
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
  const { answer } = useFetched<TemplateHistory>(`/api/templates/${encodeURIComponent(id)}/history`)
  const versions = answer?.ok ? answer.value.versions : []
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
