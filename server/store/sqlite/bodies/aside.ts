/** bodies-aside/ in the data folder: files of bodies that no row referred to at a start. They are deleted on request only. */
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

export const asideOf = (dataFolder: string): string => join(dataFolder, 'bodies-aside')

type Aside = { folder: string; files: number; bytes: number }

/** The contents of the folder. */
export function lookAside(dataFolder: string): Aside {
  const folder = asideOf(dataFolder)
  const sizes = filesIn(folder).map((path) => statSync(path).size)
  return { folder, files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
}

/** Delete the folder. out: its contents before. faults: errors of the file system */
export function emptyAside(dataFolder: string): Aside {
  const aside = lookAside(dataFolder)
  rmSync(aside.folder, { recursive: true, force: true })
  return aside
}

function filesIn(folder: string): string[] {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (!found?.isDirectory()) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
