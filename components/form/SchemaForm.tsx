/**
 * A form drawn from a JSON schema: one field a property, each with its own complaint.
 *
 * Owns: the boxes. Not here: what they come to (schemaFields.ts), sending.
 */
import { useTranslations } from 'use-intl'
import { Checkbox, Select } from '@/components/ui/Choice'
import { TextArea, TextField } from '@/components/ui/TextField'
import type { Field, Trouble, Typed } from './schemaFields'

export function SchemaForm({
  fields,
  typed,
  troubles,
  onChange,
}: {
  fields: readonly Field[]
  typed: Typed
  troubles: Readonly<Record<string, Trouble>>
  onChange: (typed: Typed) => void
}) {
  return (
    <div className="flex flex-col gap-3">
      {fields.map((field) => (
        <OneField
          key={field.name}
          field={field}
          text={typed[field.name] ?? field.start}
          trouble={troubles[field.name] ?? null}
          onChange={(text) => onChange({ ...typed, [field.name]: text })}
        />
      ))}
    </div>
  )
}

function OneField({
  field,
  text,
  trouble,
  onChange,
}: {
  field: Field
  text: string
  trouble: Trouble | null
  onChange: (text: string) => void
}) {
  const t = useTranslations('form')
  const label = field.isNeeded ? t('needed', { name: field.title }) : field.title
  const parts = { label, hint: field.hint || undefined, error: trouble === null ? null : t(`trouble.${trouble}`) }
  switch (field.kind) {
    case 'yesNo':
      return (
        <div>
          <Checkbox label={label} isChecked={text === 'true'} onChange={(isOn) => onChange(String(isOn))} />
          {field.hint ? <p className="text-meta text-t3">{field.hint}</p> : null}
        </div>
      )
    case 'choice': {
      const options = [...(field.isNeeded && text !== '' ? [] : [{ value: NONE, label: t('none') }]), ...field.choices]
      return (
        <div>
          <Select
            label={label}
            options={options}
            value={text === '' ? NONE : text}
            onChange={(next) => onChange(next === NONE ? '' : next)}
          />
          {parts.error ? (
            <p role="alert" className="mt-1 text-meta text-failed">
              {parts.error}
            </p>
          ) : null}
        </div>
      )
    }
    case 'number':
    case 'whole':
      return <TextField {...parts} inputMode="decimal" value={text} onChange={({ target }) => onChange(target.value)} />
    case 'text':
      return <TextField {...parts} value={text} onChange={({ target }) => onChange(target.value)} />
    case 'long':
    case 'json':
      return (
        <TextArea
          {...parts}
          minLines={1}
          maxLines={16}
          spellCheck={field.kind === 'long'}
          className={field.kind === 'json' ? 'font-mono text-table!' : undefined}
          value={text}
          onChange={({ target }) => onChange(target.value)}
        />
      )
  }
}

const NONE = 'none of them'
