import type { TaskId } from '../ids'
import type { FileVersion, World } from '../records'

export type VersionOfPath = FileVersion & { path: string }

/** The versions of a file that the world knows, oldest first. */
export const selectVersions = (world: World, path: string): readonly FileVersion[] =>
  Object.hasOwn(world.files, path) ? (world.files[path] ?? []) : []

/** The last version of each path that the steps of a task left, the last changed last; without files removed again. */
export function selectFilesOfTask(world: World, task: TaskId): VersionOfPath[] {
  const last = new Map<string, VersionOfPath>()
  const madeHere = new Set<string>()
  const versions = Object.entries(world.files)
    .flatMap(([path, all]) => all.filter((one) => one.task === task).map((version) => ({ ...version, path })))
    .sort((a, b) => a.seq - b.seq || (a.path < b.path ? -1 : 1))
  for (const version of versions) {
    if (version.change === 'made') madeHere.add(version.path)
    last.delete(version.path)
    last.set(version.path, version)
  }
  return [...last.values()].filter(({ path, change }) => change !== 'removed' || !madeHere.has(path))
}
