/** What a file holds, shown by its kind. Nothing of it runs: pictures come from this browser's memory, pages are shown as text. */

import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { CallRefused } from '@/client/api'
import { useApiBytes } from '@/client/queries'
import { useObjectUrl } from '@/components/ui/hooks/useObjectUrl'
import { JsonView } from '@/components/ui/lazy'
import { FaultState, Loading } from '@/components/ui/States'
import { Markdown } from '@/components/ui/text/Markdown'
import { Scrolled } from '@/components/ui/text/Scrolled'
import { formatBytes } from '@/lib/format'
import { type DecodedText, decodeFileText, ENCODING_NAMES } from '@/lib/format/decodeFileText'
import { jsonValueOf } from '@/lib/json'
import { type FileShape, nameOf, shapeOf } from './fileKinds'
import { CsvTable, DocumentContent, PdfPages } from './lazy'
import { contentHref } from './places'

const LOADING = <Loading lines={10} className="px-0!" />

type FileContentProps = {
  path: string
  version: number | undefined
  bytes: number
  /** Its content can be asked for. */
  isKept: boolean
}

export function FileContent({ path, version, bytes, isKept }: FileContentProps) {
  const t = useTranslations('files')
  const shape = shapeOf(path)
  const isTooLarge = bytes > shape.mostBytes
  const isShown = isKept && !isTooLarge && bytes > 0 && shape.kind !== 'document'
  const { data, error, refetch } = useApiBytes(isShown ? contentHref(path, version) : null)
  if (!isKept) return <p className="py-6 text-t2">{t('notKept')}</p>
  if (bytes === 0) return <p className="py-6 text-t2">{t('noContent')}</p>
  if (isTooLarge) {
    return (
      <p className="py-6 text-t2">{t('tooLarge', { size: formatBytes(bytes), most: formatBytes(shape.mostBytes) })}</p>
    )
  }
  if (shape.kind === 'document') return <DocumentContent path={path} version={version} name={nameOf(path)} />
  if (error !== null) return <Broken fault={error} onRetry={refetch} />
  if (data === undefined) return LOADING
  return <Shown content={data} path={path} shape={shape} />
}

export function Broken({ fault, onRetry }: { fault: CallRefused; onRetry: () => void }) {
  const t = useTranslations('files')
  return <FaultState title={t('broken')} fault={fault} onRetry={onRetry} />
}

function Shown({ content, path, shape }: { content: Blob; path: string; shape: FileShape }) {
  if (shape.mime !== null) return <Media content={content} path={path} shape={shape} mime={shape.mime} />
  if (shape.kind === 'pdf') return <PdfPages content={content} name={nameOf(path)} />
  return <TextContent content={content} path={path} kind={shape.kind} />
}

function Media({ content, path, shape, mime }: { content: Blob; path: string; shape: FileShape; mime: string }) {
  const t = useTranslations('files')
  const [typed] = useState(() => content.slice(0, content.size, mime))
  const [isBroken, setBroken] = useState(false)
  const url = useObjectUrl(typed)
  if (isBroken) return <p className="py-6 text-t2">{t('notShown')}</p>
  if (url === null) return null
  return shape.kind === 'picture' ? (
    // biome-ignore lint/performance/noImgElement: a picture that this page holds needs no server.
    <img
      src={url}
      alt={nameOf(path)}
      onError={() => setBroken(true)}
      className="max-w-full rounded-control border border-line"
    />
  ) : (
    // biome-ignore lint/a11y/useMediaCaption: what somebody recorded has no captions; its name says what it is.
    <audio src={url} controls onError={() => setBroken(true)} className="w-full max-w-md" aria-label={nameOf(path)} />
  )
}

/** The text of a blob: undefined while it is read, null where it is none. */
export function useText(content: Blob | null): string | null | undefined {
  const decoded = useDecoded(content)
  return decoded === null ? null : decoded?.text
}

function useDecoded(content: Blob | null): DecodedText | null | undefined {
  const [decoded, setDecoded] = useState<DecodedText | null | undefined>(undefined)
  useEffect(() => {
    // Joins the browser's memory: a blob is read by itself.
    if (content === null) return
    let isWanted = true
    void content.arrayBuffer().then((bytes) => {
      if (isWanted) setDecoded(decodeFileText(new Uint8Array(bytes)))
    })
    return () => {
      isWanted = false
    }
  }, [content])
  return decoded
}

function TextContent({ content, path, kind }: { content: Blob; path: string; kind: FileShape['kind'] }) {
  const t = useTranslations('files')
  const decoded = useDecoded(content)
  if (decoded === undefined) return LOADING
  if (decoded === null) return <p className="py-6 text-t2">{t('notShown')}</p>
  const { text, encoding } = decoded
  return (
    <>
      {encoding === 'utf-8' ? null : (
        <p className="pb-2 text-table text-t3">{t('encoding', { name: ENCODING_NAMES[encoding] })}</p>
      )}
      <ShownText text={text} path={path} kind={kind} />
    </>
  )
}

function ShownText({ text, path, kind }: { text: string; path: string; kind: FileShape['kind'] }) {
  switch (kind) {
    case 'markdown':
      return (
        <article aria-label={nameOf(path)} className="rounded-card border border-line bg-s2 px-5 py-4 max-md:px-3.5">
          <Markdown text={text} headingLevel={2} />
        </article>
      )
    case 'table':
      return <CsvTable text={text} name={nameOf(path)} />
    case 'json':
      return <Json text={text} name={nameOf(path)} />
    default:
      return <PlainText text={text} name={nameOf(path)} />
  }
}

function PlainText({ text, name }: { text: string; name: string }) {
  return (
    <section aria-label={name} className="min-w-0">
      <Scrolled
        as="pre"
        className="overflow-x-auto rounded-card border border-line bg-s2 px-4 py-3 font-mono text-table break-words whitespace-pre-wrap"
      >
        {text}
      </Scrolled>
    </section>
  )
}

function Json({ text, name }: { text: string; name: string }) {
  return jsonValueOf(text) === undefined ? <PlainText text={text} name={name} /> : <JsonView text={text} name={name} />
}
