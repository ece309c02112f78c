/** Decides the next tool call from the calls so far: list, read each file, search for missing ones; write, read back. */
import { type Ability, ARGUMENTS, type DueCall, kindOfCall, offers } from './abilities'
import type { Constraint, Job } from './job'
import { filesNamedIn } from './ops/inventory'
import { editorLinesOf, fileKindOf, isReadable, type SourceFile } from './ops/parse'
import type { ShownStep } from './readPrompt'

/** The path of a call that lists the workspace for orientation only: its files are not read for the job. */
const AROUND = './'

/** With more files than this, one call reads several. */
const ONE_BY_ONE = 8
const AT_ONCE = 20
const MOST_FILES = 200

type MissingFile = { path: string; namedIn: { file: string; line: number }; error: string }

type KnownFiles = {
  /** Folders that were listed, and those that failed. */
  listed: string[]
  refused: { path: string; error: string }[]
  /** Files in them, by path. */
  found: string[]
  folders: string[]
  /** Entries of the workspace root, listed because nothing else could be read; folders first. */
  around: string[] | null
  sources: SourceFile[]
  failed: { path: string; error: string }[]
  searched: string[]
  written: string[]
  writeFailed: { path: string; error: string } | null
}

/** What the calls of a history show. */
export function knownFrom(items: readonly ShownStep[]): KnownFiles {
  const known: KnownFiles = {
    listed: [],
    refused: [],
    found: [],
    folders: [],
    around: null,
    sources: [],
    failed: [],
    searched: [],
    written: [],
    writeFailed: null,
  }
  for (const item of items) {
    if (item.type !== 'tool' || item.state === 'to come' || item.call === null) continue
    const path = pathOf(item.call.arguments)
    const error = item.state === 'failed' || item.isError ? errorOf(item) : null
    switch (kindOfCall(item.call.name)) {
      case 'list':
        if (path === AROUND) {
          const { folders, files } = error === null ? entriesOf(item.result) : { folders: [], files: [] }
          known.around = [...folders, ...files.filter(isReadable)].filter((name) => !name.startsWith('.'))
        } else if (error !== null) known.refused.push({ path, error })
        else {
          known.listed.push(path)
          const entries = entriesOf(item.result)
          known.found.push(...entries.files.map((name) => join(path, name)))
          known.folders.push(...entries.folders.map((name) => join(path, name)))
        }
        break
      case 'read':
        if (error !== null) known.failed.push({ path, error })
        else keep(known, { path, text: item.result, cut: item.cut })
        break
      case 'read_many':
        for (const part of partsOfMany(item.result, listOf(item.call.arguments))) {
          if (part.error !== null) known.failed.push({ path: part.path, error: part.error })
          else keep(known, { path: part.path, text: part.text, cut: item.cut })
        }
        break
      case 'search': {
        known.searched.push(patternOf(item.call.arguments))
        if (error !== null) break
        // A found file counts if it is below the root of relative paths.
        known.found.push(
          ...item.result
            .split('\n')
            .map((line) => line.trim())
            .filter((line) => /^[^\s].*\.[A-Za-z0-9]+$/.test(line) && !/no matches/i.test(line)),
        )
        break
      }
      case 'write':
        if (error !== null) known.writeFailed = { path, error }
        else {
          known.written.push(path)
          known.writeFailed = null
        }
        break
      case null:
        break
    }
  }
  return known
}

/** Files named in other files that do not exist: reading failed, or was not tried yet. */
export function namedButNotFound(known: KnownFiles, job: Job): MissingFile[] {
  const there = new Set([...known.found, ...known.sources.map((source) => source.path)])
  const missing = new Map<string, MissingFile>()
  for (const source of known.sources) {
    if (!['md', 'txt', 'markdown', ''].includes(fileKindOf(source.path))) continue
    for (const { name, line } of filesNamedIn(editorLinesOf(source.text))) {
      const path = join(folderOf(source.path), name)
      if (there.has(path) || there.has(name) || path === job.report_path || missing.has(path)) continue
      if ([...there].some((one) => isNamed(one, name))) continue
      missing.set(path, {
        path,
        namedIn: { file: source.path, line },
        error: known.failed.find((one) => one.path === path)?.error ?? '',
      })
    }
  }
  return [...missing.values()]
}

/** Chinese text may touch a name without a space: the text before it is not part of it. */
function isNamed(path: string, name: string): boolean {
  if (path.endsWith(`/${name}`)) return true
  const before = name.endsWith(fileNameIn(path)) ? name.slice(0, -fileNameIn(path).length) : ''
  return /\p{Script=Han}$/u.test(before)
}

