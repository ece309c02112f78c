// `npm test -- core`: the program without its packages, in a copy of its own.
import { cpSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { importsOf, ownFile, projectFiles } from '../checks/sources.mjs'
import { inRoot } from './paths.mjs'

/** Pages speak of the whole program. */
const IS_OF_PAGES = /^docs\/.*\.test\.ts$/
/** Measurements and tests may need a package; the program may not. */
const MAY_NEED_PACKAGES = /^(test|bench|e2e|scripts)\/|\.test\.tsx?$/

/**
 * Copies the program without packages, and without the tests and measurements that need one, directly or through others.
 *
 * @returns {{folder: string, left: string[]}} the copy, and the files that were left out
 */
export function copyCore() {
  const files = projectFiles().filter(({ path }) => !path.startsWith('packages/'))
  const paths = new Set(files.map(({ path }) => path))
  const left = new Set([...paths].filter((path) => IS_OF_PAGES.test(path)))
  for (let before = -1; before !== left.size; ) {
    before = left.size
    for (const { path, text } of files) {
      if (left.has(path) || !MAY_NEED_PACKAGES.test(path) || !/\.(ts|tsx|mts)$/.test(path)) continue
      const needs = importsOf(text).some(({ specifier }) => {
        const target = ownFile(path, specifier, paths)
        return specifier.startsWith('@/packages/') || (target !== undefined && left.has(target))
      })
      if (needs) left.add(path)
    }
  }
  // Elsewhere: nothing of the copy may be taken for a part of the program.
  const folder = mkdtempSync(join(tmpdir(), 'convene-core-'))
  for (const path of paths) {
    if (left.has(path)) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(inRoot(path), join(folder, path))
  }
  return { folder, left: [...left].sort() }
}
