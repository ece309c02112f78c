// Two files whose paths differ only in case are one file on most macOS and Windows disks, and one import there.
import { codeFiles } from './sources.mjs'

export const name = 'file names: no two modules differ only in case'

/** @returns {string[]} one line per pair */
export function check(files = codeFiles()) {
  const seen = new Map()
  return files.flatMap(({ path }) => {
    const stem = path.replace(/\.[^.]+$/, '')
    const other = seen.get(stem.toLowerCase())
    seen.set(stem.toLowerCase(), { path, stem })
    return other === undefined || other.stem === stem ? [] : [`${other.path} and ${path} differ only in case`]
  })
}
