/** The archive of a task as another system exported it (docs/task-archive.md), checked as a whole before anything of it is used. */
import * as z from 'zod'
import { type ArchiveFault, Fault } from '@/lib/faults'
import { decodeEntry, UnknownEventError } from '@/lib/mas/decode'
import type { Entry } from '@/lib/mas/events'
import { asId, type TaskId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { isTaskOver } from '@/lib/mas/statuses'
import { takingTurns } from '../../../shared/pieces'
import { isSha256, sha256 } from '../../../shared/sha256'
import { filesOfZip, ZipError, type ZippedFile } from '../../../shared/unzip'
import { archiveWorld } from './archiveWorld'
import { isUuid } from './newIds'

/** bytes: of the file, of all that is in it, and of its entries; files: in it */
export const ARCHIVE_MOST = {
  bytes: 32 * 1024 * 1024,
  unpacked: 256 * 1024 * 1024,
  entries: 64 * 1024 * 1024,
  manifest: 8 * 1024 * 1024,
  files: 20_000,
} as const
export type ArchiveLimits = { readonly [Name in keyof typeof ARCHIVE_MOST]: number }

const VERSION = 1
const MANIFEST = 'manifest.json'
const ENTRIES = 'entries.jsonl'
const RESULT = 'result.md'

const uuid = z.string().refine(isUuid)
const size = z.int().min(0)
const named = z.string().max(2_000)
const head = z.looseObject({ format: z.literal('convene-task'), version: z.int() })
const manifestOf = z.object({
  task: z.object({ id: uuid, name: named }),
  exported: z.object({ at: z.int(), by: named }),
  files: z.array(z.object({ name: z.enum([ENTRIES, RESULT]), sha256: z.string(), bytes: size })),
  bodies: z.array(z.object({ sha256: z.string().refine(isSha256), bytes: size, mime: z.string().max(200) })),
  agents: z.array(z.object({ id: uuid, name: named, kind: z.enum(['llm', 'human', 'outside']) })),
})
export type ArchiveManifest = z.output<typeof manifestOf>
const entryOf = z.object({
  seq: z.int().min(1),
  at: z.number().min(0),
  by: z.string(),
  cause: z.string(),
  event: z.looseObject({ type: z.string(), v: z.int(), task: uuid }),
})

export type ArchiveFile = {
  manifest: ArchiveManifest
  /** In their order, with the ids that they have in the file. */
  entries: Entry[]
  /** A text or file that an entry refers to; null: it is not in the archive. */
  body(sha: string): Promise<{ bytes: Uint8Array; mime: string } | null>
}

const unfit = (fault: ArchiveFault): Fault<'ARCHIVE_UNFIT'> => new Fault('ARCHIVE_UNFIT', fault)
const damaged = (name: string): Fault<'ARCHIVE_UNFIT'> => unfit({ why: 'damaged', name: name.slice(0, 100) })
const tooMuch = (): Fault<'ARCHIVE_UNFIT'> => unfit({ why: 'tooMuch', name: '' })

/** Throws ARCHIVE_UNFIT unless all of it is known, whole and of an ended task. */
export async function checkArchive(bytes: Buffer, most: ArchiveLimits = ARCHIVE_MOST): Promise<ArchiveFile> {
  const archive = await inWords(() => readArchive(bytes, most, true))
  const task = (await worldOf(archive)).tasks[asId<TaskId>(archive.manifest.task.id)]
  if (task === undefined) throw damaged(ENTRIES)
  if (task.base) throw unfit({ why: 'base', name: '' })
  if (!isTaskOver(task)) throw unfit({ why: 'open', name: '' })
  return archive
}

async function worldOf({ manifest, entries }: ArchiveFile): Promise<World> {
  try {
    return await archiveWorld(manifest.agents, entries)
  } catch {
    throw damaged(ENTRIES)
  }
}

/** One that was checked before. Throws ARCHIVE_UNFIT when it has been damaged since, or an older program cannot read it. */
export const openArchiveFile = (bytes: Buffer): Promise<ArchiveFile> =>
  inWords(() => readArchive(bytes, ARCHIVE_MOST, false))

async function readArchive(bytes: Buffer, most: ArchiveLimits, isEachBodyRead: boolean): Promise<ArchiveFile> {
  const files = filesIn(bytes, most)
  const manifest = await readManifest(files, most)
  const shas = new Map(manifest.bodies.map((one) => [one.sha256, one]))
  const stated = [...manifest.files, ...manifest.bodies]
  if (stated.reduce((sum, one) => sum + one.bytes, 0) > most.unpacked) throw tooMuch()
  for (const name of files.keys())
    if (!isListed(name, manifest)) throw unfit({ why: 'unknownFile', name: name.slice(0, 100) })

  /** The content of a file, as long as the manifest says and with its hash. */
  async function content(name: string, { sha256: sha, bytes: length }: { sha256: string; bytes: number }) {
    const file = files.get(name)
    if (file === undefined) throw damaged(name)
    const read = await file.read(length)
    if (read.length !== length || sha256(read) !== sha) throw damaged(name)
    return read
  }

  const lines = manifest.files.find(({ name }) => name === ENTRIES)
  if (lines === undefined) throw damaged(ENTRIES)
  if (lines.bytes > most.entries) throw tooMuch()
  const entries = await entriesIn(await content(ENTRIES, lines), manifest.task.id)
  if (isEachBodyRead) {
    for (const file of manifest.files) if (file.name !== ENTRIES) await content(file.name, file)
    for (const body of manifest.bodies) await content(`bodies/${body.sha256}`, body)
  }
  return {
    manifest,
    entries,
    async body(sha) {
      const listed = shas.get(sha)
      return listed === undefined ? null : { bytes: await content(`bodies/${sha}`, listed), mime: listed.mime }
    },
  }
}

/** The errors of a ZIP file as faults. */
async function inWords<Read>(read: () => Promise<Read>): Promise<Read> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ZipError) throw error.part === null ? unfit({ why: 'noZip', name: '' }) : damaged(error.part)
    throw error
  }
}

