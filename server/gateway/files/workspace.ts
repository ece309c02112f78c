/** Files that people drop into the workspace, and the documents of the rehearsal. */
import type { Dirent } from 'node:fs'
import { cp, mkdir, readdir, realpath, stat, writeFile } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import { Fault } from '@/lib/faults'
import type { Language } from '@/lib/mas/records'
import type { FileWatch } from '@/server/files'
import { errorCode } from '@/server/shared/errors'

const MOST_FOLDERS_A_DAY = 10_000

export type NewTextFile = { name: string; text: string }
/** A file of any content. */
type ReceivedFile = NewTextFile | { name: string; bytes: Uint8Array }

/** The folder of the files of one drop; null: none has been saved yet. */
export type DropFolder = { made: Promise<string> | null }

/**
 * in      names from the browser: only the last part is used, made safe; day: YYYY-MM-DD; drop: the same object for all
 *         files of one drop
 * out     their paths under the workspace, in order
 * faults  NOT_ALLOWED when `inbox` leads out of the workspace
 */
export async function saveDropped(
  root: string,
  day: string,
  files: readonly ReceivedFile[],
  drop: DropFolder = { made: null },
): Promise<string[]> {
  if (files.length === 0) return []
  const inbox = join(root, 'inbox')
  await mkdir(inbox, { recursive: true })
  const [realRoot, realInbox] = [await realpath(root), await realpath(inbox)]
  if (realInbox !== join(realRoot, 'inbox'))
    throw new Fault('NOT_ALLOWED', { what: 'save files outside the workspace' })
  drop.made ??= newFolder(inbox, day).catch((error: unknown) => {
    drop.made = null
    throw error
  })
  const folder = await drop.made
  const taken = new Set<string>()
  const saved: string[] = []
  for (const file of files) {
    const path = await writeNew(folder, file, taken)
    saved.push(slashed(relative(root, path)))
  }
  return saved
}

/** Save files so that no call of a tool that runs is taken to have written them. */
export const savedAside = (
  { files }: { files?: Pick<FileWatch, 'aside'> },
  save: () => Promise<string[]>,
): Promise<string[]> => (files ? files.aside(save) : save())

/** Save under a free name, also while other files of the drop are being saved. */
async function writeNew(folder: string, file: ReceivedFile, taken: Set<string>): Promise<string> {
  for (;;) {
    const path = join(folder, freeName(safeName(file.name), taken))
    // 'wx': an existing file is never overwritten.
    if (await isMade(writeFile(path, 'text' in file ? file.text : file.bytes, { flag: 'wx' }))) return path
  }
}

/** The first of <day>-1, <day>-2 … that mkdir creates: concurrent drops never share one. */
async function newFolder(inbox: string, day: string): Promise<string> {
  for (let n = 1; n <= MOST_FOLDERS_A_DAY; n++) {
    const folder = join(inbox, `${day}-${n}`)
    if (await isMade(mkdir(folder))) return folder
  }
  throw new Fault('BAD_INPUT', { why: 'Too many files were dropped today.' })
}

/** false: there is something of that name already. */
const isMade = (making: Promise<void>): Promise<boolean> =>
  making.then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )

const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i
const LONGEST_NAME = 100

/** A safe file name: no folders, not hidden, nothing with a meaning to file systems or tools. */
export function safeName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? ''
  const clean = last
    .normalize('NFC')
    .replaceAll(/[\p{C}<>:"|?*`]/gu, '_')
    // Without spaces a path is one word in messages and prompts.
    .replaceAll(/\s+/g, '_')
    .replace(/^[._]+/, '')
    .replace(/[._]+$/, '')
  if (clean === '') return 'file.txt'
  const named = RESERVED.test(clean) ? `_${clean}` : clean
  if (named.length <= LONGEST_NAME) return named
  const ending = /\.[^.]{1,10}$/.exec(named)?.[0] ?? ''
  return (
    [...named]
      .slice(0, LONGEST_NAME - ending.length)
      .join('')
      .replace(/[\uD800-\uDBFF]$/, '') + ending
  )
}

/** prices.csv, prices-2.csv …; names that differ in case only are equal on some systems. */
function freeName(name: string, taken: Set<string>): string {
  const ending = /\.[^.]+$/.exec(name)?.[0] ?? ''
  const stem = name.slice(0, name.length - ending.length)
  let free = name
  for (let n = 2; taken.has(free.toLowerCase()); n++) free = `${stem}-${n}${ending}`
  taken.add(free.toLowerCase())
  return free
}

const slashed = (path: string): string => path.split(sep).join('/')

/**
 * Copy the documents of the rehearsal into the workspace; existing files stay unchanged.
 *
 * in      samples: a folder of folders; those of another language are in a folder named by it (`samples/zh/…`)
 * out     the names of the folders, the price lists first; empty without samples
 * faults  what reading the folder threw, unless there is none
 */
export async function ensureSamples(samples: string | null, workspace: string, language: Language): Promise<string[]> {
  if (samples === null) return []
  const byLanguage = join(samples, language)
  const from = (await isFolder(byLanguage)) ? byLanguage : samples
  const found = await readdir(from, { withFileTypes: true }).catch(noneWhenMissing)
  const names = found.filter((item) => item.isDirectory() && !NOT_SAMPLES.test(item.name)).map(({ name }) => name)
  await mkdir(workspace, { recursive: true })
  for (const name of names) {
    const to = join(workspace, basename(name))
    if (!(await isFolder(to))) await cp(join(from, name), to, { recursive: true, errorOnExist: true, force: false })
  }
  return names.sort((a, b) => Number(b === 'prices') - Number(a === 'prices'))
}

function noneWhenMissing(error: unknown): Dirent[] {
  if (errorCode(error) === 'ENOENT') return []
  throw error
}

const NOT_SAMPLES = /^(\..*|en|zh)$/

const isFolder = async (path: string): Promise<boolean> => (await stat(path).catch(() => null))?.isDirectory() ?? false
