/** Files of a backup: durable copies that only their owner may read. */
import { constants } from 'node:fs'
import { access, chmod, copyFile, mkdir, readdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { flushFile, flushFolder } from '../shared/flush'
import { BackupError } from './BackupError'

const FOLDER_MODE = 0o700
export const FILE_MODE = 0o600

/** Makes a folder, or takes an empty one. Throws BackupError when something is in it. */
export async function makeEmptyFolder(folder: string, what: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
  if ((await readdir(folder)).length > 0)
    throw new BackupError(`${what} ${folder} is not empty. Name a folder that is empty or does not exist.`)
}

/** Is there a file or folder at this path that can be reached? */
export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** Copy one file, flushed to the disk. A copy-on-write clone where the file system can. */
export async function copyDurable(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: FOLDER_MODE })
  await copyFile(from, to, constants.COPYFILE_FICLONE)
  await chmod(to, FILE_MODE)
  await flushFile(to)
}

/** Copies a folder's regular files that the target lacks; links are left out. out: how many. */
export async function copyTree(
  from: string,
  to: string,
  wanted: (name: string) => boolean = () => true,
): Promise<number> {
  let copied = 0
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !wanted(entry.name)) continue
    const source = join(entry.parentPath, entry.name)
    const target = join(to, relative(from, source))
    if (await exists(target)) continue
    try {
      await copyDurable(source, target)
    } catch (error) {
      // Removed since the folder was listed.
      if (!(await exists(source))) continue
      throw error
    }
    copied += 1
  }
  return copied
}

/** Flush every folder below this one, and the folder itself. */
export async function flushFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) await flushFolder(join(entry.parentPath, entry.name))
  await flushFolder(folder)
}
