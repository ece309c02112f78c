/** What the calls of a history show, and which are due next: list, read each file, search for missing ones; write, read back. */
import { type Ability, type DueCall, kindOfCall, offers, textArgument } from './abilities'
import type { Constraint, Job } from './job'
import { fileKindOf, fileNameIn, filesNamedIn, isReadable, looksLikeFile } from './ops/fileNames'
import { editorLinesOf, type SourceFile } from './ops/parse'
import type { ShownStep } from './readParts'

/** The path of a call that lists the workspace for orientation only: its files are not read for the job. */
const AROUND = './'

/** With more files than this, one call reads several. */
const ONE_BY_ONE = 8
const AT_ONCE = 20
const MOST_FILES = 200

/** A call that is over; one for several files counts once for each. error null: it succeeded. */
type PastCall = {
  kind: Exclude<DueCall['do'], 'read_many'>
  path: string
  args: Record<string, unknown>
  text: string
  error: string | null
  item: ShownStep
}

type MissingFile = { path: string; namedIn: { file: string; line: number }; error: string | null }

type KnownFiles = {
  calls: PastCall[]
  /** Files in listed folders, by path, and further folders there. */
  found: string[]
  folders: string[]
  /** Entries of the workspace root, listed because nothing else could be read; folders first. */
  around: string[] | null
  /** Each file as it was read last. */
  sources: SourceFile[]
}

export function pastCalls(items: readonly ShownStep[]): PastCall[] {
  return items.flatMap((item): PastCall[] => {
    const { type, state, call, result: text } = item
    const kind = type === 'tool' && state !== 'to come' && call !== null ? kindOfCall(call.name) : null
    if (kind === null || call === null) return []
    const { arguments: args } = call
    if (kind === 'read_many') return partsOfMany(text, args).map((part) => ({ ...part, kind: 'read', args, item }))
    const error = state === 'failed' || item.isError ? errorOf(item) : null
    return [{ kind, path: textArgument(args, 'path'), args, text, error, item }]
  })
}

/** What the calls of a history show. */
export function knownFrom(items: readonly ShownStep[]): KnownFiles {
  const calls = pastCalls(items)
  const sources = new Map<string, SourceFile>()
  const known: KnownFiles = { calls, found: [], folders: [], around: null, sources: [] }
  for (const { kind, path, text, error, item } of calls) {
    const { files, folders } = kind === 'list' && error === null ? entriesOf(text) : { files: [], folders: [] }
    if (kind === 'list' && path === AROUND)
      known.around = [...folders, ...files.filter(isReadable)].filter((name) => !name.startsWith('.'))
    else {
      known.found.push(...files.map((name) => join(path, name)))
      known.folders.push(...folders.map((name) => join(path, name)))
    }
    if (kind === 'read' && error === null) sources.set(path, { path, text, cut: item.cut })
    // A found file counts if it is below the root of relative paths.
    if (kind === 'search' && error === null)
      known.found.push(
        ...text
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => /^[^\s].*\.[A-Za-z0-9]+$/.test(line) && !/no matches/i.test(line)),
      )
  }
  return { ...known, sources: [...sources.values()] }
}

/** Calls of that kind that failed; listing the workspace for orientation is none. */
export const failedCalls = ({ calls }: KnownFiles, wanted: PastCall['kind']): PastCall[] =>
  calls.filter(({ kind, error, path }) => kind === wanted && error !== null && path !== AROUND)

export const hasListed = ({ calls }: KnownFiles): boolean =>
  calls.some(({ kind, error, path }) => kind === 'list' && error === null && path !== AROUND)

/** The tool's message about this path; null: no such call failed. */
export const errorAt = (known: KnownFiles, kind: PastCall['kind'], path: string): string | null =>
  failedCalls(known, kind).find((one) => one.path === path)?.error ?? null

