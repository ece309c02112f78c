/**
 * What changes in the workspace while a call of a tool runs: compared by time and size before and after, and only what
 * differs is read.
 *
 * Calls that overlap see each other's changes. A change belongs to the call that names its path when no other that ran
 * meanwhile does; else it is marked as shared and recorded once. Nothing here makes a step fail.
 */
import type { FileChange, FileState } from '@/lib/mas/records'
import { recentMap } from '../shared/recentMap'
import { openFile, pathInWorkspace } from './open'
import { MOST_BYTES, readOnce } from './readOnce'
import { type FoundFile, look, MOST_ENTRIES, walk } from './walk'

/** Content of a file is kept up to here. */
export const KEPT_BYTES = 25 * 1024 * 1024
/** All contents that one call leaves. */
const KEPT_TOGETHER = 100 * 1024 * 1024
const MOST_CHANGES = 100
const KNOWN_STATES = 5_000

export type FilesFound = { changes: FileChange[]; more: number; complete: boolean; keep: number }

type CallWatch = {
  /** To be called once, when the call is over in whatever way. null: nothing changed. */
  after(): Promise<FilesFound | null>
}

export type FileWatchParts = {
  root: string
  /** Paths under the workspace that the arguments of a call name. */
  namedIn: (args: unknown) => readonly string[]
  bodies: { put(bytes: Uint8Array, mime: string): Promise<{ sha: string; bytes: number }> }
  /** Versions of a file that are kept. */
  keep: number
  keptBytes?: number
  /** Entries of the workspace beyond which only named files are compared. */
  most?: number
  onTrouble: (error: unknown) => void
}

type Call = {
  named: ReadonlySet<string>
  isAgain: boolean
  base: ReadonlyMap<string, FoundFile>
  isWhole: boolean
  /** Calls that ran at the same time, also those that are over. */
  others: Set<Call>
  /** What this call recorded: the state of each path that changed. */
  recorded: Map<string, FileState | null>
  /** Paths that were saved beside all calls. */
  aside: Set<string>
}

/** in: the folder, how a version is kept. out: compares the folder before and after each call; trouble goes to onTrouble. */
export function openFileWatch(parts: FileWatchParts) {
  const { root, keep, most = MOST_ENTRIES, onTrouble } = parts
  const running = new Set<Call>()
  const saving = new Set<Promise<unknown>>()
  const states = openStates(parts)

  async function compare(call: Call): Promise<FilesFound | null> {
    const now = await lookAt(root, most, call.named)
    await Promise.allSettled(saving)
    const complete = call.isWhole && now.isWhole
    const compared = complete ? new Set([...call.base.keys(), ...now.base.keys()]) : call.named
    const differing = [...compared]
      .filter((path) => call.base.get(path)?.mark !== now.base.get(path)?.mark && !call.aside.has(path))
      .sort()
    const changes: FileChange[] = []
    let room = KEPT_TOGETHER
    let more = 0
    for (const path of differing) {
      const is = now.base.get(path)
      if (changes.length >= MOST_CHANGES) {
        more += 1
        continue
      }
      const owner = ownerOf(call, path, running)
      if (owner === 'another') continue
      const before = stateBefore(call, path, states)
      const after = is === undefined ? null : await states.keep(is, room)
      const isSame = before === null ? after === null : before.sha !== null && before.sha === after?.sha
      if (isSame && !(call.isAgain && after !== null && call.named.has(path))) continue
      room -= after?.kept ? after.bytes : 0
      call.recorded.set(path, after)
      changes.push({ path, change: changeOf(before, after), before, now: after, shared: owner === 'shared' })
    }
    return changes.length === 0 && complete ? null : { changes, more, complete, keep }
  }

  return {
    /**
     * in: the arguments of the call; files that they name are kept as they are now. isAgain: a try before was cut off, and may have
     * made what it names: written anew, that has changed, though its content is the same
     */
    async before(args: unknown, isAgain: boolean = false): Promise<CallWatch> {
      try {
        const named = new Set(parts.namedIn(args).flatMap((path) => pathInWorkspace(path) ?? []))
        const call: Call = {
          named,
          isAgain,
          ...(await lookAt(root, most, named)),
          others: new Set(running),
          recorded: new Map(),
          aside: new Set(),
        }
        for (const other of running) other.others.add(call)
        running.add(call)
        let room = KEPT_TOGETHER
        for (const path of named) {
          const file = call.base.get(path)
          const state = file === undefined ? null : await states.keep(file, room)
          room -= state?.kept ? state.bytes : 0
        }
        return {
          async after() {
            try {
              return await compare(call)
            } catch (error) {
              onTrouble(error)
              return null
            } finally {
              running.delete(call)
            }
          },
        }
      } catch (error) {
        onTrouble(error)
        return { after: async () => null }
      }
    },
    /** in: a path as a call names it. out: where it is in the workspace, and its size in bytes, null: there is no file; null: it is elsewhere */
    async find(named: string): Promise<{ path: string; bytes: number | null } | null> {
      const path = pathInWorkspace(parts.namedIn([named])[0] ?? '')
      if (path === null) return null
      const found = await look(root, path)
      return { path, bytes: found?.kind === 'file' ? found.bytes : null }
    },
    /** Files saved outside of calls, such as uploads. out: what `save` gave */
    async aside(save: () => Promise<string[]>): Promise<string[]> {
      const saved = save().then((paths) => {
        for (const call of running) for (const path of paths) call.aside.add(path)
        return paths
      })
      saving.add(saved)
      try {
        return await saved
      } finally {
        saving.delete(saved)
      }
    },
  }
}

