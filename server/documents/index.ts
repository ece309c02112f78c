/**
 * The text of workbooks (.xlsx) and text documents (.docx), the same for people and agents.
 *
 * Such a file may be hostile: its sizes and parts are checked before anything reads it, and it is read in a thread with limits.
 */
import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import Papa from 'papaparse'
import type { DocumentKind } from '@/lib/format/documentKind'
import { type FoundDocument, foundDocument } from '@/lib/wire/http'
import { sha256 } from '@/server/shared/sha256'
import { filesOfZip, ZipError } from '@/server/shared/unzip'
import { zipPieces } from '@/server/shared/zip'
import { DOCUMENT_WORKER } from './documentWorker'

export const DOCUMENT_LIMITS = {
  fileBytes: 10 * 1024 * 1024,
  parts: 2_000,
  unpackedBytes: 64 * 1024 * 1024,
  /** Unpacked bytes for each byte of the file, beyond the first MiB. */
  ratio: 200,
  sheets: 50,
  cells: 200_000,
  characters: 1_000_000,
  readMs: 20_000,
} as const
const FREE_BYTES = 1024 * 1024
const CACHED_CHARACTERS = 8_000_000

type Why = Extract<FoundDocument, { kind: 'none' }>['why']
const none = (why: Why): FoundDocument => ({ kind: 'none', why })

const known = new LRUCache<string, FoundDocument>({
  maxSize: CACHED_CHARACTERS,
  sizeCalculation: (found) => 1 + documentText(found).length,
})
/** One after another: each may take much memory. */
let last: Promise<unknown> = Promise.resolve()

/** in: limits: other ones for a test. Never throws. */
export async function readOfficeFile(
  bytes: Buffer,
  kind: DocumentKind,
  limits: Limits = DOCUMENT_LIMITS,
): Promise<FoundDocument> {
  if (bytes.length > limits.fileBytes) return none('tooLarge')
  const key = `${kind} ${sha256(bytes)}`
  const isUsual = limits === DOCUMENT_LIMITS
  const cached = isUsual ? known.get(key) : undefined
  if (cached !== undefined) return cached
  const reading = last.then(async () => {
    const safe = await repacked(bytes, limits)
    return typeof safe === 'string' ? none(safe) : inThread(safe, kind, limits)
  })
  last = reading
  const found = await reading
  if (isUsual && !(found.kind === 'none' && found.why === 'tooLong')) known.set(key, found)
  return found
}

type Limits = { [Name in keyof typeof DOCUMENT_LIMITS]: number }

/** The same parts packed anew, so that the reader unpacks what was looked at; or why they are not read. */
async function repacked(bytes: Buffer, limits: Limits): Promise<Buffer | Why> {
  try {
    const files = filesOfZip(bytes, limits.parts)
    if (files === null) return 'tooLarge'
    let left = limits.unpackedBytes
    const mostByRatio = Math.max(FREE_BYTES, bytes.length * limits.ratio)
    const parts: { name: string; content: Buffer }[] = []
    // What is stated may be wrong: it is only read to refuse early.
    const stated = files.reduce((sum, file) => sum + file.bytes, 0)
    if (stated > limits.unpackedBytes) return 'tooLarge'
    if (stated > mostByRatio) return 'unsafe'
    for (const file of files) {
      if (file.name.endsWith('/')) continue
      const content = await file.read(Math.max(1, Math.min(left, file.bytes)))
      left -= content.length
      if (isXml(file.name) && DECLARES.test(content.toString('latin1').replaceAll('\0', ''))) return 'unsafe'
      parts.push({ name: file.name, content })
    }
    const pieces: Uint8Array[] = []
    for await (const piece of zipPieces(entriesOf(parts), SOME_TIME)) pieces.push(piece)
    return Buffer.concat(pieces)
  } catch (error) {
    if (error instanceof ZipError || error instanceof RangeError) return 'broken'
    throw error
  }
}

async function* entriesOf(parts: readonly { name: string; content: Buffer }[]) {
  for (const { name, content } of parts) yield { name, content: [content] }
}

const isXml = (name: string): boolean => /\.(xml|rels)$/i.test(name)
/** In UTF-16 there is a zero beside each of its letters. */
const DECLARES = /<!(?:DOCTYPE|ENTITY)/i
/** Of the parts that are packed anew; nobody sees it. */
const SOME_TIME = Date.UTC(2000, 0)

function inThread(bytes: Buffer, kind: DocumentKind, limits: Limits): Promise<FoundDocument> {
  return new Promise((resolve) => {
    const worker = new Worker(DOCUMENT_WORKER, {
      eval: true,
      // Flags of this process (loaders, module type) do not apply to the worker's source text.
      execArgv: [],
      workerData: { from: import.meta.url, kind, bytes, most: limits },
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    })
    const timer = setTimeout(() => end(none('tooLong')), limits.readMs)
    const end = (found: FoundDocument): void => {
      clearTimeout(timer)
      resolve(found)
      void worker.terminate()
    }
    worker.on('message', (message: unknown) => end(foundDocument.safeParse(message).data ?? none('broken')))
    worker.on('error', () => end(none('broken')))
    worker.on('exit', () => end(none('broken')))
  })
}

/** All of it as one text: each sheet as a heading and lines of CSV. '': there is none */
export function documentText(found: FoundDocument): string {
  switch (found.kind) {
    case 'words':
      return found.text
    case 'sheets':
      return found.sheets.map(({ name, rows }) => `## ${name}\n${Papa.unparse(rows, { newline: '\n' })}`).join('\n\n')
    case 'none':
      return ''
    default:
      return found satisfies never
  }
}
