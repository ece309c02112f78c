/** Rights of a data folder: only its owner may read it, also if an earlier version or a copy gave wider rights. */
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const FOLDERS = ['bodies', 'bodies-aside', 'keys', 'tool-sign-ins']
const FILES = /^convene\.(db(-wal|-shm|\.new|\.before-\d+)?|lock(-journal)?|(time|head|backed-up)\.json|log(\.\d+)?)$/

/** Removes the rights of others, only for the store's own files: the folder may have other files. */
export function tightenFolder(dataFolder: string): void {
  tighten(dataFolder, 0o700)
  for (const name of readdirSync(dataFolder)) {
    if (FILES.test(name)) tighten(join(dataFolder, name), 0o600)
    else if (FOLDERS.includes(name)) tightenAll(join(dataFolder, name))
  }
}

function tightenAll(folder: string): void {
  tighten(folder, 0o700)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) tighten(join(entry.parentPath, entry.name), 0o700)
    else if (entry.isFile()) tighten(join(entry.parentPath, entry.name), 0o600)
  }
}

function tighten(path: string, mode: number): void {
  try {
    if ((statSync(path).mode & 0o777 & ~mode) !== 0) chmodSync(path, mode)
  } catch {
    // It has another owner, or its file system has no rights: opening it will show whether it can be used.
  }
}
