/**
 * A PDF as pages, one below the other. Each is drawn on a canvas when it comes near the window and cleared when it has left; its text
 * is beside it for readers without a picture. Nothing of the file runs: its scripts, links and forms are not opened. A lazy file.
 */
import { getDocument, type PDFDocumentProxy, type PDFPageProxy, PDFWorker } from 'pdfjs-dist'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useSearchParam } from '@/client/nav'
import { Button } from '@/components/ui/Button'
import { Loading } from '@/components/ui/States'
import { boxOnPage, type PointBox, readPlace } from '@/lib/format/pagePlace'

/** Pages that are listed at first, and more with each press. */
const PAGES_AT_ONCE = 50
const NEAR = '600px'
/** Pixels of a canvas for one of the page: sharper costs memory that nobody sees. */
const MOST_SHARPNESS = 2

type Opened = { status: 'loading' } | { status: 'broken' } | { status: 'open'; file: PDFDocumentProxy }

/** `?page=` and `?box=` of the address: the page that is scrolled to, and the cited place on it. */
export default function PdfPages({ content, name }: { content: Blob; name: string }) {
  const t = useTranslations('files')
  const opened = usePdf(content)
  const place = readPlace(useSearchParam('page'), useSearchParam('box'))
  const [count, setCount] = useState(Math.max(PAGES_AT_ONCE, place?.page ?? 0))
  if (opened.status === 'loading') return <Loading lines={10} className="px-0!" />
  if (opened.status === 'broken') return <p className="py-6 text-t2">{t('notShown')}</p>
  const { file } = opened
  const all = file.numPages
  const numbers = Array.from({ length: Math.min(count, all) }, (_, at) => at + 1)
  return (
    <section aria-label={name} className="flex min-w-0 flex-col gap-4">
      {numbers.map((number) => (
        <PdfPage
          key={number}
          file={file}
          number={number}
          label={t('page', { number, all })}
          isCited={number === place?.page}
          box={number === place?.page ? place.box : null}
        />
      ))}
      {numbers.length < all ? (
        <Button onClick={() => setCount(count + PAGES_AT_ONCE)}>
          {t('morePages', { shown: numbers.length, all })}
        </Button>
      ) : null}
    </section>
  )
}

/** Opens the file in a worker of its own, which ends with the component. */
function usePdf(content: Blob): Opened {
  const [opened, setOpened] = useState<Opened>({ status: 'loading' })
  // Joins the browser's worker that reads the file.
  useEffect(() => {
    let isWanted = true
    const port = new Worker(new URL('pdfjs-dist/build/pdf.worker.min.mjs', import.meta.url), { type: 'module' })
    const worker = PDFWorker.create({ port })
    const open = async (): Promise<void> => {
      const data = new Uint8Array(await content.arrayBuffer())
      // The content policy allows neither eval nor WebAssembly.
      const file = await getDocument({ data, worker, isEvalSupported: false, useWasm: false }).promise
      if (isWanted) setOpened({ status: 'open', file })
    }
    open().catch(() => {
      if (isWanted) setOpened({ status: 'broken' })
    })
    return () => {
      isWanted = false
      worker.destroy()
      port.terminate()
    }
  }, [content])
  return opened
}

type PdfPageProps = { file: PDFDocumentProxy; number: number; label: string; isCited: boolean; box: PointBox | null }

function PdfPage({ file, number, label, isCited, box }: PdfPageProps) {
  const t = useTranslations('files')
  const frame = useRef<HTMLElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const marked = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  const [text, setText] = useState('')
  const [size, setSize] = useState<{ width: number; height: number } | null>(null)
  // Joins the window: what is far from it holds no picture.
  useEffect(() => {
    if (frame.current === null) return
    const watch = new IntersectionObserver((entries) => setNear(entries.some((entry) => entry.isIntersecting)), {
      rootMargin: NEAR,
    })
    watch.observe(frame.current)
    return () => watch.disconnect()
  }, [])
  // Joins the worker, which reads the page.
  useEffect(() => {
    const read = async (): Promise<void> => {
      const page = await file.getPage(number)
      const { width, height } = page.getViewport({ scale: 1 })
      setSize({ width, height })
      setText(await textOf(page))
    }
    read().catch(() => undefined)
  }, [file, number])
  // Joins the browser's scrolling: once its height is known, what is cited is in the middle.
  useEffect(() => {
    if (isCited && size !== null) (marked.current ?? frame.current)?.scrollIntoView({ block: 'center' })
  }, [isCited, size])
  useEffect(() => {
    const surface = canvas.current
    if (!isNear || surface === null) return
    const stop = new AbortController()
    void file
      .getPage(number)
      .then((page) => (stop.signal.aborted ? undefined : draw(page, surface, stop.signal)))
      // A page that cannot be drawn stays white; its text, or the download, is still there.
      .catch(() => undefined)
    return () => {
      stop.abort()
      surface.width = 0
    }
  }, [file, number, isNear])
  const on = box && size && boxOnPage(box, size)
  return (
    <figure
      ref={frame}
      aria-label={label}
      className="relative aspect-[1/1.414] w-full max-w-3xl border border-line bg-white"
      style={size ? { aspectRatio: `${size.width} / ${size.height}` } : undefined}
    >
      <canvas ref={canvas} aria-hidden className="size-full object-contain" />
      {on ? (
        <div
          ref={marked}
          role="img"
          aria-label={t('citedPlace')}
          className="absolute border-2 border-accent bg-accent/15"
          style={{ left: `${on.left}%`, top: `${on.top}%`, width: `${on.width}%`, height: `${on.height}%` }}
        />
      ) : null}
      <figcaption className="sr-only">{text}</figcaption>
    </figure>
  )
}

async function draw(page: PDFPageProxy, canvas: HTMLCanvasElement, signal: AbortSignal): Promise<void> {
  const plain = page.getViewport({ scale: 1 })
  const sharpness = Math.min(window.devicePixelRatio, MOST_SHARPNESS)
  const viewport = page.getViewport({ scale: (canvas.clientWidth / plain.width) * sharpness })
  canvas.width = Math.floor(viewport.width)
  canvas.height = Math.floor(viewport.height)
  const task = page.render({ canvas, viewport })
  signal.addEventListener('abort', () => task.cancel(), { once: true })
  await task.promise
}

async function textOf(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent()
  return items.map((item) => ('str' in item ? item.str : '')).join(' ')
}
