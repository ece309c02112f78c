/** One file of the workspace, opened so that no path leads out of it. */
import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** A path under the workspace in its one form; null: it is absolute, leads up, is hidden, or impossible. */
export function pathInWorkspace(text: string): string | null {
  const path = text.replace(/^(\.\/)+/, '')
  if (path === '' || path.length > LONGEST_PATH || path.includes('\0') || (sep === '\\' && path.includes('\\')))
    return null
  // A hidden name, `..` among them, or an empty one.
  return path.split('/').some((part) => part === '' || part.startsWith('.')) ? null : path
}
const LONGEST_PATH = 4_096

/** Does this path lead to itself, without links on the way? */
export async function isOwnPath(root: string, path: string): Promise<boolean> {
  return (await ownPath(root, path)) !== null
}

async function ownPath(root: string, path: string): Promise<string | null> {
  const realRoot = await realpath(root).catch(() => null)
  const real = await realpath(join(root, path)).catch(() => null)
  return realRoot !== null && real === join(realRoot, path) ? real : null
}

/** Opens a file to read it. null: there is none, or a link is on the way. The caller closes the handle. */
export async function openFile(
  root: string,
  path: string,
): Promise<{ handle: FileHandle; bytes: number; changedAt: number } | null> {
  const real = await ownPath(root, path)
  if (real === null) return null
  // NONBLOCK: to open a pipe would wait for its writer.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const handle = await open(real, flags).catch(() => null)
  if (handle === null) return null
  const stat = await handle.stat().catch(() => null)
  if (stat?.isFile()) return { handle, bytes: stat.size, changedAt: stat.mtimeMs }
  await handle.close()
  return null
}
