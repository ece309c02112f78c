/** A tool's result: text, tables of rows, pictures and sounds from their own bytes, structure as JSON. Nothing is fetched. */

import { useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { fromBase64 } from '@/client/api'
import { Button } from '@/components/ui/Button'
import { useObjectUrl } from '@/components/ui/hooks/useObjectUrl'
import { JsonView } from '@/components/ui/lazy'
import { Segmented } from '@/components/ui/Tabs'
import { Scrolled } from '@/components/ui/text/Scrolled'
import type { ShownJson } from '@/components/ui/text/writtenJson'
import { formatBytes } from '@/lib/format'
import type { Json } from '@/lib/mas/records'
import { WrittenBlock } from './parts'
import type { Rows } from './toolContent'
import { type ToolPart, toolParts } from './toolContent'

export function ToolResultView({ result, name }: { result: Json; name: string }) {
  return toolParts(result).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a result never changes; its parts have no names.
    <Part key={at} part={part} name={name} />
  ))
}

function Part({ part, name }: { part: ToolPart; name: string }) {
  const t = useTranslations('inspector')
  switch (part.kind) {
    case 'text':
      return <WrittenBlock text={part.text} />
    case 'image':
      return (
        // biome-ignore lint/performance/noImgElement: a data: URL; there is nothing to fetch or to resize.
        <img
          src={part.src}
          alt={t('image', { mime: part.mime })}
          className="max-h-96 max-w-full self-start rounded-control border border-line bg-s3 object-contain"
        />
      )
    case 'audio':
      return <Sound data={part.data} mime={part.mime} />
    case 'table':
      return <Table rows={part.rows} json={part.as} name={name} />
    case 'resource':
      return (
        <div className="flex flex-col gap-1">
          <p data-literal className="font-mono text-meta break-all text-t2">
            {part.uri}
          </p>
          {part.text === null ? null : <WrittenBlock text={part.text} />}
        </div>
      )
    case 'link':
      return (
        <div className="flex flex-col gap-0.5 text-table">
          <p className="break-words">{part.name}</p>
          <p data-literal className="font-mono text-meta break-all text-t2">
            {part.uri}
          </p>
          {part.about === '' ? null : <p className="break-words text-t2">{part.about}</p>}
        </div>
      )
    case 'progress':
      return (
        <details className="text-table text-t2">
          <summary>{t('toldOnTheWay', { count: part.lines.length })}</summary>
          <p data-literal className="font-mono break-words whitespace-pre-wrap">
            {part.lines.join('\n')}
          </p>
        </details>
      )
    case 'notes':
      return (
        <div className="flex flex-col gap-1 text-table text-waiting">
          <p className="font-medium">{t('notRead')}</p>
          <ul className="list-disc pl-5 break-words">
            {part.lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
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

/** Played from bytes that are in the page. */
function Sound({ data, mime }: { data: string; mime: string }) {
  const t = useTranslations('inspector')
  const blob = useMemo(() => new Blob([fromBase64(data.replace(/\s/g, ''))], { type: mime }), [data, mime])
  const src = useObjectUrl(blob)
  // biome-ignore lint/a11y/useMediaCaption: a tool's sound comes without captions.
  return src === null ? null : <audio controls src={src} aria-label={t('sound', { mime })} className="max-w-full" />
}

const ROWS_AT_ONCE = 100

function Table({ rows, json, name }: { rows: Rows; json: ShownJson; name: string }) {
  const t = useTranslations('inspector')
  const [as, setAs] = useState<'table' | 'json'>('table')
  const [most, setMost] = useState(ROWS_AT_ONCE)
  const { columns, cells } = rows
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-3">
        <span className="text-table text-t2">{t('rows', { count: cells.length })}</span>
        <Segmented label={t('shownAs')} segments={{ table: t('asTable'), json: 'JSON' }} value={as} onChange={setAs} />
      </div>
      {as === 'json' ? (
        <JsonView {...json} name={name} />
      ) : (
        <Scrolled label={name} className="max-h-96 overflow-auto rounded-control border border-line">
          <table className="w-full border-collapse text-table">
            <thead className="sticky top-0 bg-s3">
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col" className="px-2.5 py-1 text-left font-medium whitespace-nowrap">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {cells.slice(0, most).map((row, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a result never changes; its rows have no names.
                <tr key={at} className="border-t border-line">
                  {row.map((cell, place) => (
                    <td key={columns[place]} className="max-w-80 px-2.5 py-1 align-top break-words">
                      {cell === null ? <span className="text-t3">—</span> : String(cell)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolled>
      )}
      {as === 'table' && cells.length > most ? (
        <Button className="self-start" onClick={() => setMost(most + 10 * ROWS_AT_ONCE)}>
          {t('moreRows', { count: cells.length - most })}
        </Button>
      ) : null}
    </div>
  )
}