export type FileWatch = ReturnType<typeof openFileWatch>

/** The files as they are now: all, or those that are named where there are too many. */
async function lookAt(root: string, most: number, named: ReadonlySet<string>): Promise<Pick<Call, 'base' | 'isWhole'>> {
  const { found, isWhole } = await walk(root, { most })
  const base = new Map(found.filter(({ kind }) => kind === 'file').map((file) => [file.path, file]))
  if (!isWhole) {
    for (const path of named) {
      const file = await look(root, path)
      if (file?.kind === 'file') base.set(path, file)
    }
  }
  return { base, isWhole }
}

/** Whose change is it? A call that is over and did not record it has not made it. */
function ownerOf(call: Call, path: string, running: ReadonlySet<Call>): 'own' | 'shared' | 'another' {
  const others = [...call.others].filter((other) => running.has(other))
  const isNamedByOthers = others.some(({ named }) => named.has(path))
  if (call.named.has(path)) return isNamedByOthers ? 'shared' : 'own'
  if (isNamedByOthers) return 'another'
  return others.length > 0 ? 'shared' : 'own'
}

/** What the path was before: as a call left it that ran meanwhile, else as this call found it. */
function stateBefore(call: Call, path: string, states: States): FileState | null {
  const left = [...call.others].findLast(({ recorded }) => recorded.has(path))
  if (left) return left.recorded.get(path) ?? null
  const was = call.base.get(path)
  return was === undefined ? null : states.known(was)
}

const changeOf = (before: FileState | null, after: FileState | null): FileChange['change'] =>
  after === null ? 'removed' : before === null ? 'made' : 'changed'

type States = {
  /** The state of a file, its content kept where it fits. in: room: bytes that may still be kept */
  keep(file: FoundFile, room: number): Promise<FileState>
  /** What is known of it without reading it. */
  known(file: FoundFile): FileState
}

/** Remembers the states of files as long as their time and size stay. */
function openStates({ root, bodies, keptBytes = KEPT_BYTES }: FileWatchParts): States {
  const read = recentMap<string, { mark: string; state: FileState }>(KNOWN_STATES)
  return {
    async keep(file, room) {
      const seen = read.get(file.path)
      if (seen?.mark === file.mark && seen.state.kept) return seen.state
      const state = await readState(root, file, Math.min(keptBytes, room), bodies)
      read.set(file.path, { mark: file.mark, state })
      return state
    },
    known(file) {
      const seen = read.get(file.path)
      return seen?.mark === file.mark ? seen.state : { sha: null, bytes: file.bytes, kept: false }
    },
  }
}

async function readState(
  root: string,
  { path, bytes }: FoundFile,
  room: number,
  bodies: FileWatchParts['bodies'],
): Promise<FileState> {
  const opened = bytes > MOST_BYTES ? null : await openFile(root, path)
  if (opened === null) return { sha: null, bytes, kept: false }
  try {
    const { content, ...read } = await readOnce(opened.handle, room)
    if (content !== null) await bodies.put(content, 'application/octet-stream')
    return { ...read, kept: content !== null }
  } finally {
    await opened.handle.close()
  }
}
