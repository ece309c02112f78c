/** The manifest of a backup: what it holds, so that a damaged or incomplete copy is noticed before it is used. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { jsonValueOf } from '@/lib/json'
import { BackupError } from './BackupError'

export const MANIFEST = 'manifest.json'
export const DATA = 'data'
export const WORKSPACE = 'workspace'

const whole = z.number().int().nonnegative()
const fileShape = z.object({ path: z.string().min(1), bytes: whole, sha256: z.string().regex(/^[0-9a-f]{64}$/) })
const manifestShape = z.object({
  format: z.literal(1),
  madeAt: z.iso.datetime(),
  convene: z.string(),
  journal: z.string(),
  schema: whole,
  head: whole,
  decisions: whole,
  bodyFiles: whole,
  keys: z.boolean(),
  workspace: z.boolean(),
  files: z.array(fileShape),
})

/** head: number of the last entry. keys: the backup holds keys and tokens. files: paths with `/`, relative to the backup. */
export type Manifest = z.infer<typeof manifestShape>
type FileEntry = z.infer<typeof fileShape>

/** faults  BackupError: there is no manifest, or it is not one */
export async function readManifest(folder: string): Promise<Manifest> {
  let text: string
  try {
    text = await readFile(join(folder, MANIFEST), 'utf8')
  } catch {
    throw new BackupError(`${folder} holds no ${MANIFEST}: it is no backup, or one that was not finished.`)
  }
  const parsed = manifestShape.safeParse(jsonValueOf(text))
  if (!parsed.success) throw new BackupError(`${join(folder, MANIFEST)} is damaged: ${z.prettifyError(parsed.error)}`)
  return parsed.data
}

/** Size and SHA-256 of every file below a folder, sorted by path. */
export async function listFiles(folder: string): Promise<FileEntry[]> {
  const found: FileEntry[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    found.push({ path: relative(folder, file).split(sep).join('/'), ...(await measure(file)) })
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Compares a backup with its manifest. out: a sentence for each file that is missing, changed or not named. */
export async function compareFiles(folder: string, manifest: Manifest): Promise<string[]> {
  const there = new Map((await listFiles(folder)).map((file) => [file.path, file]))
  there.delete(MANIFEST)
  const problems: string[] = []
  for (const { path, bytes, sha256 } of manifest.files) {
    const file = there.get(path)
    there.delete(path)
    if (!file) problems.push(`${path} is missing.`)
    else if (file.bytes !== bytes) problems.push(`${path} has ${file.bytes} bytes instead of ${bytes}.`)
    else if (file.sha256 !== sha256) problems.push(`${path} was changed: its SHA-256 is another one.`)
  }
  for (const path of there.keys()) problems.push(`${path} does not belong to this backup.`)
  return problems
}

async function measure(file: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  await pipeline(createReadStream(file), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      hash.update(chunk)
      bytes += chunk.length
    }
  })
  return { bytes, sha256: hash.digest('hex') }
}