/** Did a decision exclude this file, by its path, its name, or its name without extension? */
export function isLeftOut(path: string, constraints: readonly Constraint[]): boolean {
  const name = fileNameIn(path).toLowerCase()
  const names = [path.toLowerCase(), name, name.replace(/\.[^.]+$/, '')]
  return constraints.some((one) => one.kind === 'without_file' && names.includes(one.value.toLowerCase()))
}

/** Readable files of the job in the order in which they were found. */
export function wantedFiles(known: KnownFiles, job: Job): string[] {
  const direct = job.where.filter((path) => (looksLikeFile(path) && !isFolder(known, path)) || isNoFolder(known, path))
  return [...new Set([...direct, ...known.found])]
    .filter((path) => isReadable(path) && path !== job.report_path && kindWanted(path, job))
    .slice(0, MOST_FILES)
}

export const kindWanted = (path: string, job: Job): boolean =>
  job.only.length === 0 || job.only.some((kind) => sameKind(kind, fileKindOf(path)))

const sameKind = (one: string, other: string): boolean =>
  one === other || (['md', 'markdown'].includes(one) && ['md', 'markdown'].includes(other))

export const hasUnread = (items: readonly ShownStep[], job: Job): boolean => nextReadings(items, job, null).length > 0

/** Read calls that are due and independent of each other; none when nothing is left to read. */
export function nextReadings(items: readonly ShownStep[], job: Job, abilities: readonly Ability[] | null): DueCall[] {
  const known = knownFrom(items)
  const tried = new Set([...known.sources.map((source) => source.path), ...known.failed.map((one) => one.path)])
  const done = new Set([...known.listed, ...known.refused.map((one) => one.path)])
  if (isNothingThere(known, job)) return known.around === null ? [{ do: 'list', path: AROUND }] : []
  const folders = [
    ...job.where.filter((path) => !looksLikeFile(path) || isFolder(known, path)),
    ...known.folders.filter((path) => depthOf(path) - rootDepth(job) <= 3),
  ].filter((path) => !done.has(path))
  if (folders.length > 0) return [...new Set(folders)].slice(0, ONE_BY_ONE).map((path) => ({ do: 'list', path }))
  if (job.op === 'list') return []
  const unread = wantedFiles(known, job).filter((path) => !tried.has(path))
  const many = abilities === null || offers(abilities, 'read_many')
  if (unread.length > ONE_BY_ONE && many) return [{ do: 'read_many', paths: unread.slice(0, AT_ONCE) }]
  if (unread.length > 0) return unread.slice(0, ONE_BY_ONE).map((path) => ({ do: 'read', path }))
  if (known.listed.length === 0) return []
  const missing = namedButNotFound(known, job)
    .filter(({ path }) => isReadable(path) && kindWanted(path, job) && !isLeftOut(path, job.constraints))
    .slice(0, 3)
  return missing.flatMap(({ path }): DueCall[] => {
    const pattern = `**/${fileNameIn(path)}`
    const root = job.where.find((one) => !looksLikeFile(one)) ?? '.'
    return [
      ...(tried.has(path) ? [] : [{ do: 'read', path } as const]),
      ...(known.searched.includes(pattern) ? [] : [{ do: 'search', path: root, pattern } as const]),
    ]
  })
}

/** The call that reads a written file back; null when that was tried, or nothing was written. */
export function nextReadBack(items: readonly ShownStep[]): DueCall | null {
  const written = lastWritten(items)
  return written === null || written.reads.length > 0 ? null : { do: 'read', path: written.path }
}

/** The newest written file, and the read calls after it. */
function lastWritten(items: readonly ShownStep[]): { path: string; sent: string; reads: ShownStep[] } | null {
  const callOf = (item: ShownStep, kind: 'write' | 'read') =>
    item.call !== null && kindOfCall(item.call.name) === kind ? item.call.arguments : null
  const at = items.findLastIndex(
    (item) => item.type === 'tool' && item.state === 'finished' && !item.isError && callOf(item, 'write') !== null,
  )
  const sent = items[at] ? callOf(items[at], 'write') : null
  if (sent === null) return null
  const path = pathOf(sent)
  const reads = items.slice(at + 1).filter((item) => {
    const read = callOf(item, 'read')
    return read !== null && pathOf(read) === path
  })
  return { path, sent: contentOf(sent), reads }
}

/** Successful read calls, oldest first. */
export const readsIn = (items: readonly ShownStep[]): ShownStep[] =>
  items.filter(
    ({ type, state, isError, call }) =>
      type === 'tool' && state === 'finished' && !isError && call !== null && /^read/.test(kindOfCall(call.name) ?? ''),
  )

