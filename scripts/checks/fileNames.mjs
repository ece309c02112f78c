// Paths that differ only in case are one file on most macOS and Windows disks. A flat folder with many files is hard to navigate.
import { dirname } from 'node:path'
import { codeFiles, isTestFile } from './sources.mjs'

export const name = 'file names: no two modules differ only in case, no flat folder of production code has over 25'

const MOST = 25
const FLAT = /^(app|components|client|lib|server|messages|prompts|scripts)\//

/** @returns {string[]} one line per pair, and per folder that is too full */
export function check(files = codeFiles()) {
  const seen = new Map()
  const pairs = files.flatMap(({ path }) => {
    const stem = path.replace(/\.[^.]+$/, '')
    const other = seen.get(stem.toLowerCase())
    seen.set(stem.toLowerCase(), { path, stem })
    return other === undefined || other.stem === stem ? [] : [`${other.path} and ${path} differ only in case`]
  })
  const folders = files.flatMap(({ path }) => (FLAT.test(path) && !isTestFile(path) ? [dirname(path)] : []))
  const full = [...new Set(folders)].flatMap((folder) => {
    const { length } = folders.filter((other) => other === folder)
    return length > MOST ? [`${folder} has ${length} files: give it sections`] : []
  })
  return [...pairs, ...full]
}
