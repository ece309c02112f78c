/** Files of the workspace. One that the caller may not see is answered like one that does not exist. */
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import * as z from 'zod'
import { Fault } from '@/lib/faults'
import { documentKind } from '@/lib/format/documentKind'
import { foldersOf } from '@/lib/format/filePaths'
import { canSeeAll } from '@/lib/mas/access/access'
import { selectVersions } from '@/lib/mas/files/files'
import type { AgentRecord, FileState } from '@/lib/mas/records'
import type { FilesPage, FoundDocument } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { DOCUMENT_LIMITS, readOfficeFile } from '@/server/documents'
import { isOwnPath, KEPT_BYTES, look, openFile, pathInWorkspace, readOnce, walk } from '@/server/files'
import { seenFiles, shownMaker } from '../../files/seenFiles'
import { shown } from '../../records/resolve'
import { Download, type GatewayContext, type Routes } from '../../route'

const MOST_ENTRIES = 300
const MOST_PATHS = 50
const OCTETS = 'application/octet-stream'

const notFound = (path: string): Fault => new Fault('NOT_FOUND', { what: 'file', id: shown(path) })

export function addFileRoutes({ add, gateway }: Routes): void {
  const { engine, store, workspace } = gateway

  /** The canonical path of a file that the caller may see. Throws NOT_FOUND. */
  async function seenPath(person: AgentRecord, text: string) {
    const path = pathInWorkspace(text)
    const files = await seenFiles(gateway, person)
    if (path === null || !files.isSeen(path)) throw notFound(text)
    return { path, files }
  }

  add('GET /api/files', {
    scope: 'read',
    isCostly: true,
    summary:
      'A folder of the workspace, as far as the caller may see it, or what is found in it by words of its path; of inbox/ their uploads and files of their messages.',
    query: schemas.filesQuery,
    answers: schemas.filesPage,
    handle: ({ person, query }) => filesPage(gateway, person, query),
  })

  add('GET /api/files/about', {
    scope: 'read',
    isCostly: true,
    summary: 'A file of the workspace: what it is now, who sent it, and its versions, newest first.',
    query: schemas.fileQuery,
    answers: schemas.aboutFile,
    async handle({ person, query }) {
      const { path, files } = await seenPath(person, query.path)
      const world = engine.world()
      const versions = selectVersions(world, path)
      const opened = await openFile(workspace, path)
      if (opened === null && versions.length === 0) throw notFound(query.path)
      const last = versions.at(-1)?.now ?? null
      const isAsRecorded = versions.length === 0 ? null : await isSame(opened, last)
      await opened?.handle.close()
      const sent = files.sent(path)
      return {
        path,
        now: opened === null ? null : { bytes: opened.bytes, changedAt: opened.changedAt },
        isAsRecorded,
        sent,
        versions: versions.toReversed().map((version) => {
          const { seq, at, change, before, now, shared } = version
          const maker = shownMaker(world, person, version)
          const taskName = maker.task === null ? null : (world.tasks[version.task]?.name ?? null)
          return { seq, at, change, before, now, shared, ...maker, taskName }
        }),
      }
    },
  })

  /** The bytes of a file, or of one of its versions. Throws NOT_FOUND */
  async function contentOf(person: AgentRecord, query: z.infer<typeof schemas.fileContentQuery>): Promise<Content> {
    const { path } = await seenPath(person, query.path)
    if (query.version === undefined) {
      const opened = await openFile(workspace, path)
      if (opened === null) throw notFound(query.path)
      return { path, opened, body: null }
    }
    const version = selectVersions(engine.world(), path).find(({ seq }) => seq === query.version)
    const state = query.before === 'yes' ? version?.before : version?.now
    const body = state?.kept && state.sha !== null ? await store.bodies.get(state.sha) : null
    if (body === null) throw new Fault('NOT_FOUND', { what: 'version', id: `${shown(path)} ${query.version}` })
    return { path, opened: null, body }
  }

  add('GET /api/files/content', {
    scope: 'read',
    summary: 'The content of a file, or of one of its versions.',
    query: schemas.fileContentQuery,
    answers: z.string().meta({ format: 'binary' }),
    mime: OCTETS,
    async handle({ person, query }) {
      const { path, opened, body } = await contentOf(person, query)
      const name = basename(path)
      return body === null
        ? new Download(name, pieces(opened), opened.bytes)
        : new Download(name, new Uint8Array(body.bytes), body.bytes.length)
    },
  })

  add('GET /api/files/document', {
    scope: 'read',
    isCostly: true,
    summary: 'The text of a workbook (.xlsx) or a text document (.docx), or of one of its versions.',
    query: schemas.fileContentQuery,
    answers: schemas.foundDocument,
    handle: async ({ person, query }) => documentIn(await contentOf(person, query)),
  })

  add('GET /api/files/known', {
    scope: 'read',
    summary: 'Which of these texts, one a line and 50 at most, are paths of files that the caller may see.',
    query: schemas.knownFilesQuery,
    answers: schemas.knownFiles,
    async handle({ person, query }) {
      const files = await seenFiles(gateway, person)
      const wanted = [...new Set(query.paths.split('\n'))].slice(0, MOST_PATHS)
      const known = await Promise.all(
        wanted.map(async (path) => {
          if (pathInWorkspace(path) !== path || !files.isSeen(path)) return []
          const isThere = selectVersions(engine.world(), path).length > 0 || (await isFile(workspace, path))
          return isThere ? [path] : []
        }),
      )
      return { paths: known.flat() }
    },
  })
}

