import type { FileVersion, World } from '../records'
import { withoutKeys } from '../reduce/branch'
import type { Reducers } from '../reduce/reducer'

/** Number of paths in the world; older ones are in the journal. */
export const PATHS_KEPT = 2_000

export const fileReducers = {
  'files.changed': (world, { task, agent, step, thread, changes, keep }, { at, seq }) => {
    const changed = changes.map(({ path, ...change }): [string, FileVersion[]] => {
      const before = Object.hasOwn(world.files, path) ? (world.files[path] ?? []) : []
      return [path, [...before, { ...change, seq, at, task, agent, step, thread }].slice(-Math.max(1, keep))]
    })
    return changed.length === 0
      ? world
      : { ...world, files: newest({ ...world.files, ...Object.fromEntries(changed) }) }
  },
} satisfies Reducers

function newest(files: World['files']): World['files'] {
  const paths = Object.keys(files)
  if (paths.length <= PATHS_KEPT) return files
  const changedAt = (path: string): number => files[path]?.at(-1)?.seq ?? 0
  const oldest = paths.sort((a, b) => changedAt(a) - changedAt(b) || (a < b ? -1 : 1))
  return withoutKeys(files, oldest.slice(0, paths.length - PATHS_KEPT))
}
