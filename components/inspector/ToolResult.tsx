/**
 * What a tool answered: text as text, a picture drawn from its own bytes, structure as JSON.
 *
 * Owns: how each part looks. Not here: reading the result (toolContent.ts). Nothing is fetched from elsewhere.
 */
import { useTranslations } from 'use-intl'
import { JsonView } from '@/components/ui/JsonView'
import { formatBytes } from '@/lib/format'
import type { Json } from '@/lib/mas/records'
import { Written } from './parts'
import { type ToolPart, toolParts } from './toolContent'

export function ToolResult({ result, name }: { result: Json; name: string }) {
  return toolParts(result).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a result never changes; its parts have no names.
    <Part key={at} part={part} name={name} />
  ))
}

function Part({ part, name }: { part: ToolPart; name: string }) {
  const t = useTranslations('inspector')
  switch (part.kind) {
    case 'text':
      return <Written text={part.text} />
    case 'image':
      return (
        // biome-ignore lint/performance/noImgElement: a data: URL; there is nothing to fetch or to resize.
        <img
          src={part.src}
          alt={t('image', { mime: part.mime })}
          className="max-h-96 max-w-full self-start rounded-control border border-line bg-s3 object-contain"
        />
      )
    case 'resource':
      return (
        <div className="flex flex-col gap-1">
          <p className="font-mono text-meta break-all text-t2">{part.uri}</p>
          {part.text === null ? null : <Written text={part.text} />}
        </div>
      )
    case 'link':
      return (
        <div className="flex flex-col gap-0.5 text-table">
          <p className="break-words">{part.name}</p>
          <p className="font-mono text-meta break-all text-t2">{part.uri}</p>
          {part.about === '' ? null : <p className="break-words text-t2">{part.about}</p>}
        </div>
      )
    case 'progress':
      return (
        <details className="text-table text-t2">
          <summary>{t('toldOnTheWay', { count: part.lines.length })}</summary>
          <p className="font-mono break-words whitespace-pre-wrap">{part.lines.join('\n')}</p>
        </details>
      )
    case 'other':
      return (
        <p className="text-table text-t3">
          {t('notDrawn', { mime: part.mime, size: formatBytes(Math.floor((part.characters * 3) / 4)) })}
        </p>
      )
    case 'json':
      return <JsonView value={part.value} name={name} />
  }
}