/** The last written text, and what was read back from its path. */
export function writtenAndReadBack(
  items: readonly ShownStep[],
): { path: string; sent: string; back: string | null; readBy: ShownStep | null } | null {
  const written = lastWritten(items)
  if (written === null) return null
  const readBy = written.reads.find(({ state }) => state === 'finished') ?? null
  return { path: written.path, sent: written.sent, back: readBy?.result ?? null, readBy }
}

/** Could none of the job's places be listed or read? */
const isNothingThere = (known: KnownFiles, job: Job): boolean =>
  job.where.length > 0 &&
  known.listed.length === 0 &&
  known.sources.length === 0 &&
  job.where.every((path) => {
    const isRefused = known.refused.some((one) => one.path === path) && !isNoFolder(known, path)
    return isRefused || (known.failed.some((one) => one.path === path) && !isFolder(known, path))
  })

/** A name with a dot may be a folder, one without may be a file; the tool's error tells. */
const isFolder = (known: KnownFiles, path: string): boolean =>
  known.failed.some((one) => one.path === path && /EISDIR|is a directory/i.test(one.error))
const isNoFolder = (known: KnownFiles, path: string): boolean =>
  known.refused.some((one) => one.path === path && /ENOTDIR|not a directory/i.test(one.error))

export const looksLikeFile = (path: string): boolean => fileKindOf(path) !== ''
export const fileNameIn = (path: string): string => path.split('/').at(-1) ?? path
const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/')
export const errorOf = (item: ShownStep): string => (item.isError ? item.result : (item.failure ?? item.result)).trim()

function keep(known: KnownFiles, source: SourceFile): void {
  const at = known.sources.findIndex((one) => one.path === source.path)
  if (at < 0) known.sources.push(source)
  else known.sources[at] = source
}

/** Parses `[FILE] name` and `[DIR] name` lines; other lists line by line, where a final slash marks a folder. */
function entriesOf(text: string): { files: string[]; folders: string[] } {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const marked = lines.filter((line) => /^\[(?:FILE|DIR)\]/.test(line))
  const nameIn = (line: string) => line.replace(/^\[(?:FILE|DIR)\]\s*/, '').replace(/\s{2,}\S.*$/, '')
  if (marked.length > 0) {
    return {
      files: marked.filter((line) => line.startsWith('[FILE]')).map(nameIn),
      folders: marked.filter((line) => line.startsWith('[DIR]')).map(nameIn),
    }
  }
  return {
    files: lines.filter((line) => !line.endsWith('/')),
    folders: lines.filter((line) => line.endsWith('/')).map((line) => line.slice(0, -1)),
  }
}

/** Splits the result of a call for several files, at the requested paths in their order. */
function partsOfMany(text: string, paths: string[]): { path: string; text: string; error: string | null }[] {
  const starts: { path: string; at: number; from: number; failed: boolean }[] = []
  let from = 0
  for (const path of paths) {
    for (const [mark, failed] of [
      [`${path}:\n`, false],
      [`${path}: Error - `, true],
    ] as const) {
      const at = from === 0 && text.startsWith(mark) ? 0 : text.indexOf(`\n---\n${mark}`, Math.max(0, from - 5))
      if (at < 0) continue
      const begin = at === 0 && text.startsWith(mark) ? mark.length : at + 5 + mark.length
      starts.push({ path, at, from: begin, failed })
      from = begin
      break
    }
  }
  return starts.map((start, at) => {
    const content = text.slice(start.from, starts[at + 1]?.at ?? text.length)
    // The server adds one line break after each content.
    return start.failed
      ? { path: start.path, text: '', error: content.trim() }
      : { path: start.path, text: content.replace(/\n$/, ''), error: null }
  })
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : '')
const firstText = (args: Record<string, unknown>, names: RegExp): string =>
  asText(Object.entries(args).find(([name]) => names.test(name))?.[1])
const pathOf = (args: Record<string, unknown>): string => firstText(args, ARGUMENTS.path)
const contentOf = (args: Record<string, unknown>): string => firstText(args, ARGUMENTS.content)
const patternOf = (args: Record<string, unknown>): string => firstText(args, ARGUMENTS.pattern)
const listOf = (args: Record<string, unknown>): string[] =>
  Object.values(args).flatMap((value) => (Array.isArray(value) ? value.map(asText) : []))

const join = (folder: string, name: string): string =>
  folder === '' || folder === '.' ? name : `${folder.replace(/\/$/, '')}/${name}`
const depthOf = (path: string): number => path.split('/').length
const rootDepth = (job: Job): number => Math.max(0, ...job.where.map((path) => (path === '.' ? 0 : depthOf(path))))