type Content = { path: string } & ({ opened: Opened; body: null } | { opened: null; body: { bytes: Uint8Array } })

async function documentIn({ path, opened, body }: Content): Promise<FoundDocument> {
  const kind = documentKind(path)
  try {
    if (kind === null) return { kind: 'none', why: 'broken' }
    if (body !== null) return await readOfficeFile(Buffer.from(body.bytes), kind)
    if (opened.bytes > DOCUMENT_LIMITS.fileBytes) return { kind: 'none', why: 'tooLarge' }
    return await readOfficeFile(await opened.handle.readFile(), kind)
  } finally {
    await opened?.handle.close()
  }
}

/** A folder as this person may see it. Throws NOT_FOUND. */
async function filesPage(
  gateway: GatewayContext,
  person: AgentRecord,
  query: z.infer<typeof schemas.filesQuery>,
): Promise<FilesPage> {
  const { workspace } = gateway
  const folder = query.folder === '' ? '' : pathInWorkspace(query.folder)
  if (folder === null || (folder !== '' && !(await isOwnPath(workspace, folder)))) throw notFound(query.folder)
  const files = await seenFiles(gateway, person)
  const words = query.find.toLowerCase().split(/\s+/).filter(Boolean)
  const isFound = (path: string): boolean => {
    const below = path.slice(folder.length).toLowerCase()
    return words.every((word) => below.includes(word))
  }
  const { found, isWhole } = await walk(workspace, words.length > 0 ? { folder } : { folder, depth: query.depth })
  // Folders of inbox/ are listed when the person may see a file in them, at any depth.
  const inInbox =
    folder === '' || folder.startsWith('inbox') ? await walk(workspace, { folder: folder || 'inbox' }) : null
  const seen = [...found, ...(inInbox?.found ?? [])].filter(({ path, kind }) => kind === 'file' && files.isSeen(path))
  const onTheWay = new Set(seen.flatMap(({ path }) => foldersOf(path)))
  const all = found.filter(
    ({ path, kind }) => isFound(path) && (files.isSeen(path) || (kind === 'folder' && onTheWay.has(path))),
  )
  const entries = all.slice(0, MOST_ENTRIES).map(({ mark: _, ...entry }) => ({
    ...entry,
    by: entry.kind === 'file' ? files.by(entry.path) : null,
  }))
  const root = canSeeAll(person) ? workspace : basename(workspace)
  return { root, folder, entries, more: all.length - entries.length, isWhole }
}

const isFile = async (root: string, path: string): Promise<boolean> =>
  (await isOwnPath(root, path)) && (await look(root, path))?.kind === 'file'

type Opened = NonNullable<Awaited<ReturnType<typeof openFile>>>

/** Does the file on disk equal its newest version? null: unknown. */
async function isSame(opened: Opened | null, last: FileState | null): Promise<boolean | null> {
  if (opened === null || last === null) return opened === null && last === null
  if (opened.bytes !== last.bytes) return false
  if (last.sha === null || opened.bytes > KEPT_BYTES) return null
  return (await readOnce(opened.handle)).sha === last.sha
}

/** The content at the time of opening; the handle is closed at the end, or when the reader disconnects. */
function pieces({ handle, bytes }: Opened): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  if (bytes > 0)
    return Readable.toWeb(handle.createReadStream({ start: 0, end: bytes - 1 })) as ReadableStream<Uint8Array>
  void handle.close()
  return new Uint8Array()
}
