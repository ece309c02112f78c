/** Arguments to read: an object by its fields, changed files as their changes, new Markdown formatted, new tables as tables; anything else as JSON. */

import { useTranslations } from 'use-intl'
import { shapeOf } from '@/components/files/fileKinds'
import { CsvTable } from '@/components/files/lazy'
import { prettyJson } from '@/components/form/jsonText'
import { TextViews } from '@/components/form/TextViews'
import { Scrolled } from '@/components/ui/text/Scrolled'
import { isJsonObject } from '@/lib/json'
import { writtenFile } from '@/lib/mas/steps/writtenFile'
import type { ArgumentsAnswer } from '@/lib/wire'
import { argumentText } from './editedCall'

export function ArgumentsView({ given: { json, text } }: { given: Pick<ArgumentsAnswer, 'json' | 'text'> }) {
  if (!isJsonObject(json)) {
    return <pre className="font-mono text-table break-words whitespace-pre-wrap">{prettyJson(text)}</pre>
  }
  const written = writtenFile(json)
  const kind = written === null ? null : shapeOf(written.path).kind
  const formatted = kind === 'markdown' || kind === 'table' ? (written?.field ?? null) : null
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-table max-md:grid-cols-1 max-md:gap-y-0.5">
      {Object.entries(json).map(([name, value]) => (
        <div key={name} className="contents">
          <dt data-literal className="font-mono text-t3">
            {name}
          </dt>
          <dd className="min-w-0 max-md:mb-1.5">
            {typeof value === 'string' ? (
              <TextViews
                label={name}
                text={value}
                place={name}
                start={name === formatted ? ['file', 'preview'] : ['file']}
                preview={
                  name === formatted && kind === 'table' ? (
                    <CsvTable text={value} name={written?.path ?? name} />
                  ) : undefined
                }
              >
                <OneText name={name} text={value} />
              </TextViews>
            ) : (
              <span data-literal className="font-mono break-words whitespace-pre-wrap">
                {argumentText(value)}
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** More lines than these scroll by themselves. */
const FEW_LINES = 12

function OneText({ name, text }: { name: string; text: string }) {
  const t = useTranslations('request')
  const look = 'block font-mono break-words whitespace-pre-wrap'
  if (text.split('\n').length <= FEW_LINES && text.length < 1_000)
    return (
      <span data-literal className={look}>
        {text}
      </span>
    )
  return (
    <Scrolled data-literal label={t('argument', { name })} className={`${look} max-h-72 overflow-auto max-md:max-h-44`}>
      {text}
    </Scrolled>
  )
}
