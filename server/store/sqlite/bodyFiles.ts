/**
 * Large bodies as files: written whole under a temporary name, made durable, then renamed, so that a name is only ever a whole file.
 * Used by bodies.ts.
 */
import { randomUUID } from 'node:crypto'
import { unlinkSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

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
  await syncFolder(folder)
  // Whoever made the folder may not have come this far yet: its name must be durable before ours counts.
  await syncFolder(root)
}

export async function readBodyFile(root: string, sha: string): Promise<Uint8Array> {
  return readFile(pathOf(root, sha))
}

/** The file of a body whose row is gone. It comes to nothing when it cannot be removed: the next start tries again. */
export function removeBodyFile(root: string, sha: string): void {
  try {
    unlinkSync(pathOf(root, sha))
  } catch {
    // Without its row it does not exist for readers.
  }
}

/** Remove files that no row names: their append was refused, or the process died after it had forgotten them. Only at start. */
export async function removeUnnamed(root: string, isNamed: (sha: string) => boolean): Promise<void> {
  for (const path of await readdir(root, { recursive: true })) {
    const sha = basename(path)
    if (/^[0-9a-f]{64}$/.test(sha) && !isNamed(sha)) await rm(join(root, path), { force: true })
  }
}

/** Remove what a process left that died while writing. Only at start, when nobody else writes here. */
export async function removeUnfinished(root: string): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  for (const name of await readdir(root, { recursive: true })) {
    if (name.endsWith('.tmp')) await rm(join(root, name), { force: true })
  }
}

function pathOf(root: string, sha: string): string {
  return join(root, sha.slice(0, 2), sha)
}

/** Make the names in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder for this; its rename is as durable as it gets.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
