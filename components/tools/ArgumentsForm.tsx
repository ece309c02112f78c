/** The arguments of a call: fields of the schema, or JSON. */
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { SchemaForm } from '@/components/form/SchemaForm'
import type { Field } from '@/components/form/schemaFields'
import { Segmented } from '@/components/ui/Tabs'
import { TextArea } from '@/components/ui/TextField'
import { type ReadArguments, switched, type ToolDraft } from './toolDraft'

export function ArgumentsForm({
  draft,
  fields,
  wrong,
  onChange,
}: {
  draft: ToolDraft
  /** null: the schema has no form. */
  fields: readonly Field[] | null
  wrong: Extract<ReadArguments, { ok: false }> | null
  onChange: (more: Partial<ToolDraft>) => void
}) {
  const t = useTranslations('tools')
  const say = useTranslations('request')
  const [isStuck, setStuck] = useState(false)
  const as = fields === null ? 'json' : draft.as
  const turn = (to: ToolDraft['as']): void => {
    const next = fields && switched(draft, fields, to)
    setStuck(next === null)
    if (next) onChange(next)
  }
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {fields === null ? (
        <p className="text-table text-t2">{t('noForm')}</p>
      ) : (
        <Segmented
          label={t('writtenAs')}
          segments={[
            { value: 'form', label: t('form') },
            { value: 'json', label: 'JSON' },
          ]}
          value={as}
          onChange={turn}
          className="self-start"
        />
      )}
      {isStuck && as === 'json' ? (
        <p role="alert" className="text-table text-waiting">
          {t('staysJson')}
        </p>
      ) : null}
      {as === 'json' ? (
        <TextArea
          label={say('argumentsJson')}
          value={draft.json}
          error={wrong?.badJson == null ? null : say('badJson', { why: wrong.badJson })}
          placeholder="{}"
          spellCheck={false}
          minLines={4}
          maxLines={24}
          className="font-mono text-table!"
          onChange={({ target }) => {
            setStuck(false)
            onChange({ as: 'json', json: target.value })
          }}
        />
      ) : fields?.length === 0 ? (
        <p className="text-table text-t2">{t('takesNothing')}</p>
      ) : (
        <SchemaForm
          fields={fields ?? []}
          typed={draft.typed}
          troubles={wrong?.troubles ?? {}}
          onChange={(typed) => onChange({ typed })}
        />
      )}
    </div>
  )
}
