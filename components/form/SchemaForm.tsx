/** A form made from a JSON schema: one field per property, each with its own error; objects as groups, arrays as rows. */
import { Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Button, IconButton } from '@/components/ui/Button'
import { Checkbox, Select } from '@/components/ui/fields/Choice'
import { TextArea, TextField } from '@/components/ui/fields/TextField'
import { AlertText } from '@/components/ui/States'
import { useToolWords } from '@/components/ui/text/toolWords'
import type { Field, Typed } from './schemaFields'
import { type FieldProblems, placeOf, readRows, readTyped } from './schemaValues'
import { TextViews } from './TextViews'

type SchemaFormProps = {
  fields: readonly Field[]
  typed: Typed
  troubles: FieldProblems
  onChange: (typed: Typed) => void
  /** Path of the group that holds these fields. */
  within?: string
}

export function SchemaForm({ fields, typed, troubles, onChange, within = '' }: SchemaFormProps) {
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {fields.map((field) => (
        <OneField
          key={field.name}
          field={field}
          title={field.title}
          text={typed[field.name] ?? field.start}
          place={placeOf(within, field.name)}
          troubles={troubles}
          onChange={(text) => onChange({ ...typed, [field.name]: text })}
        />
      ))}
    </div>
  )
}

type OneFieldProps = {
  field: Field
  /** A row of a list is named by the list and its number. */
  title: string
  text: string
  place: string
  troubles: FieldProblems
  onChange: (text: string) => void
}

function OneField(props: OneFieldProps) {
  const { field, title, text, place, troubles, onChange } = props
  const t = useTranslations('form')
  const toReader = useToolWords()
  const hint = toReader(field.hint) || undefined
  const trouble = troubles[place]
  const label = field.isNeeded && field.name !== '' ? t('needed', { name: title }) : title
  const parts = {
    label,
    hint,
    error: trouble === undefined ? null : t(`trouble.${trouble}`),
  }
  const box = {
    ...parts,
    value: text,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  }
  switch (field.kind) {
    case 'yesNo':
      return (
        <div>
          <Checkbox label={label} isChecked={text === 'true'} onChange={(isOn) => onChange(String(isOn))} />
          {hint ? <p className="text-meta text-t3">{hint}</p> : null}
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
          {hint ? <p className="mt-1 text-meta text-t3">{hint}</p> : null}
          <AlertText text={parts.error} className="mt-1 text-meta" />
        </div>
      )
    }
    case 'number':
    case 'whole':
      return <TextField {...box} inputMode="decimal" />
    case 'text':
      return <TextField {...box} type={INPUT_TYPES[field.format] ?? 'text'} />
    case 'long':
      return (
        <TextViews label={title} text={text} place={place} isNamed>
          <TextArea {...box} minLines={1} maxLines={16} />
        </TextViews>
      )
    case 'json':
      return <TextArea {...box} minLines={1} maxLines={16} spellCheck={false} className="font-mono text-table!" />
    case 'group':
      return (
        <Framed {...parts}>
          <SchemaForm
            fields={field.fields}
            typed={readTyped(text) ?? {}}
            troubles={troubles}
            within={place}
            onChange={(typed) => onChange(JSON.stringify(typed))}
          />
        </Framed>
      )
    case 'list':
      return (
        <Framed {...parts}>
          <Rows {...props} />
        </Framed>
      )
  }
}

function Rows({ field: { item }, title, text, place, troubles, onChange }: OneFieldProps) {
  const t = useTranslations('form')
  if (item === null) return null
  const rows = readRows(text) ?? []
  const put = (next: string[]): void => onChange(JSON.stringify(next))
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no names; their texts are all that they are.
        <div key={at} className="flex min-w-0 items-start gap-1">
          <div className="min-w-0 grow">
            <OneField
              field={item}
              title={`${title} ${at + 1}`}
              text={row}
              place={placeOf(place, at)}
              troubles={troubles}
              onChange={(next) => put(rows.with(at, next))}
            />
          </div>
          <IconButton
            icon={<X />}
            label={t('remove', { name: `${title} ${at + 1}` })}
            onClick={() => put(rows.filter((_, other) => other !== at))}
          />
        </div>
      ))}
      <Button className="self-start" icon={<Plus />} onClick={() => put([...rows, item.start])}>
        {t(rows.length === 0 ? 'addFirst' : 'addAnother', { name: title })}
      </Button>
    </div>
  )
}

type FramedProps = { label: string; hint?: string | undefined; error: string | null; children: ReactNode }

function Framed({ label, hint, error, children }: FramedProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-table font-medium">{label}</legend>
      {hint ? <p className="mb-2 text-meta text-t3">{hint}</p> : null}
      <div className="min-w-0 border-l-2 border-line pl-3">{children}</div>
      <AlertText text={error} className="mt-1 text-meta" />
    </fieldset>
  )
}

/** The browser's input type for a format, where there is one. */
const INPUT_TYPES: Readonly<Record<string, string>> = { date: 'date', email: 'email', uri: 'url', time: 'time' }

const NONE = 'none of them'
