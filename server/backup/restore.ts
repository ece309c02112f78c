/** Puts a backup back into an empty place, and checks one without touching what is in use. */
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { flushFolder } from '../shared/flush'
import { BackupError } from './BackupError'
import { copyDurable, copyTree, exists, flushFolders, makeEmptyFolder } from './files'
import { compareFiles, DATA, type Manifest, readManifest, WORKSPACE } from './manifest'

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
