import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { End } from './job'

/** The files of a folder as a check reads them. */
export const workspaceOf = (folder: string): Pick<End, 'file' | 'paths'> => ({
  file: (name) => {
    const file = path.join(folder, name)
    return existsSync(file) ? readFileSync(file, 'utf8') : null
  },
  paths: readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort(),
})
