/**
 * Texts of workspace files that are not in UTF-8, or in a workbook or text document. A file server reads and writes UTF-8 only: what
 * it reads of them is unreadable.
 */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeFileText, ENCODING_NAMES } from '@/lib/format/decodeFileText'
import { documentKind } from '@/lib/format/documentKind'
import { fieldsIn } from '@/lib/json'
import { documentText, readOfficeFile } from '../../documents'
import type { Unread } from '../foreign/unread'
import { MESSAGE_LIMIT_BYTES } from '../limits'
import type { ToolContent, ToolResult } from '../types'
import { pathsNamedIn } from './hiddenPaths'

/** What stands where bytes are no UTF-8. */
const UNREADABLE = '\uFFFD'
/** UTF-16 read as UTF-8: every second sign is a zero. */
const isUnreadable = (text: string): boolean => text.includes(UNREADABLE) || text.includes('\0')

/** Files of one call that are looked at. */
const MOST_FILES = 50

/**
 * A result whose unreadable texts are those of the files that its call names, in their own encodings.
 *
 * in      root: the folder of the server; null: it has none
 * out     the same result when all of it can be read. Otherwise its `unread` says which file is in which encoding, or that a text
 *         has signs that nobody can read
 */
export async function withReadableTexts(root: string | null, args: unknown, result: ToolResult): Promise<ToolResult> {
  if (!result.content.some((part) => isUnreadable(textOf(part)))) return result
  const files = root === null ? [] : await foreignFiles(root, args)
  const unread: Unread[] = [...(result.unread ?? [])]
  for (const { path, form, isDocument } of files)
    unread.push({ why: isDocument ? 'document' : 'encoding', at: path, found: form })
  const content = result.content.map((part, at) => {
    const before = textOf(part)
    if (!isUnreadable(before)) return part
    const text = files.reduce(replaced, before)
    if (text.includes(UNREADABLE)) unread.push({ why: 'undecoded', at: `content[${at}]`, found: '' })
    return { ...part, text }
  })
  return { ...result, content, ...(unread.length === 0 ? {} : { unread }) }
}

const textOf = (part: ToolContent): string => ('text' in part ? (part.text ?? '') : '')

/** form: its encoding, or the kind of document, for people and agents */
type ForeignFile = { path: string; text: string; asUtf8: string; form: string; isDocument: boolean }

/** The files named in the arguments that are texts in another encoding, or documents. */
async function foreignFiles(root: string, args: unknown): Promise<ForeignFile[]> {
  const found: ForeignFile[] = []
  for (const path of pathsNamedIn(root, args).slice(0, MOST_FILES)) {
    const bytes = await bytesOf(join(root, path))
    const read = bytes && (await readable(path, bytes))
    if (bytes && read) found.push({ ...read, path, asUtf8: bytes.toString('utf8') })
  }
  return found
}

/** null: it is in UTF-8, or no text */
async function readable(path: string, bytes: Buffer): Promise<Omit<ForeignFile, 'path' | 'asUtf8'> | null> {
  const kind = documentKind(path)
  if (kind !== null) {
    const text = documentText(await readOfficeFile(bytes, kind))
    return text === '' ? null : { text, form: kind === 'sheets' ? 'XLSX' : 'DOCX', isDocument: true }
  }
  const decoded = decodeFileText(bytes)
  if (decoded === null || decoded.encoding === 'utf-8') return null
  return { text: decoded.text, form: ENCODING_NAMES[decoded.encoding], isDocument: false }
}

async function bytesOf(file: string): Promise<Buffer | null> {
  try {
    const { size } = await stat(file)
    return size > MESSAGE_LIMIT_BYTES ? null : await readFile(file)
  } catch {
    return null
  }
}

/** The text with what it holds of the file put right: all of it, or lines of its beginning or end. */
function replaced(text: string, { asUtf8, text: right }: ForeignFile): string {
  if (text.includes(asUtf8)) return text.split(asUtf8).join(right)
  const wrong = asUtf8.split('\n')
  const lines = right.split('\n')
  const given = text.split('\n')
  if (wrong.length !== lines.length || given.length > wrong.length) return text
  for (const start of [0, wrong.length - given.length])
    if (given.every((line, at) => line === wrong[start + at]))
      return lines.slice(start, start + given.length).join('\n')
  return text
}

/**
 * Why a call must not be sent: it edits a text in place that its server cannot read, and would write the unreadable signs back.
 * null: it may be sent.
 */
export async function editsForeignText(root: string, args: unknown): Promise<string | null> {
  if (!('edits' in fieldsIn(args))) return null
  const [file] = await foreignFiles(root, args)
  if (file === undefined) return null
  if (file.isDocument)
    return `${file.path} is ${file.form}, which cannot be edited as a text: write a new file beside it`
  return `${file.path} is in ${file.form}, and would be damaged by an edit: read it, and write it whole, which saves it in UTF-8`
}
