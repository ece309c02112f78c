/** The files of the workspace: a limited walk without hidden files and links. */
import type { BigIntStats } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** mark: differs after a new write; changedAt: epoch ms. */
export type FoundFile = { path: string; kind: 'file' | 'folder'; bytes: number; changedAt: number; mark: string }
type Walked = { found: FoundFile[]; isWhole: boolean }

/** Entries of a walk at most, hidden ones aside. */
export const MOST_ENTRIES = 5_000
/** Files of one folder that are looked at together. */
const AT_ONCE = 64

/**
 * The files and folders below a folder of the workspace, each folder before its content, by name.
 *
 * in      root: absolute; folder: under it, with slashes, '' for the root itself; depth: folders deep
 * out     isWhole: false when there are more than `most`. A folder that cannot be read is empty
 */
export async function walk(
  root: string,
  { folder = '', depth = Number.POSITIVE_INFINITY, most = MOST_ENTRIES } = {},
): Promise<Walked> {
  const found: FoundFile[] = []
  let isWhole = true
  const visit = async (below: string, left: number): Promise<void> => {
    const items = (await readdir(join(root, below), { withFileTypes: true }).catch(() => []))
      .filter((item) => !item.name.startsWith('.') && (item.isFile() || item.isDirectory()))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    for (let from = 0; from < items.length; from += AT_ONCE) {
      const some = items.slice(from, from + AT_ONCE)
      const stats = await Promise.all(some.map(({ name }) => statOf(join(root, below, name))))
      for (const [at, { name }] of some.entries()) {
        const stat = stats[at]
        if (!stat || !(stat.isFile() || stat.isDirectory())) continue
        if (found.length >= most) {
          isWhole = false
          return
        }
        const path = below === '' ? name : `${below}/${name}`
        found.push(foundOf(path, stat))
        if (stat.isDirectory() && left > 1) await visit(path, left - 1)
        if (!isWhole) return
      }
    }
  }
  await visit(folder, depth)
  return { found, isWhole }
}

/** One file or folder by its path; null: there is none, or it is neither. */
export async function look(root: string, path: string): Promise<FoundFile | null> {
  const stat = await statOf(join(root, path))
  return stat && (stat.isFile() || stat.isDirectory()) ? foundOf(path, stat) : null
}

const statOf = (path: string): Promise<BigIntStats | null> => lstat(path, { bigint: true }).catch(() => null)

const foundOf = (path: string, stat: BigIntStats): FoundFile => ({
  path,
  kind: stat.isFile() ? 'file' : 'folder',
  bytes: stat.isFile() ? Number(stat.size) : 0,
  changedAt: Number(stat.mtimeMs),
  mark: `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`,
})
