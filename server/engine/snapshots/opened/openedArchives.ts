/**
 * Archives of tasks from elsewhere, opened by operators to be read. Each is a body of its own with a row; no entry of the journal
 * names it, so counters, search, inbox and the rights of others have nothing of it. Every node finds it in the store.
 */
import * as z from 'zod'
import { Fault } from '@/lib/faults'
import type { StepId, TaskId } from '@/lib/mas/ids'
import { emptyWorld, type OpenedFrom, type RequestRecord, type StepRecord, type World } from '@/lib/mas/records'
import { findStep } from '@/lib/mas/team/agents'
import type { OpenedArchive } from '@/lib/wire'
import { errorMessage } from '../../../shared/errors'
import { recentMap } from '../../../shared/recentMap'
import type { Store } from '../../../store'
import { type RestoredTask, type RestoredTasks, withRestoredTask } from '../restoredTasks'
import { ARCHIVE_MOST, type ArchiveFile, type ArchiveLimits, checkArchive, openArchiveFile } from './archiveFile'
import { openedTask } from './archiveWorld'
import { isUuid, markIn } from './newIds'

/** The rows are of nobody. */
const OWNER = 'system:archives'
const PREFIX = 'opened:'
const MIME = 'application/vnd.convene.archive'
export const OPENED_MOST = 20
/** More than the clocks of a node and of the store can differ. */
const DAY_MS = 24 * 3_600_000
/** Read archives kept in memory. */
const KNOWN = 2

const row = z.object({
  archive: z.string(),
  task: z.string(),
  name: z.string(),
  file: z.string(),
  by: z.string(),
  at: z.number(),
  exported: z.object({ by: z.string(), at: z.number() }),
  sha: z.string(),
  bytes: z.number(),
})
type Row = z.output<typeof row>

type Opened = { file: ArchiveFile; restored: RestoredTask; world: World }

type OpenedTasksParts = {
  store: Pick<Store, 'people' | 'bodies'>
  /** Throws when a view of it cannot be computed. */
  tryViews: (world: World, task: TaskId) => void
  /** Epoch ms. */
  now: () => number
  /** Makes a uuid. */
  newId: () => string
  log: { warn(data: object, message: string): void }
  limits?: ArchiveLimits
}

export type OpenedTasks = ReturnType<typeof openOpenedTasks>

export function openOpenedTasks(parts: OpenedTasksParts) {
  const { store, tryViews, now, newId, log, limits = ARCHIVE_MOST } = parts
  const known = recentMap<string, Promise<Opened>>(KNOWN)

  const rows = async (): Promise<Row[]> =>
    (await store.people.list(OWNER, PREFIX)).flatMap(({ value }) => row.safeParse(value).data ?? [])

  /** The archive of a record; null: none has that id. A removed one is gone at every node. */
  async function rowOf(id: string): Promise<Row | null> {
    if (!isUuid(id)) return null
    const found = await store.people.get(OWNER, PREFIX + markIn(id))
    return row.safeParse(found?.value).data ?? null
  }

  async function read({ archive, sha, file, by, at, exported }: Row): Promise<Opened> {
    const kept = await store.bodies.get(sha)
    if (kept === null) throw new Error(`the body of the archive ${archive} is gone`)
    return openedFrom(await openArchiveFile(Buffer.from(kept.bytes).subarray(archive.length)), {
      ...{ archive, file, by, at, exported },
    })
  }

  /** null: there is none, or it cannot be read any more, which is logged. */
  async function openedOf(id: string): Promise<Opened | null> {
    const found = await rowOf(id)
    if (found === null) return null
    const reading = known.getOrMake(found.archive, () => read(found))
    try {
      return await reading
    } catch (error) {
      known.delete(found.archive)
      log.warn({ id: found.archive, why: errorMessage(error) }, 'An opened archive cannot be read')
      return null
    }
  }

  return {
    /** Newest first. */
    async list(): Promise<OpenedArchive[]> {
      return (await rows()).sort((a, b) => b.at - a.at).map(({ sha: _, ...shown }) => shown)
    },
    /**
     * Checks a file as a whole and keeps it. Called one after another, or the number of archives may go beyond the limit.
     *
     * in      file: its name; by: the name of who opens it
     * faults  ARCHIVE_UNFIT: nothing is kept
     */
    async open(bytes: Buffer, { file, by }: { file: string; by: string }): Promise<OpenedArchive> {
      if ((await rows()).length >= OPENED_MOST)
        throw new Fault('ARCHIVE_UNFIT', { why: 'tooMany', name: String(OPENED_MOST) })
      const checked = await checkArchive(bytes, limits)
      const archive = newId()
      const { exported } = checked.manifest
      const from: OpenedFrom = { archive, file, by, at: now(), exported: { by: exported.by, at: exported.at } }
      const { task, name } = await shownOf(checked, from, tryViews)
      // Its id makes its hash its own: removing it removes no body of ours.
      const { sha } = await store.bodies.put(Buffer.concat([Buffer.from(archive), bytes]), MIME)
      const shown: OpenedArchive = { ...from, task, name, bytes: bytes.length }
      const put = await store.people.put(OWNER, PREFIX + markIn(archive), { ...shown, sha }, null)
      if (!put.ok) throw new Error(`the id ${archive} is taken`)
      return shown
    },
    /** Throws NOT_FOUND. */
    async remove(archive: string): Promise<void> {
      const found = await rowOf(archive)
      if (found?.archive !== archive) throw new Fault('NOT_FOUND', { what: 'archive', id: archive.slice(0, 100) })
      await store.bodies.forget([found.sha], now() + DAY_MS)
      await store.people.remove(OWNER, PREFIX + markIn(archive))
      known.delete(archive)
    },
    async task(id: string): Promise<RestoredTask | null> {
      const opened = await openedOf(id)
      return opened?.restored.task === id ? opened.restored : null
    },
    async step(id: string): Promise<StepRecord | null> {
      const opened = await openedOf(id)
      return opened && findStep(opened.world, id as StepId)
    },
    async request(id: string): Promise<RequestRecord | null> {
      const requests: RequestRecord[] = Object.values((await openedOf(id))?.restored.piece.requests ?? {})
      return requests.find((request) => request.id === id) ?? null
    },
    /** The bodies that this task's entries refer to; null: it was not opened from a file. */
    async bodiesOf(task: string): Promise<{ get: ArchiveFile['body'] } | null> {
      const opened = await openedOf(task)
      return opened && { get: opened.file.body }
    },
  }
}

/** Tasks that left the world, and opened ones. */
export const withOpened = (past: RestoredTasks, opened: OpenedTasks): RestoredTasks => ({
  ...past,
  task: async (id) => (await past.task(id)) ?? opened.task(id),
  step: async (id) => (await past.step(id)) ?? opened.step(id),
  request: async (id) => (await past.request(id)) ?? opened.request(id),
})

async function openedFrom(file: ArchiveFile, from: OpenedFrom): Promise<Opened> {
  const restored = await openedTask(file, from)
  return { file, restored, world: withRestoredTask(emptyWorld, restored) }
}

/** All that people will look at is computed once: what has another form than our records is refused here. */
async function shownOf(
  file: ArchiveFile,
  from: OpenedFrom,
  tryViews: OpenedTasksParts['tryViews'],
): Promise<{ task: TaskId; name: string }> {
  try {
    const { restored, world } = await openedFrom(file, from)
    const { task, piece } = restored
    tryViews(world, task)
    return { task, name: String(piece.tasks?.name ?? '') }
  } catch {
    throw new Fault('ARCHIVE_UNFIT', { why: 'damaged', name: 'entries.jsonl' })
  }
}
