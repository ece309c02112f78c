// Each lazy file has one loader: with two, the bundler builds it twice, and the first copy lacks modules (components/ui/lazy.tsx).
import { codeFiles, importsOf, ownTarget } from './sources.mjs'

export const name = 'lazy files: each has one import()'

const LOADERS = /^(app|components|client|lib|test\/gallery)\/.*(?<!\.test)\.tsx?$/

export function check(files = codeFiles()) {
  const places = new Map()
  for (const { path, text } of files.filter((file) => LOADERS.test(file.path))) {
    for (const { specifier } of importsOf(text).filter(({ isLate }) => isLate)) {
      const target = ownTarget(path, specifier)
      // Texts are data: they lack no modules.
      if (target === undefined || target.startsWith('messages/')) continue
      places.set(target, [...(places.get(target) ?? []), path])
    }
  }
  return [...places]
    .filter(([, loaders]) => loaders.length > 1)
    .map(([target, loaders]) => `${target} has an import() in ${loaders.join(' and ')}`)
}
