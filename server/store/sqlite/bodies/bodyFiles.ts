/** Large bodies as files: written under a temporary name, flushed, then renamed, so a named file is always complete. */
import { randomUUID } from 'node:crypto'
import { unlinkSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { flushFolder } from '@/server/shared/flush'
import { isSha256 } from '@/server/shared/sha256'
import { asideOf } from './aside'

export async function writeBodyFile(root: string, sha: string, data: Uint8Array): Promise<void> {
  const path = pathOf(root, sha)
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const temporary = join(folder, `${randomUUID()}.tmp`)
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.writeFile(data)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
  await flushFolder(folder)
  // The folder may be new: its name must be durable before that of the file.
  await flushFolder(root)
}

export async function readBodyFile(root: string, sha: string): Promise<Uint8Array> {
  return readFile(pathOf(root, sha))
}

/** Deletes the file of a body without a row. Errors are ignored: the next start moves it aside. */
export function removeBodyFile(root: string, sha: string): void {
  try {
    unlinkSync(pathOf(root, sha))
  } catch {
    // Without its row it does not exist for readers.
  }
}

/** At start: moves files without a row to bodies-aside/. Nothing is deleted: a restored journal may refer to them. */
export async function removeUnnamed(root: string, isNamed: (sha: string) => boolean): Promise<void> {
  const aside = asideOf(dirname(root))
  for (const path of await readdir(root, { recursive: true })) {
    const name = basename(path)
    if (!name.endsWith('.tmp') && !(isSha256(name) && !isNamed(name))) continue
    await mkdir(dirname(join(aside, path)), { recursive: true, mode: 0o700 })
    await rename(join(root, path), join(aside, path))
  }
}

/** The number of bodies in files. */
export async function countBodyFiles(root: string): Promise<number> {
  return (await readdir(root, { recursive: true })).filter((path) => isSha256(basename(path))).length
}

function pathOf(root: string, sha: string): string {
  return join(root, sha.slice(0, 2), sha)
}
