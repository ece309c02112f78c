// Each lazy file has one loader: with two, the bundler builds it twice, and the first copy lacks modules (components/ui/lazy.ts).
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { filesBelow } from '../lib/fingerprint.mjs'
import { ROOT } from '../lib/paths.mjs'

export const name = 'lazy files: each has one import()'

export function check() {
  const places = new Map()
  for (const found of filesBelow(['app', 'components', 'client', 'lib', 'test/gallery'], (path) =>
    /(?<!\.test)\.tsx?$/.test(path),
  )) {
    const text = readFileSync(found, 'utf8')
    const file = relative(ROOT, found)
    for (const [, target] of text.matchAll(/\bimport\('([^']+)'\)/g)) {
      const path = target.startsWith('@/') ? target.slice(2) : relative(ROOT, join(ROOT, dirname(file), target))
      // Texts are data: they lack no modules.
      if (path.startsWith('messages/')) continue
      places.set(path, [...(places.get(path) ?? []), file])
    }
  }
  return [...places]
    .filter(([, files]) => files.length > 1)
    .map(([path, files]) => `${path} has an import() in ${files.join(' and ')}`)
}