/** By name, so a file has each name once. A name is never used as a path. */
function filesIn(bytes: Buffer, most: ArchiveLimits): Map<string, ZippedFile> {
  const listed = filesOfZip(bytes, most.files)
  if (listed === null || listed.reduce((sum, file) => sum + file.bytes, 0) > most.unpacked) throw tooMuch()
  const files = new Map<string, ZippedFile>()
  for (const file of listed) {
    if (files.has(file.name)) throw damaged(file.name)
    files.set(file.name, file)
  }
  return files
}

async function readManifest(files: ReadonlyMap<string, ZippedFile>, most: ArchiveLimits): Promise<ArchiveManifest> {
  const file = files.get(MANIFEST)
  if (file === undefined) throw unfit({ why: 'noManifest', name: '' })
  const value = jsonIn((await file.read(most.manifest)).toString('utf8'))
  const known = head.safeParse(value)
  if (!known.success) throw unfit({ why: 'noManifest', name: '' })
  if (known.data.version !== VERSION) throw unfit({ why: 'version', name: String(known.data.version) })
  const manifest = manifestOf.safeParse(value)
  if (!manifest.success) throw damaged(MANIFEST)
  return manifest.data
}

function isListed(name: string, { files, bodies }: ArchiveManifest): boolean {
  return (
    name === MANIFEST ||
    files.some((file) => file.name === name) ||
    (name.startsWith('bodies/') && bodies.some(({ sha256: sha }) => name === `bodies/${sha}`))
  )
}

/** As a key it would change what an object is. */
const UNFIT_KEY = '__proto__'

/** undefined: it is no JSON, or has a key that no record has */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text, (key, value) => {
      if (key === UNFIT_KEY) throw new SyntaxError(`${key} is no key of a record`)
      return value
    })
  } catch {
    return undefined
  }
}

async function entriesIn(bytes: Buffer, task: string): Promise<Entry[]> {
  const turn = takingTurns()
  const entries: Entry[] = []
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf('\n', from)
    const to = end < 0 ? bytes.length : end
    const parsed = entryOf.safeParse(jsonIn(bytes.toString('utf8', from, to)))
    from = to + 1
    if (!parsed.success || parsed.data.event.task !== task || parsed.data.seq <= (entries.at(-1)?.seq ?? 0))
      throw damaged(ENTRIES)
    entries.push(known(parsed.data))
    await turn()
  }
  return entries
}

function known(stored: z.output<typeof entryOf>): Entry {
  try {
    return decodeEntry(stored)
  } catch (error) {
    if (error instanceof UnknownEventError)
      throw unfit({ why: 'event', name: `${stored.event.type.slice(0, 60)} (${stored.event.v})` })
    throw error
  }
}
