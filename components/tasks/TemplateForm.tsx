import { useTranslations } from 'use-intl'
import { OptionalSelect } from '@/components/ui/fields/Choice'
import { TextArea } from '@/components/ui/fields/TextField'
import type { TemplateShown } from '@/lib/wire'
import type { WorkFile } from './workFiles'

type TemplateFormProps = {
  template: TemplateShown
  values: Readonly<Record<string, string>>
  files: readonly WorkFile[]
  onChange: (values: Record<string, string>) => void
}

export function TemplateForm({ template, values, files, onChange }: TemplateFormProps) {
  const t = useTranslations('tasks')
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="sr-only">{template.name}</legend>
      {template.fields.map(({ name, kind, choices, required }) => {
        const label = required ? name : t('optionalField', { name })
        const value = values[name] ?? ''
        const set = (next: string): void => onChange({ ...values, [name]: next })
        if (kind === 'text')
          return (
            <TextArea
              key={name}
              label={label}
              value={value}
              minLines={1}
              maxLines={6}
              onChange={(event) => set(event.target.value)}
            />
          )
        const options = kind === 'choice' ? choices : files.map((file) => file.name)
        return (
          <OptionalSelect
            key={name}
            label={label}
            none={kind === 'choice' ? t('chooseValue') : t('chooseFile')}
            value={options.includes(value) ? value : null}
            onChange={(next) => set(next ?? '')}
            options={options.map((one) => ({ value: one, label: one }))}
          />
        )
      })}
      <p className="text-meta text-t3">{template.text}</p>
    </fieldset>
  )
}
