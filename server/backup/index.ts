/** Backups of a data folder: made, checked, restored; and teams moved between the two stores. */
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { emptyWorld } from '@/lib/mas/reduce'
import { flushFile, flushFolder } from '../shared/flush'
import { isSha256 } from '../shared/sha256'
import {
  copyDatabase,
  damageText,
  type MovedCounts,
  moveRows,
  placeShown,
  type StorePlace,
  withBoth,
  writeKnownHead,
} from '../store'
import { BackupError } from './BackupError'
import { readOn } from './checkRestored'
import { copyDurable, copyTree, exists, FILE_MODE, flushFolders, makeEmptyFolder } from './files'
import { compareFiles, DATA, listFiles, MANIFEST, type Manifest, readManifest, WORKSPACE } from './manifest'

export { BackupError } from './BackupError'
export { checkRestored } from './checkRestored'
export type { Manifest } from './manifest'

type BackUpOptions = {
  dataFolder: string
  /** null: files of the workspace are not in the backup. */
  workspaceFolder: string | null
  /** Must be empty or not exist. */
  to: string
  /** Keys and tokens too: sign-ins at tool servers, the key pair for push notices. */
  keys: boolean
  /** Rows of `people` that hold keys. */
  keyRows: readonly { person: string; key: string }[]
  keyFolders: readonly string[]
  version: string
  /** Epoch ms. */
  now: () => number
}

/**
 * Back a data folder up, also while a server runs on it.
 *
 * Bodies are copied before and after the database: a body's file is durable before the database names it and is removed after its
 * row, so each file that the copied database names is in one of the two passes.
 *
 * The data folder gets one file: where its journal ended (../knownHead.ts).
 *
 * out     the manifest, written last: a folder without one is no backup
 * faults  BackupError
 */
export async function backUp(options: BackUpOptions): Promise<Manifest> {
  const { dataFolder, to, keys, workspaceFolder } = options
  if (!(await exists(join(dataFolder, 'convene.db'))))
    throw new BackupError(
      `${dataFolder} holds no convene.db: there is nothing to back up. CONVENE_DATA names the folder.`,
    )
  await makeEmptyFolder(to, 'The folder for the backup')
  const bodies = join(dataFolder, 'bodies')
  const copyBodies = async (): Promise<number> =>
    (await exists(bodies)) ? copyTree(bodies, join(to, DATA, 'bodies'), isSha256) : 0

  let bodyFiles = await copyBodies()
  const { hash, ...copied } = await copyDatabase(dataFolder, join(to, DATA, 'convene.db'), {
    without: keys ? [] : options.keyRows,
  })
  bodyFiles += await copyBodies()
  if (keys)
    for (const folder of options.keyFolders)
      if (await exists(join(dataFolder, folder))) await copyTree(join(dataFolder, folder), join(to, DATA, folder))
  if (workspaceFolder !== null && (await exists(workspaceFolder))) await copyTree(workspaceFolder, join(to, WORKSPACE))
  const manifest: Manifest = {
    format: 1,
    madeAt: new Date(options.now()).toISOString(),
    convene: options.version,
    ...copied,
    bodyFiles,
    keys,
    workspace: workspaceFolder !== null,
    files: await listFiles(to),
  }
  await flushFolders(to)
  const unfinished = join(to, `${MANIFEST}.tmp`)
  await writeFile(unfinished, `${JSON.stringify(manifest, null, 2)}\n`, { mode: FILE_MODE })
  await flushFile(unfinished)
  await rename(unfinished, join(to, MANIFEST))
  await flushFolder(to)
  const { journal, head: seq, madeAt } = manifest
  writeKnownHead(dataFolder, 'backup', { journal, seq, hash, at: Date.parse(madeAt) })
  return manifest
}

/** Problems that are said at once; more of them would say no more. */
const MOST_PROBLEMS = 10

/** The manifest of a backup whose files are intact. Throws BackupError naming each file that is not. */
export async function verifyBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder)
  const problems = await compareFiles(folder, manifest)
  if (problems.length === 0) return manifest
  const more = problems.length - MOST_PROBLEMS
  throw new BackupError(
    [
      `The backup ${folder} is damaged. Use another one, or mend these files:`,
      ...problems.slice(0, MOST_PROBLEMS).map((problem) => `  ${problem}`),
      ...(more > 0 ? [`  and ${more} more`] : []),
    ].join('\n'),
  )
}

/**
 * Copy a backup into an empty data folder (and its workspace into an empty workspace folder).
 *
 * The database comes last: a start that finds bodies without it refuses, so that a restore that was cut off is noticed.
 *
 * in      workspaceFolder null: the workspace stays as it is
 * faults  BackupError: the backup is damaged, or a target is not empty
 */
export async function restore(options: {
  from: string
  dataFolder: string
  workspaceFolder: string | null
}): Promise<Manifest> {
  const { from, dataFolder, workspaceFolder } = options
  const manifest = await verifyBackup(from)
  if (workspaceFolder !== null && !manifest.workspace)
    throw new BackupError(`The backup ${from} holds no workspace: it was made without --workspace.`)
  await makeEmptyFolder(dataFolder, 'The data folder')
  if (workspaceFolder !== null) await makeEmptyFolder(workspaceFolder, 'The workspace folder')
  const isDatabase = (name: string): boolean => name === 'convene.db'
  await copyTree(join(from, DATA), dataFolder, (name) => !isDatabase(name))
  const unfinished = join(dataFolder, 'convene.db.restoring')
  await copyDurable(join(from, DATA, 'convene.db'), unfinished)
  if (workspaceFolder !== null && (await exists(join(from, WORKSPACE))))
    await copyTree(join(from, WORKSPACE), workspaceFolder)
  await flushFolders(dataFolder)
  await rename(unfinished, join(dataFolder, 'convene.db'))
  await flushFolder(dataFolder)
  return manifest
}

/**
 * Move a team from the embedded store to PostgreSQL or back. The old store stays as it is.
 *
 * in      a store that no process uses; a database without a journal, or an empty folder
 * out     what was moved: every hash and body was compared, and both journals lead to the same world
 * faults  those of moveRows; BackupError: the two are not the same, and the new one must not be used
 */
export async function moveStore(from: StorePlace, to: StorePlace, { withSnapshots = true } = {}): Promise<MovedCounts> {
  const counts = await moveRows(from, to, withSnapshots)
  await withBoth(from, to, async (old, next) => {
    const { damage } = await next.verify()
    if (damage[0]) throw notTheSame(to, damageText(damage[0]))
    const heads = [await old.journal.head(), await next.journal.head()]
    if (old.journal.id !== next.journal.id || !isDeepStrictEqual(heads[0], heads[1]))
      throw notTheSame(to, 'its journal ends elsewhere')
    if ((await worldText(old)) !== (await worldText(next))) throw notTheSame(to, 'its entries lead to another world')
  })
  return counts
}

const worldText = async (store: Parameters<typeof readOn>[0]): Promise<string> =>
  JSON.stringify(await readOn(store, emptyWorld))

const notTheSame = (to: StorePlace, why: string): BackupError =>
  new BackupError(
    `What was moved to ${placeShown(to)} is not what was there: ${why}. Do not use it; the old store is as it was.`,
  )
