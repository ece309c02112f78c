/**
 * A backup of a data folder, also while a server runs on it.
 *
 * Bodies are copied before and after the database: a body's file is durable before the database names it and is removed after its
 * row, so each file that the copied database names is in one of the two passes.
 */
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { flushFile, flushFolder } from '../shared/flush'
import { isSha256 } from '../shared/sha256'
import { copyDatabase } from '../store'
import { BackupError } from './BackupError'
import { copyTree, exists, FILE_MODE, flushFolders, makeEmptyFolder } from './files'
import { DATA, listFiles, MANIFEST, type Manifest, WORKSPACE } from './manifest'

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

/** out: the manifest, written last: a folder without one is no backup. Throws BackupError. */
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
  const copied = await copyDatabase(join(dataFolder, 'convene.db'), join(to, DATA, 'convene.db'), {
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
  return manifest
}
