/** The configuration file on the disk, and what the page would write into it. */
import { access, constants, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { Fault } from '@/lib/faults'
import type { World } from '@/lib/mas/records'
import { fileWith, UnwritableError } from './writeFile'

type FileState = {
  /** Without its folder. */
  name: string
  canWrite: boolean
  /** It says what the page says already. */
  isSame: boolean
  /** With what the page says. */
  text: string
}

/** Throws FILE_UNFIT where the result would be no valid file. */
export async function openConfigFile(path: string, world: Pick<World, 'setup'>) {
  const before = await readFile(path, 'utf8')
  const text = textWith(before, world)
  const state: FileState = { name: basename(path), canWrite: await mayWrite(path), isSame: text === before, text }
  return {
    ...state,
    /** Whole or not at all: it is written beside, and takes the place of the old one. */
    async write(): Promise<void> {
      const beside = `${path}.new`
      await writeFile(beside, state.text, { mode: (await stat(path)).mode & 0o777 })
      await rename(beside, path)
    },
  }
}

function textWith(text: string, world: Pick<World, 'setup'>): string {
  try {
    return fileWith(text, world)
  } catch (error) {
    if (error instanceof UnwritableError) throw new Fault('FILE_UNFIT', { why: error.message })
    throw error
  }
}

/** The file, and its folder, in which the new one is made first. */
const mayWrite = (path: string): Promise<boolean> =>
  Promise.all([path, dirname(path)].map((one) => access(one, constants.W_OK))).then(
    () => true,
    () => false,
  )
