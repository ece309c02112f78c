// Import circles: sets of files that import each other, directly or indirectly; types and `import()` count.
import { codeFiles, importsOf, isTestFile, ownFile } from './sources.mjs'

export const name = 'circles: no large set of files import each other'

/** Largest allowed circle; folders may have a limit of their own. */
const LIMIT = 9
/** 1: no circles. */
const FOLDER_LIMITS = { 'lib/mas': 1 }

/** @returns {string[]} one line per circle over its limit, the largest first */
export function check(files = codeFiles(), limit = LIMIT, folderLimits = FOLDER_LIMITS) {
  const graph = importGraph(files.filter(({ path }) => !isTestFile(path)))
  const folders = Object.keys(folderLimits)
  const isHeldApart = (circle) => folders.some((folder) => circle.every((path) => path.startsWith(`${folder}/`)))
  const tooLarge = (circles, most) => circles.filter((circle) => circle.length > most)
  return [
    ...tooLarge(circlesIn(graph), limit).filter((circle) => !isHeldApart(circle)),
    ...folders.flatMap((folder) => tooLarge(circlesIn(within(graph, folder)), folderLimits[folder])),
  ].map((circle) => `${circle.length} files import each other: ${circle.join(', ')}`)
}

/** @returns {Map<string, string[]>} file → the project's files that it imports */
function importGraph(files) {
  const paths = new Set(files.map(({ path }) => path))
  return new Map(
    files.map(({ path, text }) => [
      path,
      importsOf(text).flatMap(({ specifier }) => ownFile(path, specifier, paths) ?? []),
    ]),
  )
}

function within(graph, folder) {
  const isInside = (path) => path.startsWith(`${folder}/`)
  const rows = [...graph].filter(([path]) => isInside(path))
  return new Map(rows.map(([path, targets]) => [path, targets.filter(isInside)]))
}

/** Strongly connected components (Tarjan) of two nodes or more, sorted, the largest first. */
function circlesIn(graph) {
  const index = new Map()
  const low = new Map()
  const stack = []
  const circles = []
  const visit = (node) => {
    index.set(node, index.size)
    low.set(node, index.get(node))
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) low.set(node, Math.min(low.get(node), low.get(next)))
    }
    if (low.get(node) !== index.get(node)) return
    const circle = stack.splice(stack.indexOf(node)).sort()
    if (circle.length > 1) circles.push(circle)
  }
  for (const node of graph.keys()) if (!index.has(node)) visit(node)
  return circles.sort((one, other) => other.length - one.length)
}