/** Files named in other files that do not exist: reading failed, or was not tried yet. */
export function namedButNotFound(known: KnownFiles, job: Job): MissingFile[] {
  // A report names its sources, which are not read again.
  if (job.change !== null) return []
  const there = new Set([...known.found, ...known.sources.map((source) => source.path)])
  const missing = new Map<string, MissingFile>()
  for (const source of known.sources) {
    if (!['md', 'txt', 'markdown', ''].includes(fileKindOf(source.path))) continue
    for (const { name, line } of filesNamedIn(editorLinesOf(source.text))) {
      const path = join(folderOf(source.path), name)
      if (there.has(path) || there.has(name) || path === job.report_path || missing.has(path)) continue
      if ([...there].some((one) => isNamed(one, name))) continue
      missing.set(path, { path, namedIn: { file: source.path, line }, error: errorAt(known, 'read', path) })
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
  job.only.length === 0 || job.only.some((kind) => plainKind(kind) === plainKind(fileKindOf(path)))

const plainKind = (kind: string): string => (kind === 'markdown' ? 'md' : kind)

export const hasUnread = (items: readonly ShownStep[], job: Job): boolean => nextReadings(items, job, null).length > 0

/** Read calls that are due and independent of each other; none when nothing is left to read. */
export function nextReadings(items: readonly ShownStep[], job: Job, abilities: readonly Ability[] | null): DueCall[] {
  const known = knownFrom(items)
  const isTried = (path: string): boolean => known.calls.some((one) => one.kind === 'read' && one.path === path)
  if (isNothingThere(known, job)) return known.around === null ? [{ do: 'list', path: AROUND }] : []
  const folders = [
    ...job.where.filter((path) => !looksLikeFile(path) || isFolder(known, path)),
    ...known.folders.filter((path) => depthOf(path) - rootDepth(job) <= 3),
  ].filter((path) => !known.calls.some((one) => one.kind === 'list' && one.path === path))
  if (folders.length > 0) return [...new Set(folders)].slice(0, ONE_BY_ONE).map((path) => ({ do: 'list', path }))
  if (job.op === 'list') return []
  const unread = wantedFiles(known, job).filter((path) => !isTried(path))
  const many = abilities === null || offers(abilities, 'read_many')
  if (unread.length > ONE_BY_ONE && many) return [{ do: 'read_many', paths: unread.slice(0, AT_ONCE) }]
  if (unread.length > 0) return unread.slice(0, ONE_BY_ONE).map((path) => ({ do: 'read', path }))
  if (!hasListed(known)) return []
  const root = job.where.find((one) => !looksLikeFile(one)) ?? '.'
  const patterns = known.calls.flatMap(({ kind, args }) => (kind === 'search' ? [textArgument(args, 'pattern')] : []))
  return namedButNotFound(known, job)
    .filter(({ path }) => isReadable(path) && kindWanted(path, job) && !isLeftOut(path, job.constraints))
    .slice(0, 3)
    .flatMap(({ path }): DueCall[] => {
      const pattern = `**/${fileNameIn(path)}`
      return [
        ...(isTried(path) ? [] : [{ do: 'read', path } as const]),
        ...(patterns.includes(pattern) ? [] : [{ do: 'search', path: root, pattern } as const]),
      ]
    })
}

/** The newest written file, and the read calls of it since; null: nothing was written. */
function lastWritten(items: readonly ShownStep[]): { path: string; sent: string; reads: PastCall[] } | null {
  const calls = pastCalls(items)
  const at = calls.findLastIndex(({ kind, error }) => kind === 'write' && error === null)
  const written = calls[at]
  if (written === undefined) return null
  const { path, args } = written
  const reads = calls.slice(at + 1).filter((one) => one.kind === 'read' && one.path === path)
  return { path, sent: textArgument(args, 'content'), reads }
}

/** The call that reads a written file back; null when that was tried, or nothing was written. */
export function nextReadBack(items: readonly ShownStep[]): DueCall | null {
  const written = lastWritten(items)
  return written === null || written.reads.length > 0 ? null : { do: 'read', path: written.path }
}

/** The last written text, and what was read back from its path. */
export function writtenAndReadBack(
  items: readonly ShownStep[],
): { path: string; sent: string; back: string | null; readBy: ShownStep | null } | null {
  const written = lastWritten(items)
  if (written === null) return null
  const read = written.reads.find(({ error }) => error === null)
  return { path: written.path, sent: written.sent, back: read?.text ?? null, readBy: read?.item ?? null }
}

/** Could none of the job's places be listed or read? */
const isNothingThere = (known: KnownFiles, job: Job): boolean =>
  job.where.length > 0 &&
  !hasListed(known) &&
  known.sources.length === 0 &&
  job.where.every(
    (path) =>
      (errorAt(known, 'list', path) !== null && !isNoFolder(known, path)) ||
      (errorAt(known, 'read', path) !== null && !isFolder(known, path)),
  )

/** A name with a dot may be a folder, one without may be a file; the tool's error tells. */
const isFolder = (known: KnownFiles, path: string): boolean =>
  /EISDIR|is a directory/i.test(errorAt(known, 'read', path) ?? '')
const isNoFolder = (known: KnownFiles, path: string): boolean =>
  /ENOTDIR|not a directory/i.test(errorAt(known, 'list', path) ?? '')

const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/')
export const errorOf = (item: ShownStep): string => (item.isError ? item.result : (item.failure ?? item.result)).trim()

/** Parses `[FILE] name` and `[DIR] name` lines; other lists line by line, where a final slash marks a folder. */
function entriesOf(text: string): { files: string[]; folders: string[] } {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const isMarked = lines.some((line) => MARK.test(line))
  const named = (pattern: RegExp, marked: string): string[] =>
    isMarked
      ? lines.flatMap((line) => (line.startsWith(marked) ? [line.replace(MARK, '').replace(/\s{2,}\S.*$/, '')] : []))
      : lines.flatMap((line) => pattern.exec(line)?.[1] ?? [])
  return { files: named(/^(.*[^/])$/, '[FILE]'), folders: named(/^(.*)\/$/, '[DIR]') }
}
const MARK = /^\[(?:FILE|DIR)\]\s*/

/** Splits the result of a call for several files, at the requested paths in their order. */
function partsOfMany(text: string, args: Record<string, unknown>): Pick<PastCall, 'path' | 'text' | 'error'>[] {
  const paths = Object.values(args).flatMap((value) => (Array.isArray(value) ? value.map(String) : []))
  const starts: { path: string; at: number; from: number; failed: boolean }[] = []
  let from = 0
  for (const path of paths) {
    for (const [mark, failed] of [
      [`${path}:\n`, false],
      [`${path}: Error - `, true],
    ] as const) {
      const isFirst = from === 0 && text.startsWith(mark)
      const at = isFirst ? 0 : text.indexOf(`\n---\n${mark}`, Math.max(0, from - 5))
      if (at < 0) continue
      from = (isFirst ? 0 : at + 5) + mark.length
      starts.push({ path, at, from, failed })
      break
    }
  }
  return starts.map(({ path, from: begin, failed }, at) => {
    const content = text.slice(begin, starts[at + 1]?.at ?? text.length)
    // The server adds one line break after each content.
    return failed ? { path, text: '', error: content.trim() } : { path, text: content.replace(/\n$/, ''), error: null }
  })
}

const join = (folder: string, name: string): string =>
  folder === '' || folder === '.' ? name : `${folder.replace(/\/$/, '')}/${name}`
const depthOf = (path: string): number => path.split('/').length
const rootDepth = (job: Job): number => Math.max(0, ...job.where.map((path) => (path === '.' ? 0 : depthOf(path))))
