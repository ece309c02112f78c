import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { JsonProblem } from '@/components/form/jsonText'
import { SchemaForm } from '@/components/form/SchemaForm'
import type { Field } from '@/components/form/schemaFields'
import { TextArea } from '@/components/ui/fields/TextField'
import { Segmented, TabList } from '@/components/ui/Tabs'
import { type ReadArguments, switched, type ToolDraft } from './toolDraft'

type Way = ToolDraft['as']

type ArgumentsFormProps = {
  draft: ToolDraft
  /** null: the schema has no form. */
  fields: readonly Field[] | null
  wrong: Extract<ReadArguments, { ok: false }> | null
  onChange: (more: Partial<ToolDraft>) => void
  /** Form and JSON are tabs instead of a switch. */
  hasTabs?: boolean
}

export function ArgumentsForm({ draft, fields, wrong, onChange, hasTabs = false }: ArgumentsFormProps) {
  const t = useTranslations('tools')
  const say = useTranslations('request')
  const sayJson = useJsonWords()
  const [isStuck, setStuck] = useState(false)
  const as = fields === null ? 'json' : draft.as
  const turn = (to: Way): void => {
    const next = fields && switched(draft, fields, to)
    setStuck(next === null)
    if (next) onChange(next)
  }
  const ways: Record<Way, string> = { form: t('form'), json: 'JSON' }
  const body = (
    <>
      {isStuck && as === 'json' ? (
        <p role="alert" className="text-table text-waiting">
          {t('staysJson')}
        </p>
      ) : null}
      {as === 'json' ? (
        <TextArea
          label={say('argumentsJson')}
          value={draft.json}
          error={wrong?.badJson == null ? null : sayJson(wrong.badJson)}
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
          onChange={(typed) => onChange({ as: 'form', typed })}
        />
      )}
    </>
  )
  if (fields !== null && hasTabs) {
    return (
      <TabList
        label={t('writtenAs')}
        tabs={Object.entries(ways).map(([value, label]) => ({ value, label }))}
        value={as}
        onChange={(to) => turn(to === 'json' ? 'json' : 'form')}
        listClassName="mb-3"
        panelClassName="flex min-w-0 flex-col gap-3 outline-offset-4"
      >
        {body}
      </TabList>
    )
  }
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {fields === null ? (
        <p className="text-table text-t2">{t('noForm')}</p>
      ) : (
        <Segmented label={t('writtenAs')} segments={ways} value={as} onChange={turn} className="self-start" />
      )}
      {body}
    </div>
  )
}

/** out: what is wrong with a JSON text, as a sentence with the place */
function useJsonWords(): (problem: JsonProblem) => string {
  const t = useTranslations()
  return ({ kind, line, column }) => {
    const why = t(`form.json.${kind}`)
    const isPlaced = line !== null && column !== null
    return t('request.badJson', { why: isPlaced ? t('form.json.at', { why, line, column }) : why })
  }
}
